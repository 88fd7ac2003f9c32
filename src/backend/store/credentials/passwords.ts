// Password hashes of the embedded room server, of accounts and of rooms: scrypt (RFC 7914) with its parameters in the
// stored text, so that old hashes stay valid when the cost is raised.

import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import {
  MAX_PASSWORD_CHECKS,
  MAX_WAITING_PASSWORD_CHECKS,
  MAX_WAITING_PASSWORD_CHECKS_PER_ASKER,
  PASSWORD_CHECK_WAIT_MS,
} from '../../../limits/backend.ts';
import { STATUS } from '../../../protocol/status.ts';
import { FairQueue } from '../../../system/fair-queue.ts';
import { Refusal } from '../refusal.ts';

/**
 * N; with r 8 and p 3 one try costs 32 MiB and some 240 ms: of the settings that OWASP's Password Storage Cheat Sheet
 * names as equal to N 2^17 with p 1, one that takes a quarter of the memory
 */
export const PASSWORD_COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 3;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const NO_SALT_AND_KEY = `${'A'.repeat(22)}$${'A'.repeat(43)}`;
/** verified against when there is nothing to verify against, so that the answer takes as long */
export const NO_PASSWORD = `scrypt$${PASSWORD_COST}$${BLOCK_SIZE}$${PARALLELIZATION}$${NO_SALT_AND_KEY}`;

/** what hashPassword makes; longer than any password of a room may be */
const HASH = /^scrypt\$\d+\$\d+\$\d+\$[\w-]{22}\$[\w-]{43}$/;

/** For whom a hash is made: those who ask for many delay themselves, and those who have gone nobody. */
export interface HashAsker {
  /** the account, before a log-in the address */
  readonly turnKey: string;
  readonly gone: AbortSignal;
}

/** What the program itself does at its start. */
const NOBODY: HashAsker = { turnKey: '', gone: new AbortController().signal };

/** `scrypt$N$r$p$SALT$KEY`, the last two in base64url. Throws as verifyPassword. */
export async function hashPassword(password: string, cost: number, asker = NOBODY): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(asker, () => scryptKey(password, salt, cost, BLOCK_SIZE, PARALLELIZATION, KEY_BYTES));
  return stored(cost, salt, key);
}

/** As hashPassword, synchronous: for the migration of a database that kept passwords of rooms readable. */
export function hashPasswordNow(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const options = { N: PASSWORD_COST, r: BLOCK_SIZE, p: PARALLELIZATION, maxmem: memoryFor(PASSWORD_COST, BLOCK_SIZE) };
  return stored(PASSWORD_COST, salt, scryptSync(password, salt, KEY_BYTES, options));
}

/** Whether the text is what hashPassword makes. */
export function isPasswordHash(text: string): boolean {
  return HASH.test(text);
}

/**
 * Whether a stored hash is of an earlier version, which made less work of a guess; null, no password, is none. N is not
 * compared: it is the caller's.
 */
export function isHashOutdated(stored: string | null): boolean {
  return stored !== null && Number(stored.split('$')[3]) < PARALLELIZATION;
}

function stored(cost: number, salt: Buffer, key: Buffer): string {
  return ['scrypt', cost, BLOCK_SIZE, PARALLELIZATION, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Whether `password` opens an account with this stored hash; null: the account has no password, only '' opens it.
 * Throws Refusal where too many wait, and the reason of `gone`.
 */
export async function verifyPassword(stored: string | null, password: string, asker = NOBODY): Promise<boolean> {
  if (stored === null && password === '') return true;
  const [scheme, n, r, p, salt, key] = (stored ?? NO_PASSWORD).split('$');
  if (scheme !== 'scrypt' || !salt || !key) return false;
  const expected = Buffer.from(key, 'base64url');
  const of = Buffer.from(salt, 'base64url');
  const make = () => scryptKey(password, of, Number(n), Number(r), Number(p), expected.length);
  const question = `${asker.turnKey}\0${stored}\0${password}`;
  for (let same = underWay.get(question); same; same = underWay.get(question)) {
    const isRight = await same.catch(() => undefined); // its asker has left
    if (isRight !== undefined) return isRight;
  }
  const check = derive(asker, make)
    .then((made) => timingSafeEqual(made, expected) && stored !== null)
    .finally(() => underWay.delete(question));
  underWay.set(question, check);
  return check;
}

/** A gateway opens several connections of one account at once: what these ask is worked out once. */
const underWay = new Map<string, Promise<boolean>>();

const queue = new FairQueue({
  slots: MAX_PASSWORD_CHECKS,
  slotsPerCaller: 1,
  maxWaiting: MAX_WAITING_PASSWORD_CHECKS,
  maxWaitingPerCaller: MAX_WAITING_PASSWORD_CHECKS_PER_ASKER,
  maxWaitMs: PASSWORD_CHECK_WAIT_MS,
  refused: () => new Refusal(STATUS.busy, 'Too many passwords are being checked. Try again soon.'),
});

async function derive({ turnKey, gone }: HashAsker, make: () => Promise<Buffer>): Promise<Buffer> {
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
