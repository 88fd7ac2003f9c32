// What is kept of a room that is watched, and when it is looked into.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_EVENT_NUMBERS } from '../../../src/limits/http.ts';
import { WatchedRoom } from '../../../src/room-server/watch/watched-rooms.ts';

const BOX = { name: 'Box', password: '' };

describe('a watched room', () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

  it('keeps the last numbers only, and knows from where on', () => {
    const watched = new WatchedRoom({ name: 'Box', password: '' }, 'Box', 0);
    watched.add(upTo(MAX_EVENT_NUMBERS));
    assert.equal(watched.above(0)?.length, MAX_EVENT_NUMBERS);
    watched.add(upTo(MAX_EVENT_NUMBERS + 1));
    assert.equal(watched.above(0), undefined);
    assert.equal(watched.above(1)?.length, MAX_EVENT_NUMBERS);
    assert.deepEqual(watched.above(MAX_EVENT_NUMBERS), [MAX_EVENT_NUMBERS + 1]);
    assert.equal(watched.highest, MAX_EVENT_NUMBERS + 1);
  });

  it('has what is new above a number, and counts nothing twice', () => {
    const watched = new WatchedRoom(BOX, 'Box', 10);
    watched.add([5, 11, 11, 13]);
    watched.add([12, 13, 14]);
    assert.deepEqual(watched.above(10), [11, 13, 14]);
    assert.deepEqual(watched.above(11), [13, 14]);
    assert.deepEqual(watched.above(99), []);
    assert.equal(watched.above(9), undefined, 'what came before it was watched is not known');
  });

  it('is looked into when its time of change is another one, and once more when that second is over', () => {
    const watched = new WatchedRoom(BOX, 'Box', 0);
    const looks = (mtime: number, ...times: number[]) => times.map((now) => watched.mayHaveChanged(mtime, now));
    assert.deepEqual(looks(100, 0, 500, 1000, 1001, 1500, 9999), [true, false, false, true, false, false]);
    assert.deepEqual(looks(101, 10_000, 10_500, 11_001, 11_002), [true, false, true, false]);
    assert.deepEqual(looks(100, 12_000), [true], 'also an earlier one, after a backup');
  });
});
