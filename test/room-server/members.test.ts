// Who knows a room, and who is let in or put out.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inviteMember, listRoomMembers, removeMember } from '../../src/room-server/rooms.ts';
import { ANN, askedServer, BOX, failsWith, listing } from '../support/asked-server.ts';

it('the list has users, and not the accounts of the room server itself', async (t) => {
  const { pool } = await askedServer(t, { WHOK: listing('ann', 'SYS_Citadel', 'Bob B', 'sys_op') });
  assert.deepEqual(await listRoomMembers(pool, ANN, BOX), ['ann', 'Bob B', 'sys_op']);
});

it('who is let in or put out is named, behind the room, which is only looked at', async (t) => {
  const { pool, sent } = await askedServer(t, { INVT: '200 ok\n', KICK: '200 ok\n' });
  await inviteMember(pool, ANN, BOX, 'bob');
  await removeMember(pool, ANN, BOX, 'bob');
  assert.deepEqual(sent(), ['GOTO Box||1', 'INVT bob', 'GOTO Box||1', 'KICK bob']);
});

it('refusals are told by what they mean here', async (t) => {
  const { pool } = await askedServer(t, {
    INVT: ['560 no\n', '570 no\n', '550 no\n'],
    KICK: '560 no\n',
    WHOK: '550 no\n',
  });
  await assert.rejects(inviteMember(pool, ANN, BOX, 'bob'), { code: 'conflict', message: /Everybody/ });
  await assert.rejects(inviteMember(pool, ANN, BOX, 'bob'), failsWith('not_found', 570));
  await assert.rejects(inviteMember(pool, ANN, BOX, 'bob'), { code: 'forbidden', message: /administers/ });
  await assert.rejects(removeMember(pool, ANN, BOX, 'bob'), failsWith('conflict', 560));
  await assert.rejects(listRoomMembers(pool, ANN, BOX), failsWith('forbidden'));
});

it('a name that would be another command is never sent', async (t) => {
  const { pool, sent } = await askedServer(t);
  for (const name of ['a|b', 'a\nKILL 1']) {
    await assert.rejects(async () => inviteMember(pool, ANN, BOX, name), failsWith('bad_request'));
  }
  assert.deepEqual(sent(/^(INVT|KILL)/), []);
});
