// Password hashes of the embedded room server: scrypt (RFC 7914) with its parameters in the stored text, so that old
// hashes stay valid when the cost is raised. Used by login.ts and users.ts.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { MAX_PASSWORD_CHECKS } from '../limits/backend.ts';

/** N; with r 8 one try costs 32 MiB and some 80 ms */
export const PASSWORD_COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** verified against when there is nothing to verify against, so that the answer takes as long */
export const NO_PASSWORD = `scrypt$${PASSWORD_COST}$${BLOCK_SIZE}$${PARALLELIZATION}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** `scrypt$N$r$p$SALT$KEY`, the last two in base64url */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, cost, BLOCK_SIZE, PARALLELIZATION, KEY_BYTES);
  return ['scrypt', cost, BLOCK_SIZE, PARALLELIZATION, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether `password` opens an account with this stored hash; null: the account has no password, only '' opens it. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored === null && password === '') return true;
  const [scheme, n, r, p, salt, key] = (stored ?? NO_PASSWORD).split('$');
  if (scheme !== 'scrypt' || !salt || !key) return false;
  const expected = Buffer.from(key, 'base64url');
  const given = await derive(
    password,
    Buffer.from(salt, 'base64url'),
    Number(n),
    Number(r),
    Number(p),
    expected.length,
  );
  return timingSafeEqual(given, expected) && stored !== null;
}

let running = 0;
const waiting: (() => void)[] = [];

async function derive(
  password: string,
  salt: Buffer,
  N: number,
  r: number,
  p: number,
  length: number,
): Promise<Buffer> {
  if (running === MAX_PASSWORD_CHECKS) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await scryptKey(password, salt, N, r, p, length);
  } finally {
    // The place goes to the next in line, or is free.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

function scryptKey(password: string, salt: Buffer, N: number, r: number, p: number, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // scrypt needs 128 * N * r bytes and a little more.
    scrypt(password, salt, length, { N, r, p, maxmem: 128 * N * r + 1024 * 1024 }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
