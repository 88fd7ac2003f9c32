// `vestibule doctor`: checks the deployment of a server with the same options (data folder, clock, certificate, shared
// store and keys, room server), and says what is wrong and how to fix it. It queries the running gateway over HTTP, and
// as --user saves a draft, reads it and deletes it; nothing else is changed.

import { once } from 'node:events';
import { accessSync, constants, readFileSync, statfsSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { findSocketPaths } from '../../backend/wire/socket-paths.ts';
import type { NamedBackend } from '../../cli/option-values.ts';
import type { DoctorAction } from '../../cli/options.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { serverAddressOf, warningOf } from '../../cli/server-address.ts';
import { AppError } from '../../errors.ts';
import { parseKeys } from '../../gateway/seal.ts';
import { CERTIFICATE_WARNING_DAYS } from '../../limits/http.ts';
import { DOCTOR_TIMEOUT_MS, LOW_DISK_BYTES, MAX_CLOCK_DIFFERENCE_SECONDS } from '../../limits/processes.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { ROOM_MACRO } from '../../protocol/room-facts.ts';
import { STATUS, type StatusLine } from '../../protocol/status.ts';
import { Connection } from '../../room-server/connection/connection.ts';
import { logIn } from '../../room-server/connection/identity.ts';
import { serverTrust } from '../../room-server/connection/socket.ts';
import { isLoopback } from '../../system/networks.ts';
import { systemWords } from '../../system/operator-errors.ts';
import { randomId } from '../../system/random-id.ts';
import {
  type CertificateFiles,
  type CertificatePair,
  certificateIn,
  daysLeft,
  readCertificatePair,
} from '../../system/tls.ts';
import { KEY_PREFIX, replicaKey } from '../redis/replica.ts';
import { replyText } from '../resp/reply.ts';
import { StoreClient, script } from '../resp/store-client.ts';

/** INFO: name and number of the software (protocol section 18.1) */
const SOFTWARE_LINE = 4;
/** an earlier clock was never set */
const EARLIEST = Date.UTC(2025, 0);

/** Prints the findings; false if something is wrong. */
export async function runDoctor(action: DoctorAction, print: (line: string) => void): Promise<boolean> {
  let isWell = true;
  for await (const [level, what, text] of examine(action)) {
    isWell &&= level !== 'wrong';
    print(`${level.padEnd(6)} ${what}: ${text}`);
  }
  print(isWell ? 'Everything is fine.' : 'Something is wrong, see above.');
  return isWell;
}

async function* examine({ options, user }: DoctorAction): AsyncGenerator<Finding> {
  yield* examineFolder(options.dataFolder);
  const year = new Date().getUTCFullYear();
  if (Date.now() < EARLIEST)
    yield ['wrong', 'clock', `the year is ${year}; set the clock, log-ins and mail need the right time`];
  else yield ['ok', 'clock', new Date().toISOString()];
  yield* examineCertificate(options);
  yield* examineShared(options);
  for (const [i, backend] of options.backends.entries()) {
    yield* examineRoomServer(options, backend, i === 0 ? user : undefined);
  }
  for (const [i, { hosts, name }] of options.backends.entries()) {
    yield* tryGateway(options, { host: name === '' ? undefined : hosts[0], user: i === 0 ? user : undefined });
  }
}

function* examineFolder(folder: string): Generator<Finding> {
  const what = 'data folder';
  try {
    if (!statSync(folder).isDirectory()) {
      yield ['wrong', what, `${folder} is not a folder; choose another one with --data`];
      return;
    }
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const missing = `${folder} does not exist: start the server once, or set --data`;
    const denied = `${folder}: ${systemWords(error) ?? code}; run this as the account that runs the server`;
    yield ['wrong', what, code === 'ENOENT' ? missing : denied];
    return;
  }
  yield ['ok', what, `${folder} is readable and writable`];
  for (const name of ['.', 'vestibule.db', 'session-key']) {
    const path = join(folder, name);
    const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 };
    if ((mode & 0o077) !== 0) {
      yield [
        name === '.' && (mode & 0o022) === 0 ? 'note' : 'wrong',
        what,
        `others have access to ${path}: chmod go= ${path}`,
      ];
    }
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const size = `${(free / 1e9).toFixed(1)} GB free`;
  if (free < LOW_DISK_BYTES) yield ['wrong', 'disk', `only ${size}; new messages will soon be refused`];
  else yield ['ok', 'disk', size];
}

async function* examineRoomServer(
  options: ServeOptions,
  { name, address: backend }: NamedBackend,
  user: Visitor['user'],
): AsyncGenerator<Finding> {
  const { backends, backendCaFile, dataFolder } = options;
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
    const remedy = isHere ? 'start the server' : 'check that it runs, --backend, and the network';
    yield ['wrong', what, `${where}: ${why} ${remedy}`];
    return;
  }
  try {
    const before = Date.now();
    const [info, time] = await connection.askAll([command('INFO'), command('TIME')]);
    yield ['ok', what, `${where}: ${info!.lines[SOFTWARE_LINE] || 'unknown software'}`];
    const seconds = Number(time!.text.split('|')[0]);
    const difference = Math.round(Math.abs(seconds - before / 1000));
    if (seconds > 0 && difference > MAX_CLOCK_DIFFERENCE_SECONDS) {
      yield ['wrong', 'clock', `the room server's clock differs by ${difference} s; set both by NTP`];
    }
    if (!isHere && user) {
      await logIn(connection, { user: user.name, password: user.password });
      yield* examineSettings(options, what, await connection.askAll(SETTINGS));
    }
  } catch (error) {
    yield ['wrong', what, `${where}: ${error instanceof AppError ? error.message : String(error)}`];
  } finally {
    connection.close();
  }
}

