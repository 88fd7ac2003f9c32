// Histories of pages among the messages of a wiki: known by their euid, and only where a server keeps them so.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VIEW } from '../../../src/model.ts';
import { holdsHistories, isHidden, isPageHistory } from '../../../src/room-server/wiki/wiki.ts';
import { ANN, askedServer, ownInfo } from '../../support/asked-server.ts';

const [WIKI, BOARD] = [{ defaultView: VIEW.wiki }, { defaultView: VIEW.board }];

it('a history is what ends in the mark', () => {
  for (const euid of ['home_HISTORY_', '_HISTORY_', 'a_HISTORY__HISTORY_']) assert.ok(isPageHistory(euid), euid);
  for (const euid of ['', 'home', 'home_HISTORY_ ', 'home_history_', '_HISTORY_x'])
    assert.ok(!isPageHistory(euid), euid);
});

it('is hidden in a wiki of an ordinary server', async (t) => {
  const { pool, sent } = await askedServer(t);
  assert.equal(await isHidden(pool, ANN, BOARD, 'home_HISTORY_'), false);
  assert.equal(await isHidden(pool, ANN, WIKI, 'home'), false);
  assert.equal(await isHidden(pool, ANN, WIKI, undefined), false);
  assert.deepEqual(sent(), [], 'all of that costs nothing');
  assert.equal(await isHidden(pool, ANN, WIKI, 'home_HISTORY_'), true);
  assert.equal(await holdsHistories(pool, ANN, WIKI), true);
});

it('is a page like others at our own server', async (t) => {
  const { pool } = await askedServer(t, { INFO: ownInfo() });
  assert.equal(await isHidden(pool, ANN, WIKI, 'home_HISTORY_'), false);
  assert.equal(await holdsHistories(pool, ANN, WIKI), false);
});
