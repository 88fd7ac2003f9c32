// Which messages a user has read, and what of a list is new by that.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SequenceSet } from '../../src/protocol/sequence-set.ts';
import { countsOf, seenFrom } from '../../src/room-server/messages.ts';

const answer = (code: number, text = '') => ({ code, hasInstantMessages: false, text, lines: [], bytes: undefined });

it('a set of read marks is that of the answer; a guest has none', () => {
  const seen = seenFrom(answer(200, '1:5,9'));
  assert.deepEqual(
    [1, 5, 6, 9, 10].map((number) => seen.contains(number)),
    [true, true, false, true, false],
  );
  assert.equal(seenFrom(answer(520)).contains(1), false);
  assert.equal(seenFrom(answer(200, '')).contains(1), false);
});

it('another refusal is one', () => {
  assert.throws(() => seenFrom(answer(550)), { code: 'forbidden' });
  assert.throws(() => seenFrom(answer(100)), { code: 'backend_protocol' });
});

it('counts are those of the messages alone', () => {
  const seen = SequenceSet.parse('1:5,9');
  assert.deepEqual(countsOf([4, 5, 6, 9], seen), { newMessages: 1, totalMessages: 4, highest: 9 });
  assert.deepEqual(countsOf([], seen), { newMessages: 0, totalMessages: 0, highest: 0 });
});
