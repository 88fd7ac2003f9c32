import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import { openTestFleet } from '../../../support/redis-fleet.ts';
import { startRedis } from '../../../support/redis-server.ts';

const lockOn = (name: string) => ({
  account: '1',
  collection: 'c',
  name,
  isShared: false,
  isDeep: false,
  ownerXml: '',
});

describe('locks in a store', () => {
  it('are taken once each, however many gateways want them at once', async (t) => {
    const store = await startRedis(t);
    const fleets = [];
    for (let i = 0; i < 4; i++) fleets.push(await openTestFleet(t, store.address));
    const names = ['a', 'b', 'c'];
    const results = await Promise.all(fleets.flatMap(({ locks }) => names.map((name) => locks.add(lockOn(name), 60))));
    const taken = results.flatMap((result) => ('taken' in result ? [result.taken.name] : []));
    assert.deepEqual(taken.sort(), names);
    for (const { locks } of fleets) assert.equal((await locks.inCollection('c')).length, names.length);
  });

  it('can be read while the store is away, and not taken or given back', async (t) => {
    const store = await startRedis(t);
    const { locks } = await openTestFleet(t, store.address);
    const result = await locks.add(lockOn('a'), 60);
    const { token } = 'taken' in result ? result.taken : assert.fail();
    await store.stop();
    assert.equal((await locks.inCollection('c')).length, 1);
    assert.equal(await locks.isEmpty(), false);
    assert.ok('inTheWay' in (await locks.add(lockOn('a'), 60)));
    await assert.rejects(locks.add(lockOn('b'), 60), { code: 'shared_unreachable' });
    await assert.rejects(locks.remove('c', token), { code: 'shared_unreachable' });
    await locks.removeFrom('c', 'nothing here');
    assert.equal((await locks.inCollection('c')).length, 1);
    await store.start();
    await eventually(async () => 'taken' in (await locks.add(lockOn('b'), 60)), true);
  });
});
