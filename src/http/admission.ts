// Who is served: bounds on connections in all, and on what one client may have of them, so that nobody uses up what the
// others need. Called by listener.ts. Behind a proxy that is trusted every connection is the proxy's, so there it is the
// running requests that are counted, by the client that each is for.

import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import {
  LINGER_TIMEOUT_MS,
  MAX_HTTP_CONNECTIONS,
  MAX_HTTP_CONNECTIONS_PER_ADDRESS,
  MAX_REFUSED_CONNECTIONS,
} from '../limits/http.ts';
import { NetworkCounts } from '../networks.ts';
import type { Exchange } from './exchange.ts';

export interface AdmissionOptions {
  trustProxy?: boolean;
  maxConnections?: number;
  /** of one client: connections, or with `trustProxy` requests at the same time */
  maxPerAddress?: number;
}

const RETRY = { retryAfterSeconds: 5 };

export class Admission {
  readonly #maxConnections: number;
  readonly #countsRequests: boolean;
  readonly #clients: NetworkCounts;
  /** connections that are served, with the clients that are counted for each: its own one, or those of its requests */
  readonly #served = new Map<Socket, string[]>();
  /** the others: their one request is answered with this */
  readonly #refused = new Map<Socket, AppError>();

  constructor({
    trustProxy = false,
    maxConnections = MAX_HTTP_CONNECTIONS,
    maxPerAddress = MAX_HTTP_CONNECTIONS_PER_ADDRESS,
  }: AdmissionOptions) {
    this.#maxConnections = maxConnections;
    this.#countsRequests = trustProxy;
    this.#clients = new NetworkCounts(maxPerAddress);
  }

  /** A connection was accepted; false: there are so many that it is closed at once. */
  connected(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    let refusal: AppError | undefined;
    if (this.#served.size >= this.#maxConnections) {
      refusal = new AppError('busy', 'Too many connections. Try again soon.', RETRY);
    } else if (!this.#countsRequests && !this.#clients.enter(address)) {
      refusal = new AppError('too_many_requests', 'Too many connections from your address. Try again soon.', RETRY);
    }
    if (!refusal) {
      this.#served.set(socket, this.#countsRequests ? [] : [address]);
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

  disconnected(socket: Socket): void {
    for (const address of this.#served.get(socket) ?? []) this.#clients.leave(address);
    this.#served.delete(socket);
    this.#refused.delete(socket);
  }

  /** Why a request is not served. What is counted for it counts until its answer has gone out or its connection has ended. */
  refusalOf({ request: { socket }, response, remoteAddress }: Exchange): AppError | undefined {
    const refusal = this.#refused.get(socket);
    if (refusal) response.shouldKeepAlive = false;
    const counted = this.#served.get(socket);
    if (refusal || !counted || !this.#countsRequests) return refusal;
    if (!this.#clients.enter(remoteAddress)) {
      return new AppError('too_many_requests', 'Too many requests from your address at the same time.', RETRY);
    }
    counted.push(remoteAddress);
    // an answer that has to wait for another one's end hears nothing of its connection's end: disconnected() does
    response.once('close', () => {
      const place = this.#served.has(socket) ? counted.indexOf(remoteAddress) : -1;
      if (place < 0) return;
      counted.splice(place, 1);
      this.#clients.leave(remoteAddress);
    });
    return undefined;
  }
}
