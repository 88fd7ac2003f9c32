// Bounds the connections of a listener, in total and per client. When a bound is reached, the connection that has been
// idle longest without a log-in is closed in favour of the new one: strangers cannot keep others out by staying.

import { WAITING_ORDER_MS } from '../limits/http.ts';
import { NetworkCounts } from './networks.ts';

export interface Waiter {
  /** the network that counts as one client (networks.ts) */
  readonly client: string;
  /** performance.now() of its latest request, or of the end of its last logged-in response */
  since: number;
  /** number of authenticated requests in progress; while there are any, it is not idle */
  readonly loggedIn: number;
}

/** Made with `client: networkOf(address)`. */
export interface SlotUser extends Waiter {
  readonly address: string;
  /** Closes the connection, whose slot is needed. */
  close(): void;
}

export interface SlotBounds {
  max: () => number;
  maxPerClient: number;
  /** how long a connection without log-in must have been idle before it may be displaced */
  displaceAfterMs: number;
}

export class ConnectionSlots<C extends SlotUser> {
  readonly clients: NetworkCounts;
  readonly #bounds: SlotBounds;
  /** value: it counts for its client */
  readonly #taken = new Map<C, boolean>();
  readonly #waiting = new WaitingConnections<C>();

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
    this.clients = new NetworkCounts(bounds.maxPerClient);
  }

  get size(): number {
    return this.#taken.size;
  }

  /** Takes a slot, or says which bound is reached. `isCounted`: for its client, too. */
  enter(connection: C, isCounted: boolean): 'total' | 'client' | undefined {
    const { max, displaceAfterMs } = this.#bounds;
    if (this.size >= max() && !this.#displace(this.#waiting.longest(displaceAfterMs))) return 'total';
    if (isCounted && !this.clients.enter(connection.address)) {
      if (!this.#displace(this.#waiting.longestOf(connection.client, displaceAfterMs))) return 'client';
      this.clients.enter(connection.address);
    }
    this.#taken.set(connection, isCounted);
    this.#waiting.enter(connection);
    return undefined;
  }

  /** Starts or restarts the idle time. */
  begin(connection: C): void {
    if (this.#taken.has(connection)) this.#waiting.begin(connection);
  }

  /** Idempotent. */
  leave(connection: C): void {
    if (this.#taken.get(connection)) this.clients.leave(connection.address);
    if (this.#taken.delete(connection)) this.#waiting.leave(connection);
  }

  #displace(connection: C | undefined): boolean {
    if (!connection) return false;
    this.leave(connection);
    connection.close();
    return true;
  }
}

/**
 * Connections that may be closed when there are too many, ordered by the start of their wait, to WAITING_ORDER_MS: each
 * move is a write to a table in old memory.
 */
export class WaitingConnections<W extends Waiter> {
  /** value: `since` at the time of queueing; the actual value may be slightly later */
  readonly #line = new Map<W, number>();
  readonly #ofClient = new Map<string, Set<W>>();

  enter(waiter: W): void {
    this.begin(waiter);
    this.#ofClient.getOrInsertComputed(waiter.client, () => new Set()).add(waiter);
  }

  /** Idempotent. */
  leave(waiter: W): void {
    this.#line.delete(waiter);
    const own = this.#ofClient.get(waiter.client);
    own?.delete(waiter);
    if (own?.size === 0) this.#ofClient.delete(waiter.client);
  }

  /** Starts or restarts the idle time. */
  begin(waiter: W): void {
    waiter.since = performance.now();
    const lined = this.#line.get(waiter);
    if (lined !== undefined && waiter.since - lined < WAITING_ORDER_MS) return;
    this.#line.delete(waiter);
    this.#line.set(waiter, waiter.since);
  }

  /** The connection idle for longest, if for at least `ms`. */
  longest(ms: number): W | undefined {
    for (const waiter of this.#line.keys()) {
      if (waiter.loggedIn === 0) return performance.now() - waiter.since >= ms ? waiter : undefined;
      this.#line.delete(waiter); // re-queued when it becomes idle
    }
    return undefined;
  }

  /** The same for one client, which has few connections. */
  longestOf(client: string, ms: number): W | undefined {
    const before = performance.now() - ms;
    let longest: W | undefined;
    for (const waiter of this.#ofClient.get(client) ?? []) {
      if (waiter.loggedIn > 0 || waiter.since > before) continue;
      if (!longest || waiter.since < longest.since) longest = waiter;
    }
    return longest;
  }
}
