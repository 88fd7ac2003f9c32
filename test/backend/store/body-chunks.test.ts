// Stored bodies, read piece by piece.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sweepSome } from '../../../src/backend/maintenance/removal.ts';
import { held, readBlob } from '../../../src/backend/store/bodies.ts';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { BACKEND_CHUNK_BYTES, BACKEND_SWEEP_BYTES } from '../../../src/limits/backend.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';
import { pattern, writeBody } from '../../support/written-body.ts';

describe('a stored body that is read', () => {
  it('can be read from any offset to any other', (t) => {
    const { store } = messageWorld(t);
    const bytes = pattern(3 * BACKEND_CHUNK_BYTES + 17);
    const blob = writeBody(store, bytes, 5000);
    const edge = BACKEND_CHUNK_BYTES;
    for (const [start, end] of [
      [0, 1],
      [edge - 1, edge + 1],
      [edge, 2 * edge],
      [5, 3 * edge + 17],
      [7, 7],
    ] as const) {
      assert.ok(Buffer.concat([...readBlob(store, blob, start, end)]).equals(bytes.subarray(start, end)));
    }
  });

  it('that is deleted while it is read breaks off with an error', (t) => {
    const { store } = messageWorld(t);
    const blob = writeBody(store, pattern(3 * BACKEND_CHUNK_BYTES), 5000);
    const reading = readBlob(store, blob);
    reading.next();
    store.db.prepare('DELETE FROM blob WHERE id = ?').run(blob);
    assert.throws(() => reading.next(), /deleted/);
  });

  it('that is being sent stays until all who read it have it, whatever its size', (t) => {
    const w = messageWorld(t);
    const rows = (table: string) => Number(w.store.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n);
    for (const size of [300_000, BACKEND_SWEEP_BYTES + 4]) {
      const bytes = Buffer.alloc(size, 'abc\n');
      const number = saveIn(w, w.room('Box'), { format: 1, text: bytes.toString() });
      const blob = Number(w.store.db.prepare('SELECT id FROM blob').get()!.id);
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
      assert.deepEqual([rows('blob'), rows('chunk')], [0, 0]);
      assert.throws(() => [...unread!], /deleted/);
    }
  });
});
