// A folder with all that lies below it: what belongs to it, and that nothing else goes with it.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { findMembers } from '../../../../src/gateway/collection/collection.ts';
import { membersBelow, removeTree } from '../../../../src/gateway/folder/tree.ts';
import { VIEW } from '../../../../src/model.ts';
import { startGateway } from '../../../support/gateway.ts';
import { startRealServer } from '../../../support/real-server.ts';
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
