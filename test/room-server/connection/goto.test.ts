// Entering a room: what is sent, and what of the answer is believed.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { enterRoom, enterRoomCommand, parseEnteredRoom } from '../../../src/room-server/connection/goto.ts';
import { askedServer, entered } from '../../support/asked-server.ts';

const answer = (line: string) => ({
  code: Number(line.slice(0, 3)),
  hasInstantMessages: false,
  text: line.slice(4).trimEnd(),
  lines: [],
  bytes: undefined,
});

it('the command has name, password and whether it is only a look', () => {
  assert.equal(enterRoomCommand({ name: 'Box', password: 'p' }, true), 'GOTO Box|p|1\n');
  assert.equal(enterRoomCommand({ name: 'Box', password: '' }, false), 'GOTO Box||0\n');
});

it('a name or password that would be another field or command is never sent', () => {
  for (const text of ['a|b', 'a\nDELE 1', 'a\0']) {
    assert.throws(() => enterRoomCommand({ name: text, password: '' }, true), { code: 'bad_request' });
    assert.throws(() => enterRoomCommand({ name: 'Box', password: text }, true), { code: 'bad_request' });
  }
});

it('the answer is a room as the server names it, with its counts and rights', () => {
  const room = parseEnteredRoom(answer('200 Box|2|7|1|4|99|12|1|1|0|3|5|6|1|8|1795221150|'));
  assert.deepEqual(room, {
    ...{ name: 'Box', newMessages: 2, totalMessages: 7, infoChanged: true, flags: 4, highest: 99, lastSeen: 12 },
    ...{ isPersonal: true, isAdmin: true, floor: 3, currentView: 5, defaultView: 6, isTrash: true, flags2: 8 },
    mtime: 1795221150,
  });
});

it('fields that an older server does not send are 0, but thirteen there must be', () => {
  const { isTrash, flags2, mtime } = parseEnteredRoom(answer('200 Box|0|0|0|0|0|0|0|0|0|0|0|0'));
  assert.deepEqual([isTrash, flags2, mtime], [false, 0, 0]);
  assert.throws(() => parseEnteredRoom(answer('200 Box|0|0|0|0|0|0|0|0|0|0|0')), { code: 'backend_protocol' });
});

it('a refusal is told by its number', async (t) => {
  const { connect } = await askedServer(t, {
    'GOTO Gone||0': '572 no such room\n',
    'GOTO Locked||0': '540 password\n',
    'GOTO Out||0': '520 log in\n',
    'GOTO Odd||0': '300 what\n',
    'GOTO Box||1': entered('Box', { total: 3 }),
  });
  const connection = await connect();
  const enter = (name: string) => enterRoom(connection, { name, password: '' });
  await assert.rejects(enter('Gone'), { code: 'not_found', backendCode: 572 });
  await assert.rejects(enter('Locked'), { code: 'forbidden', backendCode: 540 });
  await assert.rejects(enter('Out'), { code: 'not_logged_in' });
  await assert.rejects(enter('Odd'), { code: 'backend_protocol' });
  assert.equal((await enterRoom(connection, { name: 'Box', password: '' }, true)).totalMessages, 3);
});
