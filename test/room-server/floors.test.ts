// Floors made, named and removed: never one that is not in the list (quirk Q2), and never two that look alike.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { createFloor, deleteFloor, renameFloor, requireFloor } from '../../src/room-server/floors.ts';
import { ANN, askedServer, failsWith, listing } from '../support/asked-server.ts';
import type { Answers } from '../support/fault-server.ts';

const start = (t: TestContext, answers: Answers = {}) =>
  askedServer(t, { LFLR: listing('0|Main|3', '1|Attic|1'), EFLR: '200 Ok\n', KFLR: '200 Ok\n', ...answers });

it('a number that the room server has not listed is never sent', async (t) => {
  const { pool, sent } = await start(t);
  for (const floor of [2, 15, 16, 99, -1]) {
    await assert.rejects(renameFloor(pool, ANN, floor, 'N'), { code: 'not_found' });
    await assert.rejects(deleteFloor(pool, ANN, floor), { code: 'not_found' });
  }
  assert.deepEqual(sent(/^(EFLR|KFLR)/), []);
  await renameFloor(pool, ANN, 1, 'N');
  await deleteFloor(pool, ANN, 1);
  assert.deepEqual(sent(/^(EFLR|KFLR)/), ['EFLR 1|N', 'KFLR 1|1']);
});

it('a new floor has the number that the room server gives it', async (t) => {
  const { pool, sent } = await start(t, { CFLR: '200 7\n' });
  assert.equal(await createFloor(pool, ANN, 'Cellar'), 7);
  assert.deepEqual(sent(/^CFLR/), ['CFLR Cellar|1']);
});

it('a name that looks like that of another floor is refused before anything is changed', async (t) => {
  const { pool, sent } = await start(t);
  for (const name of ['ATTIC', 'Аttic']) {
    await assert.rejects(createFloor(pool, ANN, name), { code: 'conflict', message: /“Attic”/ });
    await assert.rejects(renameFloor(pool, ANN, 0, name), { code: 'conflict' });
  }
  assert.deepEqual(sent(/^(CFLR|EFLR)/), []);
  await renameFloor(pool, ANN, 1, 'ATTIC'); // its own
  assert.deepEqual(sent(/^EFLR/), ['EFLR 1|ATTIC']);
});

it('what the room server refuses says why', async (t) => {
  const { pool } = await start(t, { CFLR: ['574 exists\n', '561 full\n', '550 no\n'], KFLR: '561 in use\n' });
  await assert.rejects(createFloor(pool, ANN, 'X'), failsWith('conflict', 574));
  await assert.rejects(createFloor(pool, ANN, 'X'), failsWith('conflict', 561));
  await assert.rejects(createFloor(pool, ANN, 'X'), failsWith('forbidden', 550));
  await assert.rejects(deleteFloor(pool, ANN, 1), { code: 'conflict', message: /still has rooms/ });
});

it('a floor that must be there fails as the caller wants', async (t) => {
  const { connect } = await start(t);
  const connection = await connect();
  assert.deepEqual(await requireFloor(connection, 1, 'bad_request'), { num: 1, name: 'Attic', refcount: 1 });
  await assert.rejects(requireFloor(connection, 2, 'bad_request'), failsWith('bad_request'));
});
