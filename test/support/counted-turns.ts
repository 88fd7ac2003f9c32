// How often work on the main thread lets others have their turn, on a clock that goes on by a turn with each look.

import type { TestContext } from 'node:test';
import { REQUEST_TURN_MS } from '../../src/limits/http.ts';
import { requestTurns } from '../../src/system/turn-queue.ts';

/** Turns that others get while `work` is done. */
export async function turnsIn(t: TestContext, work: () => Promise<unknown>): Promise<number> {
  let now = performance.now();
  const clock = t.mock.method(performance, 'now', () => {
    now += REQUEST_TURN_MS;
    return now;
  });
  const { mock } = t.mock.method(requestTurns, 'next');
  try {
    await work();
    return mock.callCount();
  } finally {
    mock.restore();
    clock.mock.restore();
  }
}
