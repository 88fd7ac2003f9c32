// CPU-heavy tasks of a thread run one slice in each round of the event loop, so that a short request waits for one
// slice, however many such tasks there are. Askers take turns, so that the many tasks of one delay only his own. Large
// transfers are also throttled while others ask for something short: they would take the whole processor. Only the
// first in the queue pauses, so newcomers delay nobody but themselves.

import { ASKED_LATELY_MS, BULK_RESTS, MAX_BULK_REST_MS } from '../limits/backend.ts';
import { REQUEST_TURN_MS, SHORT_WORK_MS, WORK_RESTS } from '../limits/http.ts';
import { Line, runningAsker, SerialQueue } from './fair-queue.ts';
import type { Steps } from './steps.ts';

/** A queued transfer. */
interface Bulk {
  take: () => void;
  /** milliseconds of its previous turn */
  worked: number;
}

export class TurnQueue {
  readonly #waiting = new Line<() => void>();
  readonly #bulk = new Line<Bulk>();
  /** milliseconds of short work in this round of the event loop, by asker */
  readonly #worked = new Map<string, number>();
  #isPlanned = false;
  #wasBulk = false;
  #shortCount = 0;
  /** `#shortCount` at the last turn of a transfer */
  #seenCount = 0;
  /** performance.now() of the last new short request */
  #askedAt = Number.NEGATIVE_INFINITY;
  #restEnd = 0;
  #rest: NodeJS.Timeout | undefined;

