// Sets of read messages as GTSN gives them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SequenceSet } from '../../src/protocol/sequence-set.ts';

describe('a sequence set', () => {
  it('has single numbers, ranges, and open ends', () => {
    const set = SequenceSet.parse('*:8,10,12:14,20:*');
    for (const number of [0, 1, 8, 10, 12, 13, 14, 20, 1e9]) assert.equal(set.contains(number), true, String(number));
    for (const number of [9, 11, 15, 19]) assert.equal(set.contains(number), false, String(number));
  });

  it('may be empty', () => assert.equal(SequenceSet.parse('').contains(1), false));

  it('joins ranges that overlap or touch, in any order', () => {
    assert.equal(SequenceSet.parse('7:9,1:3,4,8:12').toString(), '1:4,7:12');
  });

  it('leaves out what is no range', () => assert.equal(SequenceSet.parse('9:7,x,3').toString(), '3'));
});
