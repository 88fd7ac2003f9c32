// Lists of users, as a recorded server gives them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { operatorLog } from '../../src/cli/log.ts';
import { listUsers, updateUser } from '../../src/room-server/users.ts';
import { askedServer } from '../support/asked-server.ts';
import { playing } from '../support/recorded-client.ts';

it('users are listed with their levels and last calls', async (t) => {
  const { connection, done } = await playing(t, '60-users.txt', 'BOSS', 128, 136);
  const users = await listUsers(connection);
  await done;
  assert.deepEqual(
    users.map((user) => user.name),
    ['admin', 'ann', 'boss', 'cal', 'dan', 'eve'],
  );
  assert.deepEqual(users[4], { name: 'dan', level: 5, usernum: 5, lastCall: 1000000000 });
});

it('an account that is told in another form is a fault whose log has no password in it', async (t) => {
  const { connect } = await askedServer(t, { AGUP: '200 ann|sesame|0\n' });
  let logged = '';
  const log = operatorLog((entry) => (logged += JSON.stringify(entry)));
  await updateUser(await connect(), 'ann', { level: 5 }).catch((error: unknown) => log('4711', error));
  assert.match(logged, /backend_protocol/);
  assert.doesNotMatch(logged, /sesame/);
});
