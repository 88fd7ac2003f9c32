// Connections that may be closed when there are too many: idle ones of clients that have not logged in. They are
// ordered by the start of their wait, to WAITING_ORDER_MS: each move is a write to a table in old memory.

import { WAITING_ORDER_MS } from '../limits/http.ts';

export interface Waiter {
  readonly client: string;
  /** performance.now() of its latest request, or of the end of its last logged-in response */
  since: number;
  /** number of authenticated requests in progress; while there are any, it is not idle */
  loggedIn: number;
}

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
