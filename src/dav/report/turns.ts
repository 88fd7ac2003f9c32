// Long work of reports in short stretches: the main thread serves everybody.

import { setImmediate } from 'node:timers/promises';
import { REPORT_TURN_MS } from '../../limits/dav.ts';

/** What `make` makes of each item, without those of which it makes nothing; other requests have their turn between. */
export async function* inTurns<T, R>(
  batches: AsyncIterable<Iterable<T>>,
  make: (item: T) => R | undefined,
  turnMs = REPORT_TURN_MS,
): AsyncGenerator<R[]> {
  let turnEnd = performance.now() + turnMs;
  for await (const batch of batches) {
    let made: R[] = [];
    for (const item of batch) {
      const one = make(item);
      if (one !== undefined) made.push(one);
      if (performance.now() < turnEnd) continue;
      yield made;
      made = [];
      await setImmediate();
      turnEnd = performance.now() + turnMs;
    }
    yield made;
  }
}
