// Limits the number of connections and queues callers. A room server has a limit of its own and ends no idle session
// for a newcomer (551, quirk Q56); after such a refusal the number that it accepted is the limit for a while.

import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import {
  FIRST_RETRY_MS,
  LAST_RETRY_MS,
  MAX_WAIT_MS,
  PLACE_CHECK_MS,
  REFUSED_BOUND_MS,
  SESSIONS_LEFT_SHARE,
} from '../../limits/protocol.ts';
import { STATUS } from '../../protocol/status.ts';
import { awaitTurn, type Turn } from '../../system/fair-queue.ts';
import { stopping, tooMany } from './server-errors.ts';

export class Places {
  readonly #max: number;
  #clear = Number.POSITIVE_INFINITY;
  readonly #closing = new AbortController();
  #taken = 0;
  /** taken by those that have logged in */
  #open = 0;
  #seen = { bound: Number.POSITIVE_INFINITY, until: 0 };
  /** those that wait, one behind the other: only the first one looks again and again */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Takes a place. Where there is none, `evict` shall close what is idle, and answers whether it did; absent: nothing
   * may be closed for it. Waits in turn, but not without `evict`. Throws busy, after MAX_WAIT_MS or where the pool is
   * closed.
   */
  async take(evict: (() => boolean) | undefined): Promise<void> {
    if (this.#waiting === 0 && this.#try(evict)) return;
    if (!evict) throw tooMany();
    const until = performance.now() + MAX_WAIT_MS;
    const turn = this.#last.then(() => this.#await(evict, until));
    this.#last = turn.catch(() => undefined);
    this.#waiting++;
    try {
      await turn;
    } finally {
      this.#waiting--;
    }
  }

  /**
   * What `open` answers, in a place of its own until `give`. As long as the room server refuses for the number of its
   * sessions (551), it is asked again, for MAX_WAIT_MS, but not without `evict`. Throws as `take` and `open`.
   */
  async open<T>(evict: (() => boolean) | undefined, open: () => Promise<T>): Promise<T> {
    const until = performance.now() + MAX_WAIT_MS;
    for (let pause = FIRST_RETRY_MS; ; pause = Math.min(2 * pause, LAST_RETRY_MS)) {
      await this.take(evict);
      try {
        const opened = await open();
        this.#open++;
        return opened;
      } catch (error) {
        this.#taken--;
        if (!(error instanceof AppError && error.backendCode === STATUS.tooManySessions)) throw error;
        this.#refused();
        if (!evict || performance.now() + pause > until) throw error;
        // one may have been closed for it already, whose session has not ended yet
        if (pause > FIRST_RETRY_MS) evict();
      }
      await this.#pause(pause);
    }
  }

  get state() {
    const max = Math.min(this.#max, this.#clear);
    return { open: this.#open, opening: this.#taken - this.#open, waiting: this.#waiting, max };
  }

  /** Leaves a share of the sessions of the room server to others: text clients, mail, its administrators. */
  keepClearOf(sessions: number): void {
    this.#clear = Math.max(1, Math.floor(sessions * (1 - SESSIONS_LEFT_SHARE)));
  }

  /** Gives back the place of what was opened. */
  give(): void {
    this.#taken--;
    this.#open--;
  }

  /** Those that wait fail. */
  close(): void {
    this.#closing.abort();
  }

  #try(evict: (() => boolean) | undefined): boolean {
    const max = Math.min(this.#max, this.#clear);
    const bound = performance.now() < this.#seen.until ? Math.min(this.#seen.bound, max) : max;
    if (this.#taken >= bound && !evict?.()) return false;
    this.#taken++;
    return true;
  }

  async #await(evict: () => boolean, until: number): Promise<void> {
    while (!this.#try(evict)) {
      if (performance.now() > until) throw tooMany();
      await this.#pause(PLACE_CHECK_MS);
    }
  }

  /** The room server takes no more. Others may have sessions, too: what is open now is the bound for a while. */
  #refused(): void {
    const now = performance.now();
    if (now >= this.#seen.until) this.#seen = { bound: Math.max(1, this.#open), until: now + REFUSED_BOUND_MS };
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => {
      throw stopping();
    });
  }
}

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
