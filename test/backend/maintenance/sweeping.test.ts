import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { Housekeeper } from '../../../src/backend/maintenance/housekeeping.ts';
import { sweepSome } from '../../../src/backend/maintenance/sweeping.ts';
import { finishedBody, held, readBlob } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { sharedRooms } from '../../../src/backend/store/room-cache.ts';
import { FileWriter } from '../../../src/backend/store/room-files.ts';
import { createRoom, roomById, roomByName } from '../../../src/backend/store/rooms.ts';
import { openStore } from '../../../src/backend/store/store.ts';
import { createUser, findUser, personalRoom } from '../../../src/backend/store/users.ts';
import { updateVisit, visitOf } from '../../../src/backend/store/visits.ts';
import { BACKEND_CHUNK_BYTES, BACKEND_SWEEP_BYTES, BACKEND_SWEEP_MESSAGES } from '../../../src/limits/backend.ts';
import { messageWorld } from '../../support/message-session.ts';
import { startRoomServer } from '../../support/room-server.ts';
import { WireClient } from '../../support/wire-client.ts';

const MESSAGES = 5 * BACKEND_SWEEP_MESSAGES + 1;

async function world(t: TestContext) {
  const world = await startRoomServer(t);
  const { store, server, socketPath } = world;
  const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
  t.after(() => admin.close());
  await admin.expect('CRE8 1|Huge|0', 200);
  await admin.expect('CRE8 1|Box|0', 200);
  const [huge, box] = [roomByName(store, 'Huge')!, roomByName(store, 'Box')!];
  store.transaction(() => {
    for (let i = 0; i < MESSAGES; i++) {
      saveMessage(store, {
        format: 1,
        author: 'ann',
        path: 'ann',
        address: '',
        room: 'Huge',
        subject: 's',
        body: finishedBody(store, 1, Buffer.from(`text ${i}\n`)),
        rooms: i === 0 ? [huge.id, box.id] : [huge.id],
      });
    }
  });
  const count = (table: string) => Number(store.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n);
  const left = () => count('room_message') - 2; // Lobby has one, Box another
  return { world, store, server, admin, huge, count, left };
}

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

describe('a user with many rooms who is deleted', () => {
  it('has none at once, and they go in pieces between which others have their turn', async (t) => {
    const { store, server, admin, huge, count, left } = await world(t);
    const ann = createUser(store, 'ann', null);
    const own = [huge, ...Array.from({ length: 100 }, (_, i) => personalRoom(store, ann, `Folder ${i}`))];
    store.transaction(() => {
      for (const { id } of own.slice(1)) {
        const body = finishedBody(store, 1, Buffer.from(`mail in ${id}\n`));
        const fields = { format: 1, author: 'ann', path: 'ann', address: '', room: 'Folder', subject: 's' };
        saveMessage(store, { ...fields, body, rooms: [id] });
      }
      for (const room of own) updateVisit(store, visitOf(store, 1, room.id), { state: 'known' });
    });
    createRoom(store, { name: 'Led', flags: 0, view: 0, admin: ann.id });
    const before = left();
    await admin.expect('GOTO 0000000002.Folder 7', 200);
    await admin.expect('ASUP ann|||||0|', 200);
    assert.equal(left(), before, 'nothing was removed while others waited');
    assert.equal(findUser(store, 'ann'), undefined);
    assert.equal(roomByName(store, 'Led')!.admin, null);
    for (const { id } of own.slice(1)) assert.equal(roomById(store, id), undefined);
    assert.equal(visitOf(store, 1, own[1]!.id).state, 'none');
    assert.deepEqual((await admin.expect('SRCH mail', 100)).lines, []);
    await admin.expect('MSGS ALL', 550);
    await server.housekeeper.done();
    assert.deepEqual([left(), count('message')], [MESSAGES, MESSAGES + 1]);
    assert.equal(count('room WHERE dropped <> 0'), 0);
    assert.deepEqual([...findFaults(store)], []);
  });
});

