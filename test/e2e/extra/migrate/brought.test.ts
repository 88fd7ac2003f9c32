// The list of what copies have brought, in a room of an ordinary room server.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { openBroughtRoom } from '../../../../src/extra/migrate/brought.ts';
import { BROUGHT_BATCH_MESSAGES } from '../../../../src/limits/backend.ts';
import { Connection } from '../../../../src/room-server/connection/connection.ts';
import { logIn } from '../../../../src/room-server/connection/identity.ts';
import { BROUGHT_ROOM } from '../../../../src/room-server/rooms.ts';
import { startRealServer } from '../../../support/real-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

async function start(t: TestContext) {
  const real = await startRealServer(t, { users: { ann: 4 } });
  const admin = await Connection.open({ path: real.path });
  t.after(() => admin.close());
  await logIn(admin, { user: 'admin', password: 'adminpw' });
  const posts = () =>
    real.sessions.flatMap(({ commands }) => commands).filter((line) => line.startsWith('ENT0 1')).length;
  return { real, admin, posts };
}

it('is kept BROUGHT_BATCH_MESSAGES at a time, and what waits when it is flushed', async (t) => {
  const { admin, posts } = await start(t);
  const brought = openBroughtRoom(admin);
  for (let i = 1; i < BROUGHT_BATCH_MESSAGES; i++) await brought.add('Lobby', `${i}@x`, 1);
  assert.equal(posts(), 0);
  await brought.add('Lobby', 'odd "one" | ü\u2028@x', 1);
  assert.equal(posts(), 1);
  await brought.add('LOBBY', '1@x', 1);
  await brought.add('Lobby', '2@x', -1);
  await brought.flush();
  assert.equal(posts(), 2);
  await brought.note('room', ['Cellar', 'Attic'], 'made');
  await brought.note('room', ['cellar'], 'done');
  await brought.note('room', ['cellar'], 'done');
  assert.equal(posts(), 4);
  const again = openBroughtRoom(admin);
  const times = await again.messages('lobby');
  assert.equal(times.size, BROUGHT_BATCH_MESSAGES);
  assert.deepEqual([times.get('1@x'), times.get('2@x'), times.get('odd "one" | ü\u2028@x')], [2, 0, 1]);
  assert.equal(await again.step('room', 'CELLAR'), 'done');
  assert.equal(await again.step('room', 'Attic'), 'made');
  assert.equal(await again.step('user', 'Attic'), undefined);
});

it('is for administrators alone', async (t) => {
  const { real, admin } = await start(t);
  await openBroughtRoom(admin).note('user', ['ann'], 'done');
  const ann = await WireClient.login(real.path, 'ann', 'annpw');
  await ann.expect(`GOTO ${BROUGHT_ROOM}`, 572);
  assert.ok(!(await ann.expect('LKRA -1', 100)).lines.some((row) => row.startsWith(BROUGHT_ROOM)));
});
