// The HTTP server (RFC 9112): turns sockets into Exchanges and errors into responses, and shuts down gracefully. With
// TLS (RFC 9110 section 4.2.2) a connection counts from its first moment, so that unfinished handshakes are bounded,
// too.

import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext, TLSSocket } from 'node:tls';
import {
  DEFAULT_DRAIN_SECONDS,
  HEADERS_CHECK_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  LINGER_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  MAX_HEADER_COUNT,
  MAX_HTTP_CONNECTIONS,
  MAX_REFUSED_CONNECTIONS,
  MAX_URL_BYTES,
  SHORT_WORK_MS,
  TLS_HANDSHAKE_TIMEOUT_MS,
} from '../limits/http.ts';
import { onBehalfOf } from '../system/fair-queue.ts';
import { removeDeadSocket } from '../system/folder-lock.ts';
import { acceptTls } from '../system/tls.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import { makeHead } from './answer-head.ts';
import { Exchange } from './exchange.ts';
import { Outgoing } from './outgoing.ts';
import { type LogError, sendProblem } from './problem.ts';
import { faultOf, originForm } from './request-head.ts';

/**
 * port 0: any free port. `shares`: processes share the port (SO_REUSEPORT); the first one checks that nobody else uses
 * it. `fd`: a socket that is already listening.
 */
export type ListenAddress =
  | { host: string; port: number; shares?: 'first' | 'further' | undefined }
  | { path: string }
  | { fd: number };

export interface ListenOptions extends AdmissionOptions {
  at: ListenAddress;
  handle: (exchange: Exchange) => Promise<void> | void;
  /** trust X-Forwarded-For and X-Forwarded-Proto of a reverse proxy */
  trustProxy?: boolean;
  logError: LogError;
  /** called first for each request, including refused ones */
  onRequest?: ((exchange: Exchange) => void) | undefined;
  /** limits for large responses */
  outgoing?: Outgoing;
  /** grace period for running requests at close() */
  graceMs?: number;
  /** TLS only. Called for each connection. */
  tlsContext?: (() => SecureContext) | undefined;
  handshakeTimeoutMs?: number;
}

export interface Listener {
  /** `http://127.0.0.1:8080`, `https://[::1]:8080`, `unix:/run/vestibule.sock` */
  url: string;
  /** 0 for a unix socket */
  port: number;
  server: Server;
  /** open connections, and bytes on the wire since the start */
  traffic(): Traffic;
  /** Stops accepting, closes idle connections, lets running requests finish for `graceMs`, then aborts them. */
  close(): Promise<void>;
}

export interface Traffic {
  connections: number;
  receivedBytes: number;
  sentBytes: number;
}

/** each open connection and the response to its latest request; the connection is idle once that is finished */
type Connections = Map<Socket, ServerResponse | undefined>;

const CLOSING_POLL_MS = 20;

