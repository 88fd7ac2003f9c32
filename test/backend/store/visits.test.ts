// What a user has to do with a room.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dropVisits, updateVisit, visitOf, visitorsOf, visitsOf } from '../../../src/backend/store/visits.ts';
import { MAX_CACHED_VISITORS } from '../../../src/limits/backend.ts';
import { SequenceSet } from '../../../src/protocol/sequence-set.ts';
import { messageWorld } from '../../support/message-session.ts';

describe('a visit', () => {
  it('that was never made says that nothing is known and nothing read', (t) => {
    const { store, user, room } = messageWorld(t);
    const visit = visitOf(store, user('ann').id, room('Box').id);
    assert.deepEqual([visit.state, visit.lastRead, visit.view, visit.seen.contains(1)], ['none', 0, null, false]);
    assert.equal(visitsOf(store, visit.user).size, 0, 'asking makes none');
  });

  it('is kept as it was changed, for this user and room alone', (t) => {
    const { store, user, room } = messageWorld(t);
    const [ann, bob, box] = [user('ann').id, user('bob').id, room('Box').id];
    updateVisit(store, visitOf(store, ann, box), { state: 'known', seen: SequenceSet.parse('1:3,7'), lastRead: 7 });
    updateVisit(store, visitOf(store, ann, box), { view: 3 });
    for (let i = 0; i < 2; i++) {
      const { state, seen, lastRead, view } = visitOf(store, ann, box);
      assert.deepEqual([state, String(seen), lastRead, view], ['known', '1:3,7', 7, 3]);
      store.caches.visits.clear(); // and once more from the database
    }
    assert.equal(visitOf(store, bob, box).state, 'none');
    assert.equal(visitOf(store, ann, room('Lobby').id).state, 'none');
  });

  it('is told of only where it changes the list of rooms', (t) => {
    const { store, user, room } = messageWorld(t);
    const [ann, box] = [user('ann').id, room('Box').id];
    const told: unknown[] = [];
    store.onChanges = ({ rooms, listsOf }) => told.push([[...rooms], [...listsOf]]);
    updateVisit(store, visitOf(store, ann, box), { state: 'known' });
    updateVisit(store, visitOf(store, ann, box), { state: 'known', lastRead: 3 });
    assert.deepEqual(told, [[[], [ann]]]);
  });

  it('is as it was when the transaction fails', (t) => {
    const { store, user, room } = messageWorld(t);
    const [ann, box] = [user('ann').id, room('Box').id];
    updateVisit(store, visitOf(store, ann, box), { state: 'known' });
    const fail = (change: () => void) =>
      assert.throws(() =>
        store.transaction(() => {
          change();
          throw new Error('x');
        }),
      );
    fail(() => updateVisit(store, visitOf(store, ann, box), { state: 'forgotten' }));
    assert.equal(visitOf(store, ann, box).state, 'known');
    fail(() => dropVisits(store, box));
    assert.equal(visitOf(store, ann, box).state, 'known');
  });
});

describe('visits of a room', () => {
  it('are those of all users, and go with it', (t) => {
    const { store, user, room } = messageWorld(t);
    const [ann, bob, box, other] = [user('ann').id, user('bob').id, room('Box').id, room('Other').id];
    for (const id of [ann, bob]) {
      for (const place of [box, other]) updateVisit(store, visitOf(store, id, place), { state: 'known' });
    }
    assert.deepEqual(
      [...visitorsOf(store, box)].map(({ user: id }) => id),
      [ann, bob],
    );
    assert.equal(dropVisits(store, box), 2);
    assert.equal([...visitorsOf(store, box)].length, 0);
    assert.deepEqual([visitOf(store, ann, box).state, visitOf(store, ann, other).state], ['none', 'known']);
    store.caches.visits.clear();
    assert.deepEqual([...visitsOf(store, bob).keys()], [other]);
  });
});

it('what more than MAX_CACHED_VISITORS users have read is not forgotten', (t) => {
  const { store, user, room } = messageWorld(t);
  const [ann, box] = [user('ann').id, room('Box').id];
  updateVisit(store, visitOf(store, ann, box), { lastRead: 5 });
  // she has been asked for: her place is the last one at first
  for (let id = 1; id <= 2 * MAX_CACHED_VISITORS; id++) visitsOf(store, 1000 + id);
  assert.equal(store.caches.visits.get(ann), undefined);
  assert.equal(visitOf(store, ann, box).lastRead, 5);
});
