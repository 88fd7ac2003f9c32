// One fleet in several processes: here several ends of channels in one process, with what crosses them cloned as a
// channel does.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type CallMessage, Calls } from '../../src/fleet/calls.ts';
import { type Fleet, openLocalFleet } from '../../src/fleet/fleet.ts';
import { remoteFleet, shareFleet } from '../../src/fleet/shared-fleet.ts';
import { MAX_LOGIN_FAILURES } from '../../src/limits/sessions.ts';

const RECORD = { uploadfilename: 'note.txt', contenttype: 'text/plain' };
const SOON = Date.now() / 1000 + 1000;

/** The fleet of a first process and of two others, with what ends the second of these. */
async function startFleets(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  const local = await openLocalFleet(folder);
  t.after(async () => {
    await local.close();
    await rm(folder, { recursive: true });
  });
  const shared = shareFleet(local);
  const joinOne = async () => {
    const near: Calls = new Calls(
      (message) => pass(message, () => far),
      shared.join(() => near),
    );
    const remote = remoteFleet(() => far);
    const far: Calls = new Calls((message) => pass(message, () => near), remote.handlers);
    await remote.begin();
    const end = () => {
      shared.leave(near);
      near.end();
      far.end();
    };
    return { fleet: remote.fleet, end };
  };
  const [second, third] = [await joinOne(), await joinOne()];
  return { fleets: [shared.fleet, second.fleet, third.fleet], joinOne, endThird: third.end };
}

function pass(message: CallMessage, to: () => Calls): void {
  const copy = structuredClone(message);
  setImmediate(() => to().take(copy));
}

async function upload(fleet: Fleet, owner: string, text: string): Promise<string> {
  const { ref } = await fleet.uploads.add(owner, RECORD, async (path) => {
    await writeFile(path, text);
    return text.length;
  });
  return ref;
}

async function read(fleet: Fleet, owner: string, ref: string): Promise<string> {
  const record = await fleet.uploads.get(owner, ref);
  return Buffer.concat(await Array.fromAsync(fleet.uploads.open(record!))).toString();
}

describe('a fleet that several processes share', () => {
  it('has what one of them uploads in each of them, for its owner alone', async (t) => {
    const { fleets } = await startFleets(t);
    for (const from of fleets) {
      const ref = await upload(from, 'ann', 'some text');
      for (const to of fleets) {
        assert.equal(await read(to, 'ann', ref), 'some text');
        assert.equal(await to.uploads.get('bob', ref), undefined);
      }
    }
    assert.equal((await fleets[2]!.uploads.list('ann')).length, 3);
    assert.deepEqual(fleets[0]!.uploads.totals(), { count: 3, bytes: 27 });
  });

  it('removes an upload in all', async (t) => {
    const { fleets } = await startFleets(t);
    const ref = await upload(fleets[1]!, 'ann', 'some text');
    const record = (await fleets[2]!.uploads.get('ann', ref))!;
    assert.equal(await fleets[2]!.uploads.remove('ann', ref), true);
    assert.equal(await fleets[1]!.uploads.get('ann', ref), undefined);
    await assert.rejects(Array.fromAsync(fleets[1]!.uploads.open(record)), { code: 'not_found' });
  });

  it('keeps nothing of an upload that breaks off, and says why', async (t) => {
    const { fleets } = await startFleets(t);
    const fail = async (path: string) => {
      await writeFile(path, 'half');
      throw new Error('the client has gone');
    };
    await assert.rejects(fleets[1]!.uploads.add('ann', RECORD, fail), /the client has gone/);
    await assert.rejects(fleets[1]!.uploads.add('ann', { ...RECORD, uploadfilename: '\n' }, fail), {
      code: 'bad_request',
    });
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    await assert.rejects(
      fleets[1]!.uploads.add('ann', RECORD, () => Promise.reject(full)),
      { code: 'insufficient_storage' },
    );
    assert.deepEqual(await fleets[0]!.uploads.list('ann'), []);
  });

  it('knows a log-out everywhere as soon as it is answered, and in a process that comes later', async (t) => {
    const { fleets, joinOne } = await startFleets(t);
    for (const [i, from] of fleets.entries()) {
      await from.revocations.revoke(`session${i}`, SOON);
      for (const to of fleets) assert.equal(to.revocations.isRevoked(`session${i}`), true);
    }
    const { fleet } = await joinOne();
    assert.equal(fleet.revocations.isRevoked('session1'), true);
    assert.equal(fleet.revocations.isRevoked('other'), false);
  });

  it('counts failed log-ins of all together', async (t) => {
    const { fleets } = await startFleets(t);
    const keys = ['account:ann', 'address:192.0.2.1'];
    for (let i = 0; i < MAX_LOGIN_FAILURES; i++) {
      const fleet = fleets[i % fleets.length]!;
      assert.equal(await fleet.throttle.check(keys), 0);
      await fleet.throttle.failed(keys);
    }
    for (const fleet of fleets) assert.ok((await fleet.throttle.check(keys)) > 0);
  });

  it('has one set of locks', async (t) => {
    const { fleets } = await startFleets(t);
    const lock = { account: 'ann', collection: 'c', name: 'n', isShared: false, isDeep: false, ownerXml: '' };
    const added = await fleets[1]!.locks.add(lock, 100);
    assert.ok('taken' in added);
    assert.equal(added.taken.made, undefined);
    assert.deepEqual(await fleets[2]!.locks.add({ ...lock, account: 'bob' }, 100), { inTheWay: [added.taken] });
    for (const fleet of fleets) assert.equal(await fleet.locks.isEmpty(), false);
    assert.equal(await fleets[0]!.locks.remove('c', added.taken.token), true);
    for (const fleet of fleets) assert.deepEqual(await fleet.locks.inCollection('c'), []);
  });

  it('tells all of them what one has noticed, before it answers', async (t) => {
    const { fleets } = await startFleets(t);
    const heard: unknown[][] = fleets.map(() => []);
    for (const [i, { notices }] of fleets.entries()) notices.listen((notice) => void heard[i]!.push(notice));
    const told = [];
    for (const [i, { notices }] of fleets.entries()) {
      const notice = { about: 'account', usernum: i } as const;
      told.push(notice);
      await notices.tell(notice);
      assert.deepEqual(heard, [told, told, told]);
    }
  });

  it('goes on when a process ends: its upload is gone, calls of it fail, log-outs do not wait for it', async (t) => {
    const { fleets, endThird } = await startFleets(t);
    const begun = Promise.withResolvers<void>();
    const stuck = fleets[2]!.uploads.add('ann', RECORD, () => {
      begun.resolve();
      return new Promise(() => {});
    });
    await begun.promise;
    endThird();
    await assert.rejects(stuck, { code: 'busy' });
    await assert.rejects(fleets[2]!.locks.isEmpty(), { code: 'busy' });
    await fleets[1]!.revocations.revoke('session', SOON);
    assert.equal(fleets[0]!.revocations.isRevoked('session'), true);
    assert.deepEqual(await fleets[0]!.uploads.list('ann'), []);
  });
});
