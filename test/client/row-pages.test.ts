// A page of a room's list, and how much is new in each room.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readRoomCounts, readRowPage } from '../../src/client/row-pages.ts';
import { MAX_ROWS_AT_ONCE } from '../../src/limits/backend.ts';
import { ANN, askedServer, BOX, failsWith, listing } from '../support/asked-server.ts';

const row = (number: number) => `${number}|1795221150|ann|vm|ann@vm|s|1||`;
const PAGE = { above: 5, below: 90, limit: 50, isFromEnd: true, isUnreadOnly: false, isDetailed: true };

it('rows are messages with their marks, and with details where these were asked for', async (t) => {
  const { pool, sent } = await askedServer(t, {
    ROWS: listing(`${row(7)}1|bob@x, c|2|first%7Cwords|`, `${row(9)}0`, 'no row'),
  });
  const { entered, rows } = await readRowPage(pool, ANN, BOX, PAGE);
  assert.deepEqual(
    [entered.name, rows.map(({ msgnum, seen }) => [msgnum, seen])],
    [
      'Box',
      [
        [7, true],
        [9, false],
      ],
    ],
  );
  assert.deepEqual(rows[0]!.details, { recipients: 'bob@x, c', files: 2, firstWords: 'first|words' });
  assert.equal(rows[1]!.details, undefined);
  assert.deepEqual(sent(/^ROWS/), ['ROWS 5|90|50|1|0|1']);
});

it('no more rows are asked for than the room server gives at once', async (t) => {
  const { pool, sent } = await askedServer(t, { ROWS: listing() });
  for (const limit of [MAX_ROWS_AT_ONCE, MAX_ROWS_AT_ONCE + 1]) await readRowPage(pool, ANN, BOX, { ...PAGE, limit });
  assert.deepEqual(
    sent(/^ROWS/).map((line) => Number(line.split('|')[2])),
    [MAX_ROWS_AT_ONCE, MAX_ROWS_AT_ONCE],
  );
});

it('counts come by the names of rooms; a refusal is one', async (t) => {
  const { pool } = await askedServer(t, { COUN: listing('Lobby|1|7|99|1', 'Box|0|0|0|0'), ROWS: '550 no\n' });
  assert.deepEqual(
    [...(await readRoomCounts(pool, ANN))],
    [
      ['Lobby', { unread: 1, total: 7, highest: 99, has_picture: true }],
      ['Box', { unread: 0, total: 0, highest: 0, has_picture: false }],
    ],
  );
  await assert.rejects(readRowPage(pool, ANN, BOX, PAGE), failsWith('forbidden'));
});
