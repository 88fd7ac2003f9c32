// What is asked of a whole room.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  idsInRoom,
  listedByNumber,
  listedInRoom,
  listedMessages,
  messagesBySubject,
  messagesMeeting,
} from '../../../src/backend/store/messages.ts';
import { VIEW } from '../../../src/model.ts';
import { event } from '../../support/member-world.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

const ALL = { low: 1, high: Number.POSITIVE_INFINITY };
const numbers = (rows: Iterable<{ id: number }>) => [...rows].map(({ id }) => id);

describe('messages of a room', () => {
  it('are found by their subject, in any ASCII case, in this room', (t) => {
    const w = messageWorld(t);
    const [box, other] = [w.room('Box'), w.room('Other')];
    saveIn(w, box, { subject: 'A.txt' });
    saveIn(w, other, { subject: 'A.txt' });
    saveIn(w, box, { subject: 'a.TXT' });
    saveIn(w, box, { subject: '' });
    saveIn(w, box, { subject: 'A.txt ' });
    const found = (subject: string, range = ALL, limit = 9) =>
      numbers(messagesBySubject(w.store, box.id, subject, range, limit));
    assert.deepEqual([found('a.txt'), found(''), found('%')], [[1, 3, 5], [], []]);
    assert.deepEqual([found('a.txt', { low: 2, high: 3 }), found('a.txt', ALL, 1)], [[3], [1]]);
  });

  it('are listed by ranges and by numbers, and none of other rooms', (t) => {
    const w = messageWorld(t);
    const [box, other] = [w.room('Box'), w.room('Other')];
    for (const room of [box, other, box]) saveIn(w, room, { subject: room.name });
    assert.deepEqual(numbers(listedInRoom(w.store, box.id, ALL, 9)), [1, 3]);
    assert.deepEqual(numbers(listedInRoom(w.store, box.id, { low: 2, high: 3 }, 9)), [3]);
    assert.deepEqual(numbers(listedByNumber(w.store, box.id, [3, 2, 1, 1, 99])), [1, 3]);
    assert.deepEqual(listedByNumber(w.store, box.id, []), []);
    const anywhere = listedMessages(w.store, [2, 3, 99]);
    assert.deepEqual(
      [...anywhere].map(([id, { subject }]) => [id, subject]),
      [
        [2, 'Other'],
        [3, 'Box'],
      ],
    );
  });

  it('are told by number, euid and time', (t) => {
    const w = messageWorld(t);
    const box = w.room('Box', VIEW.notes);
    saveIn(w, box, { euid: 'u', time: 5 });
    saveIn(w, box, { time: 6 });
    assert.deepEqual(
      idsInRoom(w.store, box.id, ALL, 9).map((row) => ({ ...row })),
      [
        { id: 1, euid: 'u', time: 5 },
        { id: 2, euid: '', time: 6 },
      ],
    );
    assert.equal(idsInRoom(w.store, box.id, ALL, 1).length, 1);
  });

  it('meet a range with their extent, or have none', (t) => {
    const w = messageWorld(t);
    const box = w.room('Box', VIEW.calendar);
    const put = (uid: string, start: string) =>
      saveIn(w, box, { euid: uid, type: 'text/calendar', text: event(uid, start) });
    const [first, second, text] = [put('a', '20240501T100000Z'), put('b', '20240502T100000Z'), saveIn(w, box)];
    const meeting = (from: string, to: string, low = 1, limit = 9) => {
      const range = { start: Date.parse(from) / 1000, end: Date.parse(to) / 1000 };
      return numbers(messagesMeeting(w.store, box.id, range, low, limit));
    };
    assert.deepEqual(meeting('2024-05-01', '2024-05-02'), [first, text]);
    assert.deepEqual(meeting('2024-05-01', '2024-05-09'), [first, second, text]);
    assert.deepEqual(meeting('2024-05-01', '2024-05-09', second, 1), [second]);
    // an extent holds its ends here; the exact answer is the reader's
    assert.deepEqual(meeting('2024-05-02T11:00Z', '2024-05-03'), [second, text]);
    assert.deepEqual(meeting('2024-04-01', '2024-05-01T10:00Z'), [first, text]);
    assert.deepEqual(meeting('2030-01-01', '2030-01-02'), [text]);
  });
});
