import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { sweepSome } from '../../../src/backend/maintenance/sweeping.ts';
import { finishedBody, held, readBlob } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { BACKEND_SWEEP_BYTES } from '../../../src/limits/backend.ts';
import { messageWorld } from '../../support/message-session.ts';

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
