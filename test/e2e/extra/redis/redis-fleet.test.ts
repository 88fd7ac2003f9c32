import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { parseStoreAddress } from '../../../../src/fleet/store-address.ts';
import { MAX_UNSENT_NOTICES } from '../../../../src/limits/processes.ts';
import { eventually } from '../../../support/eventually.ts';
import { openTestFleet } from '../../../support/redis-fleet.ts';
import { startRedis } from '../../../support/redis-server.ts';

const LATER = Math.floor(Date.now() / 1000) + 1000;

describe('a fleet whose store comes and goes', () => {
  it('refuses a log-out that it cannot note, and goes on refusing those that it knows', async (t) => {
    const store = await startRedis(t, { words: ['--appendonly', 'yes'] });
    const [one, other] = [await openTestFleet(t, store.address), await openTestFleet(t, store.address)];
    await one.revocations.revoke('before', LATER);
    await store.stop();
    await assert.rejects(one.revocations.revoke('meanwhile', LATER), { code: 'shared_unreachable' });
    for (const { revocations } of [one, other]) {
      assert.equal(revocations.isRevoked('before'), true);
      assert.equal(revocations.isRevoked('meanwhile'), false);
    }
    await store.start();
    await eventually(async () => one.revocations.revoke('meanwhile', LATER), undefined);
    await eventually(async () => other.revocations.isRevoked('meanwhile'), true);
    const third = await openTestFleet(t, store.address);
    assert.equal(third.revocations.isRevoked('before'), true);
  });

  it('tells the operator once that it is away, and why, and once that it is back', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address);
    assert.deepEqual(fleet.told, []);
    await store.stop();
    await eventually(async () => fleet.told.length, 1);
    assert.match(fleet.told[0]!, new RegExp(`^The shared store .* is unreachable: 127.0.0.1:${store.port}: `));
    await store.start();
    await eventually(async () => fleet.told.slice(1), ['The shared store (--shared) is available again.']);
  });

  it('answers as if it were away where others have written what is its own, and tells the operator so', async (t) => {
    const store = await startRedis(t);
    const keys = ['account:ann'];
    const fleet = await openTestFleet(t, store.address);
    const upload = { uploadfilename: 'a', contenttype: 'b/c' };
    const { ref } = await fleet.uploads.add('ann', upload, async (path) => {
      await writeFile(path, 'content');
      return 7;
    });
    const record = (await fleet.uploads.get('ann', ref))!;
    await fleet.throttle.check(keys);
    await fleet.throttle.failed(keys);
    await fleet.revocations.revoke('session', LATER);
    for (const kind of ['string', 'list']) {
      for (const name of (await store.ask('KEYS', '*')) as Buffer[]) {
        await store.ask('DEL', String(name));
        await store.ask(...(kind === 'string' ? ['SET'] : ['RPUSH']), String(name), 'of others');
      }
      const refused = { code: 'shared_unreachable' };
      await assert.rejects(fleet.uploads.list('ann'), refused);
      await assert.rejects(fleet.uploads.get('ann', ref), refused);
      await assert.rejects(
        fleet.uploads.add('ann', upload, async () => 0),
        refused,
      );
      await assert.rejects(fleet.uploads.remove('ann', ref), refused);
      await assert.rejects(fleet.throttle.check(keys), refused);
      await assert.rejects(fleet.revocations.revoke('other', LATER), refused);
      const lock = { account: 'ann', collection: '1', name: 'a', ownerXml: '', isShared: false, isDeep: false };
      await assert.rejects(fleet.locks.add(lock, 100), refused);
      await fleet.notices.tell({ about: 'account', usernum: 7 });
      if (kind === 'list') await assert.rejects(Array.fromAsync(fleet.uploads.open(record)), refused);
    }
    assert.match(fleet.told.join('\n'), /data of something else: WRONGTYPE/);
  });

  it('tells later what it could not tell', async (t) => {
    const store = await startRedis(t, { words: ['--appendonly', 'yes'] });
    const [one, other] = [await openTestFleet(t, store.address), await openTestFleet(t, store.address)];
    await store.stop();
    const tell = (usernum: number) => one.notices.tell({ about: 'account', usernum });
    await Promise.all(Array.from({ length: MAX_UNSENT_NOTICES + 1 }, (_, i) => tell(i)));
    assert.equal(one.heard.length, MAX_UNSENT_NOTICES + 1, 'it has heard itself');
    await store.start();
    const isAccount = (notice: unknown) => (notice as { about: string }).about === 'account';
    await eventually(async () => other.heard.filter(isAccount).length, MAX_UNSENT_NOTICES);
    assert.ok(!other.heard.some((notice) => (notice as { usernum?: number }).usernum === 0), 'the oldest went');
  });

  it('needs no more of the store than the guide says', async (t) => {
    const store = await startRedis(t);
    const page = await readFile(new URL('../../../../static/guide/fleet.html', import.meta.url), 'utf8');
    const [, rule] = /ACL SETUSER vestibule (on [^<]*)/.exec(page)!;
    const words = rule!.replaceAll('&gt;', '>').replaceAll('&amp;', '&').split(' ');
    await store.ask('ACL', 'SETUSER', 'vestibule', ...words);
    const address = parseStoreAddress(store.url.replace('redis://', 'redis://vestibule:PASSWORD@'))!;
    const [one, other] = [await openTestFleet(t, address), await openTestFleet(t, address)];
    await one.revocations.revoke('session', LATER);
    assert.equal(other.revocations.isRevoked('session'), true);
    await one.notices.tell({ about: 'account', usernum: 7 });
    assert.deepEqual(other.heard, [{ about: 'account', usernum: 7 }]);
    assert.equal(await one.throttle.check(['account:ann']), 0);
    const { ref } = await one.uploads.add('ann', { uploadfilename: 'a', contenttype: 'b/c' }, async (path) => {
      await writeFile(path, 'content');
      return 7;
    });
    assert.equal(await other.uploads.remove('ann', ref), true);
    assert.equal(await other.locks.isEmpty(), true);
  });

  it('remembers so many log-outs and no more, but forgets those whose cookies have expired', async (t) => {
    const store = await startRedis(t);
    const fleet = await openTestFleet(t, store.address, true, { maxRevocations: 3 });
    const key = 'vestibule:{fleet}:revoked';
    for (const id of ['a', 'b', 'c']) await fleet.revocations.revoke(id, LATER);
    await assert.rejects(fleet.revocations.revoke('d', LATER), { code: 'insufficient_storage' });
    assert.equal(fleet.revocations.isRevoked('d'), false);
    await store.ask('ZADD', key, 1, 'a', 1, 'b');
    await fleet.revocations.revoke('d', LATER);
    assert.equal(await store.ask('ZCARD', key), 2);
  });
});
