// Nothing that one room server's users have or did in the fleet is there for those of another one.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Fleet, fleetOfServer, openLocalFleet } from '../../src/fleet/fleet.ts';
import { MAX_LOCKS_PER_USER } from '../../src/limits/dav.ts';
import { MAX_LOGIN_FAILURES } from '../../src/limits/sessions.ts';

const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
const fleet = await openLocalFleet(folder);
after(async () => {
  await fleet.close();
  await rm(folder, { recursive: true });
});
const NAMES = ['', 'a.example', 'b.example'];
const [none, a, b] = NAMES.map((name) => fleetOfServer(fleet, name)) as [Fleet, Fleet, Fleet];
const all = [none, a, b];

const lock = (name: string) => ({
  account: '7',
  collection: 'room/lobby',
  name,
  isShared: false,
  isDeep: false,
  ownerXml: '',
});

describe('of several room servers, each', () => {
  it('has failed log-ins of its own, by account and by address', async () => {
    for (const keys of [['account:ann', 'address:192.0.2.1'], ['room:Den\x005', 'address:2001:db8::1'], ['room:Den']]) {
      for (const each of all) {
        assert.equal(await each.throttle.check(keys), 0);
        await each.throttle.withdrawn(keys);
        for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await each.throttle.failed(keys);
        assert.ok((await each.throttle.check(keys)) > 0);
      }
    }
    // of an IPv6 address the network counts, at each server
    assert.ok((await a.throttle.check(['address:2001:db8::2'])) > 0);
    assert.equal(await a.throttle.check(['address:2001:db9::2']), 0);
    await a.throttle.withdrawn(['address:2001:db9::2']);
  });

  it('has known networks of its own', async () => {
    const [keys, elsewhere] = [
      ['account:bob', 'address:198.51.100.1'],
      ['account:bob', 'address:198.51.100.99'],
    ] as const;
    await a.throttle.succeeded([...keys]);
    const guessed = async (each: Fleet) => {
      for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await each.throttle.failed([...elsewhere]);
      return (await each.throttle.check([...keys])) > 0;
    };
    assert.equal(await guessed(a), false, 'the owner comes from where he came from before');
    assert.equal(await guessed(b), true);
    assert.equal(await guessed(none), true);
  });

  it('has uploads of its own', async () => {
    const record = { uploadfilename: 'a.txt', contenttype: 'text/plain' };
    const save = async (path: string) => {
      await writeFile(path, 'hello');
      return 5;
    };
    for (const each of all) {
      const { ref } = await each.uploads.add('owner', record, save);
      for (const other of all) {
        const found = await other.uploads.get('owner', ref);
        assert.equal(found?.ref, other === each ? ref : undefined);
        if (other !== each) assert.equal(await other.uploads.remove('owner', ref), false);
      }
      assert.deepEqual(
        (await each.uploads.list('owner')).map((one) => one.ref),
        [ref],
      );
      assert.equal(await each.uploads.remove('owner', ref), true);
    }
  });

  it('has locks of its own, and its users their bounds', async () => {
    for (const each of all) {
      const added = await each.locks.add(lock('x'), 60);
      assert.ok('taken' in added);
      const { token, account, collection } = added.taken;
      assert.deepEqual([account, collection], ['7', 'room/lobby']);
      assert.deepEqual(await each.locks.inCollection('room/lobby'), [added.taken]);
      const again = await each.locks.add(lock('x'), 60);
      assert.deepEqual(again, { inTheWay: [added.taken] });
      for (const other of all) {
        const refreshed = await other.locks.refresh('room/lobby', token, 60);
        assert.equal(refreshed?.account, other === each ? '7' : undefined);
        if (other !== each) assert.equal(await other.locks.remove('room/lobby', token), false);
      }
    }
    for (let i = 1; i < MAX_LOCKS_PER_USER; i++) await a.locks.add(lock(`n${i}`), 60);
    await assert.rejects(a.locks.add(lock('more'), 60), { code: 'insufficient_storage' });
    assert.ok('taken' in (await b.locks.add(lock('more'), 60)));
    await a.locks.removeFrom('room/lobby', '');
    assert.deepEqual(await a.locks.inCollection('room/lobby'), []);
    assert.equal((await b.locks.inCollection('room/lobby')).length, 2);
  });

  it('hears its own notices', async () => {
    const heard: unknown[] = [];
    for (const [i, each] of all.entries()) each.notices.listen((notice) => heard.push([i, notice]));
    for (const [i, each] of all.entries()) await each.notices.tell({ about: 'account', usernum: i });
    assert.deepEqual(
      heard,
      all.map((_, i) => [i, { about: 'account', usernum: i }]),
    );
  });

  it('is told apart from an account, a room or an owner that is called like a server', async () => {
    const keys = ['account:a.example', 'room:a.example'];
    for (const key of keys) for (let i = 0; i < MAX_LOGIN_FAILURES; i++) await none.throttle.failed([key]);
    for (const key of ['account:', 'room:']) assert.equal(await a.throttle.check([key]), 0);
  });
});
