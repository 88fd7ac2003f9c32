// Sets of read messages as GTSN gives them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isInSet, parseSequenceSet } from '../../src/protocol/sequence-set.ts';

describe('a sequence set', () => {
  it('has single numbers, ranges, and open ends', () => {
    const set = parseSequenceSet('*:8,10,12:14,20:*');
    const inside = [0, 1, 8, 10, 12, 13, 14, 20, 1e9];
    const outside = [9, 11, 15, 19];
    for (const number of inside) assert.equal(isInSet(set, number), true, String(number));
    for (const number of outside) assert.equal(isInSet(set, number), false, String(number));
  });

  it('may be empty', () => assert.equal(isInSet(parseSequenceSet(''), 1), false));

  it('joins ranges that overlap or touch, in any order', () => {
    assert.deepEqual(parseSequenceSet('7:9,1:3,4,8:12'), [
      [1, 4],
      [7, 12],
    ]);
  });

  it('leaves out ranges that run backwards', () => assert.deepEqual(parseSequenceSet('9:7'), []));
});
