// What every form of a Fleet does, be it of one process, of several over a channel, or in a real Redis, alone or as a
// cluster: what one gateway has been told, another one knows.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import { openRedisFleet } from '../../src/extra/redis/redis-fleet.ts';
import { type CallMessage, Calls } from '../../src/fleet/calls.ts';
import { type Fleet, openLocalFleet } from '../../src/fleet/fleet.ts';
import type { NewLock } from '../../src/fleet/locks.ts';
import { remoteFleet, shareFleet } from '../../src/fleet/shared-fleet.ts';
import type { StoreAddress } from '../../src/fleet/store-address.ts';
import { MAX_LOCKS_PER_USER } from '../../src/limits/dav.ts';
import {
  MAX_CONTENT_TYPE_BYTES,
  MAX_LOGIN_FAILURES,
  MAX_UPLOAD_BYTES_PER_USER,
  MAX_UPLOADS_PER_USER,
  MAX_UPLOADS_UNDER_WAY_PER_USER,
} from '../../src/limits/sessions.ts';
import type { Ending } from '../support/gateway.ts';
import { startRedis, startRedisCluster } from '../support/redis-server.ts';

const FILE = { uploadfilename: 'note.txt', contenttype: 'text/plain' };
const LATER = Math.floor(Date.now() / 1000) + 1000;

type Two = readonly [Fleet, Fleet];

async function newFolder(t: Ending): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openLocal(t: Ending) {
  const local = await openLocalFleet(await newFolder(t));
  t.after(() => local.close());
  return local;
}

async function openOverChannel(t: Ending): Promise<Two> {
  const shared = shareFleet(await openLocal(t));
  const pass = (message: CallMessage, to: () => Calls) => {
    const copy = structuredClone(message);
    setImmediate(() => to().take(copy));
  };
  const near: Calls = new Calls(
    (message) => pass(message, () => far),
    shared.join(() => near),
  );
  const remote = remoteFleet(() => far);
  const far: Calls = new Calls((message) => pass(message, () => near), remote.handlers);
  await remote.begin();
  return [remote.fleet, shared.fleet];
}

async function openInStore(t: Ending, address: StoreAddress): Promise<Two> {
  const folder = await newFolder(t);
  const open = async () => {
    const fleet = openRedisFleet({ address, folder });
    t.after(() => fleet.close());
    await fleet.locks.isEmpty(); // it knows what is there
    return fleet;
  };
  return [await open(), await open()];
}

const FORMS: Readonly<Record<string, (t: Ending) => Promise<Two>>> = {
  'one process': async (t) => {
    const local = await openLocal(t);
    return [local, local];
  },
  'processes over a channel': openOverChannel,
  'Redis, alone': async (t) => openInStore(t, (await startRedis(t)).address),
  'Redis, a cluster': async (t) => openInStore(t, (await startRedisCluster(t)).address),
};

function saving(content: Buffer | string) {
  return async (path: string) => {
    await writeFile(path, content);
    return Buffer.byteLength(content);
  };
}

const lockOn = (name: string, more: Partial<NewLock> = {}): NewLock => ({
  account: '1',
  collection: 'room/files',
  name,
  isShared: false,
  isDeep: false,
  ownerXml: '',
  ...more,
});

