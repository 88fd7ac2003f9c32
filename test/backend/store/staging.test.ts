// What takes the place of all that is in a room, at once.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { sweepSome } from '../../../src/backend/maintenance/removal.ts';
import { messageByNumber } from '../../../src/backend/store/messages.ts';
import { dropStage, exchangeContents, openStage } from '../../../src/backend/store/moving.ts';
import { isInRoom } from '../../../src/backend/store/references.ts';
import { sharedRooms } from '../../../src/backend/store/rooms.ts';
import { openStore } from '../../../src/backend/store/store.ts';
import { VIEW } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

function world(t: TestContext) {
  const w = messageWorld(t);
  const room = w.room('Events', VIEW.calendar);
  const old = saveIn(w, room, { euid: 'old', name: 'old.ics' });
  const stage = openStage(w.store);
  const add = (euid: string) => saveIn(w, room, { euid, stage });
  const rooms = () => sharedRooms(w.store).map(({ name }) => name);
  return { ...w, w, room, old, stage, add, rooms };
}

describe('a stage', () => {
  it('is seen by nobody, nor what is on it', (t) => {
    const { store, room, add, rooms } = world(t);
    const staged = add('new');
    assert.deepEqual(rooms(), ['Aide', 'Events', 'Lobby']);
    assert.deepEqual([isInRoom(store, room.id, staged), room.total], [false, 1]);
  });

  it('is exchanged for what is in the room, in one step of its sequence', (t) => {
    const { store, room, old, stage, add, rooms } = world(t);
    const [one, two] = [add('one'), add('two')];
    const { sequence } = room;
    exchangeContents(store, stage, room.id);
    assert.deepEqual([room.total, room.highest, room.sequence], [2, two, sequence + 1]);
    assert.deepEqual(
      [one, two, old].map((msgnum) => isInRoom(store, room.id, msgnum)),
      [true, true, false],
    );
    const gone = store.prepare('SELECT name, sequence FROM removed_member WHERE room = ?').all(room.id);
    assert.deepEqual(
      gone.map((row) => ({ ...row })),
      [{ name: 'old.ics', sequence: sequence + 1 }],
    );
    while (sweepSome(store));
    assert.equal(messageByNumber(store, old), undefined);
    assert.deepEqual(rooms(), ['Aide', 'Events', 'Lobby']);
    assert.deepEqual([...findFaults(store)], []);
  });

  it('that is empty empties the room', (t) => {
    const { store, room, stage } = world(t);
    exchangeContents(store, stage, room.id);
    assert.deepEqual([room.total, room.highest], [0, 0]);
  });

  it('that is dropped goes with its messages, and the room stays as it was', (t) => {
    const { store, room, old, stage, add } = world(t);
    const staged = add('new');
    dropStage(store, stage);
    while (sweepSome(store));
    assert.deepEqual([messageByNumber(store, staged), isInRoom(store, room.id, old)], [undefined, true]);
  });

  it('is gone at the next start where nobody has exchanged it', (t) => {
    const { store, room, add } = world(t);
    const staged = add('new');
    store.close();
    const again = openStore(store.folder);
    store.close = () => again.close();
    while (sweepSome(again));
    assert.equal(messageByNumber(again, staged), undefined);
    assert.equal(again.prepare('SELECT total FROM room WHERE id = ?').get(room.id)!.total, 1);
    assert.deepEqual([...findFaults(again)], []);
  });
});
