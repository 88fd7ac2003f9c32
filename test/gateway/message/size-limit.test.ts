import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MessageLimit } from '../../../src/gateway/message/size-limit.ts';
import { Connection } from '../../../src/room-server/connection/connection.ts';
import { Pool } from '../../../src/room-server/connection/pool.ts';
import { faultServer } from '../../support/fault-server.ts';

async function asked(t: TestContext, answer: string) {
  const server = await faultServer({ CONF: answer }, []);
  const connection = await Connection.open({ path: server.path });
  t.after(async () => {
    connection.close();
    await server.close();
  });
  const limit = new MessageLimit();
  const pool = new Pool({ target: { path: server.path }, clientName: 'Test', clientVersion: '1' });
  t.after(() => pool.close());
  await limit.ask(connection, pool);
  await limit.ask(connection, pool);
  const once = ['CONF GETVAL|c_maxmsglen', 'CONF GETVAL|c_maxsessions'];
  assert.deepEqual(server.received.flat(), once, 'asked once in a minute');
  return limit;
}

describe('the size limit of the room server', () => {
  it('lets pass what has its size, and not a byte more', async (t) => {
    const limit = await asked(t, '200 1000|\n');
    assert.equal(limit.bytes, 1000);
    limit.require(1000);
    assert.throws(() => limit.require(1001), { code: 'too_large' });
  });

  it('is none where the room server tells 0 or nothing', async (t) => {
    for (const answer of ['200 0|\n', '200 (null)|\n']) {
      const limit = await asked(t, answer);
      assert.equal(limit.bytes, undefined);
      limit.require(Number.MAX_SAFE_INTEGER);
    }
  });

  it('that was learnt from a message stays when the room server says nothing', () => {
    const limit = new MessageLimit();
    limit.require(Number.MAX_SAFE_INTEGER);
    limit.learn(10);
    assert.throws(() => limit.require(11), { code: 'too_large' });
  });
});
