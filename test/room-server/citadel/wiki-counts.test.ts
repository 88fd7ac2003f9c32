// How many pages of a wiki are new, where a real server counts their histories, too.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_WIKIS_ASKED } from '../../../src/limits/protocol.ts';
import { ACCESS, VIEW } from '../../../src/model.ts';
import { rooms, withPageCounts } from '../../../src/room-server/citadel/rooms.ts';
import { parseEnteredRoom } from '../../../src/room-server/connection/goto.ts';
import { parseRoomRow } from '../../../src/room-server/rooms.ts';
import { ANN, askedServer, BOX, entered, listing } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';

const GOTO = entered('Box', { view: VIEW.wiki, total: 3, newMessages: 2, highest: 9 });
const row = (name: string, view: number = VIEW.wiki, access = ACCESS.known | ACCESS.hasNew) =>
  parseRoomRow(`${name}|2|0|0|0|${access}|${view}|${view}|5|`);

const start = (t: TestContext, answers: Answers = {}) =>
  askedServer(t, {
    GOTO,
    MSGS: listing('5|home|1', '6|home_HISTORY_|2', '7|other|3', '9|other_HISTORY_|4'),
    GTSN: '200 1:5\n',
    'MSG0 9|3': listing('exti=other_HISTORY_'),
    'MSG0 7|3': listing('exti=other'),
    ...answers,
  });

describe('the counts of a wiki', () => {
  const room = parseEnteredRoom({
    ...{ code: 200, hasInstantMessages: false, text: GOTO.slice(4).trimEnd(), lines: [], bytes: undefined },
  });

  it('are those of its pages', async (t) => {
    const { pool } = await start(t);
    const { newMessages, totalMessages, highest } = await withPageCounts(pool, ANN, BOX, room);
    assert.deepEqual([newMessages, totalMessages, highest], [1, 2, 7]);
  });

  it('are as they come in another room', async (t) => {
    const { pool, sent } = await start(t);
    const board = { ...room, defaultView: VIEW.board };
    assert.equal(await withPageCounts(pool, ANN, BOX, board), board);
    assert.deepEqual(sent(), []);
  });
});

describe('a list of rooms', () => {
  it('calls a wiki new where a page is unread, and not for a history alone', async (t) => {
    const { pool } = await start(t, { GTSN: ['200 1:5\n', '200 1:9\n'] });
    const rows = [row('Box')];
    assert.equal(await rooms.withNews(pool, ANN, rows), rows, 'the same list where nothing changes');
    const [quiet] = await rooms.withNews(pool, ANN, rows);
    assert.equal(quiet!.access, ACCESS.known);
  });

  it('does not ask for pages where the highest message is one', async (t) => {
    const { pool, sent } = await start(t, { GOTO: entered('Box', { view: VIEW.wiki, highest: 7 }) });
    const rows = [row('Box')];
    assert.equal(await rooms.withNews(pool, ANN, rows), rows);
    assert.deepEqual(sent(/^(MSGS|GTSN)/), []);
  });

  it('asks nothing of rooms that are no wikis, or have nothing new', async (t) => {
    const { pool, sent } = await start(t);
    const rows = [row('Board', VIEW.board), row('Wiki', VIEW.wiki, ACCESS.known)];
    assert.equal(await rooms.withNews(pool, ANN, rows), rows);
    assert.deepEqual(sent(), []);
  });

  it('tells a wiki that is gone as it came', async (t) => {
    const { pool } = await start(t, { GOTO: '572 no such room\n' });
    const rows = [row('Box')];
    assert.equal(await rooms.withNews(pool, ANN, rows), rows);
  });

  it(`asks of ${MAX_WIKIS_ASKED} wikis at most, and tells the others as they came`, async (t) => {
    const { pool } = await start(t, { GTSN: '200 1:9\n' });
    const rows = Array.from({ length: MAX_WIKIS_ASKED + 1 }, (_, i) => row(`Wiki ${i}`));
    const told = await rooms.withNews(pool, ANN, rows);
    assert.deepEqual(
      told.map(({ access }) => access & ACCESS.hasNew),
      rows.map((_, i) => (i < MAX_WIKIS_ASKED ? 0 : ACCESS.hasNew)),
    );
  });
});
