// Commits changes of several sessions in one transaction. A commit costs far more than storing a message: a synchronous
// write to the disk, the same pages of the same tables, a segment of the full-text index.

import { BACKEND_GROUP_WAIT_MS, BACKEND_GROUPED_CHANGES, BACKEND_WRITER_MS } from '../../limits/backend.ts';
import { type ChangeScope, unionOf } from '../../system/change-counts.ts';
import type { Store } from './store.ts';

/** The store that commits. */
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
  /** sessions with recent changes, and when (performance.now()) */
  readonly #writers = new Map<number, number>();
  /** set while waiting for further changes */
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(store: Committer) {
    this.#store = store;
  }

  /**
   * Runs `run` (synchronous) in one transaction with the changes of others, in the order of the calls, and resolves
   * when it is durable; returns at once if no other session has made changes lately. Throws, or rejects with, what
   * `run` throws, and then nothing of it remains. `run` may run twice, so cached data must be restored on a rollback.
   * `who`: a session, which waits before its next change; `scopeOf`: see Store.transaction.
   */
  run<T>(who: number, run: () => T, scopeOf?: (result: T) => ChangeScope): T | Promise<T> {
    this.#writers.set(who, performance.now());
    if (this.#writers.size === 1) return this.#store.transaction(run, scopeOf);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, scopeOf, resolve, reject } as Waiting);
      if (this.#isDue) return;
      // not all sessions: those that got a reply prepare their next change while others commit
      if (this.#waiting.length * 2 >= this.#writers.size) this.#commitSoon();
      else this.#timer ??= setTimeout(() => this.#commitSoon(), BACKEND_GROUP_WAIT_MS);
    });
  }

  /** Commits pending changes. Call it before closing the store. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commit();
  }

  /** Commits when all sockets have been read, with the changes that came from there. */
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
   * False if one of them threw: nothing of any remains. Errors after that are not handled here, because the changes may
   * be stored: none runs again.
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

/** The union of their scopes; undefined, which means anything, if one of them names none. */
function scopeOfAll(group: readonly Waiting[]): ((results: readonly unknown[]) => ChangeScope) | undefined {
  if (group.some(({ scopeOf }) => scopeOf === undefined)) return undefined;
  return (results) => unionOf(group.map(({ scopeOf }, i) => scopeOf!(results[i])));
}
