// Keys that a gateway logs in with instead of a password.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  endSessionKey,
  endSessionKeysOf,
  findSessionKey,
  makeSessionKey,
  noteUse,
  sweepSessionKeys,
} from '../../../../src/backend/store/keys.ts';
import {
  MAX_SESSION_KEYS_PER_USER,
  SESSION_KEY_NOTE_SECONDS,
  SESSION_KEYS_SWEPT_AT_ONCE,
  sessionKeySeconds,
} from '../../../../src/limits/sessions.ts';
import { now } from '../../../../src/system/clock.ts';
import { messageWorld } from '../../../support/message-session.ts';

function world(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
  const { store, user } = messageWorld(t);
  const [ann, bob] = [user('ann').id, user('bob').id];
  const count = () => Number(store.prepare('SELECT count(*) AS n FROM session_key').get()!.n);
  /** so many keys of ann, used then */
  const fill = (keys: number, used: number) =>
    store.transaction(() => {
      const insert = store.prepare('INSERT INTO session_key (hash, user, used) VALUES (?, ?, ?)');
      for (let i = 0; i < keys; i++) insert.run(`${used}/${i}`, ann, used);
    });
  return { store, ann, bob, count, fill };
}

describe('a session key', () => {
  it('is good for its user until it ends, and is not what is stored', (t) => {
    const { store, ann } = world(t);
    const { key } = makeSessionKey(store, ann);
    assert.match(key, /^[\w-]{43}$/);
    const row = findSessionKey(store, key)!;
    assert.equal(row.user, ann);
    assert.notEqual(row.hash, key);
    assert.equal(findSessionKey(store, row.hash), undefined, 'who reads the table cannot log in');
    for (const other of ['', key.slice(1), `${key}A`, key.toLowerCase()])
      assert.equal(findSessionKey(store, other), undefined);
    endSessionKey(store, row.hash);
    endSessionKey(store, row.hash);
    assert.equal(findSessionKey(store, key), undefined);
  });

  it('expires when it was not used for its time', (t) => {
    const { store, ann } = world(t);
    const { key } = makeSessionKey(store, ann);
    t.mock.timers.tick((sessionKeySeconds() - 1) * 1000);
    assert.ok(findSessionKey(store, key));
    t.mock.timers.tick(1000);
    assert.equal(findSessionKey(store, key), undefined);
  });

  it('lives on by its use, which is noted now and then', (t) => {
    const { store, ann } = world(t);
    const { key } = makeSessionKey(store, ann);
    t.mock.timers.tick((SESSION_KEY_NOTE_SECONDS - 1) * 1000);
    assert.equal(noteUse(store, findSessionKey(store, key)!), false);
    t.mock.timers.tick(1000);
    assert.equal(noteUse(store, findSessionKey(store, key)!), true);
    assert.equal(findSessionKey(store, key)!.used, now());
  });

  it('ends with all others of its user when his password changes', (t) => {
    const { store, ann, bob } = world(t);
    const [one, two, other] = [makeSessionKey(store, ann), makeSessionKey(store, ann), makeSessionKey(store, bob)];
    endSessionKeysOf(store, ann);
    assert.deepEqual(
      [one, two, other].map(({ key }) => findSessionKey(store, key)?.user),
      [undefined, undefined, bob],
    );
  });
});

describe('keys of one user', () => {
  it('are MAX_SESSION_KEYS_PER_USER, and those unused for longest go for new ones', (t) => {
    const { store, ann, bob, count, fill } = world(t);
    makeSessionKey(store, bob);
    fill(1, now() - 50);
    fill(MAX_SESSION_KEYS_PER_USER - 2, now() - 10);
    assert.deepEqual(makeSessionKey(store, ann).dropped, []);
    const { key, dropped } = makeSessionKey(store, ann);
    assert.deepEqual(dropped, [`${now() - 50}/0`]);
    assert.ok(findSessionKey(store, key));
    assert.equal(count(), MAX_SESSION_KEYS_PER_USER + 1, 'of others none goes');
  });

  it('are swept some at a time when they have expired', (t) => {
    const { store, count, fill } = world(t);
    fill(SESSION_KEYS_SWEPT_AT_ONCE + 1, now() - sessionKeySeconds());
    fill(1, now() - sessionKeySeconds() + 1);
    assert.deepEqual([sweepSessionKeys(store), count()], [true, 2]);
    assert.deepEqual([sweepSessionKeys(store), count()], [true, 1]);
    assert.deepEqual([sweepSessionKeys(store), count()], [false, 1]);
  });
});