describe('a body', () => {
  const save = (w: ReturnType<typeof messageWorld>, bytes: Buffer, format = 1) =>
    saveMessage(w.store, {
      format,
      author: 'ann',
      path: 'ann',
      address: '',
      room: 'Box',
      subject: 's',
      body: finishedBody(w.store, format, bytes),
      rooms: [w.room('Box').id],
    });
  const blobs = (w: ReturnType<typeof messageWorld>) =>
    w.store.db
      .prepare('SELECT id, size, complete FROM blob')
      .all()
      .map((row) => ({ ...row }));
  const chunks = (w: ReturnType<typeof messageWorld>) =>
    Number(w.store.db.prepare('SELECT count(*) AS n FROM chunk').get()!.n);

  it('with the same bytes is stored once, until the last message that has it goes', (t) => {
    const w = messageWorld(t);
    const box = w.room('Box');
    for (const bytes of [Buffer.from('Content-type: text/plain\n\nsame\n'), Buffer.alloc(600_000, 'abc\n')]) {
      const before = blobs(w).length;
      const first = save(w, bytes);
      const second = save(w, bytes, 4);
      save(w, Buffer.concat([bytes, Buffer.from('\n')]));
      assert.equal(blobs(w).length, before + 2);
      removeFromRoom(w.store, box.id, [first]);
      assert.equal(blobs(w).length, before + 2);
      removeFromRoom(w.store, box.id, [second]);
      assert.equal(blobs(w).length, before + 1);
      assert.deepEqual([...findFaults(w.store)], []);
    }
  });

  it('that is large goes in pieces, and the same bytes can be stored anew meanwhile', (t) => {
    const w = messageWorld(t);
    const bytes = Buffer.alloc(BACKEND_SWEEP_BYTES + 1, 'abc\n');
    const first = save(w, bytes);
    let garbage = 0;
    w.store.onGarbage = () => garbage++;
    removeFromRoom(w.store, w.room('Box').id, [first]);
    assert.deepEqual([garbage, blobs(w)[0]!.complete], [1, 2]);
    save(w, bytes);
    const whole = chunks(w) / 2;
    assert.ok(sweepSome(w.store));
    assert.ok(chunks(w) > whole, 'one piece is not all of it');
    while (sweepSome(w.store));
    assert.equal(chunks(w), whole);
    assert.deepEqual(
      blobs(w).map(({ complete }) => complete),
      [1],
    );
    assert.deepEqual([...findFaults(w.store)], []);
  });

  it('that is being sent stays until all who read it have it, whatever its size', (t) => {
    const w = messageWorld(t);
    for (const size of [300_000, BACKEND_SWEEP_BYTES + 4]) {
      const bytes = Buffer.alloc(size, 'abc\n');
      const number = save(w, bytes);
      const blob = Number(blobs(w)[0]!.id);
      const [one, other, unread] = [1, 2, 3].map(() => held(w.store, blob, readBlob(w.store, blob)));
      const [first, dropped] = [one!.next().value as Buffer, other!.next().value];
      assert.ok(dropped);
      removeFromRoom(w.store, w.room('Box').id, [number]);
      assert.ok(!sweepSome(w.store));
      other!.return(undefined);
      assert.ok(!sweepSome(w.store));
      let garbage = 0;
      w.store.onGarbage = () => garbage++;
      assert.ok(Buffer.concat([first, ...one!]).equals(bytes));
      assert.equal(garbage, 1);
      while (sweepSome(w.store));
      assert.deepEqual([blobs(w), chunks(w)], [[], 0]);
      assert.throws(() => [...unread!], /deleted/);
    }
  });

  it('of the largest size that goes at once leaves nothing to be swept', (t) => {
    const w = messageWorld(t);
    const first = save(w, Buffer.alloc(BACKEND_SWEEP_BYTES, 'abc\n'));
    w.store.onGarbage = () => assert.fail();
    removeFromRoom(w.store, w.room('Box').id, [first]);
    assert.deepEqual(blobs(w), []);
  });
});
