// The session cookie and its keys. Its content is sealed with AES-256-GCM, so gateways store no sessions, and each
// gateway with the key can open it. Layout before base64url: version (1), nonce (12), tag (16), ciphertext of the JSON
// text.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../errors.ts';
import { MAX_CACHE_ENTRIES, MAX_COOKIE_BYTES, MAX_SESSION_KEYS } from '../limits/sessions.ts';
import type { Identity } from '../room-server/connection/identity.ts';
import { BoundedMap } from '../system/bounded-map.ts';
import { takeFromOthers } from '../system/folder-lock.ts';
import { forOperator } from '../system/operator-errors.ts';

const KEY_BYTES = 32;
const VERSION = Buffer.of(1);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = VERSION.length + NONCE_BYTES + TAG_BYTES;

/** The identity, by a session key if the room server makes them, else by the password. Times are Unix seconds. */
export type SessionData = Identity & {
  /** constant when the cookie is renewed; a log-out revokes it */
  id: string;
  /** number of the account; cookies of earlier versions lack it */
  usernum?: number;
  /** highest message number in the inbox at the last request for new mail (a/biff) */
  inbox: number;
  issued: number;
  expires: number;
};

/** A fresh session id: 128 random bits, base64url. */
export function newSessionId(): string {
  return randomBytes(16).toString('base64url');
}

export class Sealer {
  /** the first seals, all of them open: a key is replaced in two steps without logging anybody out */
  readonly #keys: readonly KeyObject[];
  readonly #signingKeys: readonly KeyObject[];
  /** cookies opened before */
  readonly #opened = new BoundedMap<string, Readonly<SessionData>>(MAX_CACHE_ENTRIES);

  /** Each of 32 bytes. */
  constructor(...keys: readonly [Buffer, ...Buffer[]]) {
    if (keys.some(({ length }) => length !== KEY_BYTES)) {
      throw new AppError('internal', `The session key must have ${KEY_BYTES} bytes.`);
    }
    this.#keys = keys.map((key) => createSecretKey(key));
    this.#signingKeys = keys.map((key) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'vestibule signatures', KEY_BYTES))),
    );
  }

  /** 32 bytes that only a gateway with this key can make; `content` says what it is for. */
  sign(content: Buffer): Buffer {
    return signature(this.#signingKeys[0]!, content);
  }

  /** `part` is the beginning of a signature of `content` with one of the keys. */
  isSigned(content: Buffer, part: Buffer): boolean {
    return this.#signingKeys.some((key) => timingSafeEqual(signature(key, content).subarray(0, part.length), part));
  }

  /** Throws bad_request when the cookie would exceed MAX_COOKIE_BYTES. */
  seal(data: SessionData): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0]!, nonce);
    cipher.setAAD(VERSION);
    const body = Buffer.concat([cipher.update(JSON.stringify(data), 'utf8'), cipher.final()]);
    const cookie = Buffer.concat([VERSION, nonce, cipher.getAuthTag(), body]).toString('base64url');
    if (cookie.length > MAX_COOKIE_BYTES) throw new AppError('bad_request', 'The credentials are too long.');
    return cookie;
  }

  /**
   * Undefined for a cookie that was changed, cut, sealed with another key, or has expired. Does not check revocation.
   */
  open(cookie: string): Readonly<SessionData> | undefined {
    const data = this.#opened.get(cookie) ?? this.#decrypted(cookie);
    return data && data.expires > Date.now() / 1000 ? data : undefined;
  }

  #decrypted(cookie: string): Readonly<SessionData> | undefined {
    const data = this.#decrypt(cookie);
    if (data) this.#opened.set(cookie, data);
    return data;
  }

  #decrypt(cookie: string): Readonly<SessionData> | undefined {
    if (cookie.length > MAX_COOKIE_BYTES) return undefined;
    const bytes = Buffer.from(cookie, 'base64url');
    if (bytes.length <= HEAD_BYTES || bytes[0] !== VERSION[0]) return undefined;
    // the decoder skips foreign characters: without this check one cookie had endless spellings to fill the cache with
    if (bytes.toString('base64url') !== cookie) return undefined;
    for (const key of this.#keys) {
      const data = decrypted(key, bytes);
      if (data) return data;
    }
    return undefined;
  }
}

function signature(key: KeyObject, content: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

function decrypted(key: KeyObject, bytes: Buffer): Readonly<SessionData> | undefined {
  const nonce = bytes.subarray(VERSION.length, VERSION.length + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(VERSION);
  decipher.setAuthTag(bytes.subarray(VERSION.length + NONCE_BYTES, HEAD_BYTES));
  try {
    const text = decipher.update(bytes.subarray(HEAD_BYTES), undefined, 'utf8') + decipher.final('utf8');
    return Object.freeze(JSON.parse(text) as SessionData);
  } catch {
    return undefined;
  }
}

/** Hex or base64 (also base64url) of exactly 32 bytes, blanks around it ignored. Throws bad_request. */
export function parseKey(text: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  // 43 characters hold 258 bits: the last one must leave the two spare bits 0, or it is a mistyped key
  if (/^[\w+/-]{42}[AEIMQUYcgkosw048]=?$/.test(trimmed)) return Buffer.from(trimmed, 'base64');
  throw new AppError('bad_request', `The session key must be hex or base64 of exactly ${KEY_BYTES} bytes.`);
}

/** Keys of --secret-file, one a line; ignores empty lines and comments (#). Throws bad_request. */
export function parseKeys(text: string): readonly [Buffer, ...Buffer[]] {
  const lines = text.split('\n').map((line) => line.trim());
  const [first, ...others] = lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseKey);
  if (!first) throw new AppError('bad_request', 'There is no session key.');
  if (others.length >= MAX_SESSION_KEYS)
    throw new AppError('bad_request', `More than ${MAX_SESSION_KEYS} session keys.`);
  return [first, ...others];
}

/** Reads the key file or creates it (mode 0600). Gateways that start at the same moment get the same key. */
export async function loadOrCreateKey(path: string): Promise<Buffer> {
  try {
    return parseKey(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Written under another name and then linked: nobody reads half a key, and only the first link succeeds.
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
    await file.sync();
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await file.close();
    await unlink(draft);
  }
  return parseKey(await readFile(path, 'utf8'));
}

/** The keys in --secret-file. Throws AppError for the operator. */
export function sessionKeysOf(file: string): readonly [Buffer, ...Buffer[]] {
  try {
    const keys = parseKeys(readFileSync(file, 'utf8'));
    takeFromOthers(file);
    return keys;
  } catch (error) {
    if (!(error instanceof AppError)) throw forOperator(error, `${file} cannot be used`, 'see --secret-file');
    throw new AppError(
      'internal',
      `${file} must contain session keys, one per line, each 64 hex digits or base64 of 32 bytes.`,
    );
  }
}

/** The key in the data folder, created if missing. Throws AppError for the operator. */
export async function sessionKeyIn(dataFolder: string): Promise<Buffer> {
  const file = join(dataFolder, 'session-key');
  try {
    const key = await loadOrCreateKey(file);
    takeFromOthers(file); // an operator may have put it there
    return key;
  } catch (error) {
    const text = `${file} is no session key. Remove the file to create a new key; all users have to log in again.`;
    throw error instanceof AppError ? new AppError('internal', text) : forOperator(error, `${file} cannot be used`);
  }
}
