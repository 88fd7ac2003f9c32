// A search in all rooms: one question where the room server can answer it, else room by room.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_SEARCHED_ROOMS } from '../../../src/limits/backend.ts';
import { VIEW } from '../../../src/model.ts';
import { search, searchRooms } from '../../../src/room-server/citadel/search.ts';
import type { SearchQuestion } from '../../../src/room-server/server.ts';
import { ANN, askedServer, entered, listing } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';

const KNOWN = '2|0|64|0|294|0|0|0|\n';
const ANSWERS: Answers = {
  'GOTO Box||1': entered('Box', { flags: 14 }),
  LRMS: '100 Rooms\nBox|46|1|64|8|302|3|3|1795221150|\n000\n',
};

describe('a search', () => {
  const goto = (name: string, flags: number) => entered(name, { flags });
  const row = (number: number) => `${number}|1795221150|ann|vm|ann@vm|s|1||`;

  it('leaves out what follows a room that cannot be entered', async (t) => {
    const { pool } = await askedServer(t, {
      ...ANSWERS,
      SRCH: '100 2 msgs\n5\n9\n000\n',
      LRMS: `100 \nBox|${KNOWN}Gone|${KNOWN}Hall|${KNOWN}Left|2|0|64|0|20|0|0|0|\n000\n`,
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
      const LRMS = `100 \n${rows.join('')}000\n`;
      const { pool, sent } = await askedServer(t, {
        ...ANSWERS,
        SRCH: '100 1 msgs\n9\n000\n',
        LRMS,
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

describe('a page of a search', () => {
  const row = (number: number, author = 'ann', time = 100) => `${number}|${time}|${author}|vm|${author}@vm|s|1||`;
  const WORDS: SearchQuestion = {
    ...{ words: 'two words', room: '', author: '', since: 0, until: 0, hasFiles: false, isLastBegun: false },
    views: [],
  };

  it('is narrowed by room, author and time, and has no details', async (t) => {
    const inBox = listing(row(9), row(8, 'bob'), row(7, 'ann', 50), row(6));
    const { pool } = await askedServer(t, {
      SRCH: listing('5', '9'),
      'GOTO Hall||1': entered('Hall', { view: VIEW.tasks }),
      LRMS: listing('Box|2|0|0|0|2|0|0|0|', 'Hall|2|0|0|0|2|4|4|0|'),
      MSGS: Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? inBox : listing(row(5)))),
      MSG0: listing('from=somebody'),
    });
    const numbers = async (of: Partial<SearchQuestion>, offset = 0, limit = 9) => {
      const { hits, total } = await search.page(pool, ANN, { ...WORDS, ...of }, offset, limit);
      assert.ok(hits.every(({ details }) => details === undefined));
      return [hits.map(({ msgnum }) => msgnum), total];
    };
    assert.deepEqual(await numbers({}), [[9, 8, 7, 6, 5], 5]);
    assert.deepEqual(await numbers({}, 1, 2), [[8, 7], 5]);
    assert.deepEqual(await numbers({ room: 'hALL' }), [[5], 1]);
    assert.deepEqual(await numbers({ views: [4, 6] }), [[5], 1]);
    assert.deepEqual(await numbers({ author: 'BOB@' }), [[8], 1]);
    assert.deepEqual(await numbers({ since: 51 }), [[9, 8, 6, 5], 4]);
    assert.deepEqual(await numbers({ until: 100 }), [[7], 1]);
  });
});