const SETTINGS = ['c_maxsessions', 'c_maxmsglen', 'c_creataide'].map((name) => command('CONF', 'GETVAL', name));

/** `answers`: the replies to SETTINGS. */
export function* examineSettings(
  { backendConnections, maxBodyBytes }: Pick<ServeOptions, 'backendConnections' | 'maxBodyBytes'>,
  what: string,
  answers: readonly StatusLine[],
): Generator<Finding> {
  if (answers.some(({ code }) => code === STATUS.higherAccess)) {
    yield ['note', what, 'only administrators can read its settings; use one as --user to have them checked'];
    return;
  }
  const [sessions, bytes, isAdmin] = answers.map(({ code, text }) =>
    code === STATUS.done ? toInt(splitFields(text)[0]) : 0,
  ) as [number, number, number];
  // 0: no limit
  if (sessions > 0 && sessions <= backendConnections) {
    const remedy = `set it above --backend-connections, ${backendConnections}`;
    yield ['wrong', what, `its c_maxsessions is ${sessions}, so it refuses log-ins when there are many; ${remedy}`];
  }
  if (bytes > 0 && bytes < maxBodyBytes) {
    const remedy = 'set it to the size of the largest file that people send';
    yield ['note', what, `its c_maxmsglen is ${bytes}, so larger files are refused; ${remedy}`];
  }
  if (isAdmin === 0) {
    yield ['note', what, 'its c_creataide is 0: people do not administer the rooms that they create; set it to 1'];
  }
}

const CERTIFICATE = 'certificate';

/** Nothing if the server does not use TLS. */
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
    yield ['wrong', CERTIFICATE, `${file} is valid from ${validFromDate.toISOString()}; check the clock, or wait`];
  } else if (days < 0) {
    yield ['wrong', CERTIFICATE, `${file} has expired; replace it, the server reloads it automatically`];
  } else {
    const level = days < CERTIFICATE_WARNING_DAYS ? 'note' : 'ok';
    yield [level, CERTIFICATE, `${file} is valid for ${days} more ${days === 1 ? 'day' : 'days'}, and the key matches`];
  }
  if (subjectAltName === undefined) {
    yield ['wrong', CERTIFICATE, `${file} has no subjectAltName, so no client accepts it; get another one`];
  } else {
    yield ['ok', CERTIFICATE, `for ${subjectAltName}`];
  }
  if (process.platform !== 'win32' && (statSync(tls.keyFile).mode & 0o007) !== 0) {
    yield ['wrong', CERTIFICATE, `everybody on this machine can read the key: chmod o= ${tls.keyFile}`];
  }
}

