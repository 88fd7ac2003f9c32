// One who follows: is told what has come since his position, each thing once, and can go on elsewhere.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_EVENT_NUMBERS } from '../../../src/limits/http.ts';
import { parseRoomRow } from '../../../src/room-server/rooms.ts';
import { type Change, Follower, type Position } from '../../../src/room-server/watch/follower.ts';
import type { Watch } from '../../../src/room-server/watch/watch.ts';
import { RoomChanges, WatchedRoom } from '../../../src/room-server/watch/watched-rooms.ts';

const row = (name: string, mtime: number) => parseRoomRow(`${name}|2|0|0|0|302|0|0|${mtime}|`);

/** A watch that asks nobody. */
function start(options: { room?: WatchedRoom; from?: Position; after?: number } = {}) {
  const watch = {
    rooms: new RoomChanges(),
    inbox: new WatchedRoom({ name: '_MAIL_', password: '' }, 'Mail', 10),
    isEnded: false,
    instantArrivals: 0,
    async newIn(room: WatchedRoom, number: number) {
      return { numbers: room.above(number) ?? [], upTo: Math.max(number, room.highest) };
    },
  };
  watch.rooms.take([row('Box', 100)], 0);
  const { room, ...by } = options;
  const told = { closed: 0 };
  const follower = new Follower(watch as Partial<Watch> as Watch, room, by, () => void told.closed++);
  return { watch, follower, told };
}

const box = (highest: number) => new WatchedRoom({ name: 'Box', password: '' }, 'Box', highest);
const kinds = (changes: Change[]) => changes.map(({ kind }) => kind);

it('is told nothing from before, then everything once', async () => {
  const room = box(5);
  const { watch, follower } = start({ room });
  assert.deepEqual(await follower.changes(), []);
  assert.deepEqual(follower.position, { inbox: 10, mtime: 100, room: 'Box', highest: 5 });
  watch.inbox.add([11, 12]);
  room.add([6]);
  watch.rooms.take([row('Box', 101), row('New', 99)], 0);
  watch.instantArrivals = 1;
  const changes = await follower.changes();
  assert.deepEqual(kinds(changes), ['mail', 'instant', 'messages', 'room', 'room']);
  assert.deepEqual(
    changes.flatMap((change) =>
      change.kind === 'mail' ? change.count : change.kind === 'messages' ? change.numbers : [],
    ),
    [2, 6],
  );
  assert.deepEqual(follower.position, { inbox: 12, mtime: 101, room: 'Box', highest: 6 });
  assert.deepEqual(await follower.changes(), []);
});

it('goes on from each position that it has told, as if nothing had been told behind it', async () => {
  const room = box(5);
  const first = start({ room });
  await first.follower.changes();
  first.watch.inbox.add([11]);
  room.add([6]);
  const [mail] = await first.follower.changes();
  const again = start({ room, from: mail!.position });
  again.watch.inbox.add([11]);
  assert.deepEqual(kinds(await again.follower.changes()), ['messages', 'room']);
});

it('takes the number of a position for the same room only, however it is spelled', () => {
  const from = { inbox: 1, mtime: 1, room: 'bOX', highest: 3 };
  assert.equal(start({ room: box(5), from }).follower.position.highest, 3);
  assert.equal(start({ room: box(5), from: { ...from, room: 'Other' } }).follower.position.highest, 5);
  assert.equal(start({ room: box(5), after: 4 }).follower.position.highest, 4);
  assert.equal(start({ from }).follower.position.room, '');
});

it('is told many messages in pieces', async () => {
  const room = box(0);
  const { watch, follower } = start({ room });
  await follower.changes();
  const numbers = Array.from({ length: MAX_EVENT_NUMBERS + 1 }, (_, i) => i + 1);
  watch.newIn = async (of) => (of === room ? { numbers, upTo: numbers.length } : { numbers: [], upTo: 10 });
  const changes = await follower.changes();
  assert.deepEqual(
    changes.map((change) => (change.kind === 'messages' ? [change.numbers.length, change.position.highest] : change)),
    [
      [MAX_EVENT_NUMBERS, MAX_EVENT_NUMBERS],
      [1, MAX_EVENT_NUMBERS + 1],
    ],
  );
});

it('waits until it is woken, or for so long', async () => {
  const { follower } = start();
  assert.equal(await follower.wait(1_000_000), true, 'there may be something new at the beginning');
  await follower.changes();
  assert.equal(await follower.wait(1), false);
  const waiting = follower.wait(1_000_000);
  follower.wake();
  assert.equal(await waiting, true);
  assert.equal(await follower.wait(1_000_000), true, 'it has not looked since');
});

it('ends when it is closed, once, or when the watch has ended', async () => {
  const { watch, follower, told } = start();
  await follower.changes();
  const waiting = follower.wait(1_000_000);
  follower.close();
  follower.close();
  assert.deepEqual([await waiting, told.closed, follower.isEnded], [true, 1, true]);
  const other = start();
  await other.follower.changes();
  other.watch.isEnded = true;
  assert.deepEqual([await other.follower.wait(1_000_000), other.follower.isEnded], [true, true]);
  assert.equal(watch.isEnded, false);
});
