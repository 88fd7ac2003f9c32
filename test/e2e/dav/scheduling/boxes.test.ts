// The scheduling inbox and outbox of a caller.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { hrefsIn, startDavWorld } from '../../../support/dav-world.ts';

const { alice, bob, nobody } = await startDavWorld({ after });

it('Both are there, of the kinds that clients look for, with what may be done in them', async () => {
  for (const [box, type, privilege] of [
    ['inbox', 'schedule-inbox', 'unbind'],
    ['outbox', 'schedule-outbox', 'bind'],
  ] as const) {
    const body = '<D:propfind><D:prop><D:resourcetype/><D:current-user-privilege-set/></D:prop></D:propfind>';
    const told = await alice('PROPFIND', `u/alice/${box}/`, {}, body);
    assert.deepEqual(hrefsIn(told), [`/svc/u/alice/${box}/`]);
    assert.match(told.text, new RegExp(`<D:collection/><C:${type}/>`));
    assert.match(told.text, new RegExp(`<D:${privilege}/>`));
    assert.doesNotMatch(told.text, /<D:write\/>|<D:write-content\/>/);
  }
});

it('A client that spells its name otherwise is told of it as it asks', async () => {
  assert.deepEqual(hrefsIn(await alice('PROPFIND', 'u/ALICE/inbox/', { depth: '1' }))[0], '/svc/u/ALICE/inbox/');
});

it('They are their owner’s only, and are not looked through to the end', async () => {
  for (const box of ['inbox', 'outbox']) {
    assert.equal((await bob('PROPFIND', `u/alice/${box}/`, { depth: '0' })).status, 403);
    assert.equal((await nobody('PROPFIND', `u/alice/${box}/`, { depth: '0' })).status, 401);
    const deep = await alice('PROPFIND', `u/alice/${box}/`, { depth: 'infinity' });
    assert.equal(deep.status, 403);
    assert.match(deep.text, /propfind-finite-depth/);
  }
  assert.equal((await bob('REPORT', 'u/alice/inbox/', {}, '<D:expand-property/>')).status, 403);
});

it('An empty inbox has no messages, and is synchronised all the same', async () => {
  assert.equal((await alice('PROPFIND', 'u/alice/inbox/1', { depth: '0' })).status, 404);
  assert.equal((await alice('GET', 'u/alice/inbox/1')).status, 404);
  const sync = '<D:sync-collection><D:sync-token/><D:sync-level>1</D:sync-level><D:prop/></D:sync-collection>';
  assert.match((await alice('REPORT', 'u/alice/inbox/', {}, sync)).text, /<D:sync-token>[^<]+</);
  const query =
    '<C:free-busy-query><C:time-range start="20260101T000000Z" end="20260102T000000Z"/></C:free-busy-query>';
  assert.equal((await alice('REPORT', 'u/alice/inbox/', {}, query)).status, 403, 'no report of an inbox');
});
