// Limits the number of connections and queues callers. A room server has a limit of its own and ends no idle session
// for a newcomer (551, quirk Q56); after such a refusal the number that it accepted is the limit for a while.

import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import {
  FIRST_RETRY_MS,
  LAST_RETRY_MS,
  MAX_WAIT_MS,
  REFUSED_BOUND_MS,
  SESSIONS_LEFT_SHARE,
  SLOT_POLL_MS,
} from '../../limits/protocol.ts';
import { STATUS } from '../../protocol/status.ts';
import { awaitTurn, type Turn } from '../../system/fair-queue.ts';
import { stopping, tooMany } from './server-errors.ts';

export class Slots {
  readonly #max: number;
  #clear = Number.POSITIVE_INFINITY;
  readonly #closing = new AbortController();
  #taken = 0;
  /** slots of connections that have logged in */
  #open = 0;
  #observed = { max: Number.POSITIVE_INFINITY, until: 0 };
  /** callers wait in a chain; only the first one polls */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Takes a slot. If there is none, `evict` closes an idle connection and returns whether it did; undefined: nothing may
   * be closed, and the caller does not wait. Throws busy, after MAX_WAIT_MS or when the pool is closed.
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
   * Takes a slot, calls `open`, and returns its result; `release` frees the slot. While the room server has too many
   * sessions (551), retries for MAX_WAIT_MS, but not without `evict`. Throws as `take` and `open`.
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
        // at the first refusal, the session of an evicted connection may not have ended yet
        if (pause > FIRST_RETRY_MS) evict();
      }
      await this.#pause(pause);
    }
  }

  get state() {
    const max = Math.min(this.#max, this.#clear);
    return { open: this.#open, opening: this.#taken - this.#open, waiting: this.#waiting, max };
  }

  /** Leaves a share of the room server's sessions to others: text clients, mail, its administrators. */
  keepClearOf(sessions: number): void {
    this.#clear = Math.max(1, Math.floor(sessions * (1 - SESSIONS_LEFT_SHARE)));
  }

  release(): void {
    this.#taken--;
    this.#open--;
  }

  /** Waiting callers fail. */
  close(): void {
    this.#closing.abort();
  }

  #try(evict: (() => boolean) | undefined): boolean {
    const max = Math.min(this.#max, this.#clear);
    const bound = performance.now() < this.#observed.until ? Math.min(this.#observed.max, max) : max;
    if (this.#taken >= bound && !evict?.()) return false;
    this.#taken++;
    return true;
  }

  async #await(evict: () => boolean, until: number): Promise<void> {
    while (!this.#try(evict)) {
      if (performance.now() > until) throw tooMany();
      await this.#pause(SLOT_POLL_MS);
    }
  }

  /** The room server accepts no more: the current number is the limit for a while, as others may have sessions, too. */
  #refused(): void {
    const now = performance.now();
    if (now >= this.#observed.until) this.#observed = { max: Math.max(1, this.#open), until: now + REFUSED_BOUND_MS };
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

  /** Resolves with the value given to `next().start`. Throws busy after MAX_WAIT_MS, and the error given to failAll. */
  wait(): Promise<T> {
    const turn: Turn<T> = awaitTurn(undefined, MAX_WAIT_MS, tooMany, () => {
      const position = this.#turns.indexOf(turn);
      if (position >= 0) this.#turns.splice(position, 1);
    });
    this.#turns.push(turn);
    return turn.came;
  }

  /** Removes the first caller, which must be started at once. */
  next(): Turn<T> | undefined {
    return this.#turns.shift();
  }

  failAll(error: unknown): void {
    for (const turn of this.#turns.splice(0)) turn.fail(error);
  }
}
