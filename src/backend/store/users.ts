// Users of the embedded server, found by name, address or number (protocol section 7); their mail addresses and
// personal rooms. One shared object each.

import type { SQLInputValue } from 'node:sqlite';
import { MAX_USER_NAME_BYTES } from '../../limits/backend.ts';
import { LEVEL, ROOM_FLAG, VIEW } from '../../model.ts';
import { areUsersAlike, userLookKey } from '../../protocol/name-rules.ts';
import { accountName, localPartOf, nameKey, splitAddress } from '../../protocol/names.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import { now } from '../../system/clock.ts';
import { endSessionKeysOf } from './keys.ts';
import type { StoredRoom, StoredUser, UserCache } from './records.ts';
import { Refusal } from './refusal.ts';
import { createRoom, personalKey, roomByName } from './rooms.ts';
import { nodeName, numberSetting, type Store } from './store.ts';

/** Bits of the flags of a user (protocol section 7). */
export const USER_FLAG = { needsValidation: 1, lastOld: 16, unlisted: 64, registered: 1024 } as const;

/** flags that users set themselves with SETU */
export const OWN_FLAGS_MASK = 27634;

const NEW_USER_FLAGS = 10768;

/** names that mean something else to SEXP or as mail recipients */
const RESERVED_KEYS = new Set(['citadel', 'vestibule', 'sysop', 'aide', 'broadcast']);

/** name and view of the personal rooms everybody has */
const PERSONAL_ROOMS: readonly [string, number][] = [
  [OWN_ROOM.mail, VIEW.mailbox],
  [OWN_ROOM.sent, VIEW.mailbox],
  [OWN_ROOM.trash, VIEW.mailbox],
  [OWN_ROOM.drafts, VIEW.mailbox],
  [OWN_ROOM.calendar, VIEW.calendar],
  [OWN_ROOM.tasks, VIEW.tasks],
  [OWN_ROOM.notes, VIEW.notes],
  [OWN_ROOM.contacts, VIEW.addressBook],
];

const COLUMNS = `id, name, key, password, level, flags, created, last_call AS lastCall, calls, posted,
  purge_days AS purgeDays`;

/** undefined if there is no such user, or no longer. */
export function userById(store: Store, id: number): StoredUser | undefined {
  return (
    store.caches.users.byId.get(id) ??
    remember(store, store.prepare(`SELECT ${COLUMNS} FROM user WHERE id = ?`).get(id))
  );
}

/** By name (letters and digits count, any case) or by an address of this server, `bob_smith@HOST`. */
export function findUser(store: Store, name: string): StoredUser | undefined {
  const { domain } = splitAddress(name);
  if (domain !== undefined && !isOwnDomain(store, domain)) return undefined;
  const key = accountName(name);
  if (key === '') return undefined;
  return (
    store.caches.users.byKey.get(key) ??
    remember(store, store.prepare(`SELECT ${COLUMNS} FROM user WHERE key = ?`).get(key))
  );
}

/** The user of this name or address. Throws Refusal 570. */
export function userNamed(store: Store, name: string): StoredUser {
  const user = findUser(store, name);
  if (!user) throw new Refusal('noSuchUser', 'No such user.');
  return user;
}

/** Unix time of the last log-in; 0 for never: `lastCall` of a new account is the time of its creation. */
export const lastLogIn = ({ calls, created, lastCall }: StoredUser): number =>
  calls === 0 && lastCall <= created ? 0 : lastCall;

/** All users by name, each loaded when it is reached: callers scan very many in pieces. */
export function* allUsers(store: Store): Generator<StoredUser> {
  for (const { id } of store.rows<{ id: number }>('SELECT id FROM user ORDER BY lower(name)')) {
    const user = userById(store, id);
    if (user) yield user;
  }
}

/** A name as it is stored: without `! @ _ , % |`, single blanks. */
function cleanName(name: string): string {
  return name
    .replace(/[!@_,%|]+/g, '')
    .replace(/ +/g, ' ')
    .trim();
}

/** `'Bob Smith'` → `'bob_smith@HOST'` */
export function addressOf(store: Store, user: StoredUser): string {
  return `${localPartOf(user.name)}@${nodeName(store)}`;
}

/** Whether mail to this domain is for users of this server. */
export function isOwnDomain(store: Store, domain: string): boolean {
  const name = nameKey(domain);
  return name === nameKey(nodeName(store)) || name === 'localhost';
}

