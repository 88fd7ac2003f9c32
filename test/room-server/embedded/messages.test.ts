// A page of a room's list, and how much is new in each room.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_LISTED_ROWS, MAX_ROWS_AT_ONCE } from '../../../src/limits/backend.ts';
import { messages, rooms } from '../../../src/room-server/embedded/messages.ts';
import { ANN, askedServer, BOX, entered, failsWith, listing } from '../../support/asked-server.ts';

const row = (number: number) => `${number}|1795221150|ann|vm|ann@vm|s|1||`;
const PAGE = { above: 5, below: 90, limit: 50, isFromEnd: true, isUnreadOnly: false, isDetailed: true };

it('rows are messages with their marks, and with details where these were asked for', async (t) => {
  const { pool, sent } = await askedServer(t, {
    ROWS: listing(`${row(7)}1|bob@x, c|2|first%7Cwords|`, `${row(9)}0`, 'no row'),
  });
  const { entered, rows } = await messages.page(pool, ANN, BOX, PAGE);
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
  for (const limit of [MAX_LISTED_ROWS, MAX_LISTED_ROWS + 1]) await messages.page(pool, ANN, BOX, { ...PAGE, limit });
  assert.deepEqual(
    sent(/^ROWS/).map((line) => Number(line.split('|')[2])),
    [MAX_LISTED_ROWS, MAX_LISTED_ROWS],
  );
});

const rowsOf = (from: number, to: number) =>
  listing(...Array.from({ length: to - from + 1 }, (_, i) => `${row(from + i)}0`));
const FIRST = MAX_ROWS_AT_ONCE;

it('a list is read page by page, up to what was there when it began', async (t) => {
  const highest = FIRST + MAX_LISTED_ROWS + 2;
  const { pool, sent } = await askedServer(t, {
    GOTO: entered('Box', { highest, total: highest }),
    ROWS: [rowsOf(1, FIRST), rowsOf(FIRST + 1, FIRST + MAX_LISTED_ROWS), rowsOf(highest - 1, highest)],
  });
  const { first, rest } = await messages.list(pool, ANN, BOX, { above: 0, limit: Number.POSITIVE_INFINITY });
  const pages = [first.rows, ...(await Array.fromAsync(rest!))];
  assert.deepEqual(
    pages.flat().map(({ msgnum }) => msgnum),
    Array.from({ length: highest }, (_, i) => i + 1),
  );
  assert.deepEqual(sent(/^ROWS/), [
    `ROWS 0|0|${FIRST}|0|0|0`,
    `ROWS ${FIRST}|${highest + 1}|${MAX_LISTED_ROWS}|0|0|0`,
    `ROWS ${FIRST + MAX_LISTED_ROWS}|${highest + 1}|${MAX_LISTED_ROWS}|0|0|0`,
  ]);
});

it('10,000 rows cost at most 20 round trips', async (t) => {
  const highest = 10_000;
  const ends = [0, ...Array.from({ length: 10 }, (_, i) => FIRST + i * MAX_LISTED_ROWS), highest];
  const pages = ends.slice(1).map((end, i) => rowsOf(ends[i]! + 1, end));
  const { pool, sent } = await askedServer(t, { GOTO: entered('Box', { highest, total: highest }), ROWS: pages });
  const { first, rest } = await messages.list(pool, ANN, BOX, { above: 0, limit: Number.POSITIVE_INFINITY });
  assert.equal(first.rows.length + (await Array.fromAsync(rest!)).flat().length, highest);
  assert.ok(sent(/^ROWS/).length <= 20);
});

it('a list ends with its limit, with the highest number, or where messages have gone meanwhile', async (t) => {
  const highest = 2 * FIRST;
  const asked = async (ROWS: string[], limit: number) => {
    const { pool, sent } = await askedServer(t, { GOTO: entered('Box', { highest, total: highest }), ROWS });
    const { first, rest } = await messages.list(pool, ANN, BOX, { above: 0, limit });
    const more = rest ? (await Array.fromAsync(rest)).flat() : [];
    return [first.rows.length + more.length, sent(/^ROWS/).length];
  };
  const half = rowsOf(1, FIRST);
  assert.deepEqual(await asked([half], 0), [0, 1]);
  assert.deepEqual(await asked([half], FIRST), [FIRST, 1]);
  assert.deepEqual(await asked([half, rowsOf(FIRST + 1, FIRST + 1)], FIRST + 1), [FIRST + 1, 2]);
  assert.deepEqual(await asked([rowsOf(FIRST + 1, highest)], Number.POSITIVE_INFINITY), [FIRST, 1]);
  assert.deepEqual(await asked([half, listing()], Number.POSITIVE_INFINITY), [FIRST, 2]);
});

it('a list whose next page begins with what was there already fails, or it would have no end', async (t) => {
  const { pool } = await askedServer(t, {
    GOTO: entered('Box', { highest: 2 * FIRST, total: 2 * FIRST }),
    ROWS: [rowsOf(1, FIRST), rowsOf(FIRST, FIRST)],
  });
  const { rest } = await messages.list(pool, ANN, BOX, { above: 0, limit: Number.POSITIVE_INFINITY });
  await assert.rejects(Array.fromAsync(rest!), failsWith('backend_protocol'));
});

it('a list whose room is closed to the reader between two pages fails', async (t) => {
  const { pool } = await askedServer(t, {
    GOTO: [entered('Box', { highest: 2 * FIRST }), '540 closed\n'],
    ROWS: [rowsOf(1, FIRST), rowsOf(FIRST + 1, 2 * FIRST)],
  });
  const { rest } = await messages.list(pool, ANN, BOX, { above: 0, limit: Number.POSITIVE_INFINITY });
  await assert.rejects(Array.fromAsync(rest!), failsWith('forbidden'));
});

it('counts come by the names of rooms; a refusal is one', async (t) => {
  const { pool } = await askedServer(t, { COUN: listing('Lobby|1|7|99|1', 'Box|0|0|0|0'), ROWS: '550 no\n' });
  assert.deepEqual(
    [...(await rooms.counts(pool, ANN))],
    [
      ['Lobby', { unread: 1, total: 7, highest: 99, has_picture: true }],
      ['Box', { unread: 0, total: 0, highest: 0, has_picture: false }],
    ],
  );
  await assert.rejects(messages.page(pool, ANN, BOX, PAGE), failsWith('forbidden'));
});
