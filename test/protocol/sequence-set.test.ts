// Sets of read messages as GTSN gives them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SequenceSet } from '../../src/protocol/sequence-set.ts';

describe('SequenceSet', () => {
  it('reads numbers, ranges and stars in any order and writes them merged', () => {
    const cases: [string, string][] = [
      ['*:0', '*:0'],
      ['*:24', '*:24'],
      ['7:8,10', '7:8,10'],
      ['10,7:8,9', '7:10'],
      ['5:*', '5:*'],
      ['1:10,3:4,20', '1:10,20'],
      ['', ''],
      ['x,9:3,4', '4'],
    ];
    for (const [stored, written] of cases) assert.equal(SequenceSet.parse(stored).toString(), written, stored);
  });

  it('contains what is in a range, ends included', () => {
    const seen = SequenceSet.parse('*:3,7:8,10,20:*');
    const inside = [0, 1, 3, 7, 8, 10, 20, 1e9];
    const outside = [4, 6, 9, 11, 19];
    assert.deepEqual(
      inside.filter((n) => !seen.contains(n)),
      [],
    );
    assert.deepEqual(
      outside.filter((n) => seen.contains(n)),
      [],
    );
  });

  it('knows its gaps', () => {
    assert.deepEqual(SequenceSet.parse('*:3,7').gaps(), [
      { low: 4, high: 6 },
      { low: 8, high: Number.POSITIVE_INFINITY },
    ]);
    assert.deepEqual(SequenceSet.parse('*:*').gaps(), []);
  });
});

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
