// Changes of several writers in one transaction, on a real store: each durable before it is answered, and alone where
// one of the others fails.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { GroupCommit } from '../../../src/backend/store/group-commit.ts';
import { databaseFile, openBeside, type Store } from '../../../src/backend/store/store.ts';
import { BACKEND_GROUPED_CHANGES } from '../../../src/limits/backend.ts';
import type { ChangeCounts, ChangeScope } from '../../../src/system/change-counts.ts';
import { messageWorld } from '../../support/message-session.ts';

function world(t: TestContext) {
  const { store } = messageWorld(t);
  let transactions = 0;
  let scope: ChangeScope | undefined;
  const commits = new GroupCommit({
    transaction<T>(run: () => T, scopeOf?: (result: T) => ChangeScope): T {
      transactions++;
      return store.transaction(run, (result) => {
        scope = scopeOf?.(result);
        return scope ?? {};
      });
    },
  });
  // two that have changed something lately: from now on they wait for each other
  commits.run(1, () => {});
  const set = (who: number, name: string, value = 'x') =>
    commits.run(who, () => {
      store.setConfig(name, value);
      if (value === 'bad') throw new Error(`no ${name}`);
      return name;
    });
  return { store, commits, set, count: () => transactions, scope: () => scope };
}

/** as another process finds it */
function onDisk(store: Store, name: string): string | undefined {
  using beside = openBeside(databaseFile(store.folder));
  return beside.getConfig(name);
}

describe('changes of several writers', () => {
  it('become durable in one transaction, before anybody has an answer', async (t) => {
    const { store, set, count } = world(t);
    const before = count();
    const answers = [set(2, 'a'), set(3, 'b'), set(4, 'c')];
    assert.equal(store.getConfig('a'), undefined);
    const seen = await Promise.all(answers.map(async (answer) => [await answer, onDisk(store, 'c')]));
    assert.deepEqual(seen, [
      ['a', 'x'],
      ['b', 'x'],
      ['c', 'x'],
    ]);
    assert.equal(count() - before, 1);
  });

  it('fail alone: those of the others are kept, and nothing of it, in memory neither', async (t) => {
    const { store, set } = world(t);
    const answers = [set(2, 'a'), set(3, 'b', 'bad'), set(4, 'c')];
    const settled = await Promise.allSettled(answers);
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
      ['a', 'Error: no b', 'c'],
    );
    assert.deepEqual([onDisk(store, 'a'), onDisk(store, 'b'), onDisk(store, 'c')], ['x', undefined, 'x']);
    assert.equal(store.getConfig('b'), undefined);
  });

  it('are run once where something fails when they are durable: none is doubled', async (t) => {
    const { store, commits } = world(t);
    let runs = 0;
    const change = () => {
      runs++;
      store.setConfig('n', String(runs));
      store.noteChange(1);
    };
    store.onChanges = () => {
      throw new Error('not told');
    };
    const settled = await Promise.allSettled([commits.run(2, change), commits.run(3, change)]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.deepEqual([runs, onDisk(store, 'n')], [2, '2']);
  });

  it('are so many at most in one transaction, and one more in two', async (t) => {
    const { commits, count } = world(t);
    for (const [more, expected] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const before = count();
      // who writes first is not alone any more
      const all = Array.from({ length: BACKEND_GROUPED_CHANGES + more }, (_, i) => commits.run(2 + i, () => i));
      assert.deepEqual(await Promise.all(all), [...all.keys()]);
      assert.equal(count() - before, expected);
    }
  });

  it('say together what they have changed, or that it may be anything', async (t) => {
    const { store, commits, scope } = world(t);
    store.changeCounts = { count: () => {} } as unknown as ChangeCounts;
    const say = (who: number, scopeOf?: () => ChangeScope) => commits.run(who, () => who, scopeOf);
    await Promise.all([say(2, () => ({ rooms: ['a'] })), say(3, () => ({ rooms: ['b'], users: [7] }))]);
    assert.deepEqual(scope(), { rooms: ['a', 'b'], users: [7] });
    await Promise.all([say(2, () => ({ rooms: ['a'] })), say(3)]);
    assert.equal(scope(), undefined);
  });

  it('wait for others no longer than a moment', async (t) => {
    const { commits, set } = world(t);
    await Promise.all(Array.from({ length: 9 }, (_, i) => commits.run(10 + i, () => i)));
    assert.equal(await set(2, 'a'), 'a');
  });

  it('are there at once for one who is alone', (t) => {
    const { store, set } = world(t);
    assert.equal(set(1, 'a'), 'a');
    assert.equal(onDisk(store, 'a'), 'x');
    assert.throws(() => set(1, 'b', 'bad'), /no b/);
  });

  it('are stored before the server ends', async (t) => {
    const { store, commits, set } = world(t);
    const answer = set(2, 'a');
    commits.flush();
    assert.equal(onDisk(store, 'a'), 'x');
    assert.equal(await answer, 'a');
  });
});
