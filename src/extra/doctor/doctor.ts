// `vestibule doctor`: checks a deployment as the server with the same options would see it (data folder, clock,
// certificate, shared store and keys, room server), and says what is wrong and what to do. Changes nothing but a room
// of its own, which it removes again.

import { accessSync, constants, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findSocketPaths } from '../../backend/wire/socket-paths.ts';
import type { NamedBackend } from '../../cli/option-values.ts';
import type { DoctorAction } from '../../cli/options.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { serverAddressOf, warningOf } from '../../cli/server-address.ts';
import { AppError } from '../../errors.ts';
import { parseKeys } from '../../gateway/seal.ts';
import { CERTIFICATE_WARNING_DAYS } from '../../limits/http.ts';
import { LOW_DISK_BYTES, MAX_CLOCK_DIFFERENCE_SECONDS } from '../../limits/telemetry.ts';
import { command } from '../../protocol/fields.ts';
import { Connection } from '../../room-server/connection/connection.ts';
import { serverTrust } from '../../room-server/connection/server-trust.ts';
import { type CertificatePair, certificateIn, daysLeft, readCertificatePair } from '../../system/certificate.ts';
import { isLoopback } from '../../system/networks.ts';
import { systemWords } from '../../system/operator-errors.ts';
import { copyKey, KEY_PREFIX } from '../redis/keys.ts';
import { replyText } from '../resp/reply.ts';
import { StoreClient, script } from '../resp/store-client.ts';
import type { Finding } from './doctor-finding.ts';
import { tryScratchRoom } from './doctor-visit.ts';

/** INFO: name and number of the software (protocol section 18.1) */
const SOFTWARE_LINE = 4;
/** a clock that is earlier has never been set */
const EARLIEST = Date.UTC(2025, 0);

/** Prints what it finds; false where something is wrong. */
export async function runDoctor(action: DoctorAction, print: (line: string) => void): Promise<boolean> {
  let isWell = true;
  for await (const [level, what, text] of examine(action)) {
    isWell &&= level !== 'wrong';
    print(`${level.padEnd(6)} ${what}: ${text}`);
  }
  print(isWell ? 'Nothing is wrong.' : 'Something is wrong, see above.');
  return isWell;
}

async function* examine({ options, user }: DoctorAction): AsyncGenerator<Finding> {
  yield* examineFolder(options.dataFolder);
  const year = new Date().getUTCFullYear();
  if (Date.now() < EARLIEST)
    yield ['wrong', 'clock', `it is ${year} here; set it, log-ins and mail need the right time`];
  else yield ['ok', 'clock', new Date().toISOString()];
  yield* examineCertificate(options);
  yield* examineShared(options);
  for (const backend of options.backends) yield* examineRoomServer(options, backend);
  for (const [i, { hosts, name }] of options.backends.entries()) {
    yield* tryScratchRoom(options, { host: name === '' ? undefined : hosts[0], user: i === 0 ? user : undefined });
  }
}

function* examineFolder(folder: string): Generator<Finding> {
  const what = 'data folder';
  try {
    if (!statSync(folder).isDirectory()) {
      yield ['wrong', what, `${folder} is no folder; name another one with --data`];
      return;
    }
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const missing = `${folder} is not there: start the server once, or name the right one with --data`;
    const denied = `${folder}: ${systemWords(error) ?? code}; run this as the account that runs the server`;
    yield ['wrong', what, code === 'ENOENT' ? missing : denied];
    return;
  }
  yield ['ok', what, `${folder} can be read and written`];
  for (const name of ['.', 'vestibule.db', 'session-key']) {
    const path = join(folder, name);
    const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 };
    if ((mode & 0o077) !== 0) {
      yield [name === '.' ? 'note' : 'wrong', what, `others may look into ${path}: chmod go= ${path}`];
    }
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const size = `${(free / 1e9).toFixed(1)} GB are free`;
  if (free < LOW_DISK_BYTES) yield ['wrong', 'disk', `only ${size}; make room, or the next messages are refused`];
  else yield ['ok', 'disk', size];
}

async function* examineRoomServer(
  { backends, backendCaFile, dataFolder }: ServeOptions,
  { name, address: backend }: NamedBackend,
): AsyncGenerator<Finding> {
  const what = backends.length === 1 ? 'room server' : `room server of ${name || 'all other hosts'}`;
  const isHere = backend === 'embedded';
  const address = isHere ? { kind: 'unix' as const, path: findSocketPaths(dataFolder).socketPath } : backend;
  const isTls = address.kind === 'tls';
  const where = address.kind === 'unix' ? address.path : `${address.host} port ${address.port}${isTls ? ', TLS' : ''}`;
  const warning = warningOf(address);
  if (warning !== undefined) yield ['note', what, warning];
  let connection: Connection;
  try {
    connection = await Connection.open(serverAddressOf(address, backendCaFile));
  } catch (error) {
    const why = error instanceof AppError ? error.message : String(error);
    const remedy = isHere ? 'start the server' : 'see whether it runs, --backend, and what lies between';
    yield ['wrong', what, `${where}: ${why} ${remedy}`];
    return;
  }
  try {
    const before = Date.now();
    const [info, time] = await connection.askAll([command('INFO'), command('TIME')]);
    yield ['ok', what, `${where}: ${info!.lines[SOFTWARE_LINE] || 'it does not say what it is'}`];
    const seconds = Number(time!.text.split('|')[0]);
    const difference = Math.round(Math.abs(seconds - before / 1000));
    if (seconds > 0 && difference > MAX_CLOCK_DIFFERENCE_SECONDS) {
      yield ['wrong', 'clock', `that of the room server is ${difference} s away from ours; set both by NTP`];
    }
  } catch (error) {
    yield ['wrong', what, `${where}: ${error instanceof AppError ? error.message : String(error)}`];
  } finally {
    connection.close();
  }
}

