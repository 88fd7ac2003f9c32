// Limits connections, in total and per client (system/connection-slots.ts). Behind a trusted proxy all connections are
// the proxy's, so there the requests in progress are counted, by the client of each.

import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import {
  DISPLACE_AFTER_MS,
  LINGER_TIMEOUT_MS,
  MAX_HTTP_CONNECTIONS,
  MAX_HTTP_CONNECTIONS_PER_ADDRESS,
  MAX_PIPELINED_REQUESTS,
  MAX_REFUSED_CONNECTIONS,
} from '../limits/http.ts';
import { ConnectionSlots, type SlotUser } from '../system/connection-slots.ts';
import { networkOf } from '../system/networks.ts';
import type { Exchange } from './exchange.ts';

export interface AdmissionOptions {
  trustProxy?: boolean;
  maxConnections?: number;
  /** per client: connections, or with `trustProxy` concurrent requests */
  maxPerAddress?: number;
  /** how long a connection without log-in must have been idle before it may be displaced */
  displaceAfterMs?: number;
}

/** An admitted connection. */
export class Served implements SlotUser {
  readonly address: string;
  readonly client: string;
  socket: Socket;
  since = 0;
  loggedIn = 0;
  /** requests whose replies are not sent yet */
  requests = 0;
  /** behind a trusted proxy: addresses of these requests */
  readonly counted: string[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    this.address = socket.remoteAddress ?? '';
    this.client = networkOf(this.address);
  }

  close(): void {
    this.socket.destroy();
  }
}

const RETRY = { retryAfterSeconds: 5 };

export class Admission {
  readonly #countsRequests: boolean;
  readonly #slots: ConnectionSlots<Served>;
  readonly #served = new Map<Socket, Served>();
  /** rejected connections, and the reply to their only request */
  readonly #refused = new Map<Socket, AppError>();

  constructor({
    trustProxy = false,
    maxConnections = MAX_HTTP_CONNECTIONS,
    maxPerAddress: maxPerClient = MAX_HTTP_CONNECTIONS_PER_ADDRESS,
    displaceAfterMs = DISPLACE_AFTER_MS,
  }: AdmissionOptions) {
    this.#countsRequests = trustProxy;
    this.#slots = new ConnectionSlots({ max: () => maxConnections, maxPerClient, displaceAfterMs });
  }

  /** Called for an accepted connection. False: there are so many that it was closed at once. */
  connected(socket: Socket): boolean {
    const served = new Served(socket);
    const bound = this.#slots.enter(served, !this.#countsRequests);
    if (bound === undefined) {
      this.#served.set(socket, served);
      return true;
    }
    if (this.#refused.size >= MAX_REFUSED_CONNECTIONS) {
      socket.destroy();
      return false;
    }
    const refusal =
      bound === 'total'
        ? new AppError('busy', 'Too many connections. Try again soon.', RETRY)
        : new AppError('too_many_requests', 'Too many connections from your address. Try again soon.', RETRY);
    this.#refused.set(socket, refusal);
    setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS).unref();
    return true;
  }

  /** The TLS handshake is complete: `secure` replaces the raw socket. */
  secured(socket: Socket, secure: Socket): void {
    const served = this.#served.get(socket);
    const refusal = this.#refused.get(socket);
    if (served) {
      this.#served.delete(socket);
      this.#served.set(secure, served);
      served.socket = secure;
      this.#slots.begin(served);
    } else if (refusal) {
      this.#refused.delete(socket);
      this.#refused.set(secure, refusal);
    }
  }

  /** Idempotent. */
  disconnected(socket: Socket): void {
    this.#refused.delete(socket);
    const served = this.#served.get(socket);
    if (!served) return;
    for (const address of served.counted) this.#slots.clients.leave(address);
    this.#served.delete(socket);
    this.#slots.leave(served);
  }

  /**
   * Why a request is refused. A request counts until its reply is sent or its connection ends. A pipelined request over
   * the limit is the last one read from its connection.
   */
  refusalOf(exchange: Exchange): AppError | undefined {
    const { request, response } = exchange;
    const { socket } = request;
    const refusal = this.#refused.get(socket);
    if (refusal) response.shouldKeepAlive = false;
    const served = this.#served.get(socket);
    if (refusal || !served) return refusal;
    if (served.requests >= MAX_PIPELINED_REQUESTS) {
      response.shouldKeepAlive = false;
      // later: node reads on at the end of each request
      process.nextTick(() => socket.pause());
      return new AppError('too_many_requests', 'Too many requests at the same time on one connection.', RETRY);
    }
    served.requests++;
    if (served.loggedIn === 0) this.#slots.begin(served);
    exchange.servedAs = served;
    const counted = this.#countsRequests ? exchange.remoteAddress : undefined;
    const isCounted = counted !== undefined && this.#slots.clients.enter(counted);
    if (isCounted) served.counted.push(counted);
    // A pipelined reply gets no event when its connection ends; disconnected() is called instead.
    response.on('close', () => {
      exchange.servedAs = undefined;
      if (this.#served.get(socket) !== served) return;
      served.requests--;
      if (exchange.isLoggedIn) served.loggedIn--;
      // idle time starts at the last request, or at the end of the logged-in reply
      if (exchange.isLoggedIn && served.loggedIn === 0) this.#slots.begin(served);
      if (!isCounted) return;
      served.counted.splice(served.counted.indexOf(counted), 1);
      this.#slots.clients.leave(counted);
    });
    if (this.#countsRequests && !isCounted) {
      return new AppError('too_many_requests', 'Too many requests from your address at the same time.', RETRY);
    }
    return undefined;
  }
}
