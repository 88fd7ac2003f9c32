// Limits connections, in total and per client. Behind a trusted proxy all connections are the proxy's, so there the
// requests in progress are counted, by the client of each. When the limit is reached, an idle connection without a
// log-in is closed in favour of a new one: a client that sends a byte now and then blocks nobody.

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
import { NetworkCounts, networkOf } from '../system/networks.ts';
import type { Exchange } from './exchange.ts';
import { type Waiter, WaitingConnections } from './waiting.ts';

export interface AdmissionOptions {
  trustProxy?: boolean;
  maxConnections?: number;
  /** per client: connections, or with `trustProxy` concurrent requests */
  maxPerAddress?: number;
  /** how long a connection without log-in must have been idle before it may be displaced */
  displaceAfterMs?: number;
}

/** an admitted connection */
interface Served extends Waiter {
  socket: Socket;
  /** addresses counted for it: its own, or those of its requests */
  counted: string[];
  /** requests whose replies are not sent yet */
  requests: number;
}

const RETRY = { retryAfterSeconds: 5 };

export class Admission {
  readonly #maxConnections: number;
  readonly #countsRequests: boolean;
  readonly #displaceAfterMs: number;
  readonly #clients: NetworkCounts;
  readonly #served = new Map<Socket, Served>();
  readonly #waiting = new WaitingConnections<Served>();
  /** rejected connections, and the reply to their only request */
  readonly #refused = new Map<Socket, AppError>();

  constructor({
    trustProxy = false,
    maxConnections = MAX_HTTP_CONNECTIONS,
    maxPerAddress = MAX_HTTP_CONNECTIONS_PER_ADDRESS,
    displaceAfterMs = DISPLACE_AFTER_MS,
  }: AdmissionOptions) {
    this.#maxConnections = maxConnections;
    this.#countsRequests = trustProxy;
    this.#displaceAfterMs = displaceAfterMs;
    this.#clients = new NetworkCounts(maxPerAddress);
  }

  /** Called for an accepted connection. False: there are so many that it was closed at once. */
  connected(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const client = networkOf(address);
    let refusal: AppError | undefined;
    if (this.#served.size >= this.#maxConnections && !this.#displaceLongest()) {
      refusal = new AppError('busy', 'Too many connections. Try again soon.', RETRY);
    } else if (!this.#countsRequests && !this.#clients.enter(address)) {
      if (this.#displace(this.#waiting.longestOf(client, this.#displaceAfterMs))) this.#clients.enter(address);
      else
        refusal = new AppError('too_many_requests', 'Too many connections from your address. Try again soon.', RETRY);
    }
    if (!refusal) {
      const counted = this.#countsRequests ? [] : [address];
      const served = { socket, client, counted, requests: 0, loggedIn: 0, since: 0 };
      this.#served.set(socket, served);
      this.#waiting.enter(served);
      return true;
    }
    if (this.#refused.size >= MAX_REFUSED_CONNECTIONS) {
      socket.destroy();
      return false;
    }
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
      this.#waiting.begin(served);
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
    for (const address of served.counted) this.#clients.leave(address);
    this.#served.delete(socket);
    this.#waiting.leave(served);
  }

  #displaceLongest(): boolean {
    return this.#displace(this.#waiting.longest(this.#displaceAfterMs));
  }

  /** Closes a connection to free its slot. False: none has been idle long enough. */
  #displace(served: Served | undefined): boolean {
    if (!served) return false;
    this.disconnected(served.socket);
    served.socket.destroy();
    return true;
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
    if (served.loggedIn === 0) this.#waiting.begin(served);
    exchange.servedAs = served;
    const counted = this.#countsRequests ? exchange.remoteAddress : undefined;
    const isCounted = counted !== undefined && this.#clients.enter(counted);
    if (isCounted) served.counted.push(counted);
    // A pipelined reply gets no event when its connection ends; disconnected() is called instead.
    response.on('close', () => {
      exchange.servedAs = undefined;
      if (this.#served.get(socket) !== served) return;
      served.requests--;
      if (exchange.isLoggedIn) served.loggedIn--;
      // idle time starts at the last request, or at the end of the logged-in reply
      if (exchange.isLoggedIn && served.loggedIn === 0) this.#waiting.begin(served);
      if (!isCounted) return;
      served.counted.splice(served.counted.indexOf(counted), 1);
      this.#clients.leave(counted);
    });
    if (this.#countsRequests && !isCounted) {
      return new AppError('too_many_requests', 'Too many requests from your address at the same time.', RETRY);
    }
    return undefined;
  }
}
