// Waits that overlap count once.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WaitClock } from '../../src/system/wait-clock.ts';

it('runs from the first of several waits to the last, and rests between', (t) => {
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  const clock = new WaitClock();
  const at = (ms: number, act: () => void) => {
    now = 1000 + ms;
    act();
  };
  assert.equal(clock.ms, 0);
  at(10, () => clock.begin());
  at(15, () => clock.begin());
  at(20, () => clock.end());
  at(25, () => assert.equal(clock.ms, 15));
  at(30, () => clock.end());
  at(90, () => assert.equal(clock.ms, 20));
  at(100, () => clock.begin());
  at(101, () => clock.end());
  assert.equal(clock.ms, 21);
});
