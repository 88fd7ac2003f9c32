// Limits the number of connections. Callers wait in a queue, accounts in turn. A room server has a limit of its own and
// ends no idle session for a newcomer (551, quirk Q56); after such a refusal the number that it accepted is the limit
// for a while.

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
import { awaitTurn, Line, runningAsker, type Turn } from '../../system/fair-queue.ts';
import { stopping, tooMany } from './server-errors.ts';

/** Closes an idle connection and returns whether it did; undefined: none may be closed, and the caller does not wait. */
type Evict = (() => boolean) | undefined;

export class Slots {
  readonly #max: number;
  #clear = Number.POSITIVE_INFINITY;
  readonly #closing = new AbortController();
  #taken = 0;
  /** slots of connections that have logged in */
  #open = 0;
  #observed = { max: Number.POSITIVE_INFINITY, until: 0 };
  readonly #line = new WaitingLine<void>();
  #isPolling = false;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Takes a slot. Throws busy, after MAX_WAIT_MS or when the pool is closed; the reason of `gone` when that aborts
   * while it waits.
   */
  async take(evict: Evict, gone?: AbortSignal): Promise<void> {
    if (this.#line.length === 0 && this.#try(evict)) return;
    if (!evict) throw tooMany();
    const turn = this.#line.wait(gone);
    if (!this.#isPolling) void this.#poll(evict);
    await turn;
  }

  /**
   * Takes a slot, calls `open`, and returns its result; `release` frees the slot. While the room server has too many
   * sessions (551), retries for MAX_WAIT_MS, but not without `evict`. Throws as `take` and `open`.
   */
  async open<T>(evict: Evict, open: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    const until = performance.now() + MAX_WAIT_MS;
    for (let pause = FIRST_RETRY_MS; ; pause = Math.min(2 * pause, LAST_RETRY_MS)) {
      await this.take(evict, gone);
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
    return { open: this.#open, opening: this.#taken - this.#open, waiting: this.#line.length, max };
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

  #try(evict: Evict): boolean {
    const max = Math.min(this.#max, this.#clear);
    const bound = performance.now() < this.#observed.until ? Math.min(this.#observed.max, max) : max;
    if (this.#taken >= bound && !evict?.()) return false;
    this.#taken++;
    return true;
  }

  /** Only the first one in the queue polls. */
  async #poll(evict: () => boolean): Promise<void> {
    this.#isPolling = true;
    try {
      while (this.#line.length > 0) {
        if (this.#try(evict)) this.#line.next()!.start();
        else await this.#pause(SLOT_POLL_MS);
      }
    } catch (error) {
      this.#line.failAll(error);
    } finally {
      this.#isPolling = false;
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
  readonly #line = new Line<Turn<T>>();

  get length(): number {
    return this.#line.length;
  }

  /** Of the running asker. */
  get ownLength(): number {
    return this.#line.countOf(runningAsker().turnKey);
  }

  /**
   * Resolves with the value given to `next().start`. Throws busy after MAX_WAIT_MS, the error given to failAll, and the
   * reason of `gone`.
   */
  wait(gone?: AbortSignal): Promise<T> {
    const { turnKey } = runningAsker();
    const turn: Turn<T> = awaitTurn(gone, MAX_WAIT_MS, tooMany, () => this.#line.remove(turnKey, turn));
    this.#line.push(turnKey, turn);
    return turn.came;
  }

  /** Removes the next caller, which must be started at once. */
  next(): Turn<T> | undefined {
    return this.#line.shift()?.entry;
  }

  failAll(error: unknown): void {
    for (let turn = this.next(); turn; turn = this.next()) turn.fail(error);
  }
}
