// Who is online, as the gateway's own sessions show there.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Pool } from '../../../src/room-server/connection/pool.ts';
import { listOnline } from '../../../src/room-server/users.ts';
import { startRoomServer } from '../../support/room-server.ts';

it('shows the program and version by which a session of the gateway is known', async (t) => {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4 } });
  const pool = new Pool({ target: { path: socketPath }, clientName: 'Gateway', clientVersion: '1.2.3' });
  t.after(() => pool.close());
  const online = await listOnline(pool, { user: 'ann', password: 'annpw' });
  assert.deepEqual(
    online.map(({ user, client }) => [user, client]),
    [['ann', 'Gateway 1.2.3']],
  );
});
