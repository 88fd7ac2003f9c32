import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startRoomServer, type TestRoomServerOptions } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

async function world(t: TestContext, options: TestRoomServerOptions = {}) {
  const rooms = await startRoomServer(t, { users: { ann: 4 }, ...options });
  const admin = await WireClient.login(rooms.socketPath, 'admin', 'adminpw');
  const ann = await WireClient.login(rooms.socketPath, 'ann', 'annpw');
  return { ...rooms, admin, ann };
}

describe('what has to do with other servers', () => {
  it('is refused to those who may ask, and says nothing to others', async (t) => {
    const { admin, ann } = await world(t);
    await ann.expect('GNET', 550);
    await ann.expect('SNET', 550);
    assert.deepEqual((await admin.expect('GNET', 100)).lines, []);
    await admin.expect('SNET', 530);
    await ann.expect('GOTO Mail', 200);
    await ann.expect('GNET', 100);
    await ann.expect('STLS', 530);
    await ann.expect('NOOP', 200);
  });

  it('lets nobody into a room by LSUB', async (t) => {
    const { admin, ann } = await world(t);
    await admin.expect('CRE8 1|Vault|3', 200);
    const unknown = (await ann.text('LSUB subscribe|Nowhere|a@b|x')).replace('Nowhere', 'NAME');
    const known = (await ann.text('LSUB subscribe|Vault|a@b|x')).replace('Vault', 'NAME');
    assert.equal(known, unknown);
    assert.match(await ann.text('LSUB subscribe|Lobby|a@b|x'), /does not accept/);
    assert.match(await ann.text('STAT'), /^200 Lobby\|/);
    await ann.expect('LSUB bogus|Lobby', 512);
  });
});