/**
 * The name of an account as it is stored. Only ASCII: a real server turns other letters into blanks, so that users
 * would get another name than they typed. Throws Refusal 512, 542.
 */
export function acceptableName(name: string): string {
  if (name.trim() === '') throw new Refusal('userNameRequired', 'You must supply a user name.');
  if (/[^ -~]/.test(name)) throw new Refusal('illegalValue', `'${name}' is an invalid login name.`);
  const clean = cleanName(name);
  const key = accountName(clean);
  if (key === '' || RESERVED_KEYS.has(key) || Buffer.byteLength(clean) > MAX_USER_NAME_BYTES) {
    throw new Refusal('illegalValue', `'${name}' is an invalid login name.`);
  }
  return clean;
}

/** Throws Refusal 574 if the name looks like that of another account. */
export function refuseUserLookAlike(store: Store, name: string, user?: StoredUser): void {
  const other = store.all`SELECT id, name FROM user WHERE look_key = ${userLookKey(name)}`.find(
    (row) => row.id !== user?.id && areUsersAlike(String(row.name), name),
  );
  if (other) throw new Refusal('alreadyExists', `'${name}' looks like '${other.name}', which already exists.`);
}

/** Throws Refusal 574 if mail for a user of this name would reach another, who owns the address (ASEA). */
export function refuseAddressOfOther(store: Store, name: string, user?: StoredUser): void {
  const isTaken = store.get`SELECT 1 FROM user_address WHERE account = ${accountName(name)} AND user <> ${user?.id ?? 0}
    LIMIT 1`;
  if (isTaken) throw new Refusal('alreadyExists', `'${name}' already exists as a mail address.`);
}

/** Creates an account with its personal rooms. `password` is a hash. Throws Refusal 512, 542, 574. */
export function createUser(store: Store, name: string, password: string | null, level?: number): StoredUser {
  const clean = acceptableName(name);
  const key = accountName(clean);
  if (findUser(store, clean)) throw new Refusal('alreadyExists', `'${clean}' already exists.`);
  refuseAddressOfOther(store, clean);
  refuseUserLookAlike(store, clean);
  const time = now();
  return store.transaction(() => {
    const { lastInsertRowid } = store.run`INSERT INTO user (name, key, look_key, password, level, flags, created,
      last_call) VALUES (${clean}, ${key}, ${userLookKey(clean)}, ${password},
      ${level ?? numberSetting(store, 'c_initax')}, ${NEW_USER_FLAGS}, ${time}, ${time})`;
    const user = userById(store, Number(lastInsertRowid))!;
    store.onRollback(() => unindex(store.caches.users, user));
    createPersonalRooms(store, user);
    return user;
  });
}

const EDITABLE = {
  name: 'name',
  key: 'key',
  password: 'password',
  level: 'level',
  flags: 'flags',
  lastCall: 'last_call',
  calls: 'calls',
  posted: 'posted',
  purgeDays: 'purge_days',
} as const;

/** Changes columns of a user, in the database and in the shared row. A new password or name ends the session keys. */
export function updateUser(
  store: Store,
  user: StoredUser,
  changes: Partial<Pick<StoredUser, keyof typeof EDITABLE>>,
  keepsKeys = false,
): void {
  const entries = Object.entries(changes);
  if (entries.length === 0) return;
  const assignments = entries.map(([field]) => `${EDITABLE[field as keyof typeof EDITABLE]} = ?`);
  const values: SQLInputValue[] = entries.map(([, value]) => value);
  if (changes.name !== undefined) {
    assignments.push('look_key = ?');
    values.push(userLookKey(changes.name));
  }
  store.transaction(() => {
    store.prepare(`UPDATE user SET ${assignments.join(', ')} WHERE id = ?`).run(...values, user.id);
    const isOther = changes.password !== undefined || changes.key !== undefined;
    if (isOther && !keepsKeys) endSessionKeysOf(store, user.id);
    const before = { ...user };
    exchange(store, user, changes);
    store.onRollback(() => exchange(store, user, before));
  });
}

/** Counts a post of the user. Inside a transaction only. */
export function countPosted(store: Store, user: StoredUser): void {
  user.posted++;
  store.onRollback(() => user.posted--);
  store.atEnd(`posted by ${user.id}`, () => {
    store.run`UPDATE user SET posted = ${user.posted} WHERE id = ${user.id}`;
  });
}

