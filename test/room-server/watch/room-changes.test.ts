// Which of the rooms that somebody knows have changed since he was told last.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseRoomRow } from '../../../src/room-server/rooms.ts';
import { RoomChanges } from '../../../src/room-server/watch/watched-rooms.ts';

const row = (name: string, mtime: number) => parseRoomRow(`${name}|2|0|0|0|302|0|0|${mtime}|`);
const names = (rooms: readonly { name: string; isGone: boolean }[]) =>
  rooms.map(({ name, isGone }) => (isGone ? `-${name}` : name));

it('rooms that come or change are told once, in the order of their change', () => {
  const rooms = new RoomChanges();
  rooms.take([row('B', 20), row('A', 10)], 0);
  const first = rooms.change;
  assert.deepEqual(names(rooms.since(0)), ['A', 'B']);
  assert.deepEqual(rooms.since(first), []);
  rooms.take([row('B', 20), row('A', 30)], first);
  assert.deepEqual(names(rooms.since(first)), ['A']);
  assert.deepEqual([rooms.latest, rooms.has('A'), rooms.has('C')], [30, true, false]);
});

it('a list in which nothing has changed is no change', () => {
  const rooms = new RoomChanges();
  rooms.take([row('A', 10)], 0);
  const { change } = rooms;
  rooms.take([row('A', 10)], 0);
  assert.equal(rooms.change, change);
});

it('a room that is gone is told as gone, until everybody knows, and comes again as new', () => {
  const rooms = new RoomChanges();
  rooms.take([row('A', 10), row('B', 20)], 0);
  const before = rooms.change;
  rooms.take([row('B', 20)], before);
  assert.deepEqual(names(rooms.since(before)), ['-A']);
  assert.equal(rooms.has('A'), false);
  rooms.take([row('B', 20)], before);
  assert.deepEqual(names(rooms.since(before)), ['-A'], 'somebody has not been told yet');
  rooms.take([row('B', 20)], rooms.change);
  assert.deepEqual(rooms.since(before), []);
  const gone = rooms.change;
  rooms.take([row('A', 10), row('B', 20)], gone);
  assert.deepEqual(names(rooms.since(gone)), ['A']);
});

it('who comes from elsewhere is told of what has changed since a time, that second included', () => {
  const rooms = new RoomChanges();
  rooms.take([row('A', 10), row('B', 20), row('C', 30)], 0);
  rooms.take([row('A', 10), row('B', 20)], 0);
  assert.deepEqual(names(rooms.changedAt(20)), ['B']);
  assert.deepEqual(names(rooms.changedAt(21)), []);
});

it('a change that the room server tells counts at once', () => {
  const rooms = new RoomChanges();
  rooms.take([row('A', 10)], 0);
  const { change } = rooms;
  rooms.note('A', 11);
  assert.deepEqual(rooms.since(change), [{ name: 'A', mtime: 11, isGone: false }]);
  rooms.note('A', 11);
  assert.equal(rooms.since(change).length, 1);
});
