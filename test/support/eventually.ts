// What is read of something that goes on by itself, a page or another process, becomes true after a while: it is read
// until it is what the test expects.

import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 50;
/** as long as a busy machine may take; a test that holds does not wait */
export const EVENTUALLY_MS = 40_000;

/**
 * Reads until the value matches a pattern or equals anything else that is expected; after 40 s it fails with what
 * was read last, as the cause of `words` where these are given. What `read` throws counts as not yet.
 */
export async function eventually<T>(read: () => Promise<T>, expected: T | RegExp, words?: string): Promise<void> {
  const end = performance.now() + EVENTUALLY_MS;
  for (;;) {
    try {
      const value = await read();
      if (expected instanceof RegExp) assert.match(value as string, expected);
      else assert.deepEqual(value, expected);
      return;
    } catch (error) {
      if (performance.now() > end) throw words === undefined ? error : new Error(words, { cause: error });
    }
    await setTimeout(POLL_MS);
  }
}
