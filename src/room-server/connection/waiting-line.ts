// Those who wait for what others hold, in their order, and for MAX_WAIT_MS at most.

import { MAX_WAIT_MS } from '../../limits/protocol.ts';
import { awaitTurn, type Turn } from '../../system/fair-queue.ts';
import { tooMany } from './connection-fault.ts';

export class WaitingLine<T> {
  readonly #turns: Turn<T>[] = [];

  get length(): number {
    return this.#turns.length;
  }

  /** What `next` gives. Throws busy after MAX_WAIT_MS, and what failAll is given. */
  wait(): Promise<T> {
    const turn: Turn<T> = awaitTurn(undefined, MAX_WAIT_MS, tooMany, () => {
      const place = this.#turns.indexOf(turn);
      if (place >= 0) this.#turns.splice(place, 1);
    });
    this.#turns.push(turn);
    return turn.came;
  }

  /** Whose turn it is; it waits no longer in line, and has to be started at once. */
  next(): Turn<T> | undefined {
    return this.#turns.shift();
  }

  failAll(error: unknown): void {
    for (const turn of this.#turns.splice(0)) turn.fail(error);
  }
}
