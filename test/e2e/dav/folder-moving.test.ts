// MOVE and COPY of folders with all that lies below.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { hrefsIn, startDavWorld } from '../../support/dav-world.ts';

const { alice, newRoom } = await startDavWorld({ after });
const to = (path: string, more: Record<string, string> = {}) => ({ destination: `/svc/${path}`, ...more });
const below = async (path: string) => {
  const told = await alice('PROPFIND', path, { depth: '1' });
  return told.status === 404
    ? 404
    : hrefsIn(told)
        .map((href) => href.replace(/^.*World-\d+\//, ''))
        .sort();
};
const tree = () => newRoom('a/', 'a/1.txt', 'a/in/', 'a/in/2.txt');

it('A folder goes with all below it, under its new name', async () => {
  const room = await tree();
  const moved = await alice('MOVE', `${room}/a/`, to(`${room}/b`));
  assert.deepEqual([moved.status, moved.headers.get('location')], [201, `/svc/${room}/b/`]);
  assert.equal(await below(`${room}/a/`), 404);
  assert.deepEqual(await below(`${room}/b/in/`), ['b/in/', 'b/in/2.txt']);
});

it('A copy takes all along, or at Depth 0 the folder alone', async () => {
  const room = await tree();
  assert.equal((await alice('COPY', `${room}/a/`, to(`${room}/all/`))).status, 201);
  assert.equal((await alice('COPY', `${room}/a/`, to(`${room}/bare/`, { depth: '0' }))).status, 201);
  assert.deepEqual(await below(`${room}/all/`), ['all/', 'all/1.txt', 'all/in/']);
  assert.deepEqual(await below(`${room}/bare/`), ['bare/']);
  assert.deepEqual(await below(`${room}/a/`), ['a/', 'a/1.txt', 'a/in/']);
});

it('A folder that is there is replaced as a whole, unless Overwrite says F', async () => {
  const room = await newRoom('a/', 'a/1.txt', 'b/', 'b/old.txt');
  assert.equal((await alice('COPY', `${room}/a/`, to(`${room}/b/`, { overwrite: 'F' }))).status, 412);
  assert.deepEqual(await below(`${room}/b/`), ['b/', 'b/old.txt']);
  assert.equal((await alice('COPY', `${room}/a/`, to(`${room}/b/`))).status, 204);
  assert.deepEqual(await below(`${room}/b/`), ['b/', 'b/1.txt']);
});

it('A folder goes not into itself, nor where it lies, nor where there are none, nor in part', async () => {
  const room = await tree();
  for (const [from, path, status] of [
    ['a/', `${room}/a/in/b`, 403],
    ['a/in/', `${room}/a`, 403],
    ['a/', 'r/Lobby/a', 409],
    ['a/', `${room}/none/b`, 409],
  ] as const) {
    for (const method of ['MOVE', 'COPY']) {
      assert.equal((await alice(method, `${room}/${from}`, to(path))).status, status, `${method} ${path}`);
    }
  }
  assert.equal((await alice('MOVE', `${room}/a/`, to(`${room}/b`, { depth: '0' }))).status, 400);
  assert.equal((await alice('COPY', `${room}/a/`, to(`${room}/b`, { depth: '1' }))).status, 400);
  assert.deepEqual(await below(`${room}/`), ['', 'a/']);
});
