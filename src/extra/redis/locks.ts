// Write locks of WebDAV that all gateways of a fleet have (RFC 4918 sections 6 and 7). Each reads them from its copy;
// one is taken or given back in the store, if the locks there are still those that were decided with.

import { AppError } from '../../errors.ts';
import type { Locks, LockTable, WriteLock } from '../../fleet/locks.ts';
import { LOCK_TRIES } from '../../limits/resp.ts';
import type { FleetCopy } from './copy.ts';
import { CHANGE_LOCKS } from './scripts.ts';

interface Decision<T> {
  put?: WriteLock[];
  gone?: WriteLock[];
  answer: T;
}

export function redisLocks(copy: FleetCopy): Locks {
  /** Decides with the locks as they are, and again where they were others by the time. Throws busy. */
  async function change<T>(decide: (locks: LockTable) => Decision<T>): Promise<T> {
    for (let tries = 0; tries < LOCK_TRIES; tries++) {
      const locks = await copy.locks();
      const version = copy.locksVersion;
      const { put = [], gone = [], answer } = decide(locks);
      if (put.length + gone.length === 0) return answer;
      const come = put.flatMap((lock) => [lock.token, JSON.stringify(lock)]);
      const args = [version, put.length, ...come, ...gone.map(({ token }) => token)];
      const told = { put, gone: gone.map(({ collection, token }) => ({ collection, token })) };
      if (await copy.change(CHANGE_LOCKS, ['locks', 'locksVersion'], told, args)) return answer;
      await copy.catchUp();
    }
    throw new AppError('busy', 'Too many locks are taken at once.', { retryAfterSeconds: 1 });
  }

  return {
    add: (lock, seconds) =>
      change<Awaited<ReturnType<Locks['add']>>>((locks) => {
        const answer = locks.plan(lock, seconds);
        return 'taken' in answer ? { put: [answer.taken], answer } : { answer };
      }),

    isEmpty: async () => (await copy.locks()).isEmpty,

    inCollection: async (collection) => (await copy.locks()).current(collection),

    refresh: (collection, token, seconds) =>
      change((locks) => {
        const lock = locks.find(collection, token);
        if (!lock) return { answer: undefined };
        const answer = { ...lock, until: copy.nowSeconds() + seconds };
        return { put: [answer], answer };
      }),

    noteMade: (collection, token, msgnum) =>
      change((locks) => {
        const lock = locks.find(collection, token);
        return { put: lock ? [{ ...lock, made: msgnum }] : [], answer: undefined };
      }),

    remove: (collection, token) =>
      change((locks) => {
        const lock = locks.find(collection, token);
        return { gone: lock ? [lock] : [], answer: lock !== undefined };
      }),

    removeFrom: (collection, name) => change((locks) => ({ gone: locks.below(collection, name), answer: undefined })),
  };
}
