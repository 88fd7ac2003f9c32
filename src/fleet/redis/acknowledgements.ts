// Who has told a change waits until all others have it, each of which says so.

import { MAX_TELLING, TOLD_WAIT_MS } from '../../limits/resp.ts';

interface Telling {
  heard: number;
  /** Infinity: not known yet */
  wanted: number;
  done(): void;
}

export class Acknowledgements {
  /** by the number of the change */
  readonly #telling = new Map<number, Telling>();

  /** Resolves when `wanted` have said that they have it, at the latest after TOLD_WAIT_MS: who is cut off will ask. */
  async byAll(number: number, wanted: number): Promise<void> {
    const heard = this.#telling.get(number)?.heard ?? 0; // they may be faster than the reply to who has told it
    if (heard >= wanted || this.#telling.size >= MAX_TELLING) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#telling.set(number, { heard, wanted, done: resolve });
    const timer = setTimeout(resolve, TOLD_WAIT_MS);
    await promise;
    clearTimeout(timer);
    this.#telling.delete(number);
  }

  /** One more has it. */
  note(number: number): void {
    const telling = this.#telling.get(number);
    if (telling) {
      if (++telling.heard >= telling.wanted) telling.done();
    } else if (this.#telling.size < MAX_TELLING) {
      this.#telling.set(number, { heard: 1, wanted: Number.POSITIVE_INFINITY, done: () => {} });
      setTimeout(() => this.#forgetUnwanted(number), TOLD_WAIT_MS).unref();
    }
  }

  /** What nobody waits for. */
  #forgetUnwanted(number: number): void {
    if (this.#telling.get(number)?.wanted === Number.POSITIVE_INFINITY) this.#telling.delete(number);
  }
}
