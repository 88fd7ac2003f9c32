// What every PROPFIND has: what is asked for, how deep, and the answer.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startDavWorld } from '../../support/dav-world.ts';

const { gateway, alice } = await startDavWorld({ after });
const propfind = (path: string, headers: Record<string, string>, body?: string) =>
  alice('PROPFIND', path, headers, body);

it('Depth takes 0, 1 or infinity, in any case of letters', async () => {
  for (const depth of ['2', '-1', '0,1', '']) assert.equal((await propfind('r/Lobby/', { depth })).status, 400, depth);
  assert.equal((await propfind('r/Lobby/', { depth: ' 1 ' })).status, 207);
  assert.equal((await propfind('r/Lobby/', { depth: 'Infinity' })).status, 403);
});

it('Infinity is refused with its precondition, and is what a missing Depth means on rooms', async () => {
  for (const headers of [{}, { depth: 'infinity' }]) {
    const { status, text } = await propfind('r/Lobby/', headers as Record<string, string>);
    assert.equal(status, 403);
    assert.match(text, /<D:propfind-finite-depth\/>/);
  }
  assert.equal((await propfind('u/alice/', {})).status, 207, 'but not where clients arrive by redirection');
});

it('The address of a collection has its slash, which is told to who has left it out', async () => {
  const without = await propfind('r/Lobby', { depth: '0' });
  assert.equal(without.headers.get('content-location'), '/svc/r/Lobby/');
  assert.match(without.text, /<D:href>\/svc\/r\/Lobby\/<\/D:href>/);
  assert.equal((await propfind('r/Lobby/', { depth: '0' })).headers.get('content-location'), null);
});

it('Who wants little is told nothing of what is not there', async () => {
  const body = '<D:propfind><D:prop><D:displayname/><D:none/></D:prop></D:propfind>';
  assert.match((await propfind('r/Lobby/', { depth: '0' }, body)).text, /404 Not Found/);
  const little = await propfind('r/Lobby/', { depth: '0', prefer: 'return=minimal' }, body);
  assert.doesNotMatch(little.text, /404|D:none/);
  assert.match(little.text, /<D:displayname>Lobby</);
});

it('nothing of it was a fault', () => assert.deepEqual(gateway.faults, []));
