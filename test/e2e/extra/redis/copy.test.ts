// What gateways know of log-outs and locks, when the store, or the way to it, is not always there.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseStoreAddress } from '../../../../src/fleet/store-address.ts';
import { LOG_PAGE_ENTRIES, MAX_LOG_ENTRIES, REPLICA_TRUSTED_MS } from '../../../../src/limits/processes.ts';
import { eventually } from '../../../support/eventually.ts';
import { openTestFleet } from '../../../support/redis-fleet.ts';
import { startRedis } from '../../../support/redis-server.ts';

const LATER = Math.floor(Date.now() / 1000) + 1000;
const LOCK = { account: '1', collection: 'c', name: 'n', isShared: false, isDeep: false, ownerXml: '' };

describe('the copy of what gateways share', () => {
  it('has all that was there before, however much it is', async (t) => {
    const store = await startRedis(t);
    const one = await openTestFleet(t, store.address);
    const ids = Array.from({ length: 3 * LOG_PAGE_ENTRIES }, (_, i) => `session-${i}`);
    await Promise.all(ids.map((id) => one.revocations.revoke(id, LATER)));
    await one.locks.add(LOCK, 60);
    const other = await openTestFleet(t, store.address);
    assert.deepEqual(
      ids.filter((id) => other.revocations.isRevoked(id) !== true),
      [],
    );
    assert.equal((await other.locks.inCollection('c')).length, 1);
    assert.equal(await other.revocations.isRevoked('session'), false);
  });

  it('catches up with what was missed while no bell could be heard', async (t) => {
    const store = await startRedis(t);
    const [one, other] = [await openTestFleet(t, store.address), await openTestFleet(t, store.address)];
    await store.ask('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await one.revocations.revoke('session', LATER);
    await one.notices.tell({ about: 'account', usernum: 1 });
    await eventually(async () => other.revocations.isRevoked('session'), true);
    await eventually(async () => other.heard, [{ about: 'account', usernum: 1 }]);
  });

  it('loads all anew where the log no longer goes back so far, and says that something may be missed', async (t) => {
    const store = await startRedis(t);
    const one = await openTestFleet(t, store.address);
    const other = await openTestFleet(t, store.address);
    await store.ask('CLIENT', 'PAUSE', 600, 'ALL'); // both wait; then the log is cut before they read
    const revoked = one.revocations.revoke('a', LATER);
    await store.ask(
      'EVAL',
      `
      for i = 1, 20 do
        local n = redis.call('INCR', 'vestibule:{fleet}:count')
        redis.call('XADD', 'vestibule:{fleet}:log', n .. '-0', 'd', '{"revoked":[]}')
      end
      redis.call('ZADD', 'vestibule:{fleet}:revoked', ${LATER}, 'unseen')
      redis.call('XTRIM', 'vestibule:{fleet}:log', 'MAXLEN', 2)
      return 1`,
      0,
    );
    await revoked;
    for (const fleet of [one, other]) {
      await eventually(async () => fleet.revocations.isRevoked('unseen'), true);
      await eventually(async () => fleet.heard, [{ about: 'gap' }]);
    }
    assert.equal(other.revocations.isRevoked('a'), true);
  });

  it('passes over what no gateway of this release has written, and says that something may be missed', async (t) => {
    const store = await startRedis(t);
    const one = await openTestFleet(t, store.address);
    const other = await openTestFleet(t, store.address);
    const strange = ['', '{', 'null', '{"revoked":[7]}', '{"put":[{}],"gone":[]}', '{"notice":{},"from":"x"}'];
    for (const [i, text] of strange.entries()) {
      await store.ask('HSET', 'vestibule:{fleet}:locks', `lock ${i}`, text);
      const number = Number(await store.ask('INCR', 'vestibule:{fleet}:count'));
      await store.ask('XADD', 'vestibule:{fleet}:log', `${number}-0`, 'd', text);
      await eventually(async () => other.heard.length, i + 1);
      assert.deepEqual(other.heard.at(-1), { about: 'gap' });
      await one.revocations.revoke(`session-${i}`, LATER);
      assert.equal(other.revocations.isRevoked(`session-${i}`), true, text);
    }
    await one.locks.add(LOCK, 60);
    assert.equal((await other.locks.inCollection('c')).length, 1);
    const late = await openTestFleet(t, store.address);
    assert.equal((await late.locks.inCollection('c')).length, 1);
    assert.equal(late.revocations.isRevoked('session-0'), true);
  });

  it('keeps the log short', async (t) => {
    const store = await startRedis(t);
    const one = await openTestFleet(t, store.address);
    const count = Math.ceil(MAX_LOG_ENTRIES * 1.2);
    for (let i = 0; i < count; i += 100) {
      const some = Array.from({ length: 100 }, () => one.notices.tell({ about: 'account', usernum: 1 }));
      await Promise.all(some);
    }
    assert.ok(Number(await store.ask('XLEN', 'vestibule:{fleet}:log')) < MAX_LOG_ENTRIES * 1.1);
  });

  it('is what gives a store that was emptied its log-outs back', async (t) => {
    const store = await startRedis(t);
    const [one, other] = [await openTestFleet(t, store.address), await openTestFleet(t, store.address)];
    await one.revocations.revoke('session', LATER);
    await one.locks.add(LOCK, 60);
    await store.ask('FLUSHALL');
    await eventually(
      async () => String(await store.ask('ZSCORE', 'vestibule:{fleet}:revoked', 'session')),
      String(LATER),
    );
    await eventually(async () => other.locks.isEmpty(), true);
    assert.equal(other.revocations.isRevoked('session'), true);
    const third = await openTestFleet(t, store.address);
    assert.equal(third.revocations.isRevoked('session'), true);
  });

  it('does not outlive its time where nothing is heard of the store', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    await fleet.revocations.revoke('known', LATER);
    await store.stop();
    const real = performance.now.bind(performance);
    assert.equal(fleet.revocations.isRevoked('other'), false, 'nobody can have logged out meanwhile');
    t.mock.method(performance, 'now', () => real() + REPLICA_TRUSTED_MS);
    assert.equal(fleet.revocations.isRevoked('known'), true);
    await assert.rejects(async () => fleet.revocations.isRevoked('other'), { code: 'shared_unreachable' });
    await assert.rejects(fleet.locks.isEmpty(), { code: 'shared_unreachable' });
    await store.start();
    await eventually(async () => fleet.revocations.isRevoked('other'), false);
  });

  it('knows nothing before it has reached the store, and refuses', async (t) => {
    const store = await startRedis(t);
    await store.stop();
    const fleet = await openTestFleet(t, store.address, false);
    await assert.rejects(async () => fleet.revocations.isRevoked('any'), { code: 'shared_unreachable' });
    await store.start();
    await eventually(async () => fleet.revocations.isRevoked('any'), false);
  });

  it('goes by the clock of the store, not by that of the gateway', async (t) => {
    const store = await startRedis(t);
    const real = Date.now.bind(Date);
    const fast = t.mock.method(Date, 'now', () => real() + 3_600_000);
    const fleet = await openTestFleet(t, parseStoreAddress(store.url)!);
    const result = await fleet.locks.add(LOCK, 60);
    assert.ok('taken' in result && Math.abs(result.taken.until - 60 - real() / 1000) < 10);
    fast.mock.restore();
    const other = await openTestFleet(t, store.address);
    assert.equal((await other.locks.inCollection('c')).length, 1);
    assert.equal((await fleet.uploads.list('x')).length, 0);
  });
});
