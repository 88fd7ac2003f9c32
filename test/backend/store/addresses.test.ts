// Whose a mail address is.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressesOf, mainAddressOf, userAt } from '../../../src/backend/store/addresses.ts';
import { type MessageWorld, messageWorld } from '../../support/message-session.ts';

/** As ASEA stores them. */
function give({ store }: MessageWorld, user: number, addresses: readonly string[]): void {
  const insert = store.prepare('INSERT INTO user_address (address, user, position) VALUES (?, ?, ?)');
  for (const [i, address] of addresses.entries()) insert.run(address, user, i);
}

describe('the mail addresses of a user', () => {
  it('are one made from his name, until he is given others', (t) => {
    const w = messageWorld(t);
    const lee = w.user('Ann Lee');
    assert.deepEqual(addressesOf(w.store, lee), ['ann_lee@vm']);
    const bob = w.user('bob');
    give(w, bob.id, ['only@vm']);
    assert.deepEqual(addressesOf(w.store, bob), ['only@vm']);
    give(w, lee.id, ['zoe@vm', 'ann@vm']);
    assert.deepEqual(addressesOf(w.store, lee), ['zoe@vm', 'ann@vm'], 'in the order in which they were given');
    assert.equal(mainAddressOf(w.store, lee), 'zoe@vm');
  });

  it('mean him in any case, and so does his name at this server', (t) => {
    const w = messageWorld(t);
    const lee = w.user('Ann Lee');
    give(w, lee.id, ['zoe@vm']);
    for (const address of ['zoe@vm', 'ZOE@VM', 'ann_lee@vm', 'annlee@localhost']) {
      assert.equal(userAt(w.store, address), lee, address);
    }
  });

  it('given to one mean him, though the name is another one’s', (t) => {
    const w = messageWorld(t);
    const [ann, bob] = [w.user('ann'), w.user('bob')];
    give(w, bob.id, ['ann@vm']);
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
