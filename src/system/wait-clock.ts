// How long a request has waited for the room server, in all: times that overlap count once.

import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<WaitClock>();

/** The clock of the request that the caller works for; undefined: nobody wants to know. */
export function runningClock(): WaitClock | undefined {
  return running.getStore();
}

export class WaitClock {
  /** waits under way */
  #depth = 0;
  /** performance.now() when the first of them began */
  #since = 0;
  #sum = 0;

  /** Calls `work`; what that does, now and after each `await`, finds this clock. */
  run<R>(work: () => R): R {
    return running.run(this, work);
  }

  /** A wait begins; to be ended once. */
  begin(): void {
    if (this.#depth++ === 0) this.#since = performance.now();
  }

  end(): void {
    if (--this.#depth === 0) this.#sum += performance.now() - this.#since;
  }

  /** milliseconds until now */
  get ms(): number {
    return this.#sum + (this.#depth > 0 ? performance.now() - this.#since : 0);
  }
}