/** Rejects with node's error if it cannot listen. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { handle, logError, trustProxy = false, graceMs = DEFAULT_DRAIN_SECONDS * 1000 } = options;
  const { maxConnections = MAX_HTTP_CONNECTIONS, outgoing = new Outgoing() } = options;
  const connections: Connections = new Map();
  /** raw socket → the socket that carries HTTP (a different one under TLS) */
  const wires = new Map<Socket, Socket>();
  const admission = new Admission(options);
  /** totals for closed connections */
  const closed = { receivedBytes: 0, sentBytes: 0 };

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: HEADERS_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // body.ts limits slow bodies; long uploads are allowed
    requestTimeout: 0,
    optimizeEmptyRequests: true,
    // Node's built-in reply closes the connection but still processes requests pipelined after it.
    requireHostHeader: false,
  });
  // node drops surplus fields silently; allowing one more makes them visible
  server.maxHeadersCount = MAX_HEADER_COUNT + 1;
  server.maxConnections = maxConnections + MAX_REFUSED_CONNECTIONS;

  /** by connection: the last request that waits for its turn */
  const waiting = new WeakMap<Socket, Promise<void>>();

  /** Not at once if the client has had its share of this round of the event loop, and then in order. */
  const begin = (exchange: Exchange): Promise<void> => {
    const { socket } = exchange.request;
    const before = waiting.get(socket);
    if (!before && !requestTurns.isSpent(SHORT_WORK_MS)) return handleNow(exchange);
    const turn = (before ?? Promise.resolve()).then(() => requestTurns.next());
    waiting.set(socket, turn);
    return turn.then(() => {
      if (waiting.get(socket) === turn) waiting.delete(socket);
      return socket.destroyed ? undefined : handleNow(exchange);
    });
  };
  const handleNow = (exchange: Exchange): Promise<void> => {
    const { turnKey } = exchange.asker;
    const began = performance.now();
    const handled = Promise.try(handle, exchange);
    requestTurns.noteWork(performance.now() - began, turnKey);
    return handled;
  };

  const answer = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => {
    // already buffered after the connection was closed, or pipelined after its last response
    if (request.socket.destroyed || connections.get(request.socket)?.shouldKeepAlive === false) return;
    connections.set(request.socket, response);
    const target = originForm(request);
    const exchange = new Exchange(request, response, target ?? '/', trustProxy, outgoing);
    exchange.awaitsContinue = awaitsContinue;
    options.onRequest?.(exchange);
    const fail = (error: unknown) => {
      sendProblem(exchange, error, logError).catch((fault) => {
        logError(exchange.requestId, fault);
        response.destroy();
      });
    };
    const refusal = admission.refusalOf(exchange);
    const fault = faultOf(request, target, exchange.forwardedHost);
    // We cannot tell where the next request starts. After an Upgrade, node drops the bytes that arrived with it.
    if (fault || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    if (refusal ?? fault) return fail(refusal ?? fault);
    onBehalfOf(exchange.asker, () => begin(exchange)).catch(fail);
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => answer(request, response, false));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => answer(request, response, true));
  // Unknown expectations may be ignored. Node's own 417 would leave the body unread on an open connection.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    answer(request, response, false),
  );
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => refuse(socket, '501 Not Implemented'));
  const connected = (wire: Socket): boolean => {
    if (!admission.connected(wire)) return false;
    wires.set(wire, wire);
    connections.set(wire, undefined);
    wire.on('close', () => {
      const socket = wires.get(wire)!;
      wires.delete(wire);
      connections.delete(socket);
      closed.receivedBytes += wire.bytesRead;
      closed.sentBytes += wire.bytesWritten;
      admission.disconnected(socket);
    });
    return true;
  };
  const secured = (wire: Socket, socket: Socket) => {
    admission.secured(wire, socket);
    connections.delete(wire);
    connections.set(socket, undefined);
    wires.set(wire, socket);
  };
  const { tlsContext: context, handshakeTimeoutMs: timeoutMs = TLS_HANDSHAKE_TIMEOUT_MS } = options;
  const refuseClear = (wire: Socket) =>
    refuse(wire, '400 Bad Request', 'This port requires TLS: use https:// instead.');
  if (context) putTlsInFront(server, { context, timeoutMs, connected, secured, refuse: refuseClear });
  else server.on('connection', connected);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    refuseUnreadable(error, socket as Socket, connections.get(socket as Socket)),
  );

  await listenAt(server, options.at);
  server.on('error', (error) => logError('-', error));
  const traffic = () => {
    const sum = { connections: wires.size, ...closed };
    for (const { bytesRead, bytesWritten } of wires.keys()) {
      sum.receivedBytes += bytesRead;
      sum.sentBytes += bytesWritten;
    }
    return sum;
  };
  const close = closer(server, connections, graceMs);
  return { ...whereIs(server, options.at, context ? 'https' : 'http'), server, traffic, close };
}

async function listenAt(server: Server, at: ListenAddress): Promise<void> {
  if ('path' in at) await removeDeadSocket(at.path);
  if ('host' in at && at.shares === 'first') {
    // With reusePort, two independent servers would silently split each other's traffic.
    const alone = createSocketServer().listen(at.port, at.host);
    await once(alone, 'listening');
    await new Promise((resolve) => alone.close(resolve));
  }
  server.listen('host' in at ? { host: at.host, port: at.port, reusePort: at.shares !== undefined } : at);
  await once(server, 'listening');
  // folder and group decide who may connect, whatever the umask
  if ('path' in at) chmodSync(at.path, 0o660);
}

function whereIs(server: Server, at: ListenAddress, scheme: 'http' | 'https'): Pick<Listener, 'url' | 'port'> {
  const address = server.address() as AddressInfo | string | null;
  if (address === null || typeof address === 'string') return { url: `unix:${address ?? ''}`, port: 0 };
  const name = 'host' in at ? at.host : address.address;
  return { url: `${scheme}://${name.includes(':') ? `[${name}]` : name}:${address.port}`, port: address.port };
}

/** Returns the close function; also replaces node's closeIdleConnections. */
function closer(server: Server, connections: Connections, graceMs: number): () => Promise<void> {
  const closeIdle = () => {
    for (const [socket, latest] of connections) if (!latest || latest.writableFinished) socket.destroySoon();
  };
  // node's also closes connections whose last response is still being flushed
  server.closeIdleConnections = closeIdle;
  let closed: Promise<void> | undefined;
  return () =>
    (closed ??= new Promise<void>((resolve) => {
      const poll = setInterval(closeIdle, CLOSING_POLL_MS);
      const grace = setTimeout(() => {
        for (const socket of connections.keys()) socket.destroy();
      }, graceMs);
      server.close(() => {
        clearInterval(poll);
        clearTimeout(grace);
        resolve();
      });
    }));
}

