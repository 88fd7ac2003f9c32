import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  KNOWN_NETWORK_SECONDS,
  LOGIN_HOLD_SECONDS,
  LOGIN_WINDOW_SECONDS,
  MAX_KNOWN_NETWORKS_PER_ACCOUNT,
  MAX_LOGIN_FAILURES,
} from '../../../../src/limits/sessions.ts';
import { eventually } from '../../../support/eventually.ts';
import { openTestFleet } from '../../../support/redis-fleet.ts';
import { startRedis, type TestStore } from '../../../support/redis-server.ts';

const KEYS = ['account:ann', 'address:192.0.2.1'];

/** Names of a kind, each with the seconds that it stays. */
async function timesOf(store: TestStore, kind: string): Promise<number[]> {
  const names = (await store.ask('KEYS', `vestibule:{throttle}:${kind}:*`)) as Buffer[];
  return Promise.all(names.map(async (name) => Number(await store.ask('TTL', String(name)))));
}

describe('failed log-ins in a store', () => {
  it('go by themselves, as do places that nobody gives back, and networks', async (t) => {
    const store = await startRedis(t);
    const { throttle } = await openTestFleet(t, store.address);
    await throttle.check(KEYS);
    await throttle.failed(KEYS);
    await throttle.check(KEYS);
    const near = (times: number[], seconds: number) => times.every((time) => time > seconds - 20 && time <= seconds);
    const failed = await timesOf(store, 'failed');
    assert.ok(failed.length === 2 && near(failed, LOGIN_WINDOW_SECONDS));
    const held = await timesOf(store, 'held');
    assert.ok(held.length === 2 && near(held, LOGIN_HOLD_SECONDS));
    await throttle.succeeded(KEYS);
    assert.deepEqual(await timesOf(store, 'held'), []);
    assert.ok(near(await timesOf(store, 'known'), KNOWN_NETWORK_SECONDS));
    assert.deepEqual(String(await store.ask('KEYS', '*ann*')), '', 'names are hashes');
  });

  it('are forgotten by a gateway that died, when their time is over', async (t) => {
    const store = await startRedis(t);
    const [one, other] = [await openTestFleet(t, store.address), await openTestFleet(t, store.address)];
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await one.throttle.check(KEYS);
    const waiting = other.throttle.check(KEYS);
    for (const name of (await store.ask('KEYS', '*held*')) as Buffer[]) await store.ask('PEXPIRE', String(name), 1);
    assert.equal(await waiting, 0);
  });

  it('remember so many networks of an account and no more', async (t) => {
    const store = await startRedis(t);
    const { throttle } = await openTestFleet(t, store.address);
    for (let i = 0; i <= MAX_KNOWN_NETWORKS_PER_ACCOUNT; i++)
      await throttle.succeeded(['account:ann', `address:10.0.0.${i}`]);
    const [name] = (await store.ask('KEYS', '*known*')) as Buffer[];
    assert.equal(await store.ask('ZCARD', String(name)), MAX_KNOWN_NETWORKS_PER_ACCOUNT);
  });

  it('let nobody guess while the store is away, and harm nobody whose password is right', async (t) => {
    const store = await startRedis(t);
    const { throttle } = await openTestFleet(t, store.address);
    assert.equal(await throttle.check(KEYS), 0);
    await store.stop();
    await assert.rejects(throttle.check(KEYS), { code: 'shared_unreachable' });
    await assert.rejects(throttle.failed(KEYS), { code: 'shared_unreachable' });
    await throttle.succeeded(KEYS);
    await throttle.withdrawn(KEYS);
    await store.start();
    await eventually(() => throttle.check(KEYS), 0);
  });
});
