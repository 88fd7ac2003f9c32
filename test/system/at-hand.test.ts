// Values that may be at hand: nothing waits that need not, and what ends does so once.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { andFinally, andThen } from '../../src/system/at-hand.ts';

it('what is at hand is used at once, what is not when it is', async () => {
  assert.equal(
    andThen(1, (one) => one + 1),
    2,
  );
  const later = andThen(Promise.resolve(1), (one) => one + 1);
  assert.ok(later instanceof Promise);
  assert.equal(await later, 2);
});

it('what is thrown on the way is thrown where the value was at hand, and rejected where it was not', async () => {
  const fail = () => {
    throw new Error('no');
  };
  assert.throws(() => andThen(1, fail), /no/);
  await assert.rejects(Promise.resolve(andThen(Promise.resolve(1), fail)), /no/);
});

it('the end comes once, whether it is done, thrown or rejected', async () => {
  let ends = 0;
  const end = () => void ends++;
  assert.equal(
    andFinally(() => 1, end),
    1,
  );
  assert.equal(ends, 1);
  assert.throws(
    () =>
      andFinally(() => {
        throw new Error('no');
      }, end),
    /no/,
  );
  assert.equal(ends, 2);
  const running = Promise.withResolvers<number>();
  const result = andFinally(() => running.promise, end);
  assert.equal(ends, 2, 'not before it has ended');
  running.resolve(3);
  assert.equal(await result, 3);
  assert.equal(ends, 3);
  await assert.rejects(Promise.resolve(andFinally(() => Promise.reject(new Error('no')), end)), /no/);
  assert.equal(ends, 4);
});
