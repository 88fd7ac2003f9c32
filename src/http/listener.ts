// The HTTP server (RFC 9112): from a socket to an Exchange, from a thrown error to an answer, and an orderly end. With
// TLS (RFC 9110 section 4.2.2) the raw connection is registered from its first moment, so that handshakes that never
// end are bounded like everything else.

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
  TLS_HANDSHAKE_TIMEOUT_MS,
} from '../limits/http.ts';
import { acceptTls } from '../system/accept-tls.ts';
import { removeDeadSocket } from '../system/dead-socket.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import { makeHead } from './answer-head.ts';
import { Exchange } from './exchange.ts';
import { Outgoing } from './outgoing.ts';
import { type LogError, sendProblem } from './problem.ts';
import { faultOf, originForm } from './request-head.ts';

/**
 * port 0: any free one; `shares`: other processes that say so may listen on it, too, and connections are dealt out
 * among them (SO_REUSEPORT), the first finds nobody there; `fd`: a socket that somebody else has opened, who is
 * listening on it already
 */
export type ListenAddress =
  | { host: string; port: number; shares?: 'first' | 'further' | undefined }
  | { path: string }
  | { fd: number };

export interface ListenOptions extends AdmissionOptions {
  at: ListenAddress;
  handle: (exchange: Exchange) => Promise<void> | void;
  /** a reverse proxy in front sets X-Forwarded-For and X-Forwarded-Proto: believe them */
  trustProxy?: boolean;
  logError: LogError;
  /** called with each request before anything else is done with it, also with those that are refused */
  onRequest?: ((exchange: Exchange) => void) | undefined;
  /** bounds on large answers */
  outgoing?: Outgoing;
  /** what running requests get at close() */
  graceMs?: number;
  /** TLS is spoken here, and nothing else; asked for each connection */
  tlsContext?: (() => SecureContext) | undefined;
  handshakeTimeoutMs?: number;
}

export interface Listener {
  /** `http://127.0.0.1:8080`, `https://[::1]:8080`, `unix:/run/vestibule.sock` */
  url: string;
  /** 0 on a unix socket */
  port: number;
  server: Server;
  /** bytes on the wire since the start, and connections that are open */
  traffic(): Traffic;
  /** Takes no more connections, closes idle ones, lets running requests finish for `graceMs`, then breaks them off. */
  close(): Promise<void>;
}

export interface Traffic {
  connections: number;
  receivedBytes: number;
  sentBytes: number;
}

/** every open connection and the answer to its latest request: the connection is idle when that is finished */
type Connections = Map<Socket, ServerResponse | undefined>;

const CLOSING_POLL_MS = 20;

/** Rejects with node's own error when the address cannot be listened on. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { handle, logError, trustProxy = false, graceMs = DEFAULT_DRAIN_SECONDS * 1000 } = options;
  const { maxConnections = MAX_HTTP_CONNECTIONS, outgoing = new Outgoing() } = options;
  const connections: Connections = new Map();
  /** open connections as the system has them → those that HTTP is spoken on, which TLS makes others */
  const wires = new Map<Socket, Socket>();
  const admission = new Admission(options);
  /** of connections that are closed */
  const closed = { receivedBytes: 0, sentBytes: 0 };

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: HEADERS_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // body.ts limits the pauses of a body: a long upload is allowed
    requestTimeout: 0,
    optimizeEmptyRequests: true,
    // node's own answer would end the connection, but not keep it from handling what is pipelined behind it
    requireHostHeader: false,
  });
  // node drops surplus fields silently; one more than allowed lets us see them
  server.maxHeadersCount = MAX_HEADER_COUNT + 1;
  server.maxConnections = maxConnections + MAX_REFUSED_CONNECTIONS;

  const answer = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => {
    // the rest of what had come on a connection that was closed meanwhile, or ends with the answer before
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
    const fault = faultOf(request, target);
    // who knows where the next request would begin; behind an Upgrade node drops what came with it
    if (fault || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    if (refusal ?? fault) return fail(refusal ?? fault);
    Promise.try(handle, exchange).catch(fail);
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => answer(request, response, false));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => answer(request, response, true));
  // other expectations than 100-continue may be ignored; node's own 417 would leave the body unread on an open
  // connection
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
  const refuseClear = (wire: Socket) => refuse(wire, '400 Bad Request', 'TLS is spoken here: use https:// instead.');
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
    // two servers that both share would not notice each other, and each would get some of the requests of both
    const alone = createSocketServer().listen(at.port, at.host);
    await once(alone, 'listening');
    await new Promise((resolve) => alone.close(resolve));
  }
  server.listen('host' in at ? { host: at.host, port: at.port, reusePort: at.shares !== undefined } : at);
  await once(server, 'listening');
  // who may connect is for the folder and the group to say, whatever the umask is
  if ('path' in at) chmodSync(at.path, 0o660);
}