const SHARED = 'shared';
/** ZADD GT, and exclusive ranges of streams */
const OLDEST_STORE = [6, 2] as const;
/** in a cluster, the node with the log is the essential one */
const KEY = replicaKey(KEY_PREFIX, 'count');

/** Nothing without --shared. */
export async function* examineShared(options: ServeOptions): AsyncGenerator<Finding> {
  const { shared, secretFile, sessionKey, sharedCaFile } = options;
  if (secretFile !== undefined) yield examineKeys(secretFile);
  if (!shared) return;
  if (secretFile === undefined && sessionKey === undefined) {
    yield ['note', SHARED, 'each gateway seals cookies with its own key; use the same --secret-file for all'];
  }
  const { address, text } = shared;
  const inClear = address.isTls ? undefined : address.hosts.find(({ host }) => !isLoopback(host));
  if (inClear) yield ['note', SHARED, `passwords and uploads are sent unencrypted to ${inClear.host}; use rediss://`];
  let client: StoreClient | undefined;
  try {
    client = new StoreClient(address, address.isTls ? serverTrust(sharedCaFile, '--shared-ca').context : undefined);
    const info = replyText(await client.ask(KEY, ['INFO']));
    await client.run(script('return 1'), [KEY], []);
    yield* examineInfo(text, info ?? '');
  } catch (error) {
    yield ['wrong', SHARED, `${text}: ${reasonOf(error)}; check that it runs, --shared, and its ACL`];
  } finally {
    client?.close();
  }
}

/** `info`: the reply to INFO. */
export function* examineInfo(text: string, info: string): Generator<Finding> {
  const fields = new Map(info.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  const version = fields.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_STORE[0] || (major === OLDEST_STORE[0] && minor < OLDEST_STORE[1]);
  if (isOld) {
    yield [
      'wrong',
      SHARED,
      `${text} has version ${version || 'unknown'}; at least ${OLDEST_STORE.join('.')} is required`,
    ];
  } else yield ['ok', SHARED, `${text}: version ${version}`];
  const policy = fields.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    yield ['wrong', SHARED, `it evicts data when it is full: CONFIG SET maxmemory-policy noeviction`];
  }
  if (fields.get('maxmemory') === '0') {
    yield ['note', SHARED, 'its memory is unlimited (maxmemory); uploads may use all of the machine’s memory'];
  }
  if (fields.get('aof_enabled') === '0') {
    yield ['note', SHARED, 'it loses uploads and locks if it is killed; CONFIG SET appendonly yes prevents that'];
  }
}

function examineKeys(file: string): Finding {
  const what = 'keys';
  try {
    const count = parseKeys(readFileSync(file, 'utf8')).length;
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      return ['wrong', what, `others can read ${file}: chmod go= ${file}`];
    }
    return ['ok', what, `${file} has ${count === 1 ? 'one key' : `${count} keys, the first one seals`}`];
  } catch (error) {
    const why = systemWords(error) ?? 'it must contain one session key per line: 64 hex digits, or 32 bytes in base64';
    return ['wrong', what, `${file}: ${why}`];
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return error instanceof AppError && cause instanceof Error ? cause.message : message;
}

interface Reply {
  status: number;
  body: string;
}

const LETTER = 'Dear doctor,\nthis was posted to test whether it can be read.\n';

interface Visitor {
  /** Host header; undefined: the listen address */
  host?: string | undefined;
  /** undefined: no log-in */
  user?: { name: string; password: string } | undefined;
}

