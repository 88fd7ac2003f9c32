// The table of app passwords: what a program logs in with instead of its user's own password, so that it holds nothing
// that opens more than it needs. Only hashes are kept. A secret is 125 random bits: nobody guesses one, nor finds one
// for a hash, however fast he can try; so SHA-256 without a salt does, as for session keys, where a password that a
// person thinks of takes scrypt. The hash is what is looked up: no time tells how much of a secret was right.

import { hash, randomBytes } from 'node:crypto';
import { APP_PASSWORD_NOTE_SECONDS, MAX_APP_PASSWORDS_PER_USER } from '../../../limits/sessions.ts';
import type { AppPasswordScope } from '../../../model.ts';
import { STATUS } from '../../../protocol/status.ts';
import { now } from '../../../system/clock.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store.ts';

/** 32 letters and digits of which none looks like another: people type them on telephones */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const SECRET_CHARACTERS = 25;

/** An app password without its secret, which nothing keeps. Times are Unix seconds. */
export interface AppPasswordRow {
  id: number;
  /** user number */
  user: number;
  name: string;
  scope: AppPasswordScope;
  /** id of the one room that a feed's password opens; null: all that its user may enter */
  room: number | null;
  created: number;
  /** 0: never */
  used: number;
}

const COLUMNS = 'id, user, name, scope, room, created, used';

/** Makes one; the secret is told this once. `room` goes with the scope feed. Throws Refusal 511 for one too many. */
export function storeAppPassword(
  store: Store,
  of: Pick<AppPasswordRow, 'user' | 'name' | 'scope' | 'room'>,
): { id: number; secret: string } {
  const secret = newSecret();
  return store.transaction(() => {
    const { n } = store.prepare('SELECT count(*) AS n FROM app_password WHERE user = ?').get(of.user)!;
    if (Number(n) >= MAX_APP_PASSWORDS_PER_USER) {
      throw new Refusal(STATUS.tooBig, `There are ${MAX_APP_PASSWORDS_PER_USER} app passwords; end one first.`);
    }
    const { lastInsertRowid } = store
      .prepare('INSERT INTO app_password (user, name, scope, room, hash, created) VALUES (?, ?, ?, ?, ?, ?)')
      .run(of.user, of.name, of.scope, of.room, hashOf(secret), now());
    return { id: Number(lastInsertRowid), secret };
  });
}

/** undefined for a secret that was never given out, or is good no longer. */
export function findAppPassword(store: Store, secret: string): AppPasswordRow | undefined {
  const row = store.prepare(`SELECT ${COLUMNS} FROM app_password WHERE hash = ?`).get(hashOf(secret));
  return row && (row as unknown as AppPasswordRow);
}

/** Those of a user, in the order in which they were made. */
export function appPasswordsOf(store: Store, userId: number): AppPasswordRow[] {
  const rows = store.prepare(`SELECT ${COLUMNS} FROM app_password WHERE user = ? ORDER BY id`).all(userId);
  return rows as unknown as AppPasswordRow[];
}

/** Writes down that it is used, unless that was done a short while ago: false. Inside a transaction only. */
export function noteAppPasswordUse(store: Store, { id, used }: AppPasswordRow): boolean {
  const time = now();
  if (time - used < APP_PASSWORD_NOTE_SECONDS) return false;
  store.prepare('UPDATE app_password SET used = ? WHERE id = ?').run(time, id);
  return true;
}

/** Nobody logs in with it any more; false where the user has none of this number. */
export function dropAppPassword(store: Store, userId: number, id: number): boolean {
  const end = () => store.prepare('DELETE FROM app_password WHERE id = ? AND user = ?').run(id, userId);
  return store.transaction(end).changes > 0;
}

/** All of a user, to be called inside a transaction; with his account they go by themselves. */
export function dropAppPasswordsOf(store: Store, userId: number): void {
  store.prepare('DELETE FROM app_password WHERE user = ?').run(userId);
}

/** `'k3v9m-…'`: five groups of five */
function newSecret(): string {
  // 256 is a multiple of 32: each character is as likely as any other
  const characters = Array.from(randomBytes(SECRET_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]);
  return characters.join('').replace(/.{5}(?=.)/g, '$&-');
}

function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
