// The messages of a watched room: where it is watched from, and what lies above a number.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VIEW } from '../../src/model.ts';
import { CITADEL } from '../../src/room-server/citadel/citadel.ts';
import { EMBEDDED } from '../../src/room-server/embedded/embedded.ts';
import { openWatchedRoom } from '../../src/room-server/watch/watched-rooms.ts';
import { ANN, askedServer, BOX, entered, failsWith, listing } from '../support/asked-server.ts';

it('a room is watched from its highest message on, under the name that the room server gives it', async (t) => {
  const { pool } = await askedServer(t, { GOTO: entered('Mail', { highest: 12 }) });
  const room = await openWatchedRoom(pool, ANN, { name: '_MAIL_', password: '' });
  assert.deepEqual([room.name, room.ref.name, room.highest, room.above(12)], ['Mail', '_MAIL_', 12, []]);
});

it('a room that cannot be entered is not watched', async (t) => {
  const { pool } = await askedServer(t, { GOTO: ['572 no\n', '540 password\n'] });
  await assert.rejects(openWatchedRoom(pool, ANN, BOX), failsWith('not_found'));
  await assert.rejects(openWatchedRoom(pool, ANN, BOX), failsWith('forbidden', 540));
});

it('numbers above one are asked for as the server likes it, with the highest there is', async (t) => {
  const { pool, sent } = await askedServer(t, { GOTO: entered('Box', { highest: 9 }), MSGS: listing('5', '9') });
  assert.deepEqual(await EMBEDDED.events.above(pool, ANN, BOX, 5), { listed: [5, 9], highest: 9 });
  assert.deepEqual(await CITADEL.events.above(pool, ANN, BOX, 5), { listed: [5, 9], highest: 9 });
  assert.deepEqual(sent(/^MSGS/), ['MSGS GT|5', 'MSGS ALL']);
});

it('of a wiki with histories they are those of pages', async (t) => {
  const { pool } = await askedServer(t, {
    GOTO: entered('Box', { view: VIEW.wiki, highest: 9 }),
    'MSGS ALL': listing('5', '6', '9'),
    'MSGS ALL|||4': listing('5|home|1', '6|home_HISTORY_|2', '9|other|3'),
  });
  assert.deepEqual((await CITADEL.events.above(pool, ANN, BOX, 0)).listed, [5, 9]);
});