  /** Resolves when it is the caller's turn: all readable sockets have been read since. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(runningAsker().turnKey, resolve);
      this.#plan();
    });
  }

  /** The same for large transfers; `worked`: milliseconds of the previous turn. */
  nextOfBulk(worked: number): Promise<void> {
    return new Promise((take) => {
      this.#bulk.push(runningAsker().turnKey, { take, worked });
      if (this.#bulk.length === 1) this.#beginRest();
      this.#plan();
    });
  }

  /** A short request was answered. */
  noteShort(): void {
    this.#shortCount++;
  }

  get shortCount(): number {
    return this.#shortCount;
  }

  /** Short work of an asker, done without a turn. */
  noteWork(ms: number, turnKey = runningAsker().turnKey): void {
    if (this.#worked.size === 0) setImmediate(() => this.#worked.clear());
    this.#worked.set(turnKey, (this.#worked.get(turnKey) ?? 0) + ms);
  }

  /** The running asker has had its share of this round, as it asked for much at once on many connections. */
  isSpent(shareMs: number): boolean {
    return (this.#worked.get(runningAsker().turnKey) ?? 0) >= shareMs;
  }

  /** For loops: `if (turn.isOver) await turn.next()` after each step, in slices of `turnMs`. */
  begin(turnMs: number): Stretch {
    return new Stretch(this, turnMs);
  }

  /** Maps the items in slices of `turnMs`. */
  async map<T, R>(items: Iterable<T>, turnMs: number, make: (item: T) => R): Promise<R[]> {
    const turn = this.begin(turnMs);
    const made: R[] = [];
    for (const item of items) {
      made.push(make(item));
      if (turn.isOver) await turn.next();
    }
    return made;
  }

  /**
   * Runs `work` in slices of `turnMs`, each in turn among large transfers; the first one at once if `isSoon`. `check` is
   * called before each other slice and may throw to end the work.
   */
  async run<R>(work: Steps<R>, turnMs: number, check: () => void, isSoon = false): Promise<R> {
    for (let isFirst = isSoon; ; isFirst = false) {
      if (!isFirst) {
        await this.nextOfBulk(turnMs);
        check();
      }
      const step = advance(work, performance.now() + turnMs);
      if (step.done) return step.value;
    }
  }

  #plan(): void {
    if (this.#isPlanned || (this.#waiting.length === 0 && this.#bulk.length === 0)) return;
    const isBulk = this.#bulk.length > 0 && this.#hasRested() && (this.#waiting.length === 0 || !this.#wasBulk);
    if (!isBulk && this.#waiting.length === 0) return; // planned again after the pause
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#wasBulk = isBulk;
      if (isBulk) {
        this.#bulk.shift()!.entry.take();
        this.#beginRest();
      } else {
        this.#waiting.shift()!.entry();
      }
      this.#plan();
    });
  }

  /** Pauses the first transfer in the queue if there were short requests recently. */
  #beginRest(): void {
    const now = performance.now();
    if (this.#shortCount !== this.#seenCount) this.#askedAt = now;
    this.#seenCount = this.#shortCount;
    const { first } = this.#bulk;
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

/** The current slice of a loop. */
export class Stretch {
  readonly #queue: TurnQueue;
  readonly #ms: number;
  #end: number;

  constructor(queue: TurnQueue, ms: number) {
    this.#queue = queue;
    this.#ms = ms;
    this.#end = performance.now() + ms;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await this.#queue.next();
    this.#end = performance.now() + this.#ms;
  }
}

/** The turns of the gateway's requests. */
export const requestTurns = new TurnQueue();

/** Runs at least one step, until `turnEnd` (performance.now()). */
function advance<R>(work: Steps<R>, turnEnd: number): IteratorResult<undefined, R> {
  for (;;) {
    const step = work.next();
    if (step.done || performance.now() >= turnEnd) return step;
  }
}

type Work<R> = Steps<R | undefined>;

/** Items that take several slices are processed one at a time, as their intermediate state is in memory. */
const large = new SerialQueue();

interface Pace {
  turnMs?: number;
  /** the request has already taken long: it is throttled from the first turn on */
  isLong?: boolean;
  /** aborted when the client is gone */
  gone?: AbortSignal;
}

/**
 * Maps the items in slices, without undefined results. `make` may return a generator, which is interrupted wherever it
 * yields.
 */
export async function* inTurns<T, R>(
  batches: AsyncIterable<Iterable<T>> | Iterable<Iterable<T>>,
  make: (item: T) => R | undefined | Work<R>,
  { turnMs = REQUEST_TURN_MS, isLong = false, gone }: Pace = {},
): AsyncGenerator<R[]> {
  let turnEnd = performance.now() + turnMs;
  const nextTurn = turnsOf(turnMs, isLong ? SHORT_WORK_MS : 0);
  for await (const batch of batches) {
    let made: R[] = [];
    for (const item of batch) {
      let one = make(item);
      if (isWork(one)) {
        const work = one;
        const step = advance(work, turnEnd);
        one = step.done ? step.value : await large.run('', () => finish(work, turnMs, nextTurn, gone), gone);
      }
      if (one !== undefined) made.push(one);
      if (performance.now() < turnEnd) continue;
      yield made;
      made = [];
      await nextTurn();
      if (gone?.aborted) return;
      turnEnd = performance.now() + turnMs;
    }
    yield made;
  }
}

/** The next turn of a report that has worked for `worked` milliseconds; long ones are throttled. */
function turnsOf(turnMs: number, worked: number): () => Promise<void> {
  let all = worked;
  return () => {
    all += turnMs;
    return all < SHORT_WORK_MS ? requestTurns.next() : restAfter(turnMs);
  };
}

/** A turn among large transfers, after a shorter pause than theirs, as somebody waits for a report. */
export function restAfter(ms: number): Promise<void> {
  return requestTurns.nextOfBulk((ms * WORK_RESTS) / BULK_RESTS);
}

function isWork<R>(made: R | undefined | Work<R>): made is Work<R> {
  return made instanceof Iterator;
}

/** Yields nothing meanwhile, so a client that reads slowly blocks nobody. */
async function finish<R>(
  work: Work<R>,
  turnMs: number,
  nextTurn: () => Promise<void>,
  gone: AbortSignal | undefined,
): Promise<R | undefined> {
  for (;;) {
    if (gone?.aborted) return undefined;
    await nextTurn();
    const step = advance(work, performance.now() + turnMs);
    if (step.done) return step.value;
  }
}
