// MKCOL: a personal room of the caller, and in a files room a folder.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startDavWorld } from '../../support/dav-world.ts';

const { alice, bob, nobody, newRoom } = await startDavWorld({ after });

it('A room is made where there is none, and tells its address', async () => {
  const made = await alice('MKCOL', 'r/New%20%C3%BCber/');
  assert.deepEqual([made.status, made.headers.get('location')], [201, '/svc/r/New%20%C3%BCber/']);
  const again = await alice('MKCOL', 'r/new%20%C3%BCber/');
  assert.equal(again.status, 405, 'whatever letters its name is asked with');
  assert.doesNotMatch(again.headers.get('allow')!, /\bMKCOL\b/);
  assert.equal((await bob('MKCOL', 'r/New%20%C3%BCber/')).status, 201, 'bob’s own');
  assert.equal((await nobody('MKCOL', 'r/Other/')).status, 401);
});

it('A folder is made where its parent is, with the slash and without', async () => {
  const room = await newRoom();
  const made = await alice('MKCOL', `${room}/a%20b`);
  assert.deepEqual([made.status, made.headers.get('location')], [201, `/svc/${room}/a%20b/`]);
  assert.equal((await alice('MKCOL', `${room}/a%20b/c/`)).status, 201);
  assert.equal((await alice('MKCOL', `${room}/a%20b/`)).status, 405);
  assert.equal((await alice('MKCOL', `${room}/none/c/`)).status, 409);
  assert.equal((await alice('MKCOL', 'r/Nowhere/a/')).status, 409);
  assert.equal((await alice('MKCOL', 'r/Lobby/a')).status, 403, 'a room of messages');
});

it('A body is for what is not there yet, and has to be one', async () => {
  const room = await newRoom();
  assert.equal((await alice('MKCOL', `${room}/`, {}, '<D:mkcol/>')).status, 405);
  assert.equal((await alice('MKCOL', `${room}/a/`, {}, '<D:mkcol/>')).status, 415);
  assert.equal((await alice('MKCOL', 'r/Unmade/', { 'content-type': 'text/plain' }, 'text')).status, 415);
  assert.equal((await alice('MKCOL', 'r/Unmade/', {}, '<D:propfind/>')).status, 415);
  assert.equal((await alice('PROPFIND', 'r/Unmade/', { depth: '0' })).status, 404);
});

it('A lock on a room keeps folders out, unless its token is sent', async () => {
  const room = await newRoom();
  const info = '<D:lockinfo><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>';
  const token = (await alice('LOCK', `${room}/`, {}, info)).headers.get('lock-token')!;
  assert.equal((await alice('MKCOL', `${room}/a/`)).status, 423);
  assert.equal((await alice('MKCOL', `${room}/a/`, { if: `</svc/${room}/> (${token})` })).status, 201);
});
