// How many messages are new to a user: counted on from the last count where it can be, and then the same as counted
// anew.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { numbersInRoom } from '../../../src/backend/store/messages.ts';
import { addToRoom, copyToRoom, removeFromRoom } from '../../../src/backend/store/references.ts';
import { countNew, updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { SequenceSet } from '../../../src/protocol/sequence-set.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

it('the count of new messages follows what comes, goes, is marked and is taken back', (t) => {
  const w = messageWorld(t);
  const { store } = w;
  const [room, other] = [w.room('Room'), w.room('Other')];
  const ann = w.user('ann');
  const older = saveIn(w, other, {});
  const visit = () => visitOf(store, ann.id, room.id);
  const assertCounted = (step: string) => {
    const there = numbersInRoom(store, room.id, { low: 0, high: Number.MAX_SAFE_INTEGER }, 100);
    const expected = there.filter(({ id }) => !visit().seen.contains(id)).length;
    assert.equal(countNew(store, room, visit()), expected, step);
    assert.equal(room.highest, there.at(-1)?.id ?? 0, step);
  };
  const see = (text: string) => updateVisit(store, visit(), { seen: SequenceSet.parse(text) });
  see('*:0');
  assertCounted('empty');
  const [a, b] = [saveIn(w, room, {}), saveIn(w, room, {})];
  assertCounted('two have come');
  store.transaction(() => copyToRoom(store, other.id, room.id, [older]));
  assertCounted('one of a lower number has come');
  see(`*:${b}`);
  assertCounted('all are read');
  const c = saveIn(w, room, {});
  assertCounted('one more');
  see(`*:${b},${c + 2}:${c + 3}`);
  assertCounted('some that are to come are read');
  for (let i = 1; i <= 4; i++) {
    saveIn(w, room, {});
    assertCounted(`${i} behind them`);
  }
  removeFromRoom(store, room.id, [a, c]);
  assertCounted('two have gone');
  removeFromRoom(store, room.id, [c + 4]);
  assertCounted('the last has gone');
  const failed = new Error('failed');
  const fails = () =>
    store.transaction(() => {
      addToRoom(store, room.id, saveIn(w, other, {}), '');
      throw failed;
    });
  assert.throws(fails, failed);
  assertCounted('one was taken back');
  saveIn(w, room, {});
  assertCounted('one more at the end');
});
