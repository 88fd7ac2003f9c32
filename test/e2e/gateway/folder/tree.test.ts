// A folder with all that lies below it: what belongs to it, and that nothing else goes with it.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { findMembers } from '../../../../src/gateway/collection/collection.ts';
import { membersBelow, removeTree } from '../../../../src/gateway/folder/location.ts';
import { MAX_FAILED_MEMBERS } from '../../../../src/limits/dav.ts';
import { VIEW } from '../../../../src/model.ts';
import { startGateway } from '../../../support/gateway.ts';
import { startRealServer } from '../../../support/real-server.ts';
import { startRelay } from '../../../support/relay.ts';
import { contextsAt } from '../../../support/room-context.ts';
import { startRoomServer } from '../../../support/room-server.ts';

const own = await startRoomServer({ after }, { users: { alice: 4 } });
const real = await startRealServer({ after }, { users: { alice: 4 } });

for (const [where, path] of [
  ['our own room server', own.socketPath],
  ['any other', real.path],
] as const) {
  const alice = (await startGateway({ after }, { backend: `unix:${path}` })).as('alice', 'alicepw');
  const context = contextsAt({ after }, path)('alice', 'Tree');
  const namesBelow = async (folder: string) =>
    (await Array.fromAsync(membersBelow(context, folder)))
      .flat()
      .map(({ name }) => name)
      .sort();

  it(`of ${where} has all that lies below, and goes as a whole`, async () => {
    assert.equal((await alice('r/Tree/', { method: 'MKCOL' })).status, 201);
    const headers = { 'content-type': 'application/json' };
    await alice('r/Tree/', { method: 'PATCH', headers, body: JSON.stringify({ default_view: VIEW.files }) });
    for (const folder of ['a/', 'a/b/', 'ab/']) {
      assert.equal((await alice(`r/Tree/${folder}`, { method: 'MKCOL' })).status, 201, folder);
    }
    for (const name of ['a/1.txt', 'a/b/2.txt', 'ab/3.txt', 'a.txt']) {
      assert.equal((await alice(`r/Tree/${name}`, { method: 'PUT', body: name })).status, 201, name);
    }
    assert.deepEqual(await namesBelow('a/'), ['a/1.txt', 'a/b/', 'a/b/2.txt']);
    const all = ['a.txt', 'a/', 'a/1.txt', 'a/b/', 'a/b/2.txt', 'ab/', 'ab/3.txt'];
    assert.deepEqual(await namesBelow(''), all);
    const [folder] = await findMembers(context, ['a/']);
    await removeTree(context, folder!);
    assert.deepEqual(await namesBelow(''), ['a.txt', 'ab/', 'ab/3.txt']);
    await removeTree(context, folder!); // who was faster has done the same
    assert.deepEqual(await namesBelow(''), ['a.txt', 'ab/', 'ab/3.txt']);
  });
}

it('What cannot be deleted stays with its folders, and all else goes', async (t) => {
  const relay = await startRelay(real.path);
  t.after(() => relay.close());
  const gateway = await startGateway(t, { backend: `unix:${relay.path}` });
  const alice = gateway.as('alice', 'alicepw');
  const context = contextsAt(t, real.path)('alice', 'Left');
  assert.equal((await alice('r/Left/', { method: 'MKCOL' })).status, 201);
  const headers = { 'content-type': 'application/json' };
  await alice('r/Left/', { method: 'PATCH', headers, body: JSON.stringify({ default_view: VIEW.files }) });
  for (const folder of ['a/', 'a/b/', 'a/c/'])
    assert.equal((await alice(`r/Left/${folder}`, { method: 'MKCOL' })).status, 201);
  const numbers = new Map<string, string>();
  for (const name of ['a/1 x.txt', 'a/b/2.txt', 'a/b/3.txt', 'a/c/4.txt']) {
    const answer = await alice(encodeURI(`r/Left/${name}`), { method: 'PUT', body: name });
    numbers.set(name, answer.headers.get('etag')!.slice(1, -1));
  }
  const kept = new Set([`DELE ${numbers.get('a/1 x.txt')}`, `DELE ${numbers.get('a/b/2.txt')}`]);
  relay.instead = (command) => (kept.has(command) ? 'XXXX' : undefined);
  const names = async () =>
    (await Array.fromAsync(membersBelow(context, '')))
      .flat()
      .map(({ name }) => name)
      .sort();
  // a MOVE copies all, then tells what of the old it could not delete
  const hrefsOf = async (answer: Response) => {
    assert.equal(answer.status, 207);
    const text = await answer.text();
    assert.match(text, /<D:status>HTTP\/1\.1 (?!200)\d{3} /);
    return [...text.matchAll(/<D:href>([^<]*)/g)].map(([, href]) => href).sort();
  };
  const told = ['/svc/r/Left/a/1%20x.txt', '/svc/r/Left/a/b/2.txt'];
  assert.deepEqual(await hrefsOf(await alice('r/Left/a/', { method: 'DELETE' })), told);
  const left = ['a/', 'a/1 x.txt', 'a/b/', 'a/b/2.txt'];
  assert.deepEqual(await names(), left);
  const destination = '/svc/r/Left/z/';
  assert.deepEqual(await hrefsOf(await alice('r/Left/a/', { method: 'MOVE', headers: { destination } })), told);
  assert.deepEqual(await names(), [...left, 'z/', 'z/1 x.txt', 'z/b/', 'z/b/2.txt']);
  relay.instead = () => undefined;
  assert.equal((await alice('r/Left/a/', { method: 'DELETE' })).status, 204);
  assert.deepEqual(await names(), ['z/', 'z/1 x.txt', 'z/b/', 'z/b/2.txt']);
  // so many are named, and nothing more is tried
  assert.equal((await alice('r/Left/many/', { method: 'MKCOL' })).status, 201);
  for (const [count, tried] of [
    [MAX_FAILED_MEMBERS, MAX_FAILED_MEMBERS],
    [MAX_FAILED_MEMBERS + 1, MAX_FAILED_MEMBERS],
  ] as const) {
    const before = (await names()).filter((name) => /^many\/./.test(name)).length;
    for (let i = before; i < count; i++) await alice(`r/Left/many/${i}`, { method: 'PUT', body: 'x' });
    const asked: string[] = [];
    relay.instead = (command) => (command.startsWith('DELE') && asked.push(command) ? 'XXXX' : undefined);
    const answer = await alice('r/Left/many/', { method: 'DELETE' });
    assert.equal((await hrefsOf(answer)).length, tried);
    assert.equal(asked.length, tried);
    relay.instead = () => undefined;
  }
  assert.deepEqual(gateway.faults, []);
});
