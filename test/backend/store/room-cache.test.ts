// The rooms in memory: what is asked of them stays true whatever changes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addFloor,
  countRoomsOf,
  createRoom,
  inListOrder,
  openRooms,
  releaseRooms,
  removeRoomFromMemory,
  roomCache,
  roomsAdministeredBy,
  roomsOnFloors,
  roomsOwnedBy,
  sharedRooms,
  updateRoom,
} from '../../../src/backend/store/rooms.ts';
import { ROOM_STATE } from '../../../src/backend/store/schema.ts';
import { openStore } from '../../../src/backend/store/store.ts';
import { ROOM_FLAG } from '../../../src/model.ts';
import { messageWorld } from '../../support/message-session.ts';

const named = (rooms: Iterable<{ name: string }>) => [...rooms].map(({ name }) => name);

describe('the rooms in memory', () => {
  it('are those of the database but for rooms that are being removed or filled', (t) => {
    const { store, room } = messageWorld(t);
    const [gone, staged] = [room('Gone'), room('Staged')];
    const set = store.prepare('UPDATE room SET dropped = ? WHERE id = ?');
    set.run(ROOM_STATE.removed, gone.id);
    set.run(ROOM_STATE.staged, staged.id);
    store.caches.rooms = undefined;
    assert.deepEqual(named(sharedRooms(store)), ['Aide', 'Lobby']);
    assert.equal(roomCache(store).byId.has(gone.id), false);
  });

  it('are the same after a start', (t) => {
    const { store, room, user } = messageWorld(t);
    const ann = user('ann');
    updateRoom(store, room('Box', 3, { flags: 2, flags2: 4 }), { admin: ann.id, directory: 'dir', order: 5 });
    const rows = () => [...roomCache(store).byId.values()].map((row) => ({ ...row, generation: 0 }));
    const before = rows();
    store.close();
    const again = openStore(store.folder);
    t.after(() => again.close());
    // the world closes its own once more
    store.close = () => {};
    assert.deepEqual(
      [...roomCache(again).byId.values()].map((row) => ({ ...row })),
      before,
    );
  });

  it('are in the order of their names, shared ones and those that are open to all', (t) => {
    const { store, room, user } = messageWorld(t);
    user('ann');
    for (const name of ['zoo', 'Äpfel', 'Box']) room(name);
    assert.deepEqual(named(sharedRooms(store)), ['Aide', 'Box', 'Lobby', 'zoo', 'Äpfel']);
    assert.deepEqual(named(openRooms(store)), ['Box', 'Lobby', 'zoo', 'Äpfel']);
    updateRoom(store, room('Box'), { flags: ROOM_FLAG.private });
    assert.deepEqual(named(openRooms(store)), ['Lobby', 'zoo', 'Äpfel']);
    updateRoom(store, room('zoo'), { name: 'Attic' });
    assert.deepEqual(named(sharedRooms(store)), ['Aide', 'Attic', 'Box', 'Lobby', 'Äpfel']);
    assert.deepEqual(named(inListOrder([room('Lobby'), room('Attic')])), ['Attic', 'Lobby']);
  });

  it('are counted by floor, personal ones included', (t) => {
    const { store, room, user } = messageWorld(t);
    assert.deepEqual([...roomsOnFloors(store)], [[0, 2]]);
    user('ann');
    const personal = 8;
    assert.deepEqual([...roomsOnFloors(store)], [[0, 2 + personal]]);
    addFloor(store, 3, 'Attic');
    updateRoom(store, room('Box'), { floor: 3 });
    assert.deepEqual([...roomsOnFloors(store)].sort(), [
      [0, 2 + personal],
      [3, 1],
    ]);
  });

  it('count for their owner and their maker, whoever administers them', (t) => {
    const { store, room, user } = messageWorld(t);
    const [ann, bob] = [user('ann'), user('bob')];
    const before = countRoomsOf(store, ann.id);
    assert.equal(before, roomsOwnedBy(store, ann.id).length);
    updateRoom(store, room('Box'), { maker: ann.id, admin: bob.id });
    const own = roomsOwnedBy(store, ann.id)[0]!;
    assert.equal(own.maker, ann.id, 'counted once');
    assert.deepEqual(named(roomsAdministeredBy(store, bob.id)), ['Box']);
    assert.deepEqual([countRoomsOf(store, ann.id), countRoomsOf(store, bob.id)], [before + 1, before]);
    releaseRooms(store, bob.id);
    assert.deepEqual([room('Box').admin, room('Box').maker], [null, ann.id]);
    releaseRooms(store, ann.id);
    assert.deepEqual([room('Box').maker, countRoomsOf(store, ann.id)], [null, before]);
    removeRoomFromMemory(store, room('Box'));
    assert.deepEqual(named(sharedRooms(store)), ['Aide', 'Lobby']);
  });

  it('are as they were after a transaction that failed', (t) => {
    const { store, room, user } = messageWorld(t);
    addFloor(store, 3, 'Attic');
    const [ann, box] = [user('ann'), room('Box')];
    const before = { ...box };
    const fail = (change: () => void) =>
      assert.throws(() =>
        store.transaction(() => {
          change();
          throw new Error('x');
        }),
      );
    fail(() => createRoom(store, { name: 'New', flags: 0, view: 0 }));
    fail(() => updateRoom(store, box, { name: 'Other', admin: ann.id, floor: 3 }));
    fail(() => removeRoomFromMemory(store, box));
    assert.deepEqual(box, before);
    assert.deepEqual(named(sharedRooms(store)), ['Aide', 'Box', 'Lobby']);
    assert.deepEqual([roomsAdministeredBy(store, ann.id), roomsOnFloors(store).has(3)], [[], false]);
    assert.equal(roomCache(store).byKey.get('box'), box);
  });
});
