// Lists of users, as a recorded server gives them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listUsers } from '../../src/client/users.ts';
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
