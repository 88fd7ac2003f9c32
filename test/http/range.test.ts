import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRange } from '../../src/http/conditional.ts';

describe('Range', () => {
  it('takes a beginning, a middle and an end', () => {
    assert.deepEqual(parseRange('bytes=0-0', 10), { start: 0, end: 1 });
    assert.deepEqual(parseRange('bytes=2-5', 10), { start: 2, end: 6 });
    assert.deepEqual(parseRange('bytes=7-', 10), { start: 7, end: 10 });
    assert.deepEqual(parseRange('bytes=-3', 10), { start: 7, end: 10 });
    assert.deepEqual(parseRange('Bytes= 2-5 ', 10), { start: 2, end: 6 });
  });

  it('cuts what reaches beyond the end', () => {
    assert.deepEqual(parseRange('bytes=5-10', 10), { start: 5, end: 10 });
    assert.deepEqual(parseRange('bytes=9-99999999999999999999', 10), { start: 9, end: 10 });
    assert.deepEqual(parseRange('bytes=-11', 10), { start: 0, end: 10 });
  });

  it('cannot satisfy what begins at or behind the end', () => {
    assert.equal(parseRange('bytes=10-', 10), 'unsatisfiable');
    assert.equal(parseRange('bytes=10-12', 10), 'unsatisfiable');
    assert.equal(parseRange('bytes=-0', 10), 'unsatisfiable');
    assert.equal(parseRange('bytes=0-', 0), 'unsatisfiable');
  });

  it('ignores several ranges, other units and what is malformed', () => {
    for (const header of [
      'bytes=0-1,3-4',
      'lines=0-1',
      'bytes=5-2',
      'bytes=-',
      'bytes=',
      'bytes',
      '0-1',
      'bytes=a-b',
    ]) {
      assert.equal(parseRange(header, 10), 'ignore', header);
    }
    assert.equal(parseRange('bytes=-5', 0), 'ignore');
  });
});
