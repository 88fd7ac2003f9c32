// What the client asks of accounts: new mail since the last check.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CITADEL } from '../../../src/room-server/citadel/citadel.ts';
import { Pool } from '../../../src/room-server/connection/pool.ts';
import { EMBEDDED } from '../../../src/room-server/embedded/embedded.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

it('counts mail that came since, also after a number that is beyond all, from before a restored backup', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const pool = new Pool({ target: { path: socketPath }, clientName: 'test', clientVersion: '1.0.0' });
  const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
  t.after(() => {
    pool.close();
    bob.close();
  });
  const mail = async () => {
    await bob.expect('GOTO Mail', 200);
    await bob.send('ENT0 1|ann||4|hello||1', 'Content-type: text/plain\n\nx\n');
  };
  await mail();
  for (const [previous, server] of [undefined, 9999].flatMap((each) =>
    [EMBEDDED, CITADEL].map((one) => [each, one] as const),
  )) {
    const { newMailSince } = server.accounts;
    const before = await newMailSince(pool, { user: 'ann', password: 'annpw' }, previous);
    assert.equal(before.count, 0);
    await mail();
    const { count } = await newMailSince(pool, { user: 'ann', password: 'annpw' }, before.inbox);
    assert.equal(count, 1);
  }
});
