// Write locks of WebDAV (RFC 4918 sections 6 and 7).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { coversName, localLocks, type NewLock } from '../../src/fleet/locks.ts';
import { MAX_LOCKS, MAX_LOCKS_PER_USER } from '../../src/limits/dav.ts';
import { isBelow } from '../../src/model.ts';

const lockOn = (name: string, more: Partial<NewLock> = {}): NewLock => ({
  account: '1',
  collection: 'room/files',
  name,
  isShared: false,
  isDeep: false,
  ownerXml: '',
  ...more,
});

describe('what lies below a folder', () => {
  it('begins with its name, slash included; below the room is everything', () => {
    assert.deepEqual(
      [
        ['a/', 'a/b'],
        ['a/', 'a/b/'],
        ['', 'a'],
        ['a/', 'a/'],
        ['a/', 'ab'],
        ['a', 'a/b'],
        ['', ''],
      ].map(([folder, name]) => isBelow(folder!, name!)),
      [true, true, true, false, false, false, false],
    );
  });
});

describe('locks of one gateway', () => {
  const take = async (locks: ReturnType<typeof localLocks>, lock: NewLock, seconds = 60) => {
    const result = await locks.add(lock, seconds);
    return 'taken' in result ? result.taken : undefined;
  };

  it('exclude each other on one resource unless both are shared', async () => {
    for (const [first, second, isPossible] of [
      [{ isShared: true }, { isShared: true }, true],
      [{ isShared: true }, {}, false],
      [{}, { isShared: true }, false],
      [{}, {}, false],
      [{}, { collection: 'room/other' }, true],
      [{}, { account: '2' }, false],
    ] as const) {
      const locks = localLocks();
      assert.ok(await take(locks, lockOn('a', first)));
      assert.equal((await take(locks, lockOn('a', second))) !== undefined, isPossible);
    }
  });

  it('of infinite depth exclude others below, and those that are below already', async () => {
    for (const [first, second, isPossible] of [
      [lockOn('a/', { isDeep: true }), lockOn('a/b/c'), false],
      [lockOn('', { isDeep: true }), lockOn('a/b/c'), false],
      [lockOn('a/b/c'), lockOn('a/', { isDeep: true }), false],
      [lockOn('a/b/c'), lockOn('a/'), true],
      [lockOn('a/'), lockOn('a/b'), true],
      [lockOn('ab'), lockOn('a/', { isDeep: true }), true],
    ] as const) {
      const locks = localLocks();
      assert.ok(await take(locks, first));
      const result = await locks.add(second, 60);
      assert.equal('taken' in result, isPossible);
      if ('inTheWay' in result)
        assert.deepEqual(
          result.inTheWay.map(({ name }) => name),
          [first.name],
        );
    }
    assert.ok(coversName({ ...lockOn('a/', { isDeep: true }), token: '', until: 0, made: undefined }, 'a/b'));
    assert.ok(!coversName({ ...lockOn('a/'), token: '', until: 0, made: undefined }, 'a/b'));
  });

  it('end when their time is over, unless they are refreshed', async () => {
    let now = 1000;
    const locks = localLocks(() => now);
    const one = (await take(locks, lockOn('one'), 10))!;
    const two = (await take(locks, lockOn('two'), 10))!;
    assert.match(one.token, /^urn:uuid:[0-9a-f-]{36}$/);
    now = 1009;
    assert.equal((await locks.refresh('room/files', two.token, 10))?.until, 1019);
    assert.equal((await locks.inCollection('room/files')).length, 2);
    now = 1010;
    assert.deepEqual(
      (await locks.inCollection('room/files')).map(({ name }) => name),
      ['two'],
    );
    assert.equal(await locks.refresh('room/files', one.token, 10), undefined);
    assert.equal(await locks.remove('room/files', one.token), false);
    assert.ok(await take(locks, lockOn('one')));
    now = 1019;
    assert.equal((await locks.inCollection('room/files')).length, 1);
  });

  it('go with their token, or with what they are on and all below', async () => {
    const locks = localLocks();
    const { token } = (await take(locks, lockOn('a/b')))!;
    for (const name of ['a/', 'a/c/d', 'ab']) await take(locks, lockOn(name));
    assert.equal(await locks.remove('room/other', token), false);
    assert.equal(await locks.remove('room/files', token), true);
    await locks.removeFrom('room/files', 'a/');
    assert.deepEqual(
      (await locks.inCollection('room/files')).map(({ name }) => name),
      ['ab'],
    );
    await locks.removeFrom('room/files', '');
    assert.deepEqual(await locks.inCollection('room/files'), []);
  });

  it('are bounded for each account, and those whose time is over do not count', async () => {
    let now = 0;
    const locks = localLocks(() => now);
    for (let i = 0; i < MAX_LOCKS_PER_USER; i++)
      assert.ok(await take(locks, lockOn(`${i}`, { collection: `${i % 7}` })));
    await assert.rejects(take(locks, lockOn('more')), { code: 'insufficient_storage' });
    assert.ok(await take(locks, lockOn('more', { account: '2' })));
    now = 60;
    assert.ok(await take(locks, lockOn('more')));
  });

  it('are bounded in all', async () => {
    const locks = localLocks();
    for (let i = 0; i < MAX_LOCKS; i++) {
      const account = String(Math.floor(i / MAX_LOCKS_PER_USER));
      assert.ok(await take(locks, lockOn('a', { collection: `${i}`, account })));
    }
    await assert.rejects(take(locks, lockOn('b', { account: 'other' })), { code: 'insufficient_storage' });
    await locks.removeFrom('0', '');
    assert.ok(await take(locks, lockOn('b', { account: 'other' })));
  });
});
