// What every database holds before it serves.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFirstAdmin, createServerRooms } from '../../../src/backend/maintenance/bootstrap.ts';
import { messageByNumber } from '../../../src/backend/store/messages.ts';
import { verifyPassword } from '../../../src/backend/store/passwords.ts';
import { FileWriter } from '../../../src/backend/store/room-files.ts';
import { baseRoom, roomByName, updateRoom } from '../../../src/backend/store/rooms.ts';
import { openStore } from '../../../src/backend/store/store.ts';
import { allUsers, createUser, findUser } from '../../../src/backend/store/users.ts';
import { LEVEL, ROOM_FLAG } from '../../../src/model.ts';

const COST = 16;

function newStore(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  const store = openStore(folder);
  t.after(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

describe('a new server', () => {
  it('has a floor, its rooms, and a greeting in the Lobby', (t) => {
    const store = newStore(t);
    createServerRooms(store);
    assert.deepEqual(
      store
        .prepare('SELECT num, name FROM floor')
        .all()
        .map((row) => ({ ...row })),
      [{ num: 0, name: 'Main Floor' }],
    );
    const isPrivate = (name: string) => (roomByName(store, name)!.flags & ROOM_FLAG.private) !== 0;
    assert.deepEqual(['Lobby', 'Aide', 'Trashcan', 'Global Address Book'].map(isPrivate), [false, true, false, true]);
    assert.equal(messageByNumber(store, baseRoom(store).highest)?.subject, 'Welcome');
  });

  it('gets an administrator, once', async (t) => {
    const store = newStore(t);
    createServerRooms(store);
    const made = await createFirstAdmin(store, 'given', COST);
    assert.deepEqual(made, { name: 'admin', password: 'given', generated: false });
    const admin = findUser(store, 'admin')!;
    assert.equal(admin.level, LEVEL.admin);
    assert.ok(await verifyPassword(admin.password, 'given'));
    assert.equal(await createFirstAdmin(store, 'other', COST), undefined);
    assert.equal([...allUsers(store)].length, 1);
  });

  it('has a password that nobody could guess where none is given', async (t) => {
    const passwords = await Promise.all(
      [newStore(t), newStore(t)].map((store) => {
        createServerRooms(store);
        return createFirstAdmin(store, undefined, COST);
      }),
    );
    for (const made of passwords) {
      assert.equal(made!.generated, true);
      assert.match(made!.password, /^[\w-]{16}$/);
    }
    assert.notEqual(passwords[0]!.password, passwords[1]!.password);
  });
});

describe('a server that has run before', () => {
  it('is left as people have made it', async (t) => {
    const store = newStore(t);
    createServerRooms(store);
    createUser(store, 'ann', null);
    updateRoom(store, roomByName(store, 'Aide')!, { order: 7 });
    const before = store.prepare('SELECT * FROM room').all();
    createServerRooms(store);
    assert.deepEqual(store.prepare('SELECT * FROM room').all(), before);
    assert.equal(baseRoom(store).total, 1, 'it greets once');
    assert.equal(await createFirstAdmin(store, 'given', COST), undefined, 'who is there decides who administers');
  });

  it('gets back a room that is missing, and loses uploads that never ended', (t) => {
    const store = newStore(t);
    createServerRooms(store);
    const lobby = baseRoom(store);
    new FileWriter(store, { room: lobby.id, name: 'half', type: '', comment: '' }).append(Buffer.from('x'));
    updateRoom(store, roomByName(store, 'Global Address Book')!, { name: 'Cards' });
    createServerRooms(store);
    assert.ok(roomByName(store, 'Global Address Book'));
    assert.equal(store.prepare('SELECT 1 FROM room_file WHERE complete = 0').get(), undefined);
  });
});
