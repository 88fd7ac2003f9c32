import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRoom } from '../../../src/backend/store/rooms.ts';
import { countNew, withMark } from '../../../src/backend/store/seen-counts.ts';
import type { Store } from '../../../src/backend/store/store.ts';
import { MAX_SEEN_RANGES } from '../../../src/limits/backend.ts';
import { SequenceSet } from '../../../src/protocol/sequence-set.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

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

/** A room with messages of these numbers, without content. */
function roomWith(store: Store, numbers: number[]) {
  const room = createRoom(store, { name: 'Box', flags: 0, view: 0 });
  store.transaction(() => {
    store.db.exec('INSERT OR IGNORE INTO blob (id, size, complete) VALUES (1, 0, 1)');
    const message = store.prepare(
      "INSERT INTO message (id, msgid, time, format, author, path, room, blob, parts) VALUES (?, '', 0, 4, '', '', '', 1, '')",
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

it('SLRP, SEEN and GTSN change what is new', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  await ann.expect('CRE8 1|Box|0||0|0|0', 200);
  await ann.expect('GOTO Box', 200);
  const numbers: number[] = [];
  for (let i = 0; i < 4; i++) {
    const confirmation = await ann.send('ENT0 1|||4|m||1', 'Content-type: text/plain\n\nx\n');
    numbers.push(Number(confirmation[0]));
  }
  const [a, b, c, d] = numbers;
  const isNew = async () => (await ann.text('GOTO Box')).split('|')[1];
  assert.equal(await ann.text('GTSN'), '200 *:0');
  assert.equal(await isNew(), '4');
  assert.equal(await ann.text(`SLRP ${b}`), `200 ${b}`);
  assert.equal(await isNew(), '2');
  assert.equal(await ann.text(`SEEN ${d}|1`), '200 OK');
  assert.equal(await ann.text('GTSN'), `200 ${a}:${b},${d}`);
  assert.equal(await isNew(), '1');
  assert.doesNotMatch(await ann.text('LKRN'), /Box/, 'the highest message is read');
  assert.equal(await ann.text(`SEEN ${c}`), '512 Invalid parameters');
  assert.equal(await ann.text('SEEN 999999|1'), '200 OK');
  assert.equal(await ann.text('SLRP highest'), `200 ${d}`);
  assert.equal(await ann.text('GTSN'), `200 *:${d}`);
  assert.equal(await isNew(), '0');
  assert.equal(await ann.text('SLRP abc'), '200 0');
  assert.equal(await isNew(), '4');
});
