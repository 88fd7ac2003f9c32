// Changes of several sessions become durable together, in one transaction, for to commit costs far more than to store a
// message: a write to the disk that is waited for, the same pages of the same tables, a segment of the full-text index.

import { BACKEND_GROUP_WAIT_MS, BACKEND_GROUPED_CHANGES, BACKEND_WRITER_MS } from '../../limits/backend.ts';
import { type ChangeScope, unionOf } from '../../system/change-counts.ts';
import type { Store } from './store.ts';

/** What commits. */
type Committer = Pick<Store, 'transaction'>;

interface Waiting {
  run(): unknown;
  scopeOf: ((result: unknown) => ChangeScope) | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** One of each store. */
export class GroupCommit {
  readonly #store: Committer;
  readonly #waiting: Waiting[] = [];
  /** who has changed something lately, and when (performance.now()) */
  readonly #writers = new Map<number, number>();
  /** the wait for further ones */
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(store: Committer) {
    this.#store = store;
  }

  /**
   * Runs `run` (synchronous) in a transaction with what others change, in the order in which they came; its result is
   * there when that is durable, at once where nobody else has changed anything lately. Throws, or rejects with, what it
   * throws, and then nothing of it remains. It may be run twice: what it changes in memory must be taken back on a
   * rollback. `who`: one who waits for it before the next one; `scopeOf` as of Store.transaction.
   */
  run<T>(who: number, run: () => T, scopeOf?: (result: T) => ChangeScope): T | Promise<T> {
    this.#writers.set(who, performance.now());
    if (this.#writers.size === 1) return this.#store.transaction(run, scopeOf);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, scopeOf, resolve, reject } as Waiting);
      if (this.#isDue) return;
      // not all of them: who has been answered makes his next change ready while those of others become durable
      if (this.#waiting.length * 2 >= this.#writers.size) this.#commitSoon();
      else this.#timer ??= setTimeout(() => this.#commitSoon(), BACKEND_GROUP_WAIT_MS);
    });
  }

  /** Commits what waits; to be called before the store is closed. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commit();
  }

  /** With what else has come when all sockets have been read. */
  #commitSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = true;
    setImmediate(() => this.#commit());
  }

  #commit(): void {
    // before the commit, which may take long
    const since = performance.now() - BACKEND_WRITER_MS;
    const group = this.#waiting.splice(0, BACKEND_GROUPED_CHANGES);
    this.#isDue = false;
    if (this.#waiting.length > 0) this.#commitSoon();
    if (group.length < 2 || !this.#commitAll(group)) for (const one of group) this.#commitAlone(one);
    for (const [who, at] of this.#writers) if (at < since) this.#writers.delete(who);
  }

  /**
   * False where one of them failed: nothing of any of them remains. What fails behind that may have been stored, and
   * none is run again.
   */
  #commitAll(group: readonly Waiting[]): boolean {
    let done = 0;
    try {
      const runAll = () =>
        group.map(({ run }) => {
          const result = run();
          done++;
          return result;
        });
      const results = this.#store.transaction(runAll, scopeOfAll(group));
      group.forEach(({ resolve }, i) => void resolve(results[i]));
    } catch (error) {
      if (done < group.length) return false;
      for (const { reject } of group) reject(error);
    }
    return true;
  }

  #commitAlone({ run, scopeOf, resolve, reject }: Waiting): void {
    try {
      resolve(this.#store.transaction(run, scopeOf));
    } catch (error) {
      reject(error);
    }
  }
}

/** What their results say together; undefined, and anything may have changed, where one of them does not say. */
function scopeOfAll(group: readonly Waiting[]): ((results: readonly unknown[]) => ChangeScope) | undefined {
  if (group.some(({ scopeOf }) => scopeOf === undefined)) return undefined;
  return (results) => unionOf(group.map(({ scopeOf }, i) => scopeOf!(results[i])));
}
