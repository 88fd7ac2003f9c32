// Session keys, with which a gateway logs a user in instead of the password, so that its cookies hold none; and app
// passwords, with which a program logs in, and which allow no more than it needs. Only hashes are stored. A key has 256
// random bits, an app password 125: neither can be guessed or found from its hash, so SHA-256 without a salt is enough,
// where passwords that people choose need scrypt. Looking up the hash leaks no timing.

import { hash, randomBytes } from 'node:crypto';
import {
  APP_PASSWORD_NOTE_SECONDS,
  MAX_APP_PASSWORDS_PER_USER,
  MAX_SESSION_KEYS_PER_USER,
  SESSION_KEY_NOTE_SECONDS,
  SESSION_KEYS_SWEPT_AT_ONCE,
  sessionKeySeconds,
} from '../../limits/sessions.ts';
import type { AppPasswordScope } from '../../model.ts';
import { now } from '../../system/clock.ts';
import { Refusal } from './refusal.ts';
import type { Store } from './store.ts';

/** 32 letters and digits that cannot be confused: people type them on phones */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const SECRET_CHARACTERS = 25;

/** An app password without its secret, which is not stored. Times are Unix seconds. */
export interface AppPasswordRow {
  id: number;
  /** user number */
  user: number;
  name: string;
  scope: AppPasswordScope;
  /** id of the only room, for a feed; null: all rooms that the user may enter */
  room: number | null;
  created: number;
  /** 0: never */
  used: number;
}

const COLUMNS = 'id, user, name, scope, room, created, used';

/**
 * Creates an app password and returns its secret, once. `room` is for the scope feed. Throws Refusal 511 above the
 * limit.
 */
export function storeAppPassword(
  store: Store,
  of: Pick<AppPasswordRow, 'user' | 'name' | 'scope' | 'room'>,
): { id: number; secret: string } {
  const secret = newSecret();
  return store.transaction(() => {
    const { n } = store.get`SELECT count(*) AS n FROM app_password WHERE user = ${of.user}`!;
    if (Number(n) >= MAX_APP_PASSWORDS_PER_USER) {
      throw new Refusal('tooBig', `There are ${MAX_APP_PASSWORDS_PER_USER} app passwords; end one first.`);
    }
    const { lastInsertRowid } = store.run`INSERT INTO app_password (user, name, scope, room, hash, created)
      VALUES (${of.user}, ${of.name}, ${of.scope}, ${of.room}, ${hashOf(secret)}, ${now()})`;
    return { id: Number(lastInsertRowid), secret };
  });
}

/** undefined for an unknown or revoked secret. */
export function findAppPassword(store: Store, secret: string): AppPasswordRow | undefined {
  const row = store.prepare(`SELECT ${COLUMNS} FROM app_password WHERE hash = ?`).get(hashOf(secret));
  return row && (row as unknown as AppPasswordRow);
}

/** The app passwords of a user, oldest first. */
export function appPasswordsOf(store: Store, userId: number): AppPasswordRow[] {
  const rows = store.prepare(`SELECT ${COLUMNS} FROM app_password WHERE user = ? ORDER BY id`).all(userId);
  return rows as unknown as AppPasswordRow[];
}

/** Records the use; false if one was recorded shortly before. Inside a transaction only. */
export function noteAppPasswordUse(store: Store, { id, used }: AppPasswordRow): boolean {
  const time = now();
  if (time - used < APP_PASSWORD_NOTE_SECONDS) return false;
  store.run`UPDATE app_password SET used = ${time} WHERE id = ${id}`;
  return true;
}

/** Revokes it; false if the user has none with this number. */
export function dropAppPassword(store: Store, userId: number, id: number): boolean {
  const end = () => store.run`DELETE FROM app_password WHERE id = ${id} AND user = ${userId}`;
  return store.transaction(end).changes > 0;
}

/** Revokes all of a user. Deleting the account does so, too. Inside a transaction only. */
export function dropAppPasswordsOf(store: Store, userId: number): void {
  store.run`DELETE FROM app_password WHERE user = ${userId}`;
}

/** `'k3v9m-…'`: five groups of five */
function newSecret(): string {
  // 256 is a multiple of 32, so all characters are equally likely
  const characters = Array.from(randomBytes(SECRET_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]);
  return characters.join('').replace(/.{5}(?=.)/g, '$&-');
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

const KEY_BYTES = 32;

/** A valid key. */
interface SessionKeyRow {
  hash: string;
  /** user number */
  user: number;
  /** Unix time */
  used: number;
}

/** A new key, and the hashes of the keys dropped for it: the user's least recently used ones above the limit. */
export function makeSessionKey(store: Store, userId: number): { key: string; dropped: string[] } {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  return store.transaction(() => {
    const surplus = 'SELECT rowid FROM session_key WHERE user = ? ORDER BY used DESC, rowid DESC LIMIT -1 OFFSET ?';
    const dropped = store
      .prepare(`DELETE FROM session_key WHERE rowid IN (${surplus}) RETURNING hash`)
      .all(userId, MAX_SESSION_KEYS_PER_USER - 1);
    store.run`INSERT INTO session_key (hash, user, used) VALUES (${hashOf(key)}, ${userId}, ${now()})`;
    return { key, dropped: dropped.map((row) => String(row.hash)) };
  });
}

/** undefined for an unknown, revoked or expired key. */
export function findSessionKey(store: Store, key: string): SessionKeyRow | undefined {
  const row = store.get`SELECT hash, user, used FROM session_key WHERE hash = ${hashOf(key)}
    AND used > ${lastExpired()}`;
  return row && { hash: String(row.hash), user: Number(row.user), used: Number(row.used) };
}

/** Extends the life of the key; false if that was done shortly before. Inside a transaction only. */
export function noteUse(store: Store, { hash, used }: SessionKeyRow): boolean {
  const time = now();
  if (time - used < SESSION_KEY_NOTE_SECONDS) return false;
  store.run`UPDATE session_key SET used = ${time} WHERE hash = ${hash}`;
  return true;
}

/** Revokes the key, if it exists. */
export function endSessionKey(store: Store, hash: string): void {
  store.transaction(() => store.run`DELETE FROM session_key WHERE hash = ${hash}`);
}

/** Call it inside a transaction that changes the user's password or name. Deleting the account does the same. */
export function endSessionKeysOf(store: Store, userId: number): void {
  store.run`DELETE FROM session_key WHERE user = ${userId}`;
}

/** Removes some expired keys; true if there may be more. */
export function sweepSessionKeys(store: Store): boolean {
  const expired = store.all`SELECT rowid FROM session_key WHERE used <= ${lastExpired()}
    LIMIT ${SESSION_KEYS_SWEPT_AT_ONCE}`;
  if (expired.length === 0) return false;
  const rowids = JSON.stringify(expired.map(({ rowid }) => rowid));
  store.transaction(() => store.run`DELETE FROM session_key WHERE rowid IN (SELECT value FROM json_each(${rowids}))`);
  return true;
}

/** Keys last used then or earlier have expired. */
function lastExpired(): number {
  return now() - sessionKeySeconds();
}
