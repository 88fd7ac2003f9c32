// Histories of pages among the messages of a wiki, which only an ordinary server keeps so.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VIEW } from '../../../src/model.ts';
import { CITADEL } from '../../../src/room-server/citadel/citadel.ts';
import { listShown, pageNumbers } from '../../../src/room-server/citadel/messages.ts';
import { EMBEDDED } from '../../../src/room-server/embedded/embedded.ts';
import { ANN, askedServer, BOX, entered, listing } from '../../support/asked-server.ts';

const [WIKI, BOARD] = [{ defaultView: VIEW.wiki }, { defaultView: VIEW.board }];
const LISTED = {
  GOTO: entered('Box', { view: VIEW.wiki }),
  MSGS: listing('1|home|5', '2|home_HISTORY_|6', '3|other|7'),
};

it('a history is hidden in a wiki of an ordinary server', () => {
  const { isHidden } = CITADEL.messages;
  assert.equal(isHidden(BOARD, 'home_HISTORY_'), false);
  assert.equal(isHidden(WIKI, 'home'), false);
  assert.equal(isHidden(WIKI, ''), false);
  assert.equal(isHidden(WIKI, 'home_HISTORY_'), true);
});

it('is a page like others at our own server', () => {
  assert.equal(EMBEDDED.messages.isHidden(WIKI, 'home_HISTORY_'), false);
});

it('the list of a wiki has its pages and not their histories, where these lie among them', async (t) => {
  const { pool } = await askedServer(t, LISTED);
  const numbersOf = async (list: typeof listShown) => (await list(pool, ANN, BOX)).rows.map((row) => row.msgnum);
  assert.deepEqual(await numbersOf(listShown), [1, 3]);
  assert.deepEqual(await pageNumbers(pool, ANN, BOX, WIKI), [1, 3]);
  assert.deepEqual(await numbersOf(EMBEDDED.messages.euids), [1, 2, 3]);
});

it('to know the pages of a room that is no wiki costs nothing', async (t) => {
  const { pool, sent } = await askedServer(t);
  assert.equal(await pageNumbers(pool, ANN, BOX, BOARD), undefined);
  assert.deepEqual(sent(), []);
});
