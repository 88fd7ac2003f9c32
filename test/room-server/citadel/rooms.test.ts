// The rooms that a room server needs itself, which must not be deleted (quirk Q61).

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { ROOM_FLAG2 } from '../../../src/model.ts';
import { rooms } from '../../../src/room-server/citadel/rooms.ts';
import { parseEnteredRoom } from '../../../src/room-server/connection/goto.ts';
import { EMBEDDED } from '../../../src/room-server/embedded/embedded.ts';
import { isBaseRoom } from '../../../src/room-server/rooms.ts';
import { ANN, askedServer, type Entered, entered } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';

function room(name: string, of: Entered = {}) {
  const text = entered(name, of).slice(4).trimEnd();
  return parseEnteredRoom({ code: 200, hasInstantMessages: false, text, lines: [], bytes: undefined });
}

const ordinary = (t: TestContext, answers: Answers = {}) =>
  askedServer(t, { 'GOTO _BASEROOM_||1': entered('Foyer'), CONF: '550 no\n', ...answers });

it('are the base room, those of the settings, and what is marked as the server’s own', async (t) => {
  const { pool } = await ordinary(t, { 'CONF GETVAL|c_aideroom': '200 Helpers|\n' });
  const is = (name: string, of?: Entered) => rooms.isNeeded(pool, ANN, room(name, of));
  assert.equal(await isBaseRoom(pool, ANN, room('Foyer')), true);
  assert.equal(await isBaseRoom(pool, ANN, room('Lobby')), false);
  for (const name of ['Foyer', 'helpers', 'TRASHCAN', 'Global Address Book']) assert.equal(await is(name), true, name);
  assert.equal(await is('Notes', { flags2: ROOM_FLAG2.system }), true);
  for (const name of ['Aide', 'Box']) assert.equal(await is(name), false, name);
});

it('have their usual names for who may not read the settings, or where these are empty', async (t) => {
  const { pool } = await ordinary(t, { 'CONF GETVAL|c_twitroom': '200 (null)|\n' });
  for (const name of ['Lobby', 'Aide', 'Trashcan'])
    assert.equal(await rooms.isNeeded(pool, ANN, room(name)), true, name);
});

it('are none among personal rooms, nor at our own server, which looks itself: nothing is asked', async (t) => {
  const { pool, sent } = await ordinary(t);
  assert.equal(await rooms.isNeeded(pool, ANN, room('Aide', { isPersonal: true })), false);
  assert.deepEqual(sent(), []);
  assert.equal(await EMBEDDED.rooms.isNeeded(pool, ANN, room('Lobby')), false);
  assert.deepEqual(sent(), []);
});
