// Log-in by name and password: USER and PASS (protocol sections 6 and 18.2).

import { MAX_PASSWORD_BYTES } from '../../../limits/backend.ts';
import { LEVEL } from '../../../model.ts';
import { accountName } from '../../../protocol/names.ts';
import { STATUS } from '../../../protocol/status.ts';
import { now } from '../../../system/clock.ts';
import { logIn, requireNobody } from '../../maintenance/log-in.ts';
import { addressKeys, unlessAsked, waitForTurn } from '../../session/attempts.ts';
import { moreNeeded, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { type AppPasswordRow, findAppPassword, noteAppPasswordUse } from '../../store/credentials/app-passwords.ts';
import { hashPassword, isHashOutdated, NO_PASSWORD, verifyPassword } from '../../store/credentials/passwords.ts';
import type { StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Store } from '../../store/store.ts';
import { findUser, renewPasswordHash, updateUser } from '../../store/users.ts';

/** `USER name` → 300, 541, 570 */
export function user(session: Session, args: string): Reply {
  requireNobody(session);
  const name = args.split('|')[0]!.trim();
  const found = findUser(session.store, name);
  const isThere = found !== undefined && found.level !== LEVEL.deleted;
  session.selectedUser = isThere ? found : undefined;
  session.unknownName = isThere ? undefined : name;
  if (!isThere) throw new Refusal(STATUS.noSuchUser, `${name} not found.`);
  return moreNeeded(`Password required for ${found.name}`);
}

/**
 * `PASS password`: the whole line, blanks around it do not count → 200, 540, 541, 542; 550 after too many failures.
 * Behind a USER that found nobody it takes as long, and counts as much: a gateway sends both at once, and its answers,
 * which say nothing of accounts, must not tell of them by their time.
 */
export async function pass(session: Session, args: string): Promise<Reply> {
  requireNobody(session);
  const { selectedUser: selected, unknownName } = session;
  const nameMissing = new Refusal(STATUS.userNameRequired, 'You must send a name with USER first.');
  if (!selected && unknownName === undefined) throw nameMissing;
  const password = args.trim();
  const stored = selected ? selected.password : NO_PASSWORD;
  const account = selected ? selected.id : `name ${accountName(unknownName!)}`;
  const keys = [`account:${account}`, ...addressKeys(session)];
  await waitForTurn(session, keys);
  // looked for first, and whoever the name means: what is none takes as long as any wrong password
  const appPassword = goodAppPassword(session, selected, password);
  let isRight = appPassword !== undefined;
  if (!isRight && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES) {
    isRight = await unlessAsked(session, keys, verifyPassword(stored, password, session));
  }
  await (isRight ? session.throttle?.succeeded(keys) : session.throttle?.failed(keys));
  if (!selected) throw nameMissing;
  const isOld = isRight && !appPassword && isHashOutdated(stored);
  const renewed = isOld ? await hashPassword(password, session.server.passwordCost, session) : undefined;
  // Meanwhile another log-in may have made the hash anew, or the account been given another password, or deleted.
  let seen = stored;
  while (isRight && !appPassword && selected.password !== seen) {
    seen = selected.password;
    isRight = await verifyPassword(seen, password, session);
  }
  const isThere = session.selectedUser === selected && selected.level !== LEVEL.deleted;
  const isStillGood = !appPassword || goodAppPassword(session, selected, password) !== undefined;
  if (!isRight || !isThere || !isStillGood) throw new Refusal(STATUS.passwordRequired, 'Wrong password.');
  const { store } = session;
  if (!appPassword) {
    const reply = logIn(session, selected);
    if (renewed !== undefined && seen === stored) renewHash(store, selected, renewed);
    return reply;
  }
  session.appPassword = appPassword;
  // A gateway logs in again and again with it: that is no call, and written down now and then.
  return logIn(session, selected, () => {
    if (noteAppPasswordUse(store, appPassword)) updateUser(store, selected, { lastCall: now() });
  });
}

/** A hash of an earlier version is made anew when its password is known. On a full disk the next log-in does it. */
function renewHash(store: Store, user: StoredUser, hash: string): void {
  try {
    renewPasswordHash(store, user, hash);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/**
 * The app password that this is, of this user, where it may be used. Scopes are about paths of HTTP, so only a gateway
 * holds to them; of who speaks the line protocol himself, and is throttled here, the scope must be all.
 */
function goodAppPassword(session: Session, user: StoredUser | undefined, secret: string): AppPasswordRow | undefined {
  const found = findAppPassword(session.store, secret);
  if (!found || found.user !== user?.id) return undefined;
  return session.throttle && found.scope !== 'all' ? undefined : found;
}
