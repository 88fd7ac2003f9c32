// When a watch looks next: at the earliest time that somebody wants.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { PollTimer } from '../../../src/room-server/watch/watch.ts';

function start(t: TestContext) {
  let now = 0;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => now);
  const looks: number[] = [];
  const timer = new PollTimer(() => looks.push(now));
  const pass = (ms: number) => {
    for (let i = 0; i < ms; i++) {
      now++;
      t.mock.timers.tick(1);
    }
  };
  return { timer, looks, pass };
}

it('it looks once, in time', (t) => {
  const { timer, looks, pass } = start(t);
  timer.within(10);
  pass(9);
  assert.deepEqual(looks, []);
  pass(100);
  assert.deepEqual(looks, [10]);
});

it('an earlier time counts, a later one does not', (t) => {
  const { timer, looks, pass } = start(t);
  timer.within(50);
  timer.within(10);
  timer.within(30);
  pass(100);
  assert.deepEqual(looks, [10]);
  timer.within(5);
  pass(100);
  assert.deepEqual(looks, [10, 105]);
});

it('it looks no more when it is stopped, whatever is wanted then', (t) => {
  const { timer, looks, pass } = start(t);
  timer.within(10);
  timer.stop();
  timer.within(1);
  pass(100);
  assert.deepEqual(looks, []);
});
