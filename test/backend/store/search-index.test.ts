import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { indexMessage, unindexMessage } from '../../../src/backend/store/search-index.ts';
import { openStore } from '../../../src/backend/store/store.ts';

it('takes messages out of a large index, and other changes work afterwards', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'rooms-'));
  t.after(() => rm(folder, { recursive: true }));
  const store = openStore(folder);
  t.after(() => store.close());
  const indexed = (word: string) =>
    store.prepare('SELECT rowid FROM message_text WHERE message_text MATCH ?').all(word).length;
  store.transaction(() => {
    for (let id = 1; id <= 200; id++) {
      indexMessage(store, {
        id,
        blob: 0,
        format: 4,
        structure: undefined,
        subject: `word number${id}`,
        author: 'ann',
        rooms: [],
      });
    }
  });
  // tombstones of FTS5 get row ids beyond 2^53
  for (let id = 1; id <= 200; id += 2) store.transaction(() => unindexMessage(store, id));
  store.setConfig('c_test', 'x');
  store.prepare('DELETE FROM config WHERE name = ?').run('c_test');
  assert.deepEqual([indexed('word'), indexed('number3'), indexed('number4')], [100, 0, 1]);
});
