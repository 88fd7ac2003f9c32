// Session keys: a gateway logs a user in with one instead of the password, so that its cookies hold none. Only hashes
// are stored. A key has 256 random bits and cannot be guessed or found from its hash, so SHA-256 without a salt is
// enough. Looking up the hash leaks no timing.

import { hash, randomBytes } from 'node:crypto';
import {
  MAX_SESSION_KEYS_PER_USER,
  SESSION_KEY_NOTE_SECONDS,
  SESSION_KEYS_SWEPT_AT_ONCE,
  sessionKeySeconds,
} from '../../../limits/sessions.ts';
import { now } from '../../../system/clock.ts';
import type { Store } from '../store.ts';

const KEY_BYTES = 32;

/** A valid key. */
export interface SessionKeyRow {
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
    store.prepare('INSERT INTO session_key (hash, user, used) VALUES (?, ?, ?)').run(hashOf(key), userId, now());
    return { key, dropped: dropped.map((row) => String(row.hash)) };
  });
}

/** undefined for an unknown, revoked or expired key. */
export function findSessionKey(store: Store, key: string): SessionKeyRow | undefined {
  const row = store
    .prepare('SELECT hash, user, used FROM session_key WHERE hash = ? AND used > ?')
    .get(hashOf(key), lastExpired());
  return row && { hash: String(row.hash), user: Number(row.user), used: Number(row.used) };
}

/** Extends the life of the key; false if that was done shortly before. Inside a transaction only. */
export function noteUse(store: Store, { hash, used }: SessionKeyRow): boolean {
  const time = now();
  if (time - used < SESSION_KEY_NOTE_SECONDS) return false;
  store.prepare('UPDATE session_key SET used = ? WHERE hash = ?').run(time, hash);
  return true;
}

/** Revokes the key, if it exists. */
export function endSessionKey(store: Store, hash: string): void {
  store.transaction(() => store.prepare('DELETE FROM session_key WHERE hash = ?').run(hash));
}

/** Call it inside a transaction that changes the user's password or name. Deleting the account does the same. */
export function endSessionKeysOf(store: Store, userId: number): void {
  store.prepare('DELETE FROM session_key WHERE user = ?').run(userId);
}

/** Removes some expired keys; true if there may be more. */
export function sweepSessionKeys(store: Store): boolean {
  const expired = store
    .prepare('SELECT rowid FROM session_key WHERE used <= ? LIMIT ?')
    .all(lastExpired(), SESSION_KEYS_SWEPT_AT_ONCE);
  if (expired.length === 0) return false;
  const rowids = JSON.stringify(expired.map(({ rowid }) => rowid));
  store.transaction(() =>
    store.prepare('DELETE FROM session_key WHERE rowid IN (SELECT value FROM json_each(?))').run(rowids),
  );
  return true;
}

/** Keys last used then or earlier have expired. */
function lastExpired(): number {
  return now() - sessionKeySeconds();
}

function hashOf(key: string): string {
  return hash('sha256', key, 'base64url');
}
