// WebDAV write locks shared by all gateways (RFC 4918 sections 6 and 7). Reads use the replica; changes are made in the
// store if its locks are still those that the decision was based on.

import { AppError } from '../../errors.ts';
import type { Locks, LockTable, WriteLock } from '../../fleet/locks.ts';
import { LOCK_TRIES } from '../../limits/processes.ts';
import type { FleetReplica } from './replica.ts';
import { CHANGE_LOCKS } from './scripts.ts';

interface Decision<T> {
  put?: WriteLock[];
  gone?: WriteLock[];
  answer: T;
}

export function redisLocks(replica: FleetReplica): Locks {
  /** Optimistic locking: decides again if the locks have changed. Throws busy. */
  async function change<T>(decide: (locks: LockTable) => Decision<T>): Promise<T> {
    for (let tries = 0; tries < LOCK_TRIES; tries++) {
      const locks = await replica.locks();
      const version = replica.locksVersion;
      const { put = [], gone = [], answer } = decide(locks);
      if (put.length + gone.length === 0) return answer;
      const come = put.flatMap((lock) => [lock.token, JSON.stringify(lock)]);
      const args = [version, put.length, ...come, ...gone.map(({ token }) => token)];
      const applied = { put, gone: gone.map(({ collection, token }) => ({ collection, token })) };
      if (await replica.change(CHANGE_LOCKS, ['locks', 'locksVersion'], applied, args)) return answer;
      await replica.catchUp();
    }
    throw new AppError('busy', 'Too many concurrent locks.', { retryAfterSeconds: 1 });
  }

  return {
    add: (lock, seconds) =>
      change<Awaited<ReturnType<Locks['add']>>>((locks) => {
        const answer = locks.plan(lock, seconds);
        return 'taken' in answer ? { put: [answer.taken], answer } : { answer };
      }),

    isEmpty: async () => (await replica.locks()).isEmpty,

    inCollection: async (collection) => (await replica.locks()).current(collection),

    refresh: (collection, token, seconds) =>
      change((locks) => {
        const lock = locks.find(collection, token);
        if (!lock) return { answer: undefined };
        const answer = { ...lock, until: replica.nowSeconds() + seconds };
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
