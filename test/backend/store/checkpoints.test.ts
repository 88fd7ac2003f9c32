// What is committed gets from the write-ahead log into the database by a thread of its own, which is there only while
// it has work.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Checkpoints, startThread } from '../../../src/backend/store/checkpoints.ts';
import { databaseFile, openStore, type Store } from '../../../src/backend/store/store.ts';
import { CHECKPOINT_PAGES } from '../../../src/limits/backend.ts';
import { eventually } from '../../support/eventually.ts';

async function open(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'checkpoints-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const store = openStore(folder);
  store.db.exec('CREATE TABLE filled (bytes BLOB)');
  store.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const threads: Worker[] = [];
  const start = (file: string) => {
    threads.push(startThread(file));
    return threads.at(-1)!;
  };
  return { store, file: databaseFile(folder), threads, start };
}

const PAGES = 50;

/** Transactions that write so many pages each, and a few more, until that was done with this many. */
function fill(store: Store, pages: number): void {
  for (let written = 0; written < pages; written += PAGES) {
    store.transaction(() => store.prepare('INSERT INTO filled VALUES (zeroblob(?))').run(PAGES * 4050));
  }
}

function sizeOf(store: Store): { log: number; checkpointed: number } {
  return store.db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number };
}

describe('what is in the log', () => {
  it('gets into the database when there is much of it, by a thread that is started then', async (t) => {
    const { store, threads, start } = await open(t);
    const checkpoints = new Checkpoints(store, { start });
    fill(store, CHECKPOINT_PAGES - 5 * PAGES);
    assert.equal(threads.length, 0);
    assert.equal(sizeOf(store).checkpointed, 0);
    fill(store, 5 * PAGES);
    await eventually(async () => sizeOf(store).checkpointed >= CHECKPOINT_PAGES, true);
    store.transaction(() => store.prepare('DELETE FROM filled').run());
    assert.ok(sizeOf(store).log < CHECKPOINT_PAGES, 'the log begins anew');
    assert.equal(threads.length, 1);
    await checkpoints.close();
    store.close();
  });

  it('is the last to go when the store is closed, also while the thread is at it', async (t) => {
    const { store, file, threads, start } = await open(t);
    const checkpoints = new Checkpoints(store, { start });
    fill(store, CHECKPOINT_PAGES);
    assert.equal(threads.length, 1);
    const { count } = store.db.prepare('SELECT count(*) AS count FROM filled').get()!;
    await checkpoints.close();
    store.close();
    assert.ok(!existsSync(`${file}-wal`));
    const again = openStore(join(file, '..'));
    assert.equal(again.db.prepare('SELECT count(*) AS count FROM filled').get()!.count, count);
    again.close();
  });

  it('gets there as SQLite has it where there can be no thread', async (t) => {
    const { store } = await open(t);
    const start = () => new Worker('throw new Error("no memory")', { eval: true });
    const checkpoints = new Checkpoints(store, { start });
    fill(store, CHECKPOINT_PAGES);
    const bound = async () => store.db.prepare('PRAGMA wal_autocheckpoint').get()!.wal_autocheckpoint;
    await eventually(bound, 1000);
    fill(store, CHECKPOINT_PAGES);
    const { log, checkpointed } = sizeOf(store);
    assert.ok(log - checkpointed < 1000 + 2 * PAGES, `${log} and ${checkpointed}`);
    await checkpoints.close();
    store.close();
  });
});

describe('the thread', () => {
  it('ends when there was nothing for it for a while, and another one is started for what comes then', async (t) => {
    const { store, threads, start } = await open(t);
    const checkpoints = new Checkpoints(store, { start, restMs: 1 });
    fill(store, CHECKPOINT_PAGES);
    await once(threads[0]!, 'exit');
    fill(store, CHECKPOINT_PAGES);
    await eventually(async () => threads.length, 2);
    await eventually(async () => sizeOf(store).checkpointed > 0, true);
    await checkpoints.close();
    store.close();
  });
});
