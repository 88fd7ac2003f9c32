// What is made of an answer is made once for all who share it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memoised } from '../../src/system/attached.ts';

it('what is made of one object is made once, of an equal one again', () => {
  let count = 0;
  const made = memoised(({ text }: { text: string }) => ({ text, count: ++count }));
  const answer = { text: 'a' };
  assert.equal(made(answer), made(answer));
  assert.deepEqual(made({ text: 'a' }), { text: 'a', count: 2 });
  assert.equal(count, 2);
});

it('what fails is tried again', () => {
  let count = 0;
  const made = memoised(() => {
    if (++count === 1) throw new Error('broken');
    return count;
  });
  const answer = {};
  assert.throws(() => made(answer), /broken/);
  assert.equal(made(answer), 2);
});

it('two makers keep apart what they make, also of nothing', () => {
  const answer = {};
  const counts = [0, 0];
  const [one, other] = [0, 1].map((i) => memoised(() => void counts[i]!++));
  for (const make of [one!, other!, one!]) make(answer);
  assert.deepEqual(counts, [1, 1]);
});
