// App passwords: a program logs in with one instead of its user's password, and can do no more than it needs. Only
// hashes are stored. A secret has 125 random bits and cannot be guessed or found from its hash, so SHA-256 without a
// salt is enough, where passwords that people choose need scrypt. Looking up the hash leaks no timing.

import { hash, randomBytes } from 'node:crypto';
import { APP_PASSWORD_NOTE_SECONDS, MAX_APP_PASSWORDS_PER_USER } from '../../../limits/sessions.ts';
import type { AppPasswordScope } from '../../../model.ts';
import { now } from '../../../system/clock.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store.ts';

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
    const { n } = store.prepare('SELECT count(*) AS n FROM app_password WHERE user = ?').get(of.user)!;
    if (Number(n) >= MAX_APP_PASSWORDS_PER_USER) {
      throw new Refusal('tooBig', `There are ${MAX_APP_PASSWORDS_PER_USER} app passwords; end one first.`);
    }
    const { lastInsertRowid } = store
      .prepare('INSERT INTO app_password (user, name, scope, room, hash, created) VALUES (?, ?, ?, ?, ?, ?)')
      .run(of.user, of.name, of.scope, of.room, hashOf(secret), now());
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
  store.prepare('UPDATE app_password SET used = ? WHERE id = ?').run(time, id);
  return true;
}

/** Revokes it; false if the user has none with this number. */
export function dropAppPassword(store: Store, userId: number, id: number): boolean {
  const end = () => store.prepare('DELETE FROM app_password WHERE id = ? AND user = ?').run(id, userId);
  return store.transaction(end).changes > 0;
}

/** Revokes all of a user. Deleting the account does so, too. Inside a transaction only. */
export function dropAppPasswordsOf(store: Store, userId: number): void {
  store.prepare('DELETE FROM app_password WHERE user = ?').run(userId);
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
