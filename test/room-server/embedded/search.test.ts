// A search by pages: one question with all that narrows it, or what is left of a plain search.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_SEARCH_HITS } from '../../../src/limits/backend.ts';
import { search } from '../../../src/room-server/embedded/messages.ts';
import type { SearchQuestion } from '../../../src/room-server/server.ts';
import { ANN, askedServer, failsWith, listing } from '../../support/asked-server.ts';

const row = (number: number, author = 'ann', time = 100) => `${number}|${time}|${author}|vm|${author}@vm|s|1||`;
const WORDS: SearchQuestion = {
  ...{ words: 'two words', room: '', author: '', since: 0, until: 0, hasFiles: false, isLastBegun: false },
  views: [],
};

describe('at a server that searches by pages', () => {
  it('hits are as many as were asked for at most', async (t) => {
    const { pool } = await askedServer(t, { HITS: listing(...[3, 2, 1].map((number) => row(number))) });
    const { hits } = await search.page(pool, ANN, WORDS, 0, 2);
    assert.deepEqual(
      hits.map(({ msgnum }) => msgnum),
      [3, 2],
    );
  });

  it('hits have an excerpt with the places of the words', async (t) => {
    const hit = `${row(9)}Box|0|0|1|2|0,3,8,11|two%7Cand two words|`;
    const { pool, sent } = await askedServer(t, {
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
    const { hits, total, isCut, byView } = await search.page(pool, ANN, question, 10, 5);
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
    const { pool } = await askedServer(t, { HITS: [MAX_SEARCH_HITS - 1, MAX_SEARCH_HITS].map(answer) });
    const isCut = async () => (await search.page(pool, ANN, WORDS, 0, 5)).isCut;
    assert.deepEqual([await isCut(), await isCut()], [false, true]);
  });

  it('a room that is not there is not found', async (t) => {
    const { pool } = await askedServer(t, { HITS: '572 no such room\n' });
    await assert.rejects(search.page(pool, ANN, { ...WORDS, room: 'X' }, 0, 5), failsWith('not_found', 572));
  });
});

describe('a search everywhere', () => {
  it('is one question where the room server can answer it', async (t) => {
    const { pool, sent } = await askedServer(t, {
      FIND: `100 2 found:\n${row(9)}Hall|14|1|\n${row(5)}Box|2|0|\n000\n`,
    });
    const { found, from } = await search.everywhere(pool, ANN, 'two words');
    assert.equal(from, undefined);
    assert.deepEqual(
      found.map(({ room, msgnum, address }) => [room, msgnum, address]),
      [
        ['Hall', 9, 'ann@vm'],
        ['Box', 5, 'ann@vm'],
      ],
    );
    assert.deepEqual(sent(/^(FIND|SRCH|LRMS|GOTO|MSGS)/), ['FIND 1000|two words']);
  });
});
