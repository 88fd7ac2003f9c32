// Write locks of WebDAV (RFC 4918 sections 6 and 7), by collection and name. In memory: a restart forgets them, as
// RFC 4918 section 6.6 allows, and each client finds that out when it refreshes or uses its token.

import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { MAX_LOCKS, MAX_LOCKS_PER_USER } from '../limits/locks.ts';

export interface WriteLock {
  /** `urn:uuid:…` (RFC 4918 section 6.5) */
  token: string;
  /** whose it is: nobody else may use the token */
  account: string;
  /** a text that stands for one room, however its name is spelt */
  collection: string;
  /** of the member that was locked; '' for the room itself, a folder's ends in a slash */
  name: string;
  isShared: boolean;
  /** Depth: infinity, with all that lies below */
  isDeep: boolean;
  /** DAV:owner, an XML document; empty where the client has named nobody */
  ownerXml: string;
  /** Unix seconds: from then on there is no lock */
  until: number;
  /** number of the empty message that was made for it, where nothing had the name */
  made: number | undefined;
}

export type NewLock = Omit<WriteLock, 'token' | 'until' | 'made'>;

export interface Locks {
  /**
   * Takes a lock for so many seconds, or answers the locks that are in its way. Throws insufficient_storage for an
   * account that has too many, or where there are too many of all.
   */
  add(lock: NewLock, seconds: number): Promise<{ taken: WriteLock } | { inTheWay: WriteLock[] }>;
  /** There are none at all. */
  isEmpty(): Promise<boolean>;
  /** All that are in force in a collection. */
  inCollection(collection: string): Promise<readonly WriteLock[]>;
  /** The lock with its new time; undefined where it is not there (any more). */
  refresh(collection: string, token: string, seconds: number): Promise<WriteLock | undefined>;
  /** Notes what was made for a lock. */
  noteMade(collection: string, token: string, msgnum: number): Promise<void>;
  /** False where it is not there. */
  remove(collection: string, token: string): Promise<boolean>;
  /** Of what has been deleted or moved away, and of all that lay below. */
  removeFrom(collection: string, name: string): Promise<void>;
}

/** A name lies below a folder, or, for '', in the collection. */
export function isBelow(folder: string, name: string): boolean {
  return folder === '' ? name !== '' : folder.endsWith('/') && name !== folder && name.startsWith(folder);
}

/** RFC 4918 section 7.4: a lock of infinite depth covers what lies below. */
export function coversName({ name: root, isDeep }: WriteLock, name: string): boolean {
  return root === name || (isDeep && isBelow(root, name));
}

/** All locks that one process knows of, by collection and token. `now` in Unix seconds. */
export class LockTable {
  readonly #now: () => number;
  readonly #kept = new Map<string, Map<string, WriteLock>>();
  readonly #countOf = new Map<string, number>();
  #total = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#total === 0;
  }

  /** Of a collection, without those whose time is over. */
  current(collection: string): WriteLock[] {
    const moment = this.#now();
    return [...(this.#kept.get(collection)?.values() ?? [])].filter((lock) => {
      if (lock.until > moment) return true;
      this.drop(lock);
      return false;
    });
  }

  find(collection: string, token: string): WriteLock | undefined {
    return this.current(collection).find((lock) => lock.token === token);
  }

  /** Those on a name, and on all below it. */
  below(collection: string, name: string): WriteLock[] {
    return this.current(collection).filter((lock) => lock.name === name || isBelow(name, lock.name));
  }

  /** What a lock would be, or the locks in its way. Throws as Locks.add; nothing is kept yet. */
  plan(lock: NewLock, seconds: number): { taken: WriteLock } | { inTheWay: WriteLock[] } {
    const inTheWay = this.current(lock.collection).filter((other) => excludes(lock, other));
    if (inTheWay.length > 0) return { inTheWay };
    this.#requireRoom(lock.account);
    return { taken: { ...lock, token: `urn:uuid:${randomUUID()}`, until: this.#now() + seconds, made: undefined } };
  }

  /** In the place of the one with its token, where there is one. */
  put(lock: WriteLock): void {
    this.drop(lock);
    this.#kept.getOrInsertComputed(lock.collection, () => new Map<string, WriteLock>()).set(lock.token, lock);
    this.#countOf.set(lock.account, (this.#countOf.get(lock.account) ?? 0) + 1);
    this.#total++;
  }

  drop({ collection, token }: Pick<WriteLock, 'collection' | 'token'>): void {
    const locks = this.#kept.get(collection);
    const lock = locks?.get(token);
    if (!lock) return;
    locks!.delete(token);
    if (locks!.size === 0) this.#kept.delete(collection);
    const left = this.#countOf.get(lock.account)! - 1;
    if (left === 0) this.#countOf.delete(lock.account);
    else this.#countOf.set(lock.account, left);
    this.#total--;
  }

  /** Forgets those whose time is over. */
  sweep(): void {
    for (const collection of [...this.#kept.keys()]) this.current(collection);
  }

  #requireRoom(account: string): void {
    const isFull = () => this.#total >= MAX_LOCKS || (this.#countOf.get(account) ?? 0) >= MAX_LOCKS_PER_USER;
    if (!isFull()) return;
    this.sweep();
    if (isFull()) throw new AppError('insufficient_storage', 'There are too many locks. Try again later.');
  }
}

/** `now` in Unix seconds. */
export function localLocks(now: () => number = () => Date.now() / 1000): Locks {
  const table = new LockTable(now);
  return {
    async add(lock, seconds) {
      const result = table.plan(lock, seconds);
      if ('taken' in result) table.put(result.taken);
      return result;
    },

    isEmpty: async () => table.isEmpty,

    inCollection: async (collection) => table.current(collection),

    async refresh(collection, token, seconds) {
      const lock = table.find(collection, token);
      if (!lock) return undefined;
      const refreshed = { ...lock, until: now() + seconds };
      table.put(refreshed);
      return refreshed;
    },

    async noteMade(collection, token, msgnum) {
      const lock = table.find(collection, token);
      if (lock) table.put({ ...lock, made: msgnum });
    },

    async remove(collection, token) {
      const lock = table.find(collection, token);
      if (lock) table.drop(lock);
      return lock !== undefined;
    },

    async removeFrom(collection, name) {
      for (const lock of table.below(collection, name)) table.drop(lock);
    },
  };
}

/** RFC 4918 section 7: two locks cannot be on one resource unless both are shared. */
function excludes(lock: NewLock, other: WriteLock): boolean {
  if (lock.isShared && other.isShared) return false;
  return coversName(other, lock.name) || (lock.isDeep && isBelow(lock.name, other.name));
}
