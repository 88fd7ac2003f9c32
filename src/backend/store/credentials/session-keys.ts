// The table of session keys: what a gateway logs a user in with instead of the password, so that its cookies hold
// none. Only hashes are kept. A key is 256 random bits: nobody guesses one, nor finds one for a hash, however fast he
// can try; so SHA-256 without a salt does, and as the hash is what is looked up, no time tells how much of a key was
// right.

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

/** A key that is good. */
export interface SessionKeyRow {
  hash: string;
  /** user number */
  user: number;
  /** Unix time */
  used: number;
}

/** A new key, and the hashes of those that had to go for it: the ones of this user that were unused for longest. */
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

/** undefined for a key that was never made, has ended or has expired. */
export function findSessionKey(store: Store, key: string): SessionKeyRow | undefined {
  const row = store
    .prepare('SELECT hash, user, used FROM session_key WHERE hash = ? AND used > ?')
    .get(hashOf(key), lastExpired());
  return row && { hash: String(row.hash), user: Number(row.user), used: Number(row.used) };
}

/** Lets the key live on; false where that was noted a short while ago. Inside a transaction only. */
export function noteUse(store: Store, { hash, used }: SessionKeyRow): boolean {
  const time = now();
  if (time - used < SESSION_KEY_NOTE_SECONDS) return false;
  store.prepare('UPDATE session_key SET used = ? WHERE hash = ?').run(time, hash);
  return true;
}

/** Nobody logs in with this key any more; a second call changes nothing. */
export function endSessionKey(store: Store, hash: string): void {
  store.transaction(() => store.prepare('DELETE FROM session_key WHERE hash = ?').run(hash));
}

/**
 * To be called inside a transaction that gives the user another password or name; with his account they go by
 * themselves.
 */
export function endSessionKeysOf(store: Store, userId: number): void {
  store.prepare('DELETE FROM session_key WHERE user = ?').run(userId);
}

/** Removes some that have expired; answers whether there may be more. */
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

/** Keys that were used then or earlier have expired. */
function lastExpired(): number {
  return now() - sessionKeySeconds();
}

function hashOf(key: string): string {
  return hash('sha256', key, 'base64url');
}
