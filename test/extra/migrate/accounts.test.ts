// Floors and accounts of a copy, between two ends that are made of what a test says.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import type { Step } from '../../../src/extra/migrate/brought.ts';
import { type CopyOptions, copyFloors, copyUsers, GONE_ACCOUNT } from '../../../src/extra/migrate/migrate.ts';
import type { CopySource, CopyTarget, User } from '../../../src/extra/migrate/model.ts';
import { openReport } from '../../../src/extra/migrate/report.ts';
import { accountName, nameKey } from '../../../src/protocol/names.ts';

function user(num: number, name: string, more: Partial<User> = {}): User {
  return { num, name, level: 4, flags: 0, password: '', bio: '', ...more };
}

interface Given {
  users?: User[];
  floors?: string[];
  there?: User[];
  floorsThere?: string[];
  /** `kind name` → step of an earlier copy */
  steps?: Record<string, Step>;
  /** passwords that the copy knows */
  passwords?: Record<string, string>;
  halfMade?: string;
}

function world(given: Given) {
  const { users = [], floors = [], there = [], floorsThere = ['Main Floor'], passwords = {}, halfMade = '' } = given;
  const log: string[] = [];
  const steps = new Map(Object.entries(given.steps ?? {}));
  const kept = new Map(Object.entries(passwords));
  const known = [...there];
  const source: Partial<CopySource> = {
    floors: async () => ['Main Floor', ...floors].map((name, num) => ({ num, name, refcount: 0 })),
    withUserPicture: async () => {},
  };
  const target: Partial<CopyTarget> = {
    floors: async () => floorsThere.map((name, i) => ({ num: i * 10, name, refcount: 0 })),
    createFloor: async (name) => {
      if (name === 'Refused') throw new AppError('forbidden', 'No more floors.');
      log.push(`floor ${name}`);
      return 99;
    },
    users: async () => [...known],
    createUser: async (one) => {
      log.push(`make ${one.name}:${one.password}`);
      known.push({ ...one, num: 100 + known.length });
    },
    finishUser: async (one) => void log.push(`finish ${one.name}:${one.level}`),
    setBio: async (one) => void log.push(`bio ${one.name}`),
    brought: {
      step: async (kind, name) => steps.get(`${kind} ${kind === 'user' ? accountName(name) : nameKey(name)}`),
      note: async (kind, names, step) => {
        for (const name of names) log.push(`${step} ${kind} ${name}`);
      },
      messages: async () => new Map(),
    },
  };
  const report = openReport(() => {}, false);
  const options: CopyOptions = {
    source: source as CopySource,
    target: target as CopyTarget,
    report,
    passwordFor: async (one) => {
      log.push(`password of ${one.name}`);
      kept.set(one.name, 'new');
      return 'new';
    },
    passwordOf: ({ name }) => kept.get(name),
    isHalfMade: ({ name }) => name === halfMade,
    hasMade: async () => void log.push('made'),
  };
  return { options, users, log, told: () => report.close().lines.join('\n') };
}

describe('floors', () => {
  it('that are there are known by their names, in any case, and the others made', async () => {
    const { options, log } = world({ floors: ['ATTIC', 'Roof'], floorsThere: ['Ground', 'Attic'] });
    assert.deepEqual(
      [...(await copyFloors(options))],
      [
        [0, 0],
        [1, 10],
        [2, 99],
      ],
    );
    assert.deepEqual(log, ['floor Roof', 'done floor Main Floor', 'done floor ATTIC', 'done floor Roof']);
  });

  it('that people have deleted since a copy brought them do not come again', async () => {
    const { options, log, told } = world({ floors: ['Roof'], steps: { 'floor roof': 'done' } });
    assert.deepEqual([...(await copyFloors(options)).keys()], [0]);
    assert.deepEqual(log, ['done floor Main Floor']);
    assert.doesNotMatch(told(), /Roof/);
  });

  it('that cannot be made are told, and the copy goes on', async () => {
    const { options, told } = world({ floors: ['Main\u202E', 'Refused', 'Roof'] });
    assert.deepEqual(
      [...(await copyFloors(options))],
      [
        [0, 0],
        [3, 99],
      ],
    );
    assert.match(
      told(),
      /\tfloor Main.\n\tA name cannot contain invisible characters.* Its rooms are on the first floor\./,
    );
    assert.match(told(), /\tfloor Refused\n\tNo more floors\./);
  });
});

