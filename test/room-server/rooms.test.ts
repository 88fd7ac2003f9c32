// Rooms and floors in lists, and what is known of one room.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  listFloors,
  listRooms,
  parseRoomRow,
  readInfo,
  readRoom,
  readRoomRow,
  readRoomStatus,
} from '../../src/room-server/rooms.ts';
import { ANN, askedServer, BOX, entered, failsWith, listing } from '../support/asked-server.ts';

describe('a list', () => {
  it('of floors has their numbers, which may have gaps', async (t) => {
    const { pool } = await askedServer(t, { LFLR: listing('0|Main|3', '7|Attic|0') });
    assert.deepEqual(await listFloors(pool, ANN), [
      { num: 0, name: 'Main', refcount: 3 },
      { num: 7, name: 'Attic', refcount: 0 },
    ]);
  });

  it('of floors has no numbers below zero', async (t) => {
    const { pool } = await askedServer(t, { LFLR: listing('-1|Main|-3') });
    assert.deepEqual(await listFloors(pool, ANN), [{ num: 0, name: 'Main', refcount: 0 }]);
  });

  // forgotten; forgotten and shut out; known; deleted
  const ROWS = ['Hall|2|0|0|0|20', 'Shut|2|0|0|0|16', 'Box|2|0|0|0|302|0|3|5|', '9999999999.65A0.0001.Old|2|0|0|0|302'];

  it('of rooms has those that are known, then those that were forgotten, and none that is deleted', async (t) => {
    const { pool, sent } = await askedServer(t, { LRMS: listing(...ROWS) });
    assert.deepEqual(
      (await listRooms(pool, ANN)).map(({ name, access, defaultView }) => [name, access, defaultView]),
      [
        ['Box', 302, 3],
        ['Hall', 20, 0],
      ],
    );
    assert.deepEqual(sent(), ['LRMS -1']);
  });

  it('that is refused is none', async (t) => {
    const { pool } = await askedServer(t, { LRMS: '520 log in\n' });
    await assert.rejects(listRooms(pool, ANN), failsWith('not_logged_in'));
  });

  it('has rows with all that a room list tells', () => {
    assert.deepEqual(parseRoomRow('a/b ☕|2|1|64|8|302|5|6|1795221150|'), {
      ...{ name: 'a/b ☕', flags: 2, floor: 1, order: 64, flags2: 8, access: 302 },
      ...{ currentView: 5, defaultView: 6, mtime: 1795221150 },
    });
  });
});

describe('a room', () => {
  it('has its row, where one knows it', async (t) => {
    const { pool } = await askedServer(t, { LRMS: listing('Box|2|0|0|0|302|0|3|5|') });
    assert.equal((await readRoomRow(pool, ANN, BOX)).row?.access, 302);
    const other = await askedServer(t, { GOTO: entered('Other'), LRMS: listing('Box|2|0|0|0|302') });
    assert.equal((await readRoomRow(other.pool, ANN, BOX)).row, undefined);
  });

  it('has a banner, or none: an empty text is none', async (t) => {
    for (const [answer, text] of [
      [listing('Hello', '', 'you'), 'Hello\n\nyou\n'],
      [listing(), undefined],
      [listing(' ', ''), undefined],
      ['571 no info\n', undefined],
    ] as const) {
      const { pool } = await askedServer(t, { RINF: answer });
      assert.equal(await readInfo(pool, ANN, BOX), text);
    }
  });

  it('is told with its administrator, unless the server keeps that to itself', async (t) => {
    const answers = { GOTO: entered('Box', { total: 3 }), RINF: listing('x'), LZRM: listing('Box|2') };
    const { pool } = await askedServer(t, { ...answers, GETA: ['200 ann\n', '520 log in\n'] });
    const { entered: room, ...told } = await readRoom(pool, ANN, BOX);
    assert.equal(room.totalMessages, 3);
    assert.deepEqual(told, { hasInfo: true, isForgotten: true, admin: 'ann' });
    assert.equal((await readRoom(pool, ANN, BOX)).admin, '');
  });

  it('says when it has changed last', async (t) => {
    const { pool } = await askedServer(t, { STAT: '200 Box|1795221150|\n' });
    assert.equal((await readRoomStatus(pool, ANN, BOX)).mtime, 1795221150);
  });
});
