// What is committed lies in the write-ahead log of SQLite and has to go into the database when there is much of it
// (a checkpoint). Whoever commits then would do it and wait twice for the disk, and all sessions with him. Here a
// thread of its own does it, on a connection of its own, beside those who write on; it is there while it has work.

import { Worker } from 'node:worker_threads';
import { CHECKPOINT_PAGES, CHECKPOINT_REST_MS, MAX_LOG_PAGES } from '../../limits/backend.ts';
import { databaseFile, type Store } from './store.ts';

/** SQLite's own bound (PRAGMA wal_autocheckpoint) */
const USUAL_LOG_PAGES = 1000;

/** One of each store that many write to. */
export class Checkpoints {
  readonly #store: Store;
  readonly #start: (file: string) => Worker;
  readonly #restMs: number;
  #thread: Worker | undefined;
  /** settled when the checkpoint that runs is done */
  #running: PromiseWithResolvers<void> | undefined;
  #rest: NodeJS.Timeout | undefined;

  constructor(store: Store, { start = startThread, restMs = CHECKPOINT_REST_MS } = {}) {
    this.#store = store;
    this.#start = start;
    this.#restMs = restMs;
    // Nobody waits for the thread: those who write faster than it can do without it, as ever, when there is this much.
    store.db.exec(`PRAGMA wal_autocheckpoint = ${MAX_LOG_PAGES}`);
    store.onCommit = () => this.#look();
  }

  /** Ends the thread, behind what it is doing. To be called before the store is closed, whose end is a checkpoint. */
  async close(): Promise<void> {
    this.#store.onCommit = () => {};
    await this.#running?.promise;
    await this.#endThread();
  }

  #look(): void {
    if (this.#running || this.#waiting() < CHECKPOINT_PAGES) return;
    this.#running = Promise.withResolvers();
    clearTimeout(this.#rest);
    this.#thread ??= this.#begin();
    this.#thread.postMessage('checkpoint');
  }

  /** Pages that are in the log alone. Takes a microsecond or two. */
  #waiting(): number {
    try {
      const size = this.#store.prepare('PRAGMA wal_checkpoint(NOOP)').get() as Record<string, number>;
      return size.log! - size.checkpointed!;
    } catch {
      return 0; // what was committed is committed
    }
  }

  #begin(): Worker {
    const thread = this.#start(databaseFile(this.#store.folder));
    thread.on('message', () => this.#done());
    // without a thread it is as SQLite has it
    thread.on('error', () => {
      this.#store.onCommit = () => {};
      this.#store.db.exec(`PRAGMA wal_autocheckpoint = ${USUAL_LOG_PAGES}`);
      this.#done();
    });
    return thread;
  }

  #done(): void {
    this.#running?.resolve();
    this.#running = undefined;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#endThread(), this.#restMs).unref();
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#rest);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

/** A thread that does a checkpoint of this database for each message, and answers it. */
export function startThread(file: string): Worker {
  return new Worker(`(${serve})()`, {
    eval: true,
    name: 'checkpoints',
    workerData: file,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  });
}

/** Runs as a text of its own, in the thread: it can use nothing of this file. */
function serve(): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const db = new DatabaseSync(workerData as string);
  db.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -256');
  // it waits for nobody, and nobody for it: what is read or written meanwhile stays in the log
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  parentPort!.on('message', () => {
    try {
      checkpoint.get();
    } catch {
      // a disk that fails: whoever writes is told of it
    }
    parentPort!.postMessage('done');
  });
}
