// Space that is not used any more goes back.

import assert from 'node:assert/strict';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { compact } from '../../../src/backend/maintenance/backup.ts';
import { findFaults } from '../../../src/backend/maintenance/check.ts';
import { messageByNumber } from '../../../src/backend/store/messages.ts';
import { removeFromRoom } from '../../../src/backend/store/references.ts';
import { databaseFile, openStore } from '../../../src/backend/store/store.ts';
import { BACKEND_SWEEP_BYTES } from '../../../src/limits/backend.ts';
import { messageWorld } from '../../support/message-session.ts';
import { saveIn } from '../../support/saved-message.ts';

it('a database without its gaps is smaller, and holds the same', (t) => {
  const w = messageWorld(t);
  const box = w.room('Box');
  const kept = saveIn(w, box, { text: 'kept\n' });
  // larger than what goes at once: something is left to be swept
  const large = saveIn(w, box, { text: 'x\n'.repeat(BACKEND_SWEEP_BYTES / 2) });
  removeFromRoom(w.store, box.id, [large]);
  const { folder } = w.store;
  w.store.close();
  const { before, after } = compact(folder);
  assert.ok(after < before - BACKEND_SWEEP_BYTES, `${before} to ${after}`);
  assert.equal(after, statSync(databaseFile(folder)).size);
  const again = openStore(folder);
  w.store.close = () => again.close();
  assert.equal(messageByNumber(again, kept)?.size, 'Content-Type: text/plain; charset=utf-8\n\nkept\n'.length);
  assert.equal(again.prepare('SELECT count(*) AS n FROM blob').get()!.n, 1);
  assert.deepEqual([...findFaults(again)], []);
});

it('a database that is in use, or that is not there, is left alone', (t) => {
  const { store } = messageWorld(t);
  assert.throws(() => compact(store.folder), { message: /is in use by another server/ });
  const none = join(store.folder, 'none');
  mkdirSync(none);
  assert.throws(() => compact(none), { code: 'not_found' });
});
