// What is told of quotas: nothing is asked where nobody wants it, or no room server tells it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { quotaOf } from '../../../src/gateway/collection/properties.ts';
import { askedServer, listing, ownInfo } from '../../support/asked-server.ts';
import { contextsAt } from '../../support/room-context.ts';

const MEMB = listing('100|5000');

it('our own server tells it, of a room and of all', async (t) => {
  const { server, sent } = await askedServer(t, { INFO: ownInfo(), MEMB });
  const { app, caller, room } = contextsAt(t, server.path)('ann', 'Box');
  assert.deepEqual(await quotaOf(app, caller, true, room), { used: 100, available: 5000 });
  assert.deepEqual(await quotaOf(app, caller, true), { used: 100, available: 5000 });
  assert.deepEqual(sent(/^MEMB/), ['MEMB quota', 'MEMB quota|all']);
});

it('nothing is asked where it is not wanted, and any other server is not asked', async (t) => {
  for (const [INFO, isWanted] of [
    [ownInfo(), false],
    [ownInfo('PROP'), true],
    [listing('1', 'node'), true],
  ] as const) {
    const { server, sent } = await askedServer(t, { INFO, MEMB });
    const { app, caller, room } = contextsAt(t, server.path)('ann', 'Box');
    assert.equal(await quotaOf(app, caller, isWanted, room), undefined);
    assert.deepEqual(sent(/^MEMB/), []);
  }
});