/** Stores another hash of the same password: sessions and their keys stay valid. */
export function renewPasswordHash(store: Store, user: StoredUser, password: string): void {
  updateUser(store, user, { password }, true);
}

function exchange(store: Store, user: StoredUser, fields: Partial<StoredUser>): void {
  const cache = store.caches.users;
  unindex(cache, user);
  Object.assign(user, fields);
  index(cache, user);
}

/** Removes a user from the cache who is being deleted from the database. Inside a transaction only. */
export function removeUserFromMemory(store: Store, user: StoredUser): void {
  const cache = store.caches.users;
  unindex(cache, user);
  store.onRollback(() => index(cache, user));
}

/** The personal room `name` of a user, created when missing. */
export function personalRoom(store: Store, user: StoredUser, name: string): StoredRoom {
  const found = roomByName(store, personalKey(user.id, nameKey(name)));
  if (found) return found;
  const [known, view] = PERSONAL_ROOMS.find(([room]) => nameKey(room) === nameKey(name)) ?? [name, VIEW.board];
  return createRoom(store, {
    name: known,
    owner: user.id,
    flags: ROOM_FLAG.private | ROOM_FLAG.personal,
    view,
  });
}

/** Creates missing personal rooms. */
export function createPersonalRooms(store: Store, user: StoredUser): void {
  for (const [name] of PERSONAL_ROOMS) personalRoom(store, user, name);
}

function remember(store: Store, row: Record<string, unknown> | undefined): StoredUser | undefined {
  if (!row) return undefined;
  const user = { ...row } as unknown as StoredUser;
  index(store.caches.users, user);
  return user;
}

function index(cache: UserCache, user: StoredUser): void {
  cache.byId.set(user.id, user);
  cache.byKey.set(user.key, user);
}

function unindex(cache: UserCache, user: StoredUser): void {
  cache.byId.delete(user.id);
  cache.byKey.delete(user.key);
}

/** A number of LEVEL. */
export function isLevel(level: number): boolean {
  return level >= LEVEL.deleted && level <= LEVEL.admin;
}

/** Call it before the name is cleaned: the refusal quotes what was asked for. Throws Refusal 574. */
export function refuseTaken(store: Store, name: string): void {
  if (findUser(store, name)) throw new Refusal('alreadyExists', `'${name}' already exists.`);
}

/** The main one first. */
export function addressesOf(store: Store, user: StoredUser): readonly string[] {
  const cache = store.caches.givenAddresses;
  let given = cache.get(user.id);
  if (!given) {
    const rows = store.all`SELECT address FROM user_address WHERE user = ${user.id} ORDER BY position`;
    given = rows.map(({ address }) => String(address));
    cache.set(user.id, given);
  }
  return given.length === 0 ? [addressOf(store, user)] : given;
}

/** Replaces them; an empty list restores the one made from the name. Inside a transaction only. */
export function giveAddresses(store: Store, user: StoredUser, addresses: readonly string[]): void {
  store.run`DELETE FROM user_address WHERE user = ${user.id}`;
  const insert = store.prepare('INSERT INTO user_address (address, user, position, account) VALUES (?, ?, ?, ?)');
  for (const [position, address] of addresses.entries()) insert.run(address, user.id, position, accountName(address));
  const forget = () => store.caches.givenAddresses.clear();
  forget();
  store.onRollback(forget);
}

/** The address that mail of this user comes from. */
export function mainAddressOf(store: Store, user: StoredUser): string {
  return addressesOf(store, user)[0]!;
}

/** The fields of a new message that name its author. */
export function authorFields(store: Store, user: StoredUser) {
  const { name, id } = user;
  return { author: name, authorUser: id, path: name.replaceAll(' ', '_'), address: mainAddressOf(store, user) };
}

/** The user with this address of this server, or the name it is made of; undefined for other domains. */
export function userAt(store: Store, address: string): StoredUser | undefined {
  const { domain } = splitAddress(address);
  if (domain === undefined || !isOwnDomain(store, domain)) return undefined;
  const row = store.get`SELECT user FROM user_address WHERE address = ${nameKey(address)}`;
  return row ? userById(store, Number(row.user)) : findUser(store, address);
}
