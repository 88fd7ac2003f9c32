// Connections that may be given up when there are too many: those of clients that have not logged in and are waited
// for. They stand in line as they began to wait, to WAITING_ORDER_MS: a connection that is busy has a place of its own
// only so often, for each is a write to a table in old memory.

import { WAITING_ORDER_MS } from '../limits/http.ts';

/** A connection. */
export interface Waiter {
  readonly client: string;
  /** performance.now() of its latest request, or of the answer that ended its log-in */
  since: number;
  /** requests of somebody who has logged in that it runs: while there are any, it is not waited for */
  loggedIn: number;
}

export class WaitingConnections<W extends Waiter> {
  /** with `since` as it was when they came to the end of the line: they wait since then, or a little less */
  readonly #line = new Map<W, number>();
  readonly #ofClient = new Map<string, Set<W>>();

  enter(waiter: W): void {
    this.begin(waiter);
    this.#ofClient.getOrInsertComputed(waiter.client, () => new Set()).add(waiter);
  }

  /** May be called again for the same one. */
  leave(waiter: W): void {
    this.#line.delete(waiter);
    const own = this.#ofClient.get(waiter.client);
    own?.delete(waiter);
    if (own?.size === 0) this.#ofClient.delete(waiter.client);
  }

  /** It begins to wait now; one that waited already begins anew. */
  begin(waiter: W): void {
    waiter.since = performance.now();
    const lined = this.#line.get(waiter);
    if (lined !== undefined && waiter.since - lined < WAITING_ORDER_MS) return;
    this.#line.delete(waiter);
    this.#line.set(waiter, waiter.since);
  }

  /** The one that has waited longest, to WAITING_ORDER_MS; undefined when none has for `ms`, and that much. */
  longest(ms: number): W | undefined {
    for (const waiter of this.#line.keys()) {
      if (waiter.loggedIn === 0) return performance.now() - waiter.since >= ms ? waiter : undefined;
      this.#line.delete(waiter); // it comes back when it waits again
    }
    return undefined;
  }

  /** The same of one client's, of which there are few. */
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
