// The sets that npm run scale measures are what the server would have made.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { fillFolder, LARGE_ROOM, RARE_MESSAGES, READER } from '../../scripts/generate.ts';
import { RARE_WORD } from '../../scripts/generated-content.ts';
import { findFaults } from '../../src/backend/maintenance/check.ts';
import { roomByName } from '../../src/backend/store/rooms.ts';
import { searchHits } from '../../src/backend/store/search-index.ts';
import { openStore } from '../../src/backend/store/store.ts';
import { findUser } from '../../src/backend/store/users.ts';
import { countNew, visitOf } from '../../src/backend/store/visits.ts';

async function generated(t: TestContext, seed: number) {
  const folder = await mkdtemp(join(tmpdir(), 'generated-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const size = { rooms: 100, messages: 200, users: 5, largeRoom: 100, seed };
  assert.equal(await fillFolder(folder, size, () => {}), 300);
  const store = openStore(folder);
  t.after(() => store.close());
  return store;
}

it('a generated set holds what was asked for, without a fault', async (t) => {
  const store = await generated(t, 1);
  assert.deepEqual([...findFaults(store)], []);
  const large = roomByName(store, LARGE_ROOM)!;
  assert.equal(large.total, 100);
  assert.equal(searchHits(store, [large], RARE_WORD, 1000).length, RARE_MESSAGES);
  const unread = countNew(store, large, visitOf(store, findUser(store, READER)!.id, large.id));
  assert.ok(unread > 0 && unread < 100, `${unread} unread`);
  const count = (sql: string) => Number(store.prepare(sql).get()!.count);
  assert.equal(count("SELECT count(*) AS count FROM room WHERE name LIKE 'Room %'"), 100);
  assert.ok(count('SELECT count(*) AS count FROM room_message') > 330, 'mail is in two rooms');
});

it('the same seed makes the same messages', async (t) => {
  const subjects = async (seed: number) =>
    (await generated(t, seed))
      .prepare('SELECT subject, blob, author, room FROM message ORDER BY id')
      .all()
      .map((row) => JSON.stringify(row));
  const first = await subjects(7);
  assert.deepEqual(await subjects(7), first);
  assert.notDeepEqual(await subjects(8), first);
});
