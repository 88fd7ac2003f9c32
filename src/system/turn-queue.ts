// The order in which those with much to do on a thread have their turns: one of them in each round of the event loop,
// so that what is short waits for one turn, however many have much to do. What moves very many bytes rests besides
// while others ask for something short: it would take the whole processor, and they wait for each of its turns. Only
// the first in line rests, so that newcomers put off nobody's turn but their own.

import { ASKED_LATELY_MS, BULK_RESTS, MAX_BULK_REST_MS } from '../limits/backend.ts';
import type { Steps } from './steps.ts';

interface Bulk {
  take: () => void;
  /** milliseconds, of its turn before */
  worked: number;
}

export class TurnQueue {
  readonly #waiting: (() => void)[] = [];
  /** those that move very many bytes */
  readonly #bulk: Bulk[] = [];
  #isPlanned = false;
  #wasBulk = false;
  #shortCount = 0;
  /** of them, those that what moves very many bytes has seen */
  #seenCount = 0;
  /** performance.now(): when there were new ones last */
  #askedAt = Number.NEGATIVE_INFINITY;
  #restEnd = 0;
  #rest: NodeJS.Timeout | undefined;

  /** Resolves when it is the caller's turn: all sockets that have something have been read since. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#plan();
    });
  }

  /** The same for what moves very many bytes; `worked`: milliseconds of the turn that is over. */
  nextOfBulk(worked: number): Promise<void> {
    return new Promise((take) => {
      if (this.#bulk.push({ take, worked }) === 1) this.#beginRest();
      this.#plan();
    });
  }

  /** Somebody has asked for something short, and has his answer. */
  noteShort(): void {
    this.#shortCount++;
  }

  /** how often so far */
  get shortCount(): number {
    return this.#shortCount;
  }

  /**
   * For work of many steps: to be called after each of them, answers a promise when it has gone on for so long that
   * others are to have their turn.
   */
  paced(turnMs: number): () => Promise<void> | undefined {
    let end = performance.now() + turnMs;
    const goOn = () => {
      end = performance.now() + turnMs;
    };
    return () => (performance.now() < end ? undefined : this.next().then(goOn));
  }

  /** What `make` makes of each item, `turnMs` at a stretch. */
  async map<T, R>(items: Iterable<T>, turnMs: number, make: (item: T) => R): Promise<R[]> {
    const turn = this.paced(turnMs);
    const made: R[] = [];
    for (const item of items) {
      made.push(make(item));
      const wait = turn();
      if (wait) await wait;
    }
    return made;
  }

  /**
   * What comes of `work`, `turnMs` at a stretch, each in its turn among what moves very many bytes. Throws what `gone`
   * is aborted with: nothing further is done then.
   */
  async inBulk<R>(work: Steps<R>, turnMs: number, gone: AbortSignal): Promise<R> {
    for (;;) {
      await this.nextOfBulk(turnMs);
      gone.throwIfAborted();
      const step = advance(work, performance.now() + turnMs);
      if (step.done) return step.value;
    }
  }

  #plan(): void {
    if (this.#isPlanned || (this.#waiting.length === 0 && this.#bulk.length === 0)) return;
    const isBulk = this.#bulk.length > 0 && this.#hasRested() && (this.#waiting.length === 0 || !this.#wasBulk);
    if (!isBulk && this.#waiting.length === 0) return; // when the rest is over
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#wasBulk = isBulk;
      if (isBulk) {
        this.#bulk.shift()!.take();
        this.#beginRest();
      } else {
        this.#waiting.shift()!();
      }
      this.#plan();
    });
  }

  /** Of the one that is the first in line now, if others have asked lately. */
  #beginRest(): void {
    const now = performance.now();
    if (this.#shortCount !== this.#seenCount) this.#askedAt = now;
    this.#seenCount = this.#shortCount;
    const [first] = this.#bulk;
    if (!first || now - this.#askedAt >= ASKED_LATELY_MS) return;
    this.#restEnd = now + Math.min(first.worked * BULK_RESTS, MAX_BULK_REST_MS);
  }

  #hasRested(): boolean {
    const left = this.#restEnd - performance.now();
    if (left <= 0) return true;
    this.#rest ??= setTimeout(() => {
      this.#rest = undefined;
      this.#plan();
    }, left);
    return false;
  }
}

/** Of the gateway's requests, on whatever part of them much is to be done. */
export const requestTurns = new TurnQueue();

/** As far as it comes until `turnEnd` (of performance.now()); one step at least. */
export function advance<R>(work: Steps<R>, turnEnd: number): IteratorResult<undefined, R> {
  for (;;) {
    const step = work.next();
    if (step.done || performance.now() >= turnEnd) return step;
  }
}
