// A search by pages: one question with all that narrows it, or what is left of a plain search.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_SEARCH_HITS } from '../../src/limits/backend.ts';
import { type SearchQuestion, searchPage } from '../../src/room-server/hits.ts';
import { ANN, askedServer, entered, failsWith, listing, ownInfo } from '../support/asked-server.ts';

const row = (number: number, author = 'ann', time = 100) => `${number}|${time}|${author}|vm|${author}@vm|s|1||`;
const ALL = async <R>(found: R) => found;
const WORDS: SearchQuestion = {
  ...{ words: 'two words', room: '', author: '', since: 0, until: 0, hasFiles: false, isLastBegun: false },
  views: [],
};

describe('at a server that searches by pages', () => {
  const INFO = ownInfo('HITS', 'ROWS');

  it('hits are as many as were asked for at most', async (t) => {
    const { pool } = await askedServer(t, { INFO, HITS: listing(...[3, 2, 1].map((number) => row(number))) });
    const { hits } = await searchPage(pool, ANN, WORDS, 0, 2, ALL);
    assert.deepEqual(
      hits.map(({ msgnum }) => msgnum),
      [3, 2],
    );
  });

  it('hits have an excerpt with the places of the words', async (t) => {
    const hit = `${row(9)}Box|0|0|1|2|0,3,8,11|two%7Cand two words|`;
    const { pool, sent } = await askedServer(t, {
      INFO,
      HITS: `100 17|1,17,3,2\n${hit}\n${row(5)}Hall|0|0|0|0|||\nno row\n000\n`,
    });
    const question = {
      ...WORDS,
      room: 'Box',
      author: 'ann',
      since: 1,
      until: 9,
      hasFiles: true,
      isLastBegun: true,
      views: [1, 4],
    };
    const { hits, total, isCut, byView } = await searchPage(pool, ANN, question, 10, 5, ALL);
    assert.deepEqual([hits.length, total, isCut], [2, 17, false]);
    assert.deepEqual(
      [...byView],
      [
        [1, 17],
        [3, 2],
      ],
    );
    assert.deepEqual(
      [hits[0]!.room, hits[0]!.details],
      [
        'Box',
        {
          ...{ seen: true, files: 2, excerpt: 'two|and two words' },
          marks: [
            [0, 3],
            [8, 11],
          ],
        },
      ],
    );
    assert.deepEqual(hits[1]!.details, { seen: false, files: 0, excerpt: '', marks: [] });
    assert.deepEqual(sent(/^HITS/), ['HITS 10|5|Box|ann|1|9|1|1|1,4|two words']);
  });

  it('a search with as many hits as there may be has perhaps more', async (t) => {
    const answer = (total: number) => `100 ${total}\n000\n`;
    const { pool } = await askedServer(t, { INFO, HITS: [MAX_SEARCH_HITS - 1, MAX_SEARCH_HITS].map(answer) });
    const isCut = async () => (await searchPage(pool, ANN, WORDS, 0, 5, ALL)).isCut;
    assert.deepEqual([await isCut(), await isCut()], [false, true]);
  });

  it('a room that is not there is not found', async (t) => {
    const { pool } = await askedServer(t, { INFO, HITS: '572 no such room\n' });
    await assert.rejects(searchPage(pool, ANN, { ...WORDS, room: 'X' }, 0, 5, ALL), failsWith('not_found', 572));
  });
});

describe('at any other', () => {
  it('what was found is narrowed by room, author and time, and given in pages without details', async (t) => {
    const rows = [row(9), row(8, 'bob'), row(7, 'ann', 50), row(6)].map((one) => `${one}Box|2|0|`);
    const { pool } = await askedServer(t, {
      FIND: listing(...rows, `${row(5)}Hall|2|0|`),
      GOTO: entered('Box'),
      LKRA: listing('Box|2|0|0|0|2|0|0|0|', 'Hall|2|0|0|0|2|4|4|0|'),
      LZRM: listing(),
    });
    const numbers = async (of: Partial<SearchQuestion>, offset = 0, limit = 9) => {
      const { hits, total } = await searchPage(pool, ANN, { ...WORDS, ...of }, offset, limit, ALL);
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