/** Handles bytes that are no valid request. `latest`: the response to the previous request. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket, latest: ServerResponse | undefined): void {
  const isDue = latest && !latest.writableFinished;
  if (error.code === 'ECONNRESET') socket.destroy();
  // While an earlier response is pending, ours would be mistaken for it. If that request's body is broken, it is its
  // response.
  else if (isDue && latest.req.complete) answerLast(latest, socket);
  else if (isDue && latest.socket !== socket) refuseInTurn(error, socket, latest);
  else if (isDue && latest.headersSent) closeSoon(socket);
  else if (error.code === 'HPE_HEADER_OVERFLOW') refuse(socket, '431 Request Header Fields Too Large');
  else if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') refuse(socket, '413 Content Too Large');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuse(socket, '408 Request Timeout');
  else if (hasUnknownMethod(error)) refuse(socket, '501 Not Implemented');
  else refuse(socket, '400 Bad Request');
}

const lastAnswers = new WeakSet<ServerResponse>();

/** Sends the pending response to a complete request, then closes the connection. */
function answerLast(latest: ServerResponse, socket: Socket): void {
  if (lastAnswers.has(latest)) return; // more invalid bytes
  lastAnswers.add(latest);
  latest.shouldKeepAlive = false;
  latest.once('finish', () => closeSoon(socket));
}

/** Sends the responses to earlier requests first. */
function refuseInTurn(error: NodeJS.ErrnoException, socket: Socket, latest: ServerResponse): void {
  if (lastAnswers.has(latest)) return;
  lastAnswers.add(latest);
  // once it has the connection, what it has buffered is written in the same turn
  latest.once('socket', () => setImmediate(refuseUnreadable, error, socket, latest));
}

/** A valid request whose method node does not know (RFC 9110 section 9.1). */
function hasUnknownMethod(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): boolean {
  const start = error.rawPacket?.toString('latin1', 0, MAX_URL_BYTES);
  return error.code === 'HPE_INVALID_METHOD' && /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/.test(start ?? '');
}

/** Responds to an invalid request, then closes the connection. */
function refuse(socket: Duplex, status: string, text = status): void {
  socket.on('error', () => {}); // node has detached the socket of a CONNECT: a reset would be an uncaught exception
  if (socket.writableEnded || !socket.writable) return;
  const body = `${text}\n`;
  const { fields } = makeHead(0, 'text/plain', body.length, { Connection: 'close' });
  const lines = fields.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  destroyLater(socket);
}

/** Flushes what is written. */
function closeSoon(socket: Socket): void {
  socket.destroySoon();
  destroyLater(socket);
}

/** Gives the client time to read: destroying a socket with unread bytes resets the connection. */
function destroyLater(socket: Duplex): void {
  setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS).unref();
}

interface TlsFront {
  /** called for each connection */
  context: () => SecureContext;
  /** for the whole handshake, from the first byte */
  timeoutMs: number;
  /** Called for an accepted connection. False: it is already closed. */
  connected(wire: Socket): boolean;
  /** The handshake is complete: `socket` carries HTTP. */
  secured(wire: Socket, socket: TLSSocket): void;
  /** Responds to plain HTTP and closes the connection. */
  refuse(wire: Socket): void;
}

/** the first byte of a TLS client (RFC 8446 section 5.1) */
const HANDSHAKE = 22;

/** Makes `server` speak HTTP over TLS only. */
function putTlsInFront(server: Server, front: TlsFront): void {
  const speakHttp = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (wire: Socket) => {
    if (!front.connected(wire)) return;
    begin(wire, front, (socket) => {
      front.secured(wire, socket);
      for (const speak of speakHttp) speak.call(server, socket);
    });
  });
}

/** Plain HTTP gets an error response; anything else that is not TLS is closed. */
function begin(wire: Socket, { context, timeoutMs, refuse }: TlsFront, secured: (socket: TLSSocket) => void): void {
  const end = performance.now() + timeoutMs;
  const timer = setTimeout(() => wire.destroy(), timeoutMs);
  wire.on('close', () => clearTimeout(timer)).on('error', () => {});
  wire.once('readable', () => {
    clearTimeout(timer);
    const first: Buffer | null = wire.read(1);
    if (first?.[0] === HANDSHAKE) {
      wire.unshift(first);
      acceptTls(wire, { context: context(), protocol: 'http/1.1', timeoutMs: end - performance.now(), secured });
    } else if (first && /[A-Za-z]/.test(first.toString('latin1'))) {
      wire.resume(); // unread bytes at close would reset the connection and lose the response
      refuse(wire);
    } else {
      wire.destroy();
    }
  });
}
