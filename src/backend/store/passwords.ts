// Password hashes of accounts and rooms: scrypt (RFC 7914), with its parameters in the stored text, so that old hashes
// stay valid when the cost is raised.

import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import {
  MAX_PASSWORD_CHECKS,
  MAX_WAITING_PASSWORD_CHECKS,
  MAX_WAITING_PASSWORD_CHECKS_PER_ASKER,
  PASSWORD_CHECK_WAIT_MS,
} from '../../limits/backend.ts';
import { type Asker, FairQueue, PROGRAM } from '../../system/fair-queue.ts';
import { Refusal } from './refusal.ts';

/**
 * N; with r 8 and p 3 one attempt costs 32 MiB and some 240 ms. OWASP's Password Storage Cheat Sheet lists this as
 * equivalent to N 2^17 with p 1; it takes a quarter of the memory.
 */
export const PASSWORD_COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 3;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const NO_SALT_AND_KEY = `${'A'.repeat(22)}$${'A'.repeat(43)}`;
/** verified for unknown accounts, so that the reply takes as long */
export const NO_PASSWORD = `scrypt$${PASSWORD_COST}$${BLOCK_SIZE}$${PARALLELIZATION}$${NO_SALT_AND_KEY}`;

/** matches results of hashPassword, which are longer than any room password */
const HASH = /^scrypt\$\d+\$\d+\$\d+\$[\w-]{22}\$[\w-]{43}$/;

/** `scrypt$N$r$p$SALT$KEY`, the last two in base64url. Throws as verifyPassword. */
export async function hashPassword(password: string, cost: number, asker = PROGRAM): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(asker, () => scryptKey(password, salt, cost, BLOCK_SIZE, PARALLELIZATION, KEY_BYTES));
  return stored(cost, salt, key);
}

/** Like hashPassword, but synchronous: for the migration of a database with plain room passwords. */
export function hashPasswordNow(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const options = { N: PASSWORD_COST, r: BLOCK_SIZE, p: PARALLELIZATION, maxmem: memoryFor(PASSWORD_COST, BLOCK_SIZE) };
  return stored(PASSWORD_COST, salt, scryptSync(password, salt, KEY_BYTES, options));
}

/** Whether the text is a result of hashPassword. */
export function isPasswordHash(text: string): boolean {
  return HASH.test(text);
}

/**
 * Whether a stored hash has weaker parameters of an earlier version; false for null. N is the caller's and not
 * compared.
 */
export function isHashOutdated(stored: string | null): boolean {
  return stored !== null && Number(stored.split('$')[3]) < PARALLELIZATION;
}

function stored(cost: number, salt: Buffer, key: Buffer): string {
  return ['scrypt', cost, BLOCK_SIZE, PARALLELIZATION, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Whether `password` matches this stored hash; null is the hash of ''. Throws Refusal if the queue is full, and the
 * reason of `gone`.
 */
export async function verifyPassword(stored: string | null, password: string, asker = PROGRAM): Promise<boolean> {
  if (stored === null && password === '') return true;
  const [scheme, n, r, p, salt, key] = (stored ?? NO_PASSWORD).split('$');
  if (scheme !== 'scrypt' || !salt || !key) return false;
  const expected = Buffer.from(key, 'base64url');
  const of = Buffer.from(salt, 'base64url');
  const make = () => scryptKey(password, of, Number(n), Number(r), Number(p), expected.length);
  const question = `${asker.turnKey}\0${stored}\0${password}`;
  for (let same = underWay.get(question); same; same = underWay.get(question)) {
    const isRight = await same.catch(() => undefined); // its client has left
    if (isRight !== undefined) return isRight;
  }
  const check = derive(asker, make)
    .then((made) => timingSafeEqual(made, expected) && stored !== null)
    .finally(() => underWay.delete(question));
  underWay.set(question, check);
  return check;
}

/** A gateway opens several connections of one account at once; equal verifications are computed once. */
const underWay = new Map<string, Promise<boolean>>();

const queue = new FairQueue({
  slots: MAX_PASSWORD_CHECKS,
  slotsPerCaller: 1,
  maxWaiting: MAX_WAITING_PASSWORD_CHECKS,
  maxWaitingPerCaller: MAX_WAITING_PASSWORD_CHECKS_PER_ASKER,
  maxWaitMs: PASSWORD_CHECK_WAIT_MS,
  refused: () => new Refusal('busy', 'Too many passwords are being checked. Try again soon.'),
});

async function derive({ turnKey, gone }: Asker, make: () => Promise<Buffer>): Promise<Buffer> {
  const leave = await queue.enter(turnKey, gone);
  try {
    return await make();
  } finally {
    leave();
  }
}

function scryptKey(password: string, salt: Buffer, N: number, r: number, p: number, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { N, r, p, maxmem: memoryFor(N, r) }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** scrypt needs 128 * N * r bytes and a little more. */
function memoryFor(N: number, r: number): number {
  return 128 * N * r + 1024 * 1024;
}
