// Keys of session cookies replaced in a running fleet, as the guide says: SIGHUP, and nobody is logged out before the
// last step.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { openEvents } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { type Api, cookieOf, type SpawnedGateway, spawnGateway } from '../support/gateway.ts';
import { startRedis } from '../support/redis-server.ts';
import { answersOnMany, apart, newFolder } from '../support/several-processes.ts';

const [OLD, NEW] = ['ab'.repeat(32), 'cd'.repeat(32)];

async function startFleet(t: TestContext) {
  const [folder, store] = [await newFolder(t), await startRedis(t)];
  const file = join(folder, 'keys');
  const write = (...keys: string[]) => writeFile(file, `${keys.join('\n')}\n`, { mode: 0o600 });
  await write(OLD);
  const words = ['--shared', store.url, '--secret-file', file];
  const line = ['--demo', '--line-listen', 'tcp://127.0.0.1:0'];
  const first = await spawnGateway(t, ['--data', join(folder, '1'), ...line, ...words]);
  const second = ['--data', join(folder, '2'), '--backend', first.lineUrl!, '--workers', '2'];
  return { write, one: first, other: await spawnGateway(t, [...second, ...words]) };
}

async function reload({ child, said }: SpawnedGateway): Promise<void> {
  const before = said.err.length;
  child.kill('SIGHUP');
  await eventually(async () => said.err.slice(before), /Reloaded: /);
}

async function logIn(api: Api): Promise<string> {
  const body = JSON.stringify({ username: 'alice', password: 'alice' });
  const answer = await api('a/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(answer.status, 200);
  return cookieOf(answer);
}

const name = async (answer: Response) => ((await answer.json()) as { username: string }).username;

it('a key is replaced by SIGHUP in a running fleet; cookies of both go on until the old key is removed', async (t) => {
  const { write, one, other } = await startFleet(t);
  const apis = [one, other].map((each) => apart(each));
  const [atOne, atOther] = apis as [Api, Api];
  /** At all gateways and all their processes. */
  const names = (cookie: string) =>
    Promise.all(apis.map((api) => answersOnMany(api, 'a/whoami', name, { headers: { cookie } })));
  const before = await logIn(atOne);
  const stream = await openEvents(atOne, 'a/events', { cookie: before });

  await write(OLD, NEW);
  await reload(one);
  // one knows the new key, the other not yet
  assert.deepEqual(await names(before), [['alice'], ['alice']]);
  await reload(other);

  await write(NEW, OLD);
  await reload(other);
  const after = await logIn(atOther);
  await eventually(() => names(after), [['alice'], ['alice']]);
  assert.deepEqual(await names(before), [['alice'], ['alice']]);
  await reload(one);
  const posted = await atOne('r/Lobby/new', { method: 'PUT', headers: { cookie: before }, body: 'still here' });
  assert.equal(posted.status, 201);

  await write(NEW);
  await Promise.all([reload(one), reload(other)]);
  await eventually(() => names(before), [[''], ['']]);
  assert.deepEqual(await names(after), [['alice'], ['alice']]);
  assert.equal((await atOne('r/Lobby/new', { method: 'PUT', headers: { cookie: before }, body: 'x' })).status, 401);
  // the new one seals: a cookie that is made now is worth something without the old one
  assert.deepEqual(await names(await logIn(atOne)), [['alice'], ['alice']]);
  stream.close();
});

it('a file of keys that cannot be used changes nothing, and the log says so', async (t) => {
  const { write, one } = await startFleet(t);
  const api = apart(one);
  const cookie = await logIn(api);
  await write('no key');
  await reload(one);
  await eventually(async () => one.said.err, /must contain session keys, one per line/);
  assert.equal(await name(await api('a/whoami', { headers: { cookie } })), 'alice');
});
