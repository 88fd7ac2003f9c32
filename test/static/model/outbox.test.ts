// What waits for the connection: when it is to be sent by itself, and what counts as arrived.

import assert from 'node:assert/strict';
import { it } from 'node:test';
// @ts-expect-error: the web client has no types
import { isDue } from '../../../static/model/outbox-store.js';

const NOW = 1_000_000_000;

it('is due unless it was refused, or another window is sending it', () => {
  const due = (state: string, since?: number) => isDue({ state, since }, NOW) as boolean;
  assert.deepEqual(
    ['waiting', 'unknown', 'refused'].map((state) => due(state)),
    [true, true, false],
  );
  assert.equal(due('sending', NOW - 1000), false);
  assert.equal(due('sending', NOW - 120_000), false);
  assert.equal(due('sending', NOW - 120_001), true, 'its window has gone');
});
