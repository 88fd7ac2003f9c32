// A search in all rooms: one question where the room server can answer it, else room by room.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_SEARCHED_ROOMS } from '../../src/limits/backend.ts';
import { searchRooms } from '../../src/room-server/search.ts';
import { ANN, askedServer, entered } from '../support/asked-server.ts';
import type { Answers } from '../support/fault-server.ts';

const ANSWERS: Answers = {
  'GOTO Box||1': entered('Box', { flags: 14 }),
  LKRA: '100 Rooms\nBox|46|1|64|8|302|3|3|1795221150|\n000\n',
  LZRM: '100 Rooms\n000\n',
};

describe('a search', () => {
  const goto = (name: string, flags: number) => entered(name, { flags });
  const row = (number: number) => `${number}|1795221150|ann|vm|ann@vm|s|1||`;

  it('is one question where the room server can answer it', async (t) => {
    const { pool, sent } = await askedServer(t, {
      ...ANSWERS,
      FIND: `100 2 found:\n${row(9)}Hall|14|1|\n${row(5)}Box|2|0|\n000\n`,
    });
    const { found, from } = await searchRooms(pool, ANN, 'two words');
    assert.equal(from, undefined);
    assert.deepEqual(
      found.map(({ room, msgnum, address }) => [room, msgnum, address]),
      [
        ['Hall', 9, 'ann@vm'],
        ['Box', 5, 'ann@vm'],
      ],
    );
    assert.deepEqual(sent(/^(FIND|SRCH|LKRA|GOTO|MSGS)/), ['FIND 1000|two words']);
  });

  it('leaves out what follows a room that cannot be entered', async (t) => {
    const { pool } = await askedServer(t, {
      ...ANSWERS,
      SRCH: '100 2 msgs\n5\n9\n000\n',
      LKRA: '100 \nBox|2|0|64|0|294|0|0|0|\nGone|2|0|64|0|294|0|0|0|\nHall|2|0|64|0|294|0|0|0|\n000\n',
      LZRM: '100 \nLeft|2|0|64|0|16|0|0|0|\n000\n',
      'GOTO Gone||1': "572 room 'Gone' not found\n",
      'GOTO Hall||1': goto('Hall', 2),
      MSGS: `100 \n${row(9)}\n000\n`,
    });
    const { found } = await searchRooms(pool, ANN, 'word');
    assert.deepEqual(
      found.map(({ room, msgnum }) => [room, msgnum]),
      [
        ['Box', 9],
        ['Hall', 9],
      ],
    );
  });

  it(`goes through ${MAX_SEARCHED_ROOMS} rooms, and does not claim to have looked through more`, async (t) => {
    for (const [more, from] of [
      [0, undefined],
      [1, 10],
    ] as const) {
      const rows = Array.from({ length: MAX_SEARCHED_ROOMS + more }, (_, i) => `Room ${i}|2|0|64|0|294|0|0|0|\n`);
      const LKRA = `100 \n${rows.join('')}000\n`;
      const { pool, sent } = await askedServer(t, {
        ...ANSWERS,
        SRCH: '100 1 msgs\n9\n000\n',
        LKRA,
        LZRM: '100 \n000\n',
        GOTO: '572 no such room\n',
        MSGS: '572 no\n',
      });
      assert.deepEqual(await searchRooms(pool, ANN, 'word'), { found: [], from });
      assert.equal(sent(/^GOTO/).length, MAX_SEARCHED_ROOMS);
    }
  });

  it('asks the index of no room when the word is nowhere in it', async (t) => {
    const { pool, sent } = await askedServer(t, { ...ANSWERS, SRCH: '100 0 msgs\n000\n' });
    assert.deepEqual(await searchRooms(pool, ANN, 'word'), { found: [], from: undefined });
    assert.deepEqual(sent(/^MSGS SEARCH/), []);
  });
});
