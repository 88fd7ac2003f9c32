import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../../src/errors.ts';
import { StoreClient, script, slotOf } from '../../../../src/extra/resp/store-client.ts';
import { eventually } from '../../../support/eventually.ts';
import { startRedis, startRedisCluster } from '../../../support/redis-server.ts';

describe('the client of one server', () => {
  it('runs a script that the server has never seen, or has forgotten', async (t) => {
    const store = await startRedis(t);
    const client = new StoreClient(store.address, undefined);
    t.after(() => client.close());
    const add = script("return redis.call('INCRBY', KEYS[1], ARGV[1])");
    assert.equal(await client.run(add, ['n'], [2]), 2);
    assert.equal(await client.run(add, ['n'], [3]), 5);
    await store.ask('SCRIPT', 'FLUSH');
    assert.equal(await client.run(add, ['n'], [1]), 6);
  });

  it('tells a full store from one that is away, and both from what others wrote and a fault of ours', async (t) => {
    const store = await startRedis(t, { password: 'secret' });
    const told: string[] = [];
    const client = new StoreClient(store.address, undefined, ({ word }) => void told.push(word));
    t.after(() => client.close());
    await store.ask('CONFIG', 'SET', 'maxmemory', '1');
    await assert.rejects(client.ask('a', ['SET', 'a', 'b']), { code: 'insufficient_storage' });
    await store.ask('CONFIG', 'SET', 'maxmemory', '0');
    await assert.rejects(client.ask('a', ['LPOP']), (error) => !(error instanceof AppError));
    await store.ask('SET', 'text', 'of others');
    await assert.rejects(client.ask('text', ['HGETALL', 'text']), { code: 'shared_unreachable' });
    const count = script("return redis.call('GET', KEYS[1]) + 1");
    await assert.rejects(client.run(count, ['text'], []), { code: 'shared_unreachable' });
    assert.deepEqual(told, ['WRONGTYPE', 'ERR']);
    await store.ask('REPLICAOF', '127.0.0.1', 1);
    await assert.rejects(client.ask('a', ['SET', 'a', 'b']), { code: 'shared_unreachable' });
    await store.ask('REPLICAOF', 'NO', 'ONE');
    await eventually<unknown>(() => client.ask('a', ['SET', 'a', 'b']), 'OK');
    const wrong = new StoreClient({ ...store.address, password: 'other' }, undefined);
    t.after(() => wrong.close());
    await assert.rejects(wrong.ask('a', ['GET', 'a']), { code: 'shared_unreachable' });
  });
});

describe('the client of a cluster', () => {
  it('asks the node that has a key, also while its slot moves and afterwards', async (t) => {
    const { nodes, address } = await startRedisCluster(t);
    const client = new StoreClient({ ...address, hosts: address.hosts.slice(0, 1) }, undefined);
    t.after(() => client.close());
    const keys = Array.from({ length: 60 }, (_, i) => `key ${i}`);
    await Promise.all(keys.map((key) => client.ask(key, ['SET', key, key])));
    const sizes = await Promise.all(nodes.map((node) => node.ask('DBSIZE')));
    assert.equal(
      (sizes as number[]).reduce((sum, size) => sum + size, 0),
      keys.length,
    );
    assert.ok(sizes.every((size) => Number(size) > 0));

    const from = nodes[0]!;
    const to = nodes[1]!;
    const key = keys.find((each) => slotOf(each) < 5461)!;
    const slot = slotOf(key);
    const [fromId, toId] = await Promise.all([from, to].map(async (node) => String(await node.ask('CLUSTER', 'MYID'))));
    await to.ask('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId!);
    await from.ask('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId!);
    await from.ask('MIGRATE', '127.0.0.1', to.port, key, 0, 5000);
    assert.equal(String(await client.ask(key, ['GET', key])), key, 'ASK');
    const fresh = `{${key}} two`;
    await client.ask(fresh, ['SET', fresh, 'made on its way']);
    for (const node of [to, from, nodes[2]!]) await node.ask('CLUSTER', 'SETSLOT', slot, 'NODE', toId!);
    assert.equal(String(await client.ask(key, ['GET', key])), key, 'MOVED');
    assert.equal(String(await client.ask(fresh, ['GET', fresh])), 'made on its way');
    const script1 = script("return redis.call('MGET', KEYS[1], KEYS[2])");
    assert.deepEqual(String(await client.run(script1, [key, fresh], [])), `${key},made on its way`);
  });

  it('goes on with the nodes that are there, and says of what one had that it is away', async (t) => {
    const { nodes, address } = await startRedisCluster(t);
    const client = new StoreClient(address, undefined);
    t.after(() => client.close());
    for (const node of nodes) await node.ask('CONFIG', 'SET', 'cluster-require-full-coverage', 'no');
    const keyOn = (i: number) =>
      Array.from({ length: 100 }, (_, n) => `key ${n}`).find((key) => Math.floor(slotOf(key) / 5462) === i)!;
    const keys = [0, 1, 2].map(keyOn);
    for (const key of keys) await client.ask(key, ['SET', key, 'x']);
    await nodes[2]!.stop();
    await assert.rejects(client.ask(keys[2]!, ['GET', keys[2]!]), { code: 'shared_unreachable' });
    await eventually(async () => String(await client.ask(keys[0]!, ['GET', keys[0]!])), 'x');
    await nodes[2]!.start();
    await eventually<unknown>(() => client.ask(keys[2]!, ['SET', keys[2]!, 'y']), 'OK');
  });
});
