// CPU-heavy tasks of a thread run round-robin, one slice in each round of the event loop, so that a short request waits
// for one slice, however many such tasks there are. Large transfers are also throttled while others ask for something
// short: they would take the whole processor. Only the first in the queue pauses, so newcomers delay nobody but
// themselves.

import { ASKED_LATELY_MS, BULK_RESTS, MAX_BULK_REST_MS } from '../limits/backend.ts';
import { REQUEST_TURN_MS, SHORT_WORK_MS, WORK_RESTS } from '../limits/http.ts';
import { SerialQueue } from './fair-queue.ts';
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

  /** For a loop of many steps, `if (turn.isOver) await turn.next()` after each: `turnMs` at a stretch, from now on. */
  begin(turnMs: number): Stretch {
    return new Stretch(this, turnMs);
  }

  /** What `make` makes of each item, `turnMs` at a stretch. */
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
   * The result of `work`, `turnMs` at a stretch, each in its turn among bulk work, the first one at once if `isSoon`.
   * `check` is called before each turn that was waited for; what it throws ends the work.
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

/** A stretch of work, and the next ones after it. */
export class Stretch {
  readonly #queue: TurnQueue;
  readonly #ms: number;
  #end: number;

  constructor(queue: TurnQueue, ms: number) {
    this.#queue = queue;
    this.#ms = ms;
    this.#end = performance.now() + ms;
  }

  /** Others are to have their turn. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await this.#queue.next();
    this.#end = performance.now() + this.#ms;
  }
}

/** Of the gateway's requests, on whatever part of them much is to be done. */
export const requestTurns = new TurnQueue();

/** As far as it comes until `turnEnd` (of performance.now()); one step at least. */
function advance<R>(work: Steps<R>, turnEnd: number): IteratorResult<undefined, R> {
  for (;;) {
    const step = work.next();
    if (step.done || performance.now() >= turnEnd) return step;
  }
}

type Work<R> = Steps<R | undefined>;

/** What is made of an item in several turns: one at a time, for half of it is in memory meanwhile. */
const large = new SerialQueue();

interface Pace {
  turnMs?: number;
  /** much has been done before: it rests from the first turn on */
  isLong?: boolean;
  /** aborted when nobody wants it any more: nothing further is made then */
  gone?: AbortSignal;
}

/**
 * What `make` makes of each item, without those of which it makes nothing; other requests have their turn between, and
 * wherever the making of one yields.
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
        one = step.done ? step.value : await large.run('', () => finish(work, turnMs, nextTurn, gone));
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

/** The next turn of a report that has worked so long; one that has much to do rests. */
function turnsOf(turnMs: number, worked: number): () => Promise<void> {
  let all = worked;
  return () => {
    all += turnMs;
    return all < SHORT_WORK_MS ? requestTurns.next() : restAfter(turnMs);
  };
}

/** A turn among what moves very many bytes, after a rest that is shorter than theirs: a report is waited for. */
export function restAfter(ms: number): Promise<void> {
  return requestTurns.nextOfBulk((ms * WORK_RESTS) / BULK_RESTS);
}

function isWork<R>(made: R | undefined | Work<R>): made is Work<R> {
  return made instanceof Iterator;
}

/** What is made in the end. A client that takes nothing holds up nobody: nothing is given to one meanwhile. */
async function finish<R>(
  work: Work<R>,
  turnMs: number,
  nextTurn: () => Promise<void>,
  gone: AbortSignal | undefined,
): Promise<R | undefined> {
  for (;;) {
    // many may stand in line whose clients have left
    if (gone?.aborted) return undefined;
    await nextTurn();
    const step = advance(work, performance.now() + turnMs);
    if (step.done) return step.value;
  }
}
