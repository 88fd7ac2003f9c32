// Log-in by name and password, USER and PASS (protocol sections 6 and 18.2), and by session key, SKEY, our own verb for
// gateways (protocol section 21). A session key allows neither new keys nor a change of password. It ends with SKEY
// end, after sessionKeySeconds without use, and when the password, the name or the account changes. APPW, our own verb,
// manages app passwords, with which programs log in by USER and PASS. The gateway enforces their scopes for HTTP paths
// (gateway/caller.ts). Here, no app password allows creating others, setting a password or administering the server.

import { MAX_PASSWORD_BYTES } from '../../limits/backend.ts';
import { MAX_APP_PASSWORD_NAME_BYTES } from '../../limits/sessions.ts';
import { APP_PASSWORD_SCOPES, type AppPasswordScope, LEVEL } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { accountName } from '../../protocol/names.ts';
import { STATUS } from '../../protocol/status.ts';
import { now } from '../../system/clock.ts';
import { logIn, requireNobody } from '../maintenance/log-in.ts';
import { readableRoom, refuseAppPassword, requirePassword, requireUser } from '../session/access.ts';
import { addressKeys, unlessAsked, waitForTurn } from '../session/attempts.ts';
import { listing, ok, type Reply, statusLine } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import {
  type AppPasswordRow,
  appPasswordsOf,
  dropAppPassword,
  endSessionKey,
  findAppPassword,
  findSessionKey,
  makeSessionKey,
  noteAppPasswordUse,
  noteUse,
  storeAppPassword,
} from '../store/keys.ts';
import { hashPassword, isHashOutdated, NO_PASSWORD, verifyPassword } from '../store/passwords.ts';
import type { StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { roomById, shownName } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { findUser, renewPasswordHash, updateUser, userById, userNamed } from '../store/users.ts';

/** `USER name` → 300, 541, 570 */
export function user(session: Session, args: string): Reply {
  requireNobody(session);
  const name = args.split('|')[0]!.trim();
  const found = findUser(session.store, name);
  const isThere = found !== undefined && found.level !== LEVEL.deleted;
  session.selectedUser = isThere ? found : undefined;
  session.unknownName = isThere ? undefined : name;
  if (!isThere) throw new Refusal('noSuchUser', `${name} not found.`);
  return statusLine(STATUS.moreNeeded, `Password required for ${found.name}`);
}

/**
 * `PASS password`: the whole line without surrounding blanks → 200, 540, 541, 542; 550 after too many failures. After a
 * USER that found nobody it takes as long and counts as a failure, too: a gateway sends both at once, and the time of
 * its reply must not reveal which accounts exist.
 */
export async function pass(session: Session, args: string): Promise<Reply> {
  requireNobody(session);
  const { selectedUser: selected, unknownName } = session;
  const nameMissing = new Refusal('userNameRequired', 'You must send a name with USER first.');
  if (!selected && unknownName === undefined) throw nameMissing;
  const password = args.trim();
  const stored = selected ? selected.password : NO_PASSWORD;
  const account = selected ? selected.id : `name ${accountName(unknownName!)}`;
  const keys = [`account:${account}`, ...addressKeys(session)];
  await waitForTurn(session, keys);
  // Looked up first and for any name, so that a wrong password always takes as long.
  const appPassword = goodAppPassword(session, selected, password);
  let isRight = appPassword !== undefined;
  if (!isRight && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES) {
    isRight = await unlessAsked(session, keys, verifyPassword(stored, password, session));
  }
  await (isRight ? session.throttle?.succeeded(keys) : session.throttle?.failed(keys));
  if (!selected) throw nameMissing;
  const isOld = isRight && !appPassword && isHashOutdated(stored);
  const renewed = isOld ? await hashPassword(password, session.server.passwordCost, session) : undefined;
  // Meanwhile the hash may have been renewed, the password changed, or the account deleted.
  let seen = stored;
  while (isRight && !appPassword && selected.password !== seen) {
    seen = selected.password;
    isRight = await verifyPassword(seen, password, session);
  }
  const isThere = session.selectedUser === selected && selected.level !== LEVEL.deleted;
  const isStillGood = !appPassword || goodAppPassword(session, selected, password) !== undefined;
  if (!isRight || !isThere || !isStillGood) throw new Refusal('passwordRequired', 'Wrong password.');
  const { store } = session;
  if (!appPassword) {
    const reply = logIn(session, selected);
    if (renewed !== undefined && seen === stored) renewHash(store, selected, renewed);
    return reply;
  }
  session.appPassword = appPassword;
  // A gateway logs in with it on each connection: that is not a new call, and rarely written down.
  return logIn(session, selected, () => {
    if (noteAppPasswordUse(store, appPassword)) updateUser(store, selected, { lastCall: now() });
  });
}

/** Replaces a hash with old parameters while the password is known. On a full disk a later log-in does it. */
function renewHash(store: Store, user: StoredUser, hash: string): void {
  try {
    renewPasswordHash(store, user, hash);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/**
 * The app password of this user with this secret, if it may be used. Scopes limit HTTP paths, which only a gateway
 * enforces: ordinary clients, which are throttled here, need the scope all.
 */
function goodAppPassword(session: Session, user: StoredUser | undefined, secret: string): AppPasswordRow | undefined {
  const found = findAppPassword(session.store, secret);
  if (!found || found.user !== user?.id) return undefined;
  return session.throttle && found.scope !== 'all' ? undefined : found;
}

/**
 * `SKEY new` → `200 key` for who has logged in by password. `SKEY login|key` → as PASS. `SKEY end` → 200, and
 * every session of the key that this one has logged in with ends, this one too. 512, 520, 540, 541, 550
 */
export function skey(session: Session, args: string): Reply {
  const [what, key = ''] = splitFields(args);
  switch (what) {
    case 'new':
      return newKey(session);
    case 'login':
      return logInByKey(session, key);
    case 'end':
      return endKey(session);
    default:
      throw new Refusal('illegalValue', 'SKEY takes new, login or end.');
  }
}

function newKey(session: Session): Reply {
  const user = requireUser(session);
  requirePassword(session);
  const { key, dropped } = makeSessionKey(session.store, user.id);
  session.server.endSessionsOfKeys(dropped);
  return ok(key);
}

function logInByKey(session: Session, key: string): Reply {
  requireNobody(session);
  const { store } = session;
  const found = findSessionKey(store, key);
  const user = found && userById(store, found.user);
  if (!user || user.level === LEVEL.deleted)
    throw new Refusal('passwordRequired', 'This session key is not good, or no longer.');
  // A gateway logs in on each of its connections: that is one call, which PASS has counted.
  const reply = logIn(session, user, () => noteUse(store, found) && updateUser(store, user, { lastCall: now() }));
  session.keyHash = found.hash;
  return reply;
}

function endKey(session: Session): Reply {
  const { keyHash } = session;
  if (keyHash === undefined) throw new Refusal('illegalValue', 'This session was not begun with a session key.');
  endSessionKey(session.store, keyHash);
  session.server.endSessionsOfKeys([keyHash]);
  return ok('The session key has ended.');
}

/**
 * `APPW new|scope|name` → `200 id|secret`; `APPW list` → rows `id|scope|created|used|room|name`; `APPW end|id` → 200,
 * and every session that has logged in with it ends. On the administration socket a further field names whose they are.
 * 511, 512, 520, 530 where no gateway of this machine asks, 550, 570, 575
 */
export function appw(session: Session, args: string): Reply {
  if (session.throttle) throw new Refusal('unsupported', 'App passwords are made at the gateway of this server.');
  const [what, ...fields] = splitFields(args);
  switch (what) {
    case 'new':
      return make(session, fields);
    case 'list':
      return list(session, ownerOf(session, fields[0]));
    case 'end':
      return end(session, ownerOf(session, fields[1]), toInt(fields[0]));
    default:
      throw new Refusal('illegalValue', 'APPW takes new, list or end.');
  }
}

function make(session: Session, [scope, name = '', owner]: readonly string[]): Reply {
  const user = ownerOf(session, owner);
  if (!isScope(scope)) throw new Refusal('illegalValue', `A scope is one of ${APP_PASSWORD_SCOPES.join(', ')}.`);
  // a feed shows one room, which the user can read anyway; the other scopes outlive the session
  if (scope !== 'feed') requirePassword(session);
  const clean = name.trim();
  if (clean === '' || Buffer.byteLength(clean) > MAX_APP_PASSWORD_NAME_BYTES || /\p{Cc}/u.test(clean)) {
    throw new Refusal('illegalValue', `A name has 1 to ${MAX_APP_PASSWORD_NAME_BYTES} bytes.`);
  }
  const room = scope === 'feed' ? readableRoom(session).id : null;
  const { id, secret } = storeAppPassword(session.store, { user: user.id, name: clean, scope, room });
  return ok(`${id}|${secret}`);
}

function list({ store }: Session, user: StoredUser): Reply {
  let rows = '';
  for (const { id, scope, created, used, room, name } of appPasswordsOf(store, user.id)) {
    const found = room === null ? undefined : roomById(store, room);
    rows += `${id}|${scope}|${created}|${used}|${found ? shownName(found, user) : ''}|${name}\n`;
  }
  return listing('App passwords:', rows);
}

function end(session: Session, user: StoredUser, id: number): Reply {
  if (!dropAppPassword(session.store, user.id, id)) throw new Refusal('noSuchMessage', 'No such app password.');
  session.server.endSessionsOfAppPassword(id);
  return ok('The app password has ended.');
}

/** The user whose app passwords are managed. Throws Refusal 520, 550, 570. */
function ownerOf(session: Session, name: string | undefined): StoredUser {
  if (session.isAdminSocket && name) return userNamed(session.store, name);
  refuseAppPassword(session);
  return requireUser(session);
}

function isScope(word: string | undefined): word is AppPasswordScope {
  return APP_PASSWORD_SCOPES.some((scope) => scope === word);
}