for (const [form, open] of Object.entries(FORMS)) {
  describe(`a fleet of ${form}`, () => {
    const ends: (() => Promise<void> | void)[] = [];
    let opened: Promise<Two> | undefined;
    const fleets = () => (opened ??= open({ after: (done) => void ends.unshift(done) }));
    const end = async () => {
      for (const done of ends) await done();
    };

    it('refuses everywhere a session that is logged out, from the moment that this is answered', async () => {
      const [one, other] = await fleets();
      assert.equal(await other.revocations.isRevoked('session'), false);
      await one.revocations.revoke('session', LATER);
      assert.equal(await other.revocations.isRevoked('session'), true);
      assert.equal(await one.revocations.isRevoked('session'), true);
      await one.revocations.revoke('past', 1);
      assert.equal(await other.revocations.isRevoked('past'), false);
      await assert.rejects(one.revocations.revoke('no session\n', LATER), { code: 'bad_request' });
    });

    it('counts wrong passwords together, and lets no burst through', async () => {
      const [one, other] = await fleets();
      const keys = ['account:ann', 'address:192.0.2.1'];
      for (let i = 0; i < MAX_LOGIN_FAILURES; i++) {
        const { throttle } = i % 2 ? one : other;
        assert.equal(await throttle.check(keys), 0);
        await throttle.failed(keys);
      }
      for (const { throttle } of [one, other]) {
        const wait = await throttle.check(keys);
        assert.ok(wait > 250 && wait <= 300, `${wait}`);
        assert.ok((await throttle.check(['account:ann', 'address:192.0.2.2'])) > 0);
        assert.ok((await throttle.check(['account:bob', 'address:192.0.2.1'])) > 0);
      }
      const others = ['account:bob', 'address:192.0.2.3'];
      const passed: Promise<number>[] = [];
      for (let i = 0; i < MAX_LOGIN_FAILURES; i++) passed.push((i % 2 ? one : other).throttle.check(others));
      assert.deepEqual(new Set(await Promise.all(passed)), new Set([0]));
      let isAnswered = false;
      const late = one.throttle.check(others).finally(() => {
        isAnswered = true;
      });
      await sleep(100);
      assert.ok(!isAnswered, 'it waits for what becomes of the others');
      for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await (i % 2 ? one : other).throttle.failed(others);
      assert.ok((await late) > 0);
    });

    it('forgets the failures of an account where it is known, and of a room, but not of an address', async () => {
      const [one, other] = await fleets();
      const home = ['account:carol', 'address:198.51.100.1'];
      await one.throttle.succeeded(home);
      for (let i = 1; i < MAX_LOGIN_FAILURES; i++) {
        assert.equal(await one.throttle.check(home), 0);
        await one.throttle.failed(home);
      }
      for (let i = 0; i < MAX_LOGIN_FAILURES; i++) {
        const away = ['account:carol', `address:198.51.100.${i + 10}`];
        assert.equal(await other.throttle.check(away), 0);
        await other.throttle.failed(away);
      }
      assert.ok((await one.throttle.check(['account:carol', 'address:198.51.100.99'])) > 0);
      assert.equal(await other.throttle.check(home), 0, 'strangers do not lock out the owner');
      await other.throttle.succeeded(home);
      assert.equal(await one.throttle.check(home), 0);
      await one.throttle.failed(home);
      assert.ok((await one.throttle.check(['account:dave', 'address:198.51.100.1'])) > 0, 'the address still counts');
      for (const { throttle } of [one, other]) {
        assert.equal(await throttle.check(home), 0, 'nor do those beside him');
        await throttle.withdrawn(home);
      }
      const room = ['room:secret'];
      for (let i = 1; i < MAX_LOGIN_FAILURES; i++) {
        await one.throttle.check(room);
        await one.throttle.failed(room);
      }
      assert.equal(await other.throttle.check(room), 0);
      await other.throttle.succeeded(room);
      assert.equal(await one.throttle.check(room), 0);
      await one.throttle.failed(room);
      assert.equal(await one.throttle.check(room), 0);
      await one.throttle.withdrawn(room);
    });

    it('gives at one gateway what was uploaded at another, whole and in ranges', async () => {
      const [one, other] = await fleets();
      const content = Buffer.from(Array.from({ length: 700_001 }, (_, i) => i % 251));
      const record = await one.uploads.add('ann', FILE, saving(content));
      assert.deepEqual(record, { ...FILE, ref: record.ref, contentlength: content.length });
      assert.match(record.ref, /^[\w-]{22}$/);
      const found = (await other.uploads.get('ann', record.ref))!;
      assert.ok(Math.abs(found.createdSeconds - Date.now() / 1000) < 60);
      const read = async (start?: number, last?: number) =>
        Buffer.concat(await Array.fromAsync(other.uploads.open(found, start, last)));
      assert.ok(content.equals(await read()));
      for (const [start, last] of [
        [0, 0],
        [262_143, 262_144],
        [262_144, 524_288],
        [700_000, 700_000],
      ] as const) {
        assert.ok(content.subarray(start, last + 1).equals(await read(start, last)));
      }
      for (const empty of [
        await one.uploads.add('ann', FILE, saving('')),
        await one.uploads.add('ann', FILE, async () => 0),
      ]) {
        assert.equal(empty.contentlength, 0);
        assert.deepEqual(await Array.fromAsync(other.uploads.open(empty)), []);
      }
      assert.deepEqual(
        (await other.uploads.list('ann')).map(({ contentlength }) => contentlength),
        [content.length, 0, 0],
      );
    });

    it('shows an upload to nobody but its owner, and to nobody when it is removed', async () => {
      const [one, other] = await fleets();
      const { ref } = await one.uploads.add('bob', FILE, saving('hello'));
      assert.equal(await other.uploads.get('ann', ref), undefined);
      assert.equal(await other.uploads.remove('ann', ref), false);
      for (const none of ['', '.', '../x', '__proto__', 'A'.repeat(22), 'A'.repeat(10_000), 'a\0b']) {
        assert.equal(await other.uploads.get('bob', none), undefined);
        assert.equal(await other.uploads.remove('bob', none), false);
      }
      const record = (await other.uploads.get('bob', ref))!;
      const removed = await Promise.all([one.uploads.remove('bob', ref), other.uploads.remove('bob', ref)]);
      assert.deepEqual(removed.sort(), [false, true]);
      assert.equal(await one.uploads.get('bob', ref), undefined);
      await assert.rejects(Array.fromAsync(one.uploads.open(record)), { code: 'not_found' });
      assert.deepEqual(await one.uploads.list('bob'), []);
    });

    it('keeps nothing of an upload that fails, and says why', async () => {
      const [one, other] = await fleets();
      const fault = new AppError('request_timeout', 'The client stopped sending.');
      const failing = one.uploads.add('eve', FILE, async (path) => {
        await writeFile(path, 'hel');
        throw fault;
      });
      await assert.rejects(failing, { code: 'request_timeout' });
      const cut = one.uploads.add('eve', FILE, async (path) => {
        await writeFile(path, 'hel');
        return 5;
      });
      await assert.rejects(cut, { code: 'internal' });
      for (const [systemCode, code] of [
        ['ENOSPC', 'insufficient_storage'],
        ['EDQUOT', 'insufficient_storage'],
        ['EMFILE', 'busy'],
        ['ENFILE', 'busy'],
      ]) {
        const refused = one.uploads.add('eve', FILE, async () => {
          throw Object.assign(new Error('write'), { code: systemCode });
        });
        await assert.rejects(refused, { code });
      }
      const contenttype = 't'.repeat(MAX_CONTENT_TYPE_BYTES + 1);
      await assert.rejects(one.uploads.add('eve', { ...FILE, contenttype }, saving('')), { code: 'bad_request' });
      await assert.rejects(one.uploads.add('eve', { ...FILE, uploadfilename: 'a\nb' }, saving('')), {
        code: 'bad_request',
      });
      assert.deepEqual(await other.uploads.list('eve'), []);
    });

    it('bounds what one user has and has under way, at all gateways together', async () => {
      const [one, other] = await fleets();
      const gate = Promise.withResolvers<number>();
      const begun = Array.from({ length: MAX_UPLOADS_UNDER_WAY_PER_USER }, () => Promise.withResolvers<void>());
      const running = begun.map((each, i) =>
        (i % 2 ? one : other).uploads.add('dan', FILE, () => {
          each.resolve();
          return gate.promise;
        }),
      );
      await Promise.all(begun.map(({ promise }) => promise));
      await assert.rejects(one.uploads.add('dan', FILE, saving('')), { code: 'busy', retryAfterSeconds: 1 });
      await other.uploads.add('fay', FILE, saving(''));
      gate.resolve(0);
      await Promise.all(running);
      for (let i = MAX_UPLOADS_UNDER_WAY_PER_USER; i < MAX_UPLOADS_PER_USER; i += 8) {
        const some = Array.from({ length: Math.min(8, MAX_UPLOADS_PER_USER - i) }, () =>
          one.uploads.add('dan', FILE, async () => 0),
        );
        await Promise.all(some);
      }
      assert.equal((await other.uploads.list('dan')).length, MAX_UPLOADS_PER_USER);
      await assert.rejects(other.uploads.add('dan', FILE, saving('')), { code: 'insufficient_storage' });
      const [oldest] = await one.uploads.list('dan');
      await one.uploads.remove('dan', oldest!.ref);
      await other.uploads.add('dan', FILE, saving(''));
    });

    it('tells an upload how many bytes are left, and refuses more', async () => {
      const [one, other] = await fleets();
      await one.uploads.add('gil', FILE, saving('x'.repeat(1000)));
      await other.uploads.add('gil', FILE, async (_path, maxBytes) => {
        assert.equal(maxBytes, MAX_UPLOAD_BYTES_PER_USER - 1000);
        return 0;
      });
      const tooLarge = other.uploads.add('gil', FILE, async () => MAX_UPLOAD_BYTES_PER_USER + 1);
      await assert.rejects(tooLarge, (error: AppError) => ['too_large', 'internal'].includes(error.code));
    });

    it('gives a lock to one of two, and shows it to all', async () => {
      const [one, other] = await fleets();
      assert.equal(await other.locks.isEmpty(), true);
      const results = await Promise.all([one, other].map(({ locks }) => locks.add(lockOn('a'), 60)));
      const taken = results.flatMap((result) => ('taken' in result ? [result.taken] : []));
      assert.equal(taken.length, 1);
      const [lock] = taken;
      assert.ok(results.some((result) => 'inTheWay' in result && result.inTheWay[0]!.token === lock!.token));
      for (const { locks } of [one, other]) {
        assert.equal(await locks.isEmpty(), false);
        assert.deepEqual(
          (await locks.inCollection('room/files')).map(({ token }) => token),
          [lock!.token],
        );
      }
      await one.locks.noteMade('room/files', lock!.token, 7);
      const refreshed = await other.locks.refresh('room/files', lock!.token, 600);
      assert.ok(refreshed!.until > Date.now() / 1000 + 500);
      assert.equal((await one.locks.inCollection('room/files'))[0]!.made, 7);
      assert.equal(await other.locks.remove('room/other', lock!.token), false);
      assert.equal(await other.locks.remove('room/files', lock!.token), true);
      assert.equal(await one.locks.refresh('room/files', lock!.token, 600), undefined);
      assert.equal(await one.locks.isEmpty(), true);
    });

    it('keeps locks apart as they exclude each other, deep and shared', async () => {
      const [one, other] = await fleets();
      await one.locks.add(lockOn('a/', { isDeep: true }), 60);
      assert.ok('inTheWay' in (await other.locks.add(lockOn('a/b/c'), 60)));
      assert.ok('taken' in (await other.locks.add(lockOn('ab', { isShared: true }), 60)));
      assert.ok('taken' in (await one.locks.add(lockOn('ab', { isShared: true, account: '2' }), 60)));
      assert.ok('inTheWay' in (await one.locks.add(lockOn('', { isDeep: true }), 60)));
      await other.locks.removeFrom('room/files', 'a/');
      assert.ok('taken' in (await one.locks.add(lockOn('a/b/c'), 60)));
      await one.locks.removeFrom('room/files', '');
      await one.locks.removeFrom('room/files', 'ab');
      assert.deepEqual(await other.locks.inCollection('room/files'), []);
    });

    it('ends a lock when its time is over', async () => {
      const [one, other] = await fleets();
      await one.locks.add(lockOn('short'), 0.3);
      assert.equal((await other.locks.inCollection('room/files')).length, 1);
      await sleep(400);
      assert.deepEqual(await other.locks.inCollection('room/files'), []);
      assert.ok('taken' in (await other.locks.add(lockOn('short'), 0.01)));
    });

    it('gives one account so many locks and no more', async () => {
      const [one, other] = await fleets();
      for (let i = 0; i < MAX_LOCKS_PER_USER; i++) {
        const result = await one.locks.add(lockOn(`${i}`, { account: '9', collection: 'many' }), 60);
        assert.ok('taken' in result);
      }
      const more = lockOn('more', { account: '9', collection: 'many' });
      await assert.rejects(other.locks.add(more, 60), { code: 'insufficient_storage' });
      await other.locks.removeFrom('many', '');
      assert.ok('taken' in (await one.locks.add(more, 60)));
      await one.locks.removeFrom('many', '');
    });

    it('has told all of a notice when it has told it, once each', async () => {
      const [one, other] = await fleets();
      const heard: unknown[] = [];
      other.notices.listen((notice) => void heard.push(notice));
      const notice = { about: 'account', usernum: 5 } as const;
      await one.notices.tell(notice);
      assert.deepEqual(heard, [notice]);
      await other.notices.tell({ about: 'inbox', account: '5', seen: 9 });
      assert.equal(heard.length, 2);
    });

    it('closes', end);
  });
}

it('log-outs count everywhere where the store has lost its latest changes and numbers new ones alike', async (t) => {
  const store = await startRedis(t);
  const [one, other] = await openInStore(t, store.address);
  await one.revocations.revoke('before', LATER);
  for (const { revocations } of [one, other]) assert.equal(await revocations.isRevoked('before'), true);
  // as a store that is killed may, or a replica that takes over
  const keys = (await store.ask('KEYS', '*{fleet}*')) as Buffer[];
  const named = (of: string) => keys.map(String).find((key) => key.endsWith(`:${of}`))!;
  for (const words of [
    ['DECR', named('count')],
    ['DEL', named('log')],
    ['ZREM', named('revoked'), 'before'],
  ])
    await store.ask(...words);
  await one.revocations.revoke('after', LATER);
  for (const { revocations } of [one, other]) {
    assert.deepEqual([await revocations.isRevoked('before'), await revocations.isRevoked('after')], [true, true]);
  }
  assert.equal(await store.ask('ZCARD', named('revoked')), 2, 'what they knew alone they have told again');
});
