// Random recurrences have the instances that python3-dateutil and libical find; `npm run recurrences` compares more.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needPrograms } from '../support/programs.ts';
import { newSeed } from '../support/random.ts';
import { compareRecurrences, PEER_PACKAGES, PEER_PROBE, PYTHON } from '../support/recurrence-peers.ts';

needPrograms([[PYTHON, '-c', PEER_PROBE]], PEER_PACKAGES);

it('random recurrences are the same in other programs, but for what these are known to do otherwise', async () => {
  const seed = newSeed();
  const { compared, unexplained } = await compareRecurrences(200, seed);
  assert.equal(compared, 200);
  assert.deepEqual(unexplained, [], `seed ${seed}`);
});
