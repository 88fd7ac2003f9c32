import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { Housekeeper } from '../../../src/backend/maintenance/housekeeping.ts';
import { sweepSome } from '../../../src/backend/maintenance/removal.ts';
import { FileWriter } from '../../../src/backend/store/room-files.ts';
import { sharedRooms } from '../../../src/backend/store/rooms.ts';
import { openStore } from '../../../src/backend/store/store.ts';
import { visitOf } from '../../../src/backend/store/visits.ts';
import {
  BACKEND_CHUNK_BYTES,
  BACKEND_LIST_PAGE_ROWS,
  BACKEND_SWEEP_BYTES,
  BACKEND_SWEEP_MESSAGES,
} from '../../../src/limits/backend.ts';
import { MESSAGES, world } from '../../support/huge-room.ts';
import { addManyUsers, letKnow } from '../../support/many-users.ts';

describe('a large room that is deleted', () => {
  it('is out of reach at once, and goes in pieces between which others have their turn', async (t) => {
    const { store, server, admin, count, left } = await world(t);
    await admin.expect('GOTO Huge', 200);
    await admin.expect('KILL 1', 200);
    assert.ok(left() > 0, 'not all is gone yet');
    await admin.expect('GOTO Huge', 572);
    assert.doesNotMatch(await admin.text('LKRA'), /Huge/);
    assert.equal((await admin.expect('SRCH text', 100)).lines.length, 1);
    await admin.expect('CRE8 1|Huge|0', 200);
    await admin.expect('GOTO Huge', 200);
    assert.deepEqual((await admin.expect('MSGS ALL', 100)).lines, []);
    await server.housekeeper.done();
    assert.equal(left(), 0);
    assert.deepEqual([count('message'), count('blob'), count('message_text')], [2, 2, 2]);
    assert.equal(store.db.prepare('SELECT count(*) AS n FROM room WHERE dropped = 1').get()!.n, 0);
    assert.deepEqual([...findFaults(store)], []);
  });

  it('removes so many messages a piece and no more', async (t) => {
    const { store, server, admin, left } = await world(t);
    server.housekeeper.stop();
    await admin.expect('GOTO Huge', 200);
    await admin.expect('KILL 1', 200);
    for (let before = MESSAGES; before > 0; before = left()) {
      assert.ok(before - left() <= BACKEND_SWEEP_MESSAGES);
      assert.deepEqual([...findFaults(store)], []);
      sweepSome(store);
    }
  });

  it('is forgotten by so many visitors a piece and no more', async (t) => {
    const { store, server, admin, huge, count } = await world(t);
    server.housekeeper.stop();
    const users = addManyUsers(store, 3 * BACKEND_LIST_PAGE_ROWS);
    letKnow(store, users, huge.id);
    assert.equal(visitOf(store, users[0]!, huge.id).state, 'known');
    const visits = () => count(`visit WHERE room = ${huge.id}`);
    await admin.expect('GOTO Huge', 200);
    const all = visits();
    await admin.expect('KILL 1', 200);
    assert.equal(visits(), all, 'none has gone while others waited');
    for (let before = all; sweepSome(store); before = visits()) {
      assert.ok(before - visits() <= BACKEND_LIST_PAGE_ROWS);
    }
    assert.deepEqual([visits(), count('room WHERE dropped <> 0')], [0, 0]);
    assert.equal(visitOf(store, users[0]!, huge.id).state, 'none', 'nor is it in memory');
    assert.deepEqual([...findFaults(store)], []);
  });

  it('takes its files along, in pieces', async (t) => {
    const { store, server, admin, huge, count } = await world(t);
    const bytes = Buffer.alloc(BACKEND_SWEEP_BYTES + 1, 'f');
    for (const name of ['a', 'b']) {
      const file = new FileWriter(store, { room: huge.id, name, type: 'text/plain', comment: '' });
      file.append(bytes);
      file.finish();
    }
    assert.deepEqual([...findFaults(store)], []);
    await admin.expect('GOTO Huge', 200);
    await admin.expect('KILL 1', 200);
    assert.ok(count('room_file_chunk') > 0);
    await server.housekeeper.done();
    assert.deepEqual([count('room_file'), count('room_file_chunk'), count('message')], [0, 0, 2]);
  });

  it('leaves a large file of a room that stays, when it is deleted or its upload breaks off', async (t) => {
    const { store, server, admin, huge, count } = await world(t);
    await admin.expect('GOTO Huge', 200);
    await admin.expect('SETR Huge||dir|32', 200);
    const begin = (name: string) => {
      const file = new FileWriter(store, { room: huge.id, name, type: 'text/plain', comment: '' });
      file.append(Buffer.alloc(BACKEND_SWEEP_BYTES + BACKEND_CHUNK_BYTES, 'f'));
      return file;
    };
    begin('a').finish();
    const before = count('room_file_chunk');
    await admin.expect('DELF a', 200);
    assert.ok(count('room_file_chunk') > 0, 'not all is gone yet');
    assert.deepEqual((await admin.expect('RDIR', 100)).lines, []);
    begin('a').abort();
    assert.ok(count('room_file_chunk') >= before);
    await server.housekeeper.done();
    assert.deepEqual([count('room_file'), count('room_file_chunk')], [0, 0]);
  });

  it('goes on going after the next start, and is no room then either', async (t) => {
    const { world: first, server, admin, left } = await world(t);
    server.housekeeper.stop();
    await admin.expect('GOTO Huge', 200);
    await admin.expect('KILL 1', 200);
    await setImmediate();
    assert.ok(left() > BACKEND_SWEEP_MESSAGES);
    await first.close();
    const store = openStore(first.folder);
    t.after(() => store.close());
    const names = sharedRooms(store).map(({ name }) => name);
    assert.deepEqual([names.includes('Box'), names.includes('Huge')], [true, false]);
    const next = new Housekeeper(store, assert.ifError);
    t.after(() => next.stop());
    await next.done();
    assert.deepEqual(store.db.prepare('SELECT id FROM room WHERE dropped = 1').all(), []);
    assert.deepEqual([...findFaults(store)], []);
  });
});
