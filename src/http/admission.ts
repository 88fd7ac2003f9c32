// Bounds on connections in all, and on those of one client, so that no client uses up what the others need. Behind a
// proxy that is trusted every connection is the proxy's, so there it is the running requests that are counted, by the
// client that each is for. Where all places are taken, a connection that waits for a client who has not logged in loses
// its place to a new one: a client that sends a byte now and then blocks no others.

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
  /** of one client: connections, or with `trustProxy` requests at the same time */
  maxPerAddress?: number;
  /** how long a connection without a log-in has waited that gives its place to another one */
  displaceAfterMs?: number;
}

/** a connection that is served */
interface Served extends Waiter {
  socket: Socket;
  /** the addresses that are counted for it: its own one, or those of its requests */
  counted: string[];
  /** requests whose answers have not gone out */
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
  /** the others: their one request is answered with this */
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

  /** A connection was accepted; false: there are so many that it is closed at once. */
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

  /** Its handshake has ended: what is read and written from now on is `secure`, which stands for it. */
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

  /** May be called again for the same one. */
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

  /** Takes the place of a connection; false where none has waited for long. */
  #displace(served: Served | undefined): boolean {
    if (!served) return false;
    this.disconnected(served.socket);
    served.socket.destroy();
    return true;
  }

  /**
   * Why a request is not served. What is counted for it counts until its answer has gone out or its connection has
   * ended. One too many that waits for its answer is the last one of its connection, of which nothing more is read.
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
      // behind what came with it: at the end of each request node reads on
      process.nextTick(() => socket.pause());
      return new AppError('too_many_requests', 'Too many requests at the same time on one connection.', RETRY);
    }
    served.requests++;
    if (served.loggedIn === 0) this.#waiting.begin(served);
    exchange.servedAs = served;
    const counted = this.#countsRequests ? exchange.remoteAddress : undefined;
    const isCounted = counted !== undefined && this.#clients.enter(counted);
    if (isCounted) served.counted.push(counted);
    // an answer that waits for the one before it gets no event when its connection ends: disconnected() is called
    response.on('close', () => {
      exchange.servedAs = undefined;
      if (this.#served.get(socket) !== served) return;
      served.requests--;
      if (exchange.isLoggedIn) served.loggedIn--;
      // a client's time runs from its last request on, or from the answer that ended its log-in
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
