// What BoundedMap keeps and what it forgets.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedMap } from '../../src/system/bounded-map.ts';

describe('a bounded map', () => {
  const filled = (max: number, count: number) => {
    const map = new BoundedMap<number, string>(max);
    for (let i = 1; i <= count; i++) map.set(i, `value ${i}`);
    return map;
  };

  it('keeps as many entries as it may, and not one more', () => {
    const full = filled(10, 10);
    assert.equal(full.get(1), 'value 1');
    const over = filled(10, 11);
    assert.equal(over.get(1), undefined);
    assert.equal(over.get(2), 'value 2');
    assert.equal(over.get(11), 'value 11');
  });

  it('forgets first what was neither set nor got for the longest time', () => {
    const map = filled(10, 10);
    map.get(1);
    map.set(2, 'another');
    map.set(11, 'value 11');
    map.set(12, 'value 12');
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((key) => map.get(key)),
      ['value 1', 'another', undefined, undefined, 'value 5'],
    );
  });

  it('keeps entries whose sizes come to its bound, and not one more', () => {
    for (const [last, first] of [
      [4, 'aaa'],
      [5, undefined],
    ] as const) {
      const map = new BoundedMap<number, string>(10, (value) => value.length);
      map.set(1, 'aaa');
      map.set(2, 'bbbb');
      map.set(2, 'bbb');
      map.set(3, 'c'.repeat(last));
      assert.equal(map.get(1), first);
      assert.equal(map.get(2), 'bbb');
      map.set(4, 'd'.repeat(11));
      assert.equal(map.get(4), undefined, 'larger than the bound');
      assert.equal(map.get(2), 'bbb', 'and nothing was dropped for it');
    }
  });

  it('keeps what is got again and again while others come and go', () => {
    const map = filled(10, 1);
    for (let i = 2; i <= 100; i++) {
      map.set(i, `value ${i}`);
      assert.equal(map.get(1), 'value 1', `after ${i}`);
    }
  });

  it('has room for another one in the place of one that is deleted', () => {
    const map = filled(10, 10);
    map.delete(3);
    map.delete(99);
    assert.equal(map.get(3), undefined);
    map.set(11, 'value 11');
    assert.deepEqual(
      [1, 2, 4, 11].map((key) => map.get(key)),
      [1, 2, 4, 11].map((key) => `value ${key}`),
    );
  });

  it('has all its values, none when it is cleared, and then room for as many as before', () => {
    const map = filled(10, 11);
    assert.deepEqual(
      map.values().toArray(),
      Array.from({ length: 10 }, (_, i) => `value ${i + 2}`),
    );
    map.clear();
    assert.deepEqual(map.values().toArray(), []);
    assert.equal(map.get(11), undefined);
    for (let i = 1; i <= 10; i++) map.set(i, 'again');
    assert.equal(map.get(1), 'again');
  });
});
