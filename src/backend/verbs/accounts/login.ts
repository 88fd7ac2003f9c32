// Logging in and out: USER, PASS, LOUT and what happens on the way in (protocol sections 6 and 18.2).

import { MAX_PASSWORD_BYTES } from '../../../limits/backend.ts';
import { LEVEL } from '../../../model.ts';
import { accountName } from '../../../protocol/names.ts';
import { STATUS } from '../../../protocol/status.ts';
import { now } from '../../../system/clock.ts';
import { deleteUser } from '../../maintenance/removal.ts';
import { addressKeys, unlessAsked, waitForTurn } from '../../session/attempts.ts';
import { moreNeeded, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { type AppPasswordRow, findAppPassword, noteAppPasswordUse } from '../../store/credentials/app-passwords.ts';
import { hashPassword, isHashOutdated, NO_PASSWORD, verifyPassword } from '../../store/credentials/passwords.ts';
import type { StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { baseRoom } from '../../store/rooms.ts';
import type { Store } from '../../store/store.ts';
import { createPersonalRooms, findUser, renewPasswordHash, updateUser } from '../../store/users.ts';
import { dropUpload } from '../directory.ts';
import { enterRoom } from '../goto.ts';

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

/** `LOUT` → 200; the session stays. */
export function lout(session: Session): Reply {
  logOut(session);
  // Behind the reply, which is written when this turn is over.
  setImmediate(() => session.server.downWhenIdle());
  return ok('logged out.');
}

/**
 * Makes the session this user's: personal rooms, base room, and what `note` writes of the call, by default its time and
 * that it was one more. The reply of PASS, NEWU and SKEY, with a field for the scope where it was an app password.
 */
export function logIn(
  session: Session,
  loggedIn: StoredUser,
  note: () => unknown = () => updateUser(session.store, loggedIn, { lastCall: now(), calls: loggedIn.calls + 1 }),
): string {
  const { store } = session;
  const previousCall = loggedIn.lastCall;
  try {
    store.transaction(
      () => {
        createPersonalRooms(store, loggedIn);
        note();
      },
      () => ({ users: [loggedIn.id] }),
    );
  } catch (error) {
    // On a disk that is full one can still read.
    if (!(error instanceof Refusal)) throw error;
  }
  session.user = loggedIn;
  session.selectedUser = undefined;
  session.unknownName = undefined;
  session.newMail = 0;
  const { appPassword } = session;
  if (appPassword?.scope !== 'feed') enterRoom(session, baseRoom(store));
  const { name, level, flags, id } = loggedIn;
  return ok(`${name}|${level}|0|0|${flags}|${id}|${previousCall}${appPassword ? `|${appPassword.scope}` : ''}`);
}

/** Ends the log-in; a user who was deleted meanwhile goes with the last session. */
export function logOut(session: Session): void {
  const left = session.user;
  session.user = undefined;
  session.selectedUser = undefined;
  session.unknownName = undefined;
  session.keyHash = undefined;
  session.appPassword = undefined;
  session.room = undefined;
  session.highestKnown = 0;
  session.openDownload = undefined;
  dropUpload(session);
  session.chatRoom = undefined;
  session.isValidating = false;
  session.instantMessages = [];
  session.lastPager = undefined;
  session.stealth = false;
  session.refusesMessages = false;
  session.asyncMode = false;
  session.notices.clear();
  if (left?.level === LEVEL.deleted && !session.server.isOnline(left)) deleteUser(session.server, left);
}

/** Throws Refusal 541 where somebody is logged in. */
export function requireNobody(session: Session): void {
  if (session.user) throw new Refusal(STATUS.alreadyLoggedIn, 'Already logged in.');
}
