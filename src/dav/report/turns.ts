// Long work of reports in short stretches: the main thread serves everybody.

import { BULK_RESTS } from '../../limits/backend.ts';
import { REQUEST_TURN_MS, SHORT_WORK_MS, WORK_RESTS } from '../../limits/http.ts';
import { SerialQueue } from '../../system/serial-queue.ts';
import type { Steps } from '../../system/steps.ts';
import { advance, requestTurns } from '../../system/turn-queue.ts';

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
