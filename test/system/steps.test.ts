// Work that may be left for a while: its outcome and what it finds, without the pauses.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { atOnce, withoutPauses } from '../../src/system/steps.ts';

it('work in steps is done at once where nobody waits', () => {
  let steps = 0;
  function* work(): Generator<undefined, string> {
    for (; steps < 3; steps++) yield;
    return 'done';
  }
  assert.equal(atOnce(work()), 'done');
  assert.equal(steps, 3);
});

it('what is found between pauses comes in its order, falsy values too', () => {
  assert.deepEqual([...withoutPauses([undefined, 0, undefined, '', null, 1])], [0, '', null, 1]);
});
