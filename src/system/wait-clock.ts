// Measures how long a request waited for the room server; overlapping waits count once.

import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<WaitClock>();

/** The clock of the current request; undefined if its waits are not measured. */
export function runningClock(): WaitClock | undefined {
  return running.getStore();
}

export class WaitClock {
  /** waits in progress */
  #depth = 0;
  /** performance.now() at the start of the first one */
  #since = 0;
  #sum = 0;

  /** Calls `work`, which finds this clock, also after each `await`. */
  run<R>(work: () => R): R {
    return running.run(this, work);
  }

  /** Must be followed by one end(). */
  begin(): void {
    if (this.#depth++ === 0) this.#since = performance.now();
  }

  end(): void {
    if (--this.#depth === 0) this.#sum += performance.now() - this.#since;
  }

  /** total milliseconds so far */
  get ms(): number {
    return this.#sum + (this.#depth > 0 ? performance.now() - this.#since : 0);
  }
}
