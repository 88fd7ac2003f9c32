// The Fleet of gateways on several machines, stored in Redis or Valkey (--shared). Gateways start and serve without the
// store; only what needs it fails with shared_unreachable. Write locks (RFC 4918 sections 6 and 7) are read from the replica and
// changed in the store if its locks are still those that the decision was based on.

import type { SecureContext } from 'node:tls';
import { AppError } from '../../errors.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Locks, LockTable, WriteLock } from '../../fleet/locks.ts';
import { type FleetNotice, localNotices } from '../../fleet/notices.ts';
import { revocationLine, tooManyRevocations } from '../../fleet/revocations.ts';
import type { StoreAddress } from '../../fleet/store-address.ts';
import { UPLOAD_BOUNDS, type UploadBounds } from '../../fleet/uploads.ts';
import { LOCK_TRIES, MAX_UNSENT_NOTICES } from '../../limits/processes.ts';
import { FLEET_SWEEP_MS, MAX_REVOCATIONS } from '../../limits/sessions.ts';
import { SerialQueue } from '../../system/fair-queue.ts';
import { storeUnreachable } from '../resp/connection.ts';
import { StoreClient } from '../resp/store-client.ts';
import { FleetReplica, KEY_PREFIX } from './replica.ts';
import { CHANGE_LOCKS, NOTIFY, REVOKE } from './scripts.ts';
import { redisThrottle } from './throttle.ts';
import { redisUploads } from './uploads.ts';

export interface RedisFleetOptions {
  address: StoreAddress;
  /** trusted certificates, for TLS */
  tls?: SecureContext | undefined;
  /** existing folder for bodies in transit */
  folder: string;
  /** default: KEY_PREFIX */
  prefix?: string;
  /** maximum number of revoked sessions */
  maxRevocations?: number;
  uploadBounds?: UploadBounds;
  /** messages for the operator: store lost, store available again */
  tell?: (text: string) => void;
}

/** Connects in the background. */
export function openRedisFleet({
  address,
  tls,
  folder,
  prefix = KEY_PREFIX,
  maxRevocations = MAX_REVOCATIONS,
  uploadBounds = UPLOAD_BOUNDS,
  tell = () => {},
}: RedisFleetOptions): Fleet {
  let unusable = '';
  const client = new StoreClient(address, tls, ({ message }) => {
    if (message !== unusable) tell(`The shared store (--shared) contains data of something else: ${message}`);
    unusable = message;
  });
  const heard = localNotices();
  /** unsent notices while the store is away, oldest first */
  const untold: FleetNotice[] = [];
  let isAway = false;
  const replica: FleetReplica = new FleetReplica(client, prefix, {
    onNotice: (notice) => void heard.tell(notice),
    onGap: () => void heard.tell({ about: 'gap' }),
    onLook(fault) {
      if (fault !== undefined && !isAway) tell(`The shared store (--shared) is unreachable: ${reasonOf(fault)}`);
      if (fault === undefined && isAway) tell('The shared store (--shared) is available again.');
      isAway = fault !== undefined;
      if (!isAway) for (const notice of untold.splice(0)) send(notice).catch((error: unknown) => tell(String(error)));
    },
  });

  async function send(notice: FleetNotice): Promise<void> {
    try {
      await replica.change(NOTIFY, [], { notice, from: replica.id }, []);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (untold.length >= MAX_UNSENT_NOTICES) untold.shift();
      untold.push(notice); // sent later
    }
  }

  const timer = setInterval(() => {
    replica.sweep();
    replica.removeExpired().catch(() => {}); // retried by the next sweep
  }, FLEET_SWEEP_MS);
  timer.unref();
  void replica.catchUp().catch(() => {});

  return {
    throttle: redisThrottle(client, prefix),
    revocations: {
      async revoke(sessionId, untilSeconds) {
        const until = Math.ceil(untilSeconds);
        revocationLine(sessionId, until);
        if (until <= replica.nowSeconds()) return;
        const change = { revoked: [[sessionId, until]] as [string, number][] };
        const isDone = await replica.change(REVOKE, ['revoked'], change, [maxRevocations, until, sessionId]);
        if (!isDone) throw tooManyRevocations();
      },
      isRevoked(sessionId) {
        if (replica.hasRevoked(sessionId)) return true;
        if (replica.isTrusted) return false;
        return replica.catchUp().then(
          () => replica.hasRevoked(sessionId),
          (error) => Promise.reject(error instanceof AppError ? error : storeUnreachable(error)),
        );
      },
    },
    uploads: redisUploads(client, prefix, folder, uploadBounds),
    locks: redisLocks(replica),
    notices: {
      async tell(notice) {
        await heard.tell(notice);
        await send(notice);
      },
      listen: heard.listen,
    },
    async close() {
      clearInterval(timer);
      replica.close();
      client.close();
    },
  };
}

function reasonOf(fault: unknown): string {
  const { cause, message } = fault as Error;
  return cause instanceof Error ? cause.message : message;
}

interface Decision<T> {
  put?: WriteLock[];
  gone?: WriteLock[];
  answer: T;
}

function redisLocks(replica: FleetReplica): Locks {
  const changes = new SerialQueue();

  /** One change at a time, askers in turn, as each makes the others of this gateway decide again. Throws busy. */
  async function change<T>(decide: (locks: LockTable) => Decision<T>): Promise<T> {
    const { answer, known } = await changes.run('', () => makeChange(decide));
    await known;
    return answer;
  }

  /** Optimistic locking: decides again if another gateway has changed the locks. */
  async function makeChange<T>(
    decide: (locks: LockTable) => Decision<T>,
  ): Promise<{ answer: T; known?: Promise<void> }> {
    for (let tries = 0; tries < LOCK_TRIES; tries++) {
      const locks = await replica.locks();
      const version = replica.locksVersion;
      const { put = [], gone = [], answer } = decide(locks);
      if (put.length + gone.length === 0) return { answer };
      const come = put.flatMap((lock) => [lock.token, JSON.stringify(lock)]);
      const args = [version, put.length, ...come, ...gone.map(({ token }) => token)];
      const applied = { put, gone: gone.map(({ collection, token }) => ({ collection, token })) };
      const made = await replica.make(CHANGE_LOCKS, ['locks', 'locksVersion'], applied, args);
      if (made) return { answer, ...made };
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
