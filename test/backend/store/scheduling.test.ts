// Scheduling messages on their way, and the tags of scheduling objects.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  endDelivery,
  nextDelivery,
  pendingDeliveries,
  queueDelivery,
  setScheduleTag,
  storedScheduleTag,
  storedScheduleTags,
} from '../../../src/backend/content/scheduling.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

describe('a delivery', () => {
  it('goes to each recipient once, and its senders take turns', (t) => {
    const { store, user } = messageWorld(t);
    const [ann, bob, cy] = [user('ann').id, user('bob').id, user('cy').id];
    let garbage = 0;
    store.onGarbage = () => garbage++;
    store.transaction(() => {
      queueDelivery(store, { sender: ann, text: 'one', recipients: [cy, bob, cy], isRefresh: false });
      queueDelivery(store, { sender: bob, text: 'two', recipients: [bob], isRefresh: true });
      queueDelivery(store, { sender: bob, text: 'nobody', recipients: [], isRefresh: true });
    });
    assert.equal(garbage, 1, 'whoever cleans up is woken');
    const got: unknown[] = [];
    for (let next = nextDelivery(store); next; next = nextDelivery(store)) {
      got.push([next.text, next.sender, next.recipient, next.isRefresh]);
      assert.deepEqual(nextDelivery(store), next, 'until it has ended');
      endDelivery(store, next);
    }
    assert.deepEqual(got, [
      ['one', ann, bob, false],
      ['two', bob, bob, true],
      ['one', ann, cy, false],
    ]);
    assert.deepEqual(store.prepare('SELECT id FROM scheduling_message').all(), [], 'no text stays behind');
  });

  it('is counted by its sender, up to a bound', (t) => {
    const { store, user } = messageWorld(t);
    const [ann, bob] = [user('ann').id, user('bob').id];
    queueDelivery(store, { sender: ann, text: 'x', recipients: [ann, bob], isRefresh: false });
    queueDelivery(store, { sender: ann, text: 'y', recipients: [bob], isRefresh: false });
    assert.deepEqual(
      [1, 2, 3, 4].map((max) => pendingDeliveries(store, ann, max)),
      [1, 2, 3, 3],
    );
    assert.equal(pendingDeliveries(store, bob, 9), 0);
  });

  it('goes with the account of who sends it or gets it', (t) => {
    const { store, user } = messageWorld(t);
    const [ann, bob, cy] = [user('ann').id, user('bob').id, user('cy').id];
    queueDelivery(store, { sender: ann, text: 'x', recipients: [bob, cy], isRefresh: false });
    store.prepare('DELETE FROM user WHERE id = ?').run(bob);
    assert.equal(nextDelivery(store)?.recipient, cy);
    store.prepare('DELETE FROM user WHERE id = ?').run(ann);
    assert.equal(nextDelivery(store), undefined);
  });
});

describe('the tag of a scheduling object', () => {
  it('is set anew, and other messages have none', (t) => {
    const w = messageWorld(t);
    const [one, two] = [saveIn(w, w.room('Box')), saveIn(w, w.room('Box'))];
    setScheduleTag(w.store, one, 5);
    setScheduleTag(w.store, one, 6);
    assert.deepEqual([storedScheduleTag(w.store, one), storedScheduleTag(w.store, two)], [6, undefined]);
  });

  it('is listed by room, in pages', (t) => {
    const w = messageWorld(t);
    const [box, other] = [w.room('Box'), w.room('Other')];
    const all = [box, other, box, box].map((room) => saveIn(w, room));
    for (const id of [1, 2, 4]) setScheduleTag(w.store, all[id - 1]!, id * 10);
    const tags = (low: number, limit: number) =>
      storedScheduleTags(w.store, box.id, low, limit).map(({ id, tag }) => [id, tag]);
    assert.deepEqual(tags(0, 9), [
      [1, 10],
      [4, 40],
    ]);
    assert.deepEqual([tags(2, 9), tags(0, 1)], [[[4, 40]], [[1, 10]]]);
  });
});
