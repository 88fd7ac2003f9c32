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

/** `now` in Unix seconds. */
export function localLocks(now: () => number = () => Date.now() / 1000): Locks {
  /** by collection, then by token */
  const kept = new Map<string, Map<string, WriteLock>>();
  const countOf = new Map<string, number>();
  let total = 0;

  function drop(lock: WriteLock): void {
    const locks = kept.get(lock.collection);
    if (!locks?.delete(lock.token)) return;
    if (locks.size === 0) kept.delete(lock.collection);
    const left = countOf.get(lock.account)! - 1;
    if (left === 0) countOf.delete(lock.account);
    else countOf.set(lock.account, left);
    total--;
  }

  /** Of a collection, without those whose time is over. */
  function current(collection: string): WriteLock[] {
    const locks = [...(kept.get(collection)?.values() ?? [])];
    const moment = now();
    return locks.filter((lock) => {
      if (lock.until > moment) return true;
      drop(lock);
      return false;
    });
  }

  function requireRoom(account: string): void {
    const isFull = () => total >= MAX_LOCKS || (countOf.get(account) ?? 0) >= MAX_LOCKS_PER_USER;
    if (!isFull()) return;
    for (const collection of [...kept.keys()]) current(collection);
    if (isFull()) throw new AppError('insufficient_storage', 'There are too many locks. Try again later.');
  }

  return {
    async add(lock, seconds) {
      const inTheWay = current(lock.collection).filter((other) => excludes(lock, other));
      if (inTheWay.length > 0) return { inTheWay };
      requireRoom(lock.account);
      const taken = { ...lock, token: `urn:uuid:${randomUUID()}`, until: now() + seconds, made: undefined };
      kept.getOrInsertComputed(lock.collection, () => new Map<string, WriteLock>()).set(taken.token, taken);
      countOf.set(lock.account, (countOf.get(lock.account) ?? 0) + 1);
      total++;
      return { taken };
    },

    inCollection: async (collection) => current(collection),

    async refresh(collection, token, seconds) {
      const lock = current(collection).find((each) => each.token === token);
      if (!lock) return undefined;
      const refreshed = { ...lock, until: now() + seconds };
      kept.get(collection)!.set(token, refreshed);
      return refreshed;
    },

    async noteMade(collection, token, msgnum) {
      const lock = kept.get(collection)?.get(token);
      if (lock) kept.get(collection)!.set(token, { ...lock, made: msgnum });
    },

    async remove(collection, token) {
      const lock = current(collection).find((each) => each.token === token);
      if (lock) drop(lock);
      return lock !== undefined;
    },

    async removeFrom(collection, name) {
      for (const lock of current(collection)) if (lock.name === name || isBelow(name, lock.name)) drop(lock);
    },
  };
}

/** RFC 4918 section 7: two locks cannot be on one resource unless both are shared. */
function excludes(lock: NewLock, other: WriteLock): boolean {
  if (lock.isShared && other.isShared) return false;
  return coversName(other, lock.name) || (lock.isDeep && isBelow(lock.name, other.name));
}
