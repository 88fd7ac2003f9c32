import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRoom } from '../../../../src/backend/store/rooms.ts';
import type { Store } from '../../../../src/backend/store/store.ts';
import { countNew, withMark } from '../../../../src/backend/store/visits.ts';
import { MAX_SEEN_RANGES } from '../../../../src/limits/backend.ts';
import { SequenceSet } from '../../../../src/protocol/sequence-set.ts';
import { startRoomServer } from '../../../support/room-server.ts';

/** A room with messages of these numbers, without content. */
function roomWith(store: Store, numbers: number[]) {
  const room = createRoom(store, { name: 'Box', flags: 0, view: 0 });
  store.transaction(() => {
    store.db.exec('INSERT OR IGNORE INTO blob (id, size, complete) VALUES (1, 0, 1)');
    const message = store.prepare(
      `INSERT INTO message (id, msgid, time, format, author, path, room, blob, parts)
       VALUES (?, '', 0, 4, '', '', '', 1, '')`,
    );
    const link = store.prepare('INSERT INTO room_message (room, message) VALUES (?, ?)');
    for (const number of numbers) {
      message.run(number);
      link.run(room.id, number);
    }
  });
  Object.assign(room, { total: numbers.length, highest: Math.max(0, ...numbers) });
  return room;
}

describe('read marks', () => {
  it('make ranges between messages that are neighbours in the room', async (t) => {
    const { store } = await startRoomServer(t);
    const room = roomWith(store, [22, 24, 30, 31, 40]);
    const steps: [number, boolean, string][] = [
      [30, true, '22:30'],
      [40, true, '22:30,40'],
      [31, true, '22:40'],
      [24, false, '22,30:40'],
      [40, false, '22,30:31'],
      [99, true, '22,30:31'],
      [22, false, '30:31'],
    ];
    let seen = SequenceSet.upTo(24);
    for (const [number, isRead, expected] of steps) {
      seen = withMark(store, room, seen, number, isRead);
      assert.equal(seen.toString(), expected, `${number} ${isRead}`);
    }
  });

  it('count the same as asking for each message', async (t) => {
    const { store } = await startRoomServer(t);
    const numbers = Array.from({ length: 400 }, (_, i) => 10 + i * 3);
    const room = roomWith(store, numbers);
    const many = numbers.filter((_, i) => i % 3 === 0).join(',');
    for (const set of ['*:0', '*:100', '*:99999', '13,19:40,500:*', many, '']) {
      const visit = {
        user: 1,
        room: room.id,
        state: 'known',
        seen: SequenceSet.parse(set),
        lastRead: 0,
        view: null,
      } as const;
      const expected = numbers.filter((number) => !visit.seen.contains(number)).length;
      assert.equal(countNew(store, room, { ...visit }), expected, set.slice(0, 20));
    }
  });

  it('are bounded in number', async (t) => {
    const { store } = await startRoomServer(t);
    const room = roomWith(store, [5, 6]);
    const far = (count: number) =>
      SequenceSet.of(Array.from({ length: count }, (_, i) => ({ low: 10 + i * 2, high: 10 + i * 2 })));
    // The marks of messages that are gone stay until the ends are fitted, so they stand for many here.
    assert.equal(withMark(store, room, far(MAX_SEEN_RANGES), 5, true).ranges.length, MAX_SEEN_RANGES);
    assert.throws(() => withMark(store, room, far(MAX_SEEN_RANGES + 1), 5, true), { code: 512 });
  });
});
