import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { masterLocator, StoreClient } from '../../../../src/extra/resp/store-client.ts';
import { parseStoreAddress } from '../../../../src/fleet/store-address.ts';
import { eventually } from '../../../support/eventually.ts';
import { freePort, startRedis } from '../../../support/redis-server.ts';

const PLAIN = { user: undefined, password: undefined, database: 0, tls: undefined };

it('the master is who the sentinels name; after a failover another one, with what was written', async (t) => {
  const master = await startRedis(t);
  const replica = await startRedis(t, { words: ['--replicaof', '127.0.0.1', String(master.port)] });
  await eventually(async () => String(await replica.ask('INFO', 'replication')), /master_link_status:up/);
  const config = join(master.folder, 'sentinel.conf');
  const rows = [
    `sentinel monitor main 127.0.0.1 ${master.port} 1`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 2000',
  ];
  await writeFile(config, rows.map((row) => `${row}\n`).join(''));
  const sentinel = await startRedis(t, { sentinelConfig: config });
  const nobody = await freePort();
  const address = parseStoreAddress(`redis+sentinel://127.0.0.1:${nobody},127.0.0.1:${sentinel.port}/main/0`)!;
  assert.equal((await masterLocator(address, PLAIN)()).port, master.port);
  const unknown = parseStoreAddress(`redis+sentinel://127.0.0.1:${sentinel.port}/other`)!;
  await assert.rejects(masterLocator(unknown, PLAIN)(), { code: 'shared_unreachable' });

  const client = new StoreClient(address, undefined);
  t.after(() => client.close());
  await client.ask('a', ['SET', 'a', 'kept']);
  // WAIT of another connection would wait for nothing of this one
  await eventually(async () => String(await replica.ask('GET', 'a')), 'kept');
  await eventually(
    async () => String(await sentinel.ask('SENTINEL', 'replicas', 'main')),
    new RegExp(`${replica.port}`),
  );
  await master.stop();
  await assert.rejects(client.ask('a', ['GET', 'a']), { code: 'shared_unreachable' });
  await eventually(async () => String(await client.ask('a', ['GET', 'a'])), 'kept');
  await client.ask('a', ['SET', 'a', 'new']);
  assert.equal(String(await replica.ask('GET', 'a')), 'new');
});
