// Those who wait for what others hold, in their order, and not for ever. For lane.ts and connector.ts.

import { MAX_WAIT_MS } from '../../limits/protocol.ts';
import { tooMany } from './connection-fault.ts';

interface Waiter<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

export class WaitingLine<T> {
  readonly #waiters: Waiter<T>[] = [];

  get length(): number {
    return this.#waiters.length;
  }

  /** What `next` gives to who waits. Throws busy after MAX_WAIT_MS. */
  async wait(): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiter = { resolve, reject };
    this.#waiters.push(waiter);
    const timer = setTimeout(() => {
      const place = this.#waiters.indexOf(waiter);
      if (place < 0) return; // its turn has come, and what it waits for is on its way
      this.#waiters.splice(place, 1);
      reject(tooMany());
    }, MAX_WAIT_MS);
    return promise.finally(() => clearTimeout(timer));
  }

  /** Whose turn it is; waits no longer in line. */
  next(): Waiter<T> | undefined {
    return this.#waiters.shift();
  }

  failAll(error: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }
}
