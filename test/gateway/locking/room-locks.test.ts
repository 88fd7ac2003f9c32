// The locks of a room: which cover a member, and whose tokens a change needs.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Fleet } from '../../../src/fleet/fleet.ts';
import type { Locks, WriteLock } from '../../../src/fleet/locks.ts';
import { lockTarget, RoomLocks, removeLocks, roomLocks } from '../../../src/gateway/preconditions.ts';
import type { EnteredRoom } from '../../../src/model.ts';
import { VIEW } from '../../../src/model.ts';
import { askedServer, entered, ownInfo } from '../../support/asked-server.ts';
import type { Answers } from '../../support/fault-server.ts';
import { contextsAt } from '../../support/room-context.ts';

const lock = (token: string, name: string, isDeep = false) =>
  ({ token, name, isDeep }) as Partial<WriteLock> as WriteLock;
const ALL = [
  lock('room', ''),
  lock('docs', 'docs/'),
  lock('deep', 'docs/deep/', true),
  lock('file', 'docs/deep/a.txt'),
  lock('other', 'other.txt'),
];
const tokens = (locks: readonly WriteLock[]) => locks.map(({ token }) => token).sort();

describe('the locks of a room', () => {
  const locks = new RoomLocks('c', ALL);

  it('cover what they are on, and deep ones what lies below', () => {
    assert.deepEqual(tokens(locks.covering('docs/deep/a.txt')), ['deep', 'file']);
    assert.deepEqual(tokens(locks.covering('docs/deep/b/c.txt')), ['deep']);
    assert.deepEqual(tokens(locks.covering('docs/b.txt')), []);
    assert.deepEqual(tokens(locks.covering('')), ['room']);
  });

  it('guard a change of content by what covers it', () => {
    assert.deepEqual(tokens(locks.guarding({ name: 'docs/b.txt', isMembership: false })), []);
    assert.deepEqual(tokens(locks.guarding({ name: 'docs/deep/a.txt', isMembership: false })), ['deep', 'file']);
  });

  it('guard what comes or goes by the folder it is in, and by all that goes with it', () => {
    assert.deepEqual(tokens(locks.guarding({ name: 'docs/b.txt', isMembership: true })), ['docs']);
    assert.deepEqual(tokens(locks.guarding({ name: 'new.txt', isMembership: true })), ['room']);
    assert.deepEqual(tokens(locks.guarding({ name: 'docs/', isMembership: true })), ['deep', 'docs', 'file', 'room']);
    assert.deepEqual(tokens(locks.guarding({ name: '', isMembership: true })), tokens(ALL));
  });

  it('are found by their tokens, and are none where there are none', () => {
    assert.equal(locks.withToken('file')?.name, 'docs/deep/a.txt');
    assert.equal(locks.withToken('none'), undefined);
    const none = new RoomLocks('c', []);
    assert.deepEqual(
      [none.isEmpty, none.covering('x'), none.guarding({ name: '', isMembership: true })],
      [true, [], []],
    );
  });
});

async function start(t: TestContext, answers: Answers = {}, locks: readonly WriteLock[] = ALL) {
  const { server, sent } = await askedServer(t, answers);
  const asked: string[] = [];
  const fake: Partial<Locks> = {
    inCollection: async (collection) => {
      asked.push(collection);
      return locks;
    },
    removeFrom: async (collection, name) => void asked.push(`${collection} - ${name}`),
  };
  const context = contextsAt(t, server.path)('ann', 'Box');
  context.app.fleet = { locks: fake as Locks } as Partial<Fleet> as Fleet;
  return { context, asked, sent };
}

it('a room is the same for all who mean it, a personal one is its owner’s', async (t) => {
  const { context, asked } = await start(t);
  const of = (name: string, isPersonal: boolean) =>
    roomLocks(context, { name, isPersonal } as Partial<EnteredRoom> as EnteredRoom);
  for (const name of ['Box', 'bOX']) await of(name, false);
  await of('Mail', true);
  await of('0000000002.Mail', true);
  await of('0000000003.Mail', true);
  assert.deepEqual(asked, [
    ...['room/box', 'room/box', 'personal/0000000002.mail', 'personal/0000000002.mail', 'personal/0000000003.mail'],
  ]);
  await removeLocks(context, { name: 'Box', isPersonal: false } as Partial<EnteredRoom> as EnteredRoom, 'docs/');
  assert.equal(asked.at(-1), 'room/box - docs/');
});

it('a member is asked for where there are locks, or may be folders', async (t) => {
  const MEMB = '100 7|42|\n5|docs/||1|||||\n000\n';
  const free = await start(t, {}, []);
  assert.deepEqual((await lockTarget(free.context, 'docs')).name, 'docs');
  assert.deepEqual(free.sent(/^(MEMB|MSG|EUID)/), []);
  const locked = await start(t, { INFO: ownInfo(), MEMB });
  assert.deepEqual((await lockTarget(locked.context, 'docs')).name, 'docs/');
  const files = await start(t, { GOTO: entered('Box', { view: VIEW.files }), INFO: ownInfo(), MEMB }, []);
  const { name, isFiles } = await lockTarget(files.context, 'docs');
  assert.deepEqual([name, isFiles], ['docs/', true]);
  const none = await start(t, { INFO: ownInfo(), MEMB: '100 7|42|\n0\n000\n' });
  assert.equal((await lockTarget(none.context, 'new.txt')).name, 'new.txt');
});
