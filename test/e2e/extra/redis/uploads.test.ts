import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Fleet } from '../../../../src/fleet/fleet.ts';
import { UPLOAD_CHUNK_BYTES, UPLOAD_LEASE_SECONDS, UPLOAD_PART_SECONDS } from '../../../../src/limits/processes.ts';
import {
  MAX_UPLOAD_BYTES_PER_USER,
  MAX_UPLOADS_UNDER_WAY_PER_USER,
  UPLOAD_SECONDS,
} from '../../../../src/limits/sessions.ts';
import { eventually } from '../../../support/eventually.ts';
import { openTestFleet } from '../../../support/redis-fleet.ts';
import { startRedis, type TestStore } from '../../../support/redis-server.ts';

const FILE = { uploadfilename: 'a', contenttype: 'text/plain' };
const CONTENT = Buffer.alloc(3 * UPLOAD_CHUNK_BYTES + 1, 'abc');

const add = ({ uploads }: Fleet, owner: string, content: Buffer = CONTENT) =>
  uploads.add(owner, FILE, async (path) => {
    await writeFile(path, content);
    return content.length;
  });
const chunksIn = async (store: TestStore) => ((await store.ask('KEYS', 'vestibule:upload:*')) as Buffer[]).map(String);

describe('uploads in a store', () => {
  it('leave nothing on the gateway, and nothing in the store when they are removed', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    const { ref } = await add(fleet, 'ann');
    assert.deepEqual(await readdir(fleet.folder), []);
    const chunks = await chunksIn(store);
    assert.equal(chunks.length, 4);
    for (const chunk of chunks)
      assert.ok(Number(await store.ask('TTL', chunk)) > UPLOAD_SECONDS, 'longer than the record');
    await fleet.uploads.remove('ann', ref);
    assert.deepEqual(await chunksIn(store), []);
    assert.equal(String(await store.ask('KEYS', '*uploads*')), '');
  });

  it('are not there where what the store says of them is no record; the others are', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    const [spoiled, other] = [await add(fleet, 'ann'), await add(fleet, 'ann')];
    const [records] = (await store.ask('KEYS', '*:uploads:records')) as Buffer[];
    for (const text of ['{', '{}', 'null']) {
      await store.ask('HSET', String(records), spoiled.ref, text);
      assert.equal(await fleet.uploads.get('ann', spoiled.ref), undefined, text);
      assert.deepEqual(
        (await fleet.uploads.list('ann')).map(({ ref }) => ref),
        [other.ref],
      );
    }
    assert.equal(await fleet.uploads.remove('ann', spoiled.ref), true);
  });

  it('expire by the clock of the store', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    const { ref } = await add(fleet, 'ann');
    const [order] = (await store.ask('KEYS', '*:uploads:order')) as Buffer[];
    await store.ask('ZINCRBY', String(order), -(UPLOAD_SECONDS - 5) * 1e6, ref);
    assert.ok(await fleet.uploads.get('ann', ref));
    await store.ask('ZINCRBY', String(order), -6e6, ref);
    assert.equal(await fleet.uploads.get('ann', ref), undefined);
    assert.deepEqual(await fleet.uploads.list('ann'), []);
    assert.equal(await fleet.uploads.remove('ann', ref), false);
    await add(fleet, 'ann', Buffer.alloc(0));
    assert.equal(await store.ask('ZCARD', String(order)), 1, 'what has expired is dropped with the next one');
  });

  it('that never become whole go by themselves, with all that they hold', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const cut = fleet.uploads.add('ann', FILE, async (path) => {
      begun.resolve();
      await gate.promise;
      await writeFile(path, CONTENT);
      return CONTENT.length;
    });
    cut.catch(() => {});
    await begun.promise;
    const [leases] = (await store.ask('KEYS', '*:under-way')) as Buffer[];
    const [, until] = (await store.ask('ZRANGE', String(leases), 0, -1, 'WITHSCORES')) as Buffer[];
    assert.ok(Math.abs(Number(until) - Date.now() - UPLOAD_LEASE_SECONDS * 1000) < 10_000);
    await store.ask('DEL', String(leases)); // as after its time
    gate.resolve();
    await assert.rejects(cut, { code: 'busy' });
    assert.deepEqual(await fleet.uploads.list('ann'), []);
    await store.ask('SET', 'vestibule:upload:x:0', 'a', 'EX', UPLOAD_PART_SECONDS);
    assert.ok(UPLOAD_PART_SECONDS < UPLOAD_SECONDS);
  });

  it('of a gateway that died no longer count when their leases are over', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    const never = Promise.withResolvers<number>();
    const begun: Promise<void>[] = [];
    for (let i = 0; i < MAX_UPLOADS_UNDER_WAY_PER_USER; i++) {
      const start = Promise.withResolvers<void>();
      begun.push(start.promise);
      const save = () => {
        start.resolve();
        return never.promise;
      };
      fleet.uploads.add('ann', FILE, save).catch(() => {});
    }
    await Promise.all(begun);
    await assert.rejects(add(fleet, 'ann'), { code: 'busy' });
    const [leases] = (await store.ask('KEYS', '*:under-way')) as Buffer[];
    for (const id of (await store.ask('ZRANGE', String(leases), 0, -1)) as Buffer[]) {
      await store.ask('ZADD', String(leases), 1, String(id));
    }
    await add(fleet, 'ann');
    never.resolve(0);
  });

  it('reserve their bytes before any of them is sent', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    await add(fleet, 'ann');
    const [sizes] = (await store.ask('KEYS', '*:uploads:sizes')) as Buffer[];
    await store.ask('HSET', String(sizes), 'other', MAX_UPLOAD_BYTES_PER_USER - 2 * CONTENT.length);
    const two = await Promise.allSettled([add(fleet, 'ann'), add(fleet, 'ann')]);
    const refused = two.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
    assert.deepEqual(refused, ['insufficient_storage']);
    await assert.rejects(add(fleet, 'ann', Buffer.alloc(0)), { code: 'insufficient_storage' });
  });

  it('say that a store is full, and leave none of their chunks in it', async (t) => {
    const store = await startRedis(t, { words: ['--maxmemory-policy', 'noeviction'] });
    const fleet = await openTestFleet(t, store.address);
    const used = Number(/used_memory:(\d+)/.exec(String(await store.ask('INFO', 'memory')))![1]);
    await store.ask('CONFIG', 'SET', 'maxmemory', used + 4 * UPLOAD_CHUNK_BYTES);
    await assert.rejects(add(fleet, 'ann', Buffer.alloc(16 * UPLOAD_CHUNK_BYTES)), { code: 'insufficient_storage' });
    await eventually(() => chunksIn(store), []);
    assert.deepEqual(await fleet.uploads.list('ann'), []);
    await store.ask('CONFIG', 'SET', 'maxmemory', 0);
    await add(fleet, 'ann');
  });

  it('say that the store is away, in the middle, too, and work again when it is there', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    const before = await add(fleet, 'ann');
    const inTheMiddle = fleet.uploads.add('ann', FILE, async (path) => {
      await store.stop();
      await writeFile(path, CONTENT);
      return CONTENT.length;
    });
    await assert.rejects(inTheMiddle, { code: 'shared_unreachable' });
    await assert.rejects(add(fleet, 'ann'), { code: 'shared_unreachable' });
    await assert.rejects(fleet.uploads.get('ann', before.ref), { code: 'shared_unreachable' });
    assert.deepEqual(await readdir(fleet.folder), []);
    await store.start();
    await eventually(async () => (await add(fleet, 'ann')).contentlength, CONTENT.length);
  });

  it('that a store was asked for while it hung do not count against the user when it goes on', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    await add(fleet, 'ann', Buffer.from('before'));
    const [underWay] = (await store.ask('KEYS', 'vestibule:*:uploads:records')) as [Buffer];
    const key = String(underWay).replace('records', 'under-way');
    store.hang();
    const refused = () => assert.rejects(add(fleet, 'ann'), { code: 'shared_unreachable' });
    await Promise.all(Array.from({ length: MAX_UPLOADS_UNDER_WAY_PER_USER }, refused));
    store.wake();
    await eventually(async () => (await add(fleet, 'ann')).contentlength, CONTENT.length);
    await eventually(() => store.ask('ZCARD', key), 0);
  });
});
