import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { sweepSome } from '../../../src/backend/maintenance/removal.ts';
import { BodyWriter, finishedBody, readBlob } from '../../../src/backend/store/bodies.ts';
import { saveMessage } from '../../../src/backend/store/messages.ts';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import type { Store } from '../../../src/backend/store/store.ts';
import { BACKEND_CHUNK_BYTES, BACKEND_INLINE_BYTES, BACKEND_SWEEP_BYTES } from '../../../src/limits/backend.ts';
import { messageWorld } from '../../support/message-session.ts';
import { pattern, writeBody } from '../../support/written-body.ts';

function open(t: TestContext): Store {
  return messageWorld(t).store;
}

function counts(store: Store): { blobs: number; chunks: number } {
  const { blobs, chunks } = store.db
    .prepare('SELECT (SELECT count(*) FROM blob) AS blobs, (SELECT count(*) FROM chunk) AS chunks')
    .get()!;
  return { blobs: Number(blobs), chunks: Number(chunks) };
}

describe('a body', () => {
  for (const length of [
    0,
    1,
    BACKEND_CHUNK_BYTES - 1,
    BACKEND_CHUNK_BYTES,
    BACKEND_CHUNK_BYTES + 1,
    BACKEND_INLINE_BYTES,
    BACKEND_INLINE_BYTES + 1,
  ]) {
    it(`of ${length} bytes comes back as it was`, (t) => {
      const store = open(t);
      const bytes = pattern(length);
      for (const pieceBytes of [997, 70_000]) {
        const blob = writeBody(store, bytes, pieceBytes);
        assert.ok(Buffer.concat([...readBlob(store, blob)]).equals(bytes));
      }
    });
  }

  it('does not keep what the sender still may change', (t) => {
    const store = open(t);
    const body = new BodyWriter(store, { isMime: false, maxBytes: 10 });
    const piece = Buffer.from('abc');
    body.append(piece);
    piece.fill('x');
    body.finish();
    const blob = store.transaction(() => body.link());
    assert.equal(Buffer.concat([...readBlob(store, blob)]).toString(), 'abc');
  });

  it('is written while it comes, not complete before it is linked, and gone when it is aborted', (t) => {
    const store = open(t);
    const before = counts(store);
    const body = new BodyWriter(store, { isMime: false, maxBytes: 10 * BACKEND_INLINE_BYTES });
    body.append(pattern(BACKEND_INLINE_BYTES - 1));
    assert.deepEqual(counts(store), before, 'in memory up to the bound');
    body.append(pattern(BACKEND_INLINE_BYTES));
    assert.deepEqual(counts(store), {
      blobs: before.blobs + 1,
      chunks: before.chunks + (2 * BACKEND_INLINE_BYTES) / BACKEND_CHUNK_BYTES - 4,
    });
    assert.equal(store.db.prepare('SELECT min(complete) AS complete FROM blob').get()!.complete, 0);
    body.abort();
    body.abort();
    assert.deepEqual(counts(store), before);
  });

  it('is gone after a transaction that linked it was rolled back and it was aborted', (t) => {
    const store = open(t);
    const before = counts(store);
    for (const length of [10, 2 * BACKEND_INLINE_BYTES]) {
      const body = new BodyWriter(store, { isMime: false, maxBytes: length });
      body.append(pattern(length));
      body.finish();
      assert.throws(() =>
        store.transaction(() => {
          body.link();
          throw new Error('no');
        }),
      );
      body.abort();
      assert.deepEqual(counts(store), before);
    }
  });

  it('may be as large as the bound and not a byte larger', (t) => {
    const store = open(t);
    const before = counts(store);
    for (const maxBytes of [100, BACKEND_INLINE_BYTES + 100]) {
      const body = new BodyWriter(store, { isMime: false, maxBytes });
      body.append(pattern(maxBytes));
      assert.equal(body.isTooLarge, false);
      body.append(Buffer.from('x'));
      assert.equal(body.isTooLarge, true);
      body.append(Buffer.from('x'));
      assert.deepEqual(counts(store), before);
    }
  });

  it('of 20 MiB needs no memory in its size', (t) => {
    const store = open(t);
    const piece = pattern(64 * 1024);
    const wanted = createHash('sha256');
    const body = new BodyWriter(store, { isMime: true, maxBytes: 2 ** 30 });
    const header = Buffer.from('Content-type: application/octet-stream\n\n');
    body.append(header);
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    let held = 0;
    for (let i = 0; i < 320; i++) {
      body.append(piece);
      wanted.update(piece);
      if (i % 80 !== 79) continue;
      // what the first run finds is freed in the background, by the second run at the latest
      collectGarbage();
      collectGarbage();
      held = Math.max(held, process.memoryUsage().arrayBuffers);
    }
    body.finish();
    assert.ok(held < 4 * 1024 * 1024, `${held} bytes`);
    assert.equal(body.structure!.encodedLength, 320 * piece.length);
    const blob = store.transaction(() => body.link());
    const got = createHash('sha256');
    for (const chunk of readBlob(store, blob, header.length)) {
      assert.ok(chunk.length <= BACKEND_CHUNK_BYTES);
      got.update(chunk);
    }
    assert.equal(got.digest('hex'), wanted.digest('hex'));
  });
});

describe('a stored body', () => {
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

  it('of the largest size that goes at once leaves nothing to be swept', (t) => {
    const w = messageWorld(t);
    const first = save(w, Buffer.alloc(BACKEND_SWEEP_BYTES, 'abc\n'));
    w.store.onGarbage = () => assert.fail();
    removeFromRoom(w.store, w.room('Box').id, [first]);
    assert.deepEqual(blobs(w), []);
  });
});
