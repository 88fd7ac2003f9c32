// What a room or the whole room server takes.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memberVerb } from '../../../src/room-server/embedded/members.ts';
import { ANN, askedServer, BOX, failsWith, listing } from '../../support/asked-server.ts';

it('is asked of the room, or of the server from wherever one stands', async (t) => {
  const { pool, sent } = await askedServer(t, { MEMB: [listing('100|5000'), listing('700|4000')] });
  assert.deepEqual(await memberVerb.quota(pool, ANN, BOX), { used: 100, available: 5000 });
  assert.deepEqual(await memberVerb.quota(pool, ANN), { used: 700, available: 4000 });
  assert.deepEqual(sent(/^(GOTO|MEMB)/), ['GOTO Box||1', 'MEMB quota', 'MEMB quota|all']);
});

it('is refused where the room may not be read', async (t) => {
  const { pool } = await askedServer(t, { MEMB: '550 not here\n' });
  await assert.rejects(memberVerb.quota(pool, ANN, BOX), failsWith('forbidden', 550));
});
