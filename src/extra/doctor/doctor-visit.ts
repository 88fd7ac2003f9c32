// The HTTP client of `vestibule doctor`: queries the running gateway, logs in, creates a room, posts, reads the post,
// and removes the room.

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { AppError } from '../../errors.ts';
import { DOCTOR_TIMEOUT_MS } from '../../limits/processes.ts';
import { randomId } from '../../system/random-id.ts';
import { type CertificateFiles, certificateIn, readCertificatePair } from '../../system/tls.ts';

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
export async function* tryScratchRoom(options: ServeOptions, visitor: Visitor = {}): AsyncGenerator<Finding> {
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
  yield* useRoom(ask);
}

async function* useRoom(
  ask: (method: string, path: string, body?: string, type?: string) => Promise<Reply>,
): AsyncGenerator<Finding> {
  const name = `Doctor ${randomId(6)}`;
  const room = `r/${encodeURIComponent(name)}`;
  const made = await ask('POST', 'r/', JSON.stringify({ name, kind: 'invitation' }), 'application/json');
  if (made.status !== 201) {
    yield ['wrong', 'room', `creating a room failed: ${detailOf(made)}; use an administrator as --user`];
    return;
  }
  try {
    const posted = await ask('PUT', `${room}/letter.txt`, LETTER);
    const read = await ask('GET', `${room}/letter.txt`);
    if (posted.status !== 201) yield ['wrong', 'post', `posting failed: ${detailOf(posted)}`];
    else if (read.status !== 200) yield ['wrong', 'read', `reading the post failed: ${detailOf(read)}`];
    else if (read.body !== LETTER) yield ['wrong', 'read', 'the post has a different text when read'];
    else yield ['ok', 'room', 'created a room, posted, and read the post'];
  } finally {
    const removed = await ask('DELETE', `${room}/`);
    if (removed.status !== 204)
      yield ['wrong', 'room', `removing ${name} failed: ${detailOf(removed)}; remove it by hand`];
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

export type Finding = readonly [level: 'ok' | 'note' | 'wrong', what: string, text: string];
