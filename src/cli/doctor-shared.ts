// The part of `vestibule doctor` that looks at what several gateways share: the store of --shared, and the keys.

import { readFileSync, statSync } from 'node:fs';
import { serverTrust } from '../client/connection/server-trust.ts';
import { AppError } from '../errors.ts';
import { copyKey, KEY_PREFIX } from '../fleet/redis/keys.ts';
import { parseKeys } from '../gateway/seal.ts';
import { replyText } from '../resp/reply.ts';
import { StoreClient, script } from '../resp/store-client.ts';
import { isLoopback } from '../system/networks.ts';
import { systemWords } from '../system/operator-errors.ts';
import type { Finding } from './doctor-finding.ts';
import type { ServeOptions } from './serve-options.ts';

const WHAT = 'shared';
/** ZADD GT, and reading a stream behind an entry */
const OLDEST = [6, 2] as const;
/** the node of a cluster that everybody needs is the one that has the log */
const KEY = copyKey(KEY_PREFIX, 'count');

/** Nothing where nothing is shared. */
export async function* examineShared(options: ServeOptions): AsyncGenerator<Finding> {
  const { shared, secretFile, sessionKey, sharedCaFile } = options;
  if (secretFile !== undefined) yield examineKeys(secretFile);
  if (!shared) return;
  if (secretFile === undefined && sessionKey === undefined) {
    yield ['note', WHAT, 'each gateway seals cookies with a key of its own; give all the same --secret-file'];
  }
  const { address, text } = shared;
  const inClear = address.isTls ? undefined : address.hosts.find(({ host }) => !isLoopback(host));
  if (inClear)
    yield ['note', WHAT, `passwords and uploads travel in clear to ${inClear.host}; rediss:// encrypts them`];
  let client: StoreClient | undefined;
  try {
    client = new StoreClient(address, address.isTls ? serverTrust(sharedCaFile, '--shared-ca').context : undefined);
    const info = replyText(await client.ask(KEY, ['INFO']));
    await client.run(script('return 1'), [KEY], []);
    yield* examineInfo(text, info ?? '');
  } catch (error) {
    yield ['wrong', WHAT, `${text}: ${reasonOf(error)}; see whether it runs, --shared, and what its ACL permits`];
  } finally {
    client?.close();
  }
}

/** `info`: the answer to INFO. */
export function* examineInfo(text: string, info: string): Generator<Finding> {
  const fields = new Map(info.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  const version = fields.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (isOld)
    yield ['wrong', WHAT, `${text} is version ${version || 'unknown'}; ${OLDEST.join('.')} is the oldest that will do`];
  else yield ['ok', WHAT, `${text}: version ${version}`];
  const policy = fields.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    yield ['wrong', WHAT, `it drops what it should keep when it is full: CONFIG SET maxmemory-policy noeviction`];
  }
  if (fields.get('maxmemory') === '0') {
    yield ['note', WHAT, 'nothing bounds its memory (maxmemory); uploads can take all that the machine has'];
  }
  if (fields.get('aof_enabled') === '0') {
    yield ['note', WHAT, 'it forgets uploads and locks when it is killed; CONFIG SET appendonly yes keeps them'];
  }
}

function examineKeys(file: string): Finding {
  const what = 'keys';
  try {
    const count = parseKeys(readFileSync(file, 'utf8')).length;
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      return ['wrong', what, `others may read ${file}: chmod go= ${file}`];
    }
    return ['ok', what, `${file} has ${count === 1 ? 'one key' : `${count} keys, the first seals`}`];
  } catch (error) {
    const why = systemWords(error) ?? 'it takes session keys, one a line, each 64 hex digits or base64 of 32 bytes';
    return ['wrong', what, `${file}: ${why}`];
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return error instanceof AppError && cause instanceof Error ? cause.message : message;
}