/** Tests the gateway at its listen address. */
export async function* tryGateway(options: ServeOptions, visitor: Visitor = {}): AsyncGenerator<Finding> {
  const { host, port, prefix } = options;
  const { user } = visitor;
  const at = host.startsWith('unix:') ? host : `${reachable(host)} port ${port}`;
  const where = visitor.host === undefined ? at : `${at}, as ${visitor.host}`;
  const ask = (method: string, path: string, body?: string, type = 'text/plain') =>
    send(options, method, prefix + path, body, type, visitor);
  const anonymous = await send(options, 'GET', `${prefix}a/whoami`, undefined, '', {
    host: visitor.host,
  }).catch((error) => error);
  if (anonymous instanceof Error) {
    const remedy = anonymous instanceof AppError ? '' : '; start it, or use the options it was started with';
    yield ['wrong', 'gateway', `${where}: ${wordsOf(anonymous)}${remedy}`];
    return;
  }
  if (anonymous.status !== 200) {
    yield [
      'wrong',
      'gateway',
      `${where}: status ${anonymous.status} below ${prefix}; check --prefix and what listens there`,
    ];
    return;
  }
  yield ['ok', 'gateway', `${where} answers`];
  if (!user) {
    yield ['note', 'log-in', 'not tested; --user NAME tests it, with VESTIBULE_PASSWORD'];
    return;
  }
  const login = await ask('GET', 'r/');
  if (login.status !== 200) {
    const why = login.status === 401 ? 'wrong name or password' : detailOf(login);
    yield ['wrong', 'log-in', `${user.name}: ${why}`];
    return;
  }
  yield ['ok', 'log-in', `${user.name} can log in`];
  yield* saveDraft(ask);
}

async function* saveDraft(
  ask: (method: string, path: string, body?: string, type?: string) => Promise<Reply>,
): AsyncGenerator<Finding> {
  const draft = `r/${ROOM_MACRO.drafts}/doctor-${randomId(6)}.txt`;
  const saved = await ask('PUT', draft, LETTER);
  if (saved.status !== 201) {
    yield ['wrong', 'draft', `saving one failed: ${detailOf(saved)}`];
    return;
  }
  try {
    const read = await ask('GET', draft);
    if (read.status !== 200) yield ['wrong', 'draft', `reading it failed: ${detailOf(read)}`];
    else if (read.body !== LETTER) yield ['wrong', 'draft', 'it has a different text when read'];
    else yield ['ok', 'draft', 'saved, read and deleted'];
  } finally {
    const removed = await ask('DELETE', draft);
    if (removed.status !== 204) yield ['wrong', 'draft', `deleting it failed: ${detailOf(removed)}; delete it by hand`];
  }
}

async function send(
  { host, port, tls, isProxyTrusted }: ServeOptions,
  method: string,
  path: string,
  body: string | undefined,
  type: string,
  visitor: Visitor,
): Promise<Reply> {
  const to = host.startsWith('unix:') ? { socketPath: host.slice('unix:'.length) } : { host: reachable(host), port };
  const headers: Record<string, string> = { Accept: 'application/json' };
  const { user } = visitor;
  if (visitor.host !== undefined) headers.Host = visitor.host;
  if (user) headers.Authorization = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
  if (body !== undefined) headers['Content-Type'] = type;
  if (isProxyTrusted) headers['X-Forwarded-For'] = '127.0.0.1';
  const signal = AbortSignal.timeout(DOCTOR_TIMEOUT_MS);
  const socket = tls && (await openTls(reachable(host), port, tls, signal));
  const way = socket ? { createConnection: () => socket } : to;
  const asked = request({ ...way, path, method, headers, signal }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = await Array.fromAsync(response);
  return { status: response.statusCode!, body: Buffer.concat(pieces).toString() };
}

/** Connects to this machine, so the name in the certificate does not matter, only that it is the one in the file. */
async function openTls(host: string, port: number, tls: CertificateFiles, signal: AbortSignal): Promise<TLSSocket> {
  const expected = certificateIn(readCertificatePair(tls).cert).fingerprint256;
  const socket = connectTls({ host, port, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal });
    if (socket.getPeerCertificate().fingerprint256 === expected) return socket;
    const remedy = 'check what listens there; if it is the server, send it SIGHUP';
    throw new AppError('internal', `uses another certificate than ${tls.certificateFile}; ${remedy}`);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

// wildcard addresses include the loopback interface
function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

/** The detail of a problem document (RFC 9457). */
function detailOf({ status, body }: Reply): string {
  try {
    const { detail } = JSON.parse(body) as { detail?: string };
    return `${detail ?? 'no reason given'} (${status})`;
  } catch {
    return `status ${status}`;
  }
}

function wordsOf(error: Error): string {
  if (error instanceof AppError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'nothing listens';
  if (code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG' || code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return 'it does not use TLS';
  return error.name === 'AbortError' || error.name === 'TimeoutError' ? 'timeout' : (code ?? error.message);
}

type Finding = readonly [level: 'ok' | 'note' | 'wrong', what: string, text: string];