const CERTIFICATE = 'certificate';

/** Nothing where the server speaks no TLS itself. */
export function* examineCertificate({ tls }: ServeOptions): Generator<Finding> {
  if (!tls) return;
  let pair: CertificatePair;
  try {
    pair = readCertificatePair(tls);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield ['wrong', CERTIFICATE, error.message];
    return;
  }
  const { subjectAltName, validFromDate } = certificateIn(pair.cert);
  const days = daysLeft(pair);
  const file = tls.certificateFile;
  if (validFromDate.getTime() > Date.now()) {
    yield ['wrong', CERTIFICATE, `${file} is valid from ${validFromDate.toISOString()} on; look at the clock, or wait`];
  } else if (days < 0) {
    yield ['wrong', CERTIFICATE, `${file} has expired; put a new one in its place, the server takes it over by itself`];
  } else {
    const level = days < CERTIFICATE_WARNING_DAYS ? 'note' : 'ok';
    yield [level, CERTIFICATE, `${file} is valid for ${days} more ${days === 1 ? 'day' : 'days'}, the key is its own`];
  }
  if (subjectAltName === undefined) {
    yield ['wrong', CERTIFICATE, `${file} names no host (subjectAltName), and no client accepts it; get one that does`];
  } else {
    yield ['ok', CERTIFICATE, `it is for ${subjectAltName}`];
  }
  if (process.platform !== 'win32' && (statSync(tls.keyFile).mode & 0o007) !== 0) {
    yield ['wrong', CERTIFICATE, `everybody on this machine may read the key: chmod o= ${tls.keyFile}`];
  }
}

const SHARED = 'shared';
/** ZADD GT, and reading a stream behind an entry */
const OLDEST_STORE = [6, 2] as const;
/** the node of a cluster that everybody needs is the one that has the log */
const KEY = copyKey(KEY_PREFIX, 'count');

/** Nothing where nothing is shared. */
export async function* examineShared(options: ServeOptions): AsyncGenerator<Finding> {
  const { shared, secretFile, sessionKey, sharedCaFile } = options;
  if (secretFile !== undefined) yield examineKeys(secretFile);
  if (!shared) return;
  if (secretFile === undefined && sessionKey === undefined) {
    yield ['note', SHARED, 'each gateway seals cookies with a key of its own; give all the same --secret-file'];
  }
  const { address, text } = shared;
  const inClear = address.isTls ? undefined : address.hosts.find(({ host }) => !isLoopback(host));
  if (inClear)
    yield ['note', SHARED, `passwords and uploads travel in clear to ${inClear.host}; rediss:// encrypts them`];
  let client: StoreClient | undefined;
  try {
    client = new StoreClient(address, address.isTls ? serverTrust(sharedCaFile, '--shared-ca').context : undefined);
    const info = replyText(await client.ask(KEY, ['INFO']));
    await client.run(script('return 1'), [KEY], []);
    yield* examineInfo(text, info ?? '');
  } catch (error) {
    yield ['wrong', SHARED, `${text}: ${reasonOf(error)}; see whether it runs, --shared, and what its ACL permits`];
  } finally {
    client?.close();
  }
}

/** `info`: the answer to INFO. */
export function* examineInfo(text: string, info: string): Generator<Finding> {
  const fields = new Map(info.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  const version = fields.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_STORE[0] || (major === OLDEST_STORE[0] && minor < OLDEST_STORE[1]);
  if (isOld)
    yield [
      'wrong',
      SHARED,
      `${text} is version ${version || 'unknown'}; ${OLDEST_STORE.join('.')} is the oldest that will do`,
    ];
  else yield ['ok', SHARED, `${text}: version ${version}`];
  const policy = fields.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    yield ['wrong', SHARED, `it drops what it should keep when it is full: CONFIG SET maxmemory-policy noeviction`];
  }
  if (fields.get('maxmemory') === '0') {
    yield ['note', SHARED, 'nothing bounds its memory (maxmemory); uploads can take all that the machine has'];
  }
  if (fields.get('aof_enabled') === '0') {
    yield ['note', SHARED, 'it forgets uploads and locks when it is killed; CONFIG SET appendonly yes keeps them'];
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
