// How long a client may take over a request body, so that a byte now and then does not hold a connection: it has a
// budget of waiting time, which pauses use up and bytes that come give back. Only the time counts in which we wanted to
// read and nothing was there: a slow disk or room server of ours is no fault of the client's.

import { ANONYMOUS_BODY_WAIT_MS, BODY_WAIT_MS, MIN_BODY_BYTES_PER_SECOND } from '../limits/http.ts';
import type { Exchange } from './exchange.ts';

export interface Waiting {
  /** time that may be waited at a stretch, or in all where nothing gives it back */
  maxMs: number;
  /** time that each byte gives back */
  msPerByte: number;
}

const LOGGED_IN: Waiting = { maxMs: BODY_WAIT_MS, msPerByte: 1000 / MIN_BODY_BYTES_PER_SECOND };
/** all that they may send is a log-in, which is small */
const ANONYMOUS: Waiting = { maxMs: ANONYMOUS_BODY_WAIT_MS, msPerByte: 0 };

export function waitFor({ isLoggedIn }: Exchange): Waiting {
  return isLoggedIn ? LOGGED_IN : ANONYMOUS;
}

export class BodyWait {
  readonly #waiting: Waiting;
  #leftMs: number;

  constructor(waiting: Waiting) {
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

  /** Waits until what is given to `arm` is called; false: the time was used up before. */
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
      // a process that was busy finds its timers first, and only then what has come meanwhile
      const timer = setTimeout(() => setImmediate(end, false), Math.max(0, this.#leftMs));
      arm(() => end(true));
    });
  }
}
