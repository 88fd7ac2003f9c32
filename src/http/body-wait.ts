// How long a client may take over a request body, so that a byte now and then does not hold a connection: it has a
// budget of waiting time, which pauses use up and bytes that come give back. Only the time counts in which we wanted to
// read and nothing was there: a slow disk or room server of ours is no fault of the client's.

import { ANONYMOUS_BODY_WAIT_MS, BODY_WAIT_MS, MIN_BODY_BYTES_PER_SECOND } from '../limits/http.ts';
import type { Exchange } from './exchange.ts';

export interface WaitingTime {
  /** time that may be waited at a stretch, or in all where nothing gives it back */
  maxMs: number;
  /** time that each byte gives back */
  msPerByte: number;
}

/** As long as the credentials have not been checked a client has less: all that it may send is a log-in. */
export function waitingTimeFor({ isLoggedIn }: Exchange): WaitingTime {
  return isLoggedIn
    ? { maxMs: BODY_WAIT_MS, msPerByte: 1000 / MIN_BODY_BYTES_PER_SECOND }
    : { maxMs: ANONYMOUS_BODY_WAIT_MS, msPerByte: 0 };
}

export class BodyWait {
  readonly #waiting: WaitingTime;
  #leftMs: number;

  constructor(waiting: WaitingTime) {
    this.#waiting = waiting;
    this.#leftMs = waiting.maxMs;
  }

  get leftMs(): number {
    return this.#leftMs;
  }

  waited(ms: number): void {
    this.#leftMs -= ms;
  }

  received(bytes: number): void {
    this.#leftMs = Math.min(this.#waiting.maxMs, this.#leftMs + bytes * this.#waiting.msPerByte);
  }

  /** Waits until the function that `arm` gets is called; false: the time was used up before. */
  until(arm: (resume: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const started = performance.now();
      let isOver = false;
      const end = (isAwake: boolean) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        this.waited(performance.now() - started);
        resolve(isAwake);
      };
      // after a busy time node runs timers first, and only then reads what has come meanwhile
      const timer = setTimeout(() => setImmediate(end, false), Math.max(0, this.#leftMs));
      arm(() => end(true));
    });
  }
}
