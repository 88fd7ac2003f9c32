// WebDAV write locks (RFC 4918 sections 6 and 7) by collection and name. In memory: a restart drops them, which
// RFC 4918 section 6.6 allows.

import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { MAX_LOCKS, MAX_LOCKS_PER_USER } from '../limits/dav.ts';
import { isBelow } from '../model.ts';

export interface WriteLock {
  /** `urn:uuid:…` (RFC 4918 section 6.5) */
  token: string;
  /** owner: nobody else may use the token */
  account: string;
  /** identifies a room, whatever spelling its name has */
  collection: string;
  /** of the locked resource; '' for the room itself, with a trailing slash for a folder */
  name: string;
  isShared: boolean;
  /** Depth: infinity */
  isDeep: boolean;
  /** DAV:owner as an XML document; '' if not given */
  ownerXml: string;
  /** expiry in Unix seconds */
  until: number;
  /** number of the empty message created for an unmapped name */
  made: number | undefined;
}

export type NewLock = Omit<WriteLock, 'token' | 'until' | 'made'>;

export interface Locks {
  /** Takes a lock, or returns the conflicting ones. Throws insufficient_storage above the limits. */
  add(lock: NewLock, seconds: number): Promise<{ taken: WriteLock } | { inTheWay: WriteLock[] }>;
  /** No locks exist. */
  isEmpty(): Promise<boolean>;
  /** All active locks in a collection. */
  inCollection(collection: string): Promise<readonly WriteLock[]>;
  /** The refreshed lock; undefined if it does not exist. */
  refresh(collection: string, token: string, seconds: number): Promise<WriteLock | undefined>;
  /** Records the message created for a lock. */
  noteMade(collection: string, token: string, msgnum: number): Promise<void>;
  /** False: it does not exist. */
  remove(collection: string, token: string): Promise<boolean>;
  /** Removes the locks of a deleted or moved resource and everything below it. */
  removeFrom(collection: string, name: string): Promise<void>;
}

/** A lock with infinite depth covers everything below (RFC 4918 section 7.4). */
export function coversName({ name: root, isDeep }: WriteLock, name: string): boolean {
  return root === name || (isDeep && isBelow(root, name));
}

/** All locks known to a process, by collection and token. `now`: Unix seconds. */
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

  /** Active locks of a collection. */
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

  /** Locks on a name and on everything below. */
  below(collection: string, name: string): WriteLock[] {
    return this.current(collection).filter((lock) => lock.name === name || isBelow(name, lock.name));
  }

  /** The lock to take, or the conflicting ones. Stores nothing. Throws like Locks.add. */
  plan(lock: NewLock, seconds: number): { taken: WriteLock } | { inTheWay: WriteLock[] } {
    const inTheWay = this.current(lock.collection).filter((other) => excludes(lock, other));
    if (inTheWay.length > 0) return { inTheWay };
    this.#requireRoom(lock.account);
    return { taken: { ...lock, token: `urn:uuid:${randomUUID()}`, until: this.#now() + seconds, made: undefined } };
  }

  /** Adds or replaces a lock. */
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

  /** Removes expired locks. */
  sweep(): void {
    for (const collection of [...this.#kept.keys()]) this.current(collection);
  }

  #requireRoom(account: string): void {
    const isFull = () => this.#total >= MAX_LOCKS || (this.#countOf.get(account) ?? 0) >= MAX_LOCKS_PER_USER;
    if (!isFull()) return;
    this.sweep();
    if (isFull()) throw new AppError('insufficient_storage', 'Too many locks. Try again later.');
  }
}

/** `now`: Unix seconds. */
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

/** RFC 4918 section 7: several locks on a resource must all be shared. */
function excludes(lock: NewLock, other: WriteLock): boolean {
  if (lock.isShared && other.isShared) return false;
  return coversName(other, lock.name) || (lock.isDeep && isBelow(lock.name, other.name));
}
