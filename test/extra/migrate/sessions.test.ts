// Who `vestibule copy` is logged in as at an ordinary room server.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSessions, sameAccount } from '../../../src/extra/migrate/sessions.ts';
import { MAX_COPY_SESSIONS } from '../../../src/limits/backend.ts';
import { Connection } from '../../../src/room-server/connection/connection.ts';
import { startAnsweringPeer } from '../../support/answering-peer.ts';

it('is logged in as MAX_COPY_SESSIONS users at a time; who was not needed for longest goes', async (t) => {
  const { open, path } = await startAnsweringPeer(t);
  const names = Array.from({ length: MAX_COPY_SESSIONS + 1 }, (_, i) => `user${i}`);
  const passwords = new Map(names.map((name) => [name, 'secret']));
  const sessions = openSessions({ path }, await Connection.open({ path }), 'admin', passwords);
  t.after(() => sessions.close());
  const connections: Connection[] = [];
  for (const name of names.slice(0, MAX_COPY_SESSIONS)) connections.push((await sessions.as(name))!);
  assert.ok(connections.every(({ isClosed }) => !isClosed));
  assert.equal(await sessions.as('user0'), connections[0]);
  await sessions.as(names.at(-1)!);
  assert.deepEqual(
    connections.flatMap(({ isClosed }, i) => (isClosed ? [i] : [])),
    [1],
  );
  while (open.size > MAX_COPY_SESSIONS + 1) await new Promise(setImmediate);
});

it('logs nobody in whose password it does not know, or whose password is no longer right', async (t) => {
  const { asked, open, path } = await startAnsweringPeer(t, { PASS: '540 wrong password' });
  const sessions = openSessions({ path }, await Connection.open({ path }), 'admin', new Map([['ann', 'old']]));
  t.after(() => sessions.close());
  assert.equal(await sessions.as('bob'), undefined);
  assert.equal(await sessions.as('Ann'), undefined);
  assert.deepEqual(
    asked.filter((line) => /^(USER|PASS)/.test(line)),
    ['USER Ann', 'PASS old'],
  );
  while (open.size > 1) await new Promise(setImmediate);
});

it('takes the administrator for himself, however his name is spelled', async (t) => {
  const { asked, path } = await startAnsweringPeer(t);
  const admin = await Connection.open({ path });
  const sessions = openSessions({ path }, admin, 'Boss Man', new Map([['bossman', 'x']]));
  t.after(() => sessions.close());
  assert.equal(await sessions.as('boss man'), admin);
  assert.deepEqual(asked, []);
});

it('logs in once more where a connection was lost', async (t) => {
  const { path } = await startAnsweringPeer(t);
  const sessions = openSessions({ path }, await Connection.open({ path }), 'admin', new Map([['ann', 'pw']]));
  t.after(() => sessions.close());
  const first = (await sessions.as('ann'))!;
  first.close();
  const second = (await sessions.as('ann'))!;
  assert.notEqual(second, first);
  assert.equal(second.isClosed, false);
});

it('closes all that it has opened', async (t) => {
  const { open, path } = await startAnsweringPeer(t);
  const sessions = openSessions({ path }, await Connection.open({ path }), 'admin', new Map([['ann', 'pw']]));
  await sessions.as('ann');
  sessions.close();
  while (open.size > 0) await new Promise(setImmediate);
});

it('knows one account by every spelling of its name, and nobody by an empty one', () => {
  assert.equal(sameAccount('Ann Lee', 'ann.lee'), true);
  assert.equal(sameAccount('Ann', 'Anna'), false);
  assert.equal(sameAccount('', '.'), false);
});
