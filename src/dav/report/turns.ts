// Long work of reports in short stretches: the main thread serves everybody.

import { setImmediate } from 'node:timers/promises';
import { REPORT_TURN_MS } from '../../limits/dav.ts';

/**
 * What `make` makes of each item, without those of which it makes nothing; other requests have their turn between, and
 * wherever the making of one yields.
 */
export async function* inTurns<T, R>(
  batches: AsyncIterable<Iterable<T>>,
  make: (item: T) => R | undefined | Generator<undefined, R | undefined>,
  turnMs = REPORT_TURN_MS,
): AsyncGenerator<R[]> {
  let turnEnd = performance.now() + turnMs;
  for await (const batch of batches) {
    let made: R[] = [];
    for (const item of batch) {
      const work = make(item);
      let step = work instanceof Iterator ? work.next() : { done: true as const, value: work };
      for (;;) {
        if (step.done && step.value !== undefined) made.push(step.value);
        if (performance.now() >= turnEnd) {
          yield made;
          made = [];
          await setImmediate();
          turnEnd = performance.now() + turnMs;
        }
        if (step.done) break;
        step = (work as Generator<undefined, R | undefined>).next();
      }
    }
    yield made;
  }
}
