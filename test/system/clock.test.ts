import assert from 'node:assert/strict';
import { it } from 'node:test';
import { now } from '../../src/system/clock.ts';

it('counts whole Unix seconds: one begins when it is full, not when it is half over', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_999 });
  assert.equal(now(), 1_700_000_000);
  t.mock.timers.tick(1);
  assert.equal(now(), 1_700_000_001);
});