describe('an account', () => {
  it('that is missing is made, with a password that was kept before', async () => {
    const { options, users, log, told } = world({ users: [user(7, 'Ann Lee', { bio: 'hello' })] });
    const { numbers, fresh, gone } = await copyUsers(options, users);
    assert.deepEqual(log, ['made user Ann Lee', 'password of Ann Lee', 'make Ann Lee:new', 'made', 'bio Ann Lee']);
    assert.deepEqual([[...numbers], [...fresh], [...gone]], [[[7, 100]], ['annlee'], []]);
    assert.match(told(), /^1 accounts created/);
  });

  it('of somebody who is there is left as it is, whatever is at the source', async () => {
    const there = [user(3, 'ann', { level: 2 })];
    const { options, users, log } = world({ users: [user(7, 'Ann', { level: 6, bio: 'hello' })], there });
    const { numbers, fresh } = await copyUsers(options, users);
    assert.deepEqual([log, [...numbers], fresh.size], [[], [[7, 3]], 0]);
  });

  it('that was deleted since a copy brought it is not made again', async () => {
    const { options, users, log, told } = world({ users: [user(7, 'ann')], steps: { 'user ann': 'done' } });
    const { numbers, gone } = await copyUsers(options, users);
    assert.deepEqual([log, numbers.size, [...gone]], [[], 0, [7]]);
    assert.match(told(), new RegExp(`lost: ${GONE_ACCOUNT}`));
  });

  it('that a copy was broken off with is finished, by its password', async () => {
    const given = { users: [user(7, 'ann', { level: 6 })], there: [user(3, 'ann', { level: 1 })] };
    const half = world({ ...given, steps: { 'user ann': 'made' }, passwords: { ann: 'kept' }, halfMade: 'ann' });
    const { fresh } = await copyUsers(half.options, half.users);
    assert.deepEqual(half.log, ['finish ann:6', 'made']);
    assert.deepEqual([...fresh], ['ann'], 'members and marks are set for it');
  });

  it('of the copy’s own whose level people have changed keeps that, which is told', async () => {
    const there = [user(3, 'ann', { level: 6 })];
    const { options, users, log, told } = world({ users: [user(7, 'ann')], there, passwords: { ann: 'kept' } });
    await copyUsers(options, users);
    assert.deepEqual(log, []);
    assert.match(told(), /\tuser ann\n\tlost: access level 4/);
  });

  it('gets its profile once, and none over one that is there', async () => {
    const users = [user(7, 'ann', { bio: 'old' })];
    const known = { users, passwords: { ann: 'kept' } };
    const written = world({ ...known, there: [user(3, 'ann', { bio: 'own' })] });
    await copyUsers(written.options, written.users);
    const done = world({ ...known, there: [user(3, 'ann')], steps: { 'user ann': 'done' } });
    await copyUsers(done.options, done.users);
    const empty = world({ ...known, there: [user(3, 'ann')] });
    await copyUsers(empty.options, empty.users);
    assert.deepEqual([written.log, done.log, empty.log], [[], [], ['bio ann']]);
  });

  it('that cannot be made is told, and the others come', async () => {
    const { options, users, told } = world({ users: [user(7, 'ann'), user(8, 'bob')] });
    const make = options.target.createUser;
    options.target.createUser = async (one) => {
      if (one.name === 'ann') throw new AppError('conflict', 'The name is taken.');
      await make(one);
    };
    const { numbers } = await copyUsers(options, users);
    assert.deepEqual([...numbers.keys()], [8]);
    assert.match(told(), /\tuser ann\n\tThe name is taken\./);
  });

  it('ends the copy where the connection was lost', async () => {
    const { options, users } = world({ users: [user(7, 'ann')] });
    options.target.createUser = async () => {
      throw new AppError('backend_lost', 'gone');
    };
    await assert.rejects(copyUsers(options, users), { code: 'backend_lost' });
  });
});