function whereIs(server: Server, at: ListenAddress, scheme: 'http' | 'https'): Pick<Listener, 'url' | 'port'> {
  const address = server.address() as AddressInfo | string | null;
  if (address === null || typeof address === 'string') return { url: `unix:${address ?? ''}`, port: 0 };
  const name = 'host' in at ? at.host : address.address;
  return { url: `${scheme}://${name.includes(':') ? `[${name}]` : name}:${address.port}`, port: address.port };
}

/** What closes the server, once; also makes node's own way to close idle connections ours. */
function closer(server: Server, connections: Connections, graceMs: number): () => Promise<void> {
  const closeIdle = () => {
    for (const [socket, latest] of connections) if (!latest || latest.writableFinished) socket.destroySoon();
  };
  // node's own also closes connections whose last answer is still being flushed
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

/** Of bytes that node cannot read as a request. `latest`: the answer to the request before them. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket, latest: ServerResponse | undefined): void {
  const isDue = latest && !latest.writableFinished;
  if (error.code === 'ECONNRESET') socket.destroy();
  // while the answer to an earlier request is due, ours would be taken for it; to one whose body goes wrong it is the
  // answer
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

/** The answer to a whole request still goes out; what has come behind it ends the connection. */
function answerLast(latest: ServerResponse, socket: Socket): void {
  if (lastAnswers.has(latest)) return; // there is more of what cannot be read
  lastAnswers.add(latest);
  latest.shouldKeepAlive = false;
  latest.once('finish', () => closeSoon(socket));
}

/** The answers to the requests before it go out first. */
function refuseInTurn(error: NodeJS.ErrnoException, socket: Socket, latest: ServerResponse): void {
  if (lastAnswers.has(latest)) return;
  lastAnswers.add(latest);
  // in the turn in which it gets the connection, what it has said already is written
  latest.once('socket', () => setImmediate(refuseUnreadable, error, socket, latest));
}

/** A request, but with a method that node's parser does not know (RFC 9110 section 9.1). */
function hasUnknownMethod(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): boolean {
  const start = error.rawPacket?.toString('latin1', 0, MAX_URL_BYTES);
  return error.code === 'HPE_INVALID_METHOD' && /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/.test(start ?? '');
}

/** Answers what cannot be read as a request, then ends the connection. */
function refuse(socket: Duplex, status: string, text = status): void {
  socket.on('error', () => {}); // of a CONNECT node has given the socket away: a reset would be an uncaught exception
  if (socket.writableEnded || !socket.writable) return;
  const body = `${text}\n`;
  const { fields } = makeHead(0, 'text/plain', body.length, { Connection: 'close' });
  const lines = fields.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  destroyLater(socket);
}

/** What is written already still goes out. */
function closeSoon(socket: Socket): void {
  socket.destroySoon();
  destroyLater(socket);
}

/** Gives the client time to read: destroying a socket with unread bytes resets the connection. */
function destroyLater(socket: Duplex): void {
  setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS).unref();
}

interface TlsFront {
  /** asked for each connection */
  context: () => SecureContext;
  /** for all of the handshake, from the first byte that is waited for */
  timeoutMs: number;
  /** A connection was accepted; false: it is closed already. */
  connected(wire: Socket): boolean;
  /** Its handshake has ended: HTTP is spoken on `socket` from now on. */
  secured(wire: Socket, socket: TLSSocket): void;
  /** Answers a request that came in clear, and closes the connection. */
  refuse(wire: Socket): void;
}

/** type of the TLS record that a client begins with (RFC 8446 section 5.1) */
const HANDSHAKE = 22;

/** From now on `server` speaks HTTP over TLS only. */
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

/** Whoever speaks HTTP in clear was given a wrong address, and is told so; all else that is no TLS is closed. */
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
      wire.resume(); // what is unread when it closes would take the answer with it
      refuse(wire);
    } else {
      wire.destroy();
    }
  });
}
