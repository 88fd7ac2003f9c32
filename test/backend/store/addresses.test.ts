// Whose a mail address is.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredUser } from '../../../src/backend/store/records.ts';
import { addressesOf, giveAddresses, mainAddressOf, userAt } from '../../../src/backend/store/users.ts';
import { type MessageWorld, messageWorld } from '../../support/message-session.ts';

function give({ store }: MessageWorld, user: StoredUser, addresses: readonly string[]): void {
  store.transaction(() => giveAddresses(store, user, addresses));
}

describe('the mail addresses of a user', () => {
  it('are one made from his name, until he is given others', (t) => {
    const w = messageWorld(t);
    const lee = w.user('Ann Lee');
    assert.deepEqual(addressesOf(w.store, lee), ['ann_lee@vm']);
    const bob = w.user('bob');
    give(w, bob, ['only@vm']);
    assert.deepEqual(addressesOf(w.store, bob), ['only@vm']);
    give(w, lee, ['zoe@vm', 'ann@vm']);
    assert.deepEqual(addressesOf(w.store, lee), ['zoe@vm', 'ann@vm'], 'in the order in which they were given');
    assert.equal(mainAddressOf(w.store, lee), 'zoe@vm');
  });

  it('are the old ones again where they could not be given', (t) => {
    const w = messageWorld(t);
    const lee = w.user('Ann Lee');
    give(w, lee, ['zoe@vm']);
    const given = () =>
      w.store.transaction(() => {
        giveAddresses(w.store, lee, ['ann@vm']);
        assert.deepEqual(addressesOf(w.store, lee), ['ann@vm']);
        throw new Error('rolled back');
      });
    assert.throws(given, /rolled back/);
    assert.deepEqual(addressesOf(w.store, lee), ['zoe@vm']);
  });

  it('mean him in any case, and so does his name at this server', (t) => {
    const w = messageWorld(t);
    const lee = w.user('Ann Lee');
    give(w, lee, ['zoe@vm']);
    for (const address of ['zoe@vm', 'ZOE@VM', 'ann_lee@vm', 'annlee@localhost']) {
      assert.equal(userAt(w.store, address), lee, address);
    }
  });

  it('given to one mean him, though the name is another one’s', (t) => {
    const w = messageWorld(t);
    const [ann, bob] = [w.user('ann'), w.user('bob')];
    give(w, bob, ['ann@vm']);
    assert.equal(userAt(w.store, 'ann@vm'), bob);
    assert.equal(userAt(w.store, 'a.nn@vm'), ann);
  });

  it('of other servers, or without one, mean nobody', (t) => {
    const w = messageWorld(t);
    w.user('ann');
    for (const address of ['ann', 'ann@elsewhere', '@vm', 'ann@', '', 'ann@vm@elsewhere']) {
      assert.equal(userAt(w.store, address), undefined, address);
    }
  });
});
