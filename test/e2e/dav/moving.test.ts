// MOVE and COPY of messages and files.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startDavWorld } from '../../support/dav-world.ts';

const { alice, bob, newRoom } = await startDavWorld({ after });
const to = (path: string, more: Record<string, string> = {}) => ({ destination: `/svc/${path}`, ...more });
const textAt = async (path: string) => {
  const { status, text } = await alice('GET', path);
  return status === 200 ? text : status;
};

it('A file keeps its number and its content under its new name', async () => {
  const room = await newRoom('a.txt');
  const number = (await alice('HEAD', `${room}/a.txt`)).headers.get('etag');
  const moved = await alice('MOVE', `${room}/a.txt`, to(`${room}/b.txt`));
  assert.equal(moved.status, 201);
  assert.match(moved.headers.get('location')!, new RegExp(`^/svc/${room}/\\d+$`));
  assert.deepEqual([await textAt(`${room}/a.txt`), await textAt(`${room}/b.txt`)], [404, 'a.txt']);
  assert.ok(number);
  assert.equal((await alice('COPY', `${room}/b.txt`, to(`${room}/c.txt`))).status, 201);
  assert.deepEqual([await textAt(`${room}/b.txt`), await textAt(`${room}/c.txt`)], ['a.txt', 'a.txt']);
});

it('What is there is replaced, unless Overwrite says F', async () => {
  const room = await newRoom('a.txt', 'b.txt');
  assert.equal((await alice('COPY', `${room}/a.txt`, to(`${room}/b.txt`, { overwrite: 'F' }))).status, 412);
  assert.equal(await textAt(`${room}/b.txt`), 'b.txt');
  assert.equal((await alice('COPY', `${room}/a.txt`, to(`${room}/b.txt`))).status, 204);
  assert.equal(await textAt(`${room}/b.txt`), 'a.txt');
});

it('A file takes no place of a folder that it lies in, and a folder’s otherwise', async () => {
  const room = await newRoom('docs/', 'docs/a.txt', 'top.txt');
  assert.equal((await alice('MOVE', `${room}/docs/a.txt`, to(`${room}/docs`))).status, 403);
  assert.equal(await textAt(`${room}/docs/a.txt`), 'docs/a.txt');
  assert.equal((await alice('MOVE', `${room}/top.txt`, to(`${room}/docs`))).status, 204);
  assert.deepEqual([await textAt(`${room}/docs`), await textAt(`${room}/docs/a.txt`)], ['top.txt', 404]);
});

it('Into a room as such a file keeps the last segment of its name, and replaces nothing', async () => {
  const [one, other] = [await newRoom('docs/', 'docs/a.txt'), await newRoom('a.txt')];
  assert.equal((await alice('MOVE', `${one}/docs/a.txt`, to(`${other}/`))).status, 412);
  const third = await newRoom();
  assert.equal((await alice('MOVE', `${one}/docs/a.txt`, to(`${third}/`))).status, 201);
  assert.equal(await textAt(`${third}/a.txt`), 'docs/a.txt');
});

it('Numbers are given by the room server, and letters keep their names', async () => {
  const room = await newRoom('a.txt');
  assert.equal((await alice('COPY', `${room}/a.txt`, to(`${room}/999999`))).status, 409);
  const letter = (await alice('PUT', 'r/Lobby/new?subj=hello', {}, 'text')).headers.get('location')!;
  assert.equal((await alice('MOVE', letter, to('r/Town%20Square/name.txt'))).status, 403);
  assert.equal((await alice('MOVE', letter, to('r/Nowhere/'))).status, 409);
  assert.equal((await alice('MOVE', `${room}/none.txt`, to(`${room}/b.txt`))).status, 404);
  assert.equal((await bob('MOVE', `${room}/a.txt`, to('r/Lobby/'))).status, 404, 'it is alice’s room');
});
