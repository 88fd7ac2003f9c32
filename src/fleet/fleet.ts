// State that gateways share beyond the sealed cookies: log-in throttles, known networks, revoked sessions, upload
// records, write locks, notices of changes. This implementation serves one machine, in memory and on disk. All methods
// are async and all values plain data, so that another process (shared-fleet.ts) or a shared store can replace it.

import { join } from 'node:path';
import { FLEET_SWEEP_MS } from '../limits/sessions.ts';
import { lockFolder, makeFolder } from '../system/folder-lock.ts';
import { KnownNetworks, localThrottle, type Throttle } from '../system/throttle.ts';
import { type Locks, localLocks } from './locks.ts';
import { type FleetNotices, localNotices } from './notices.ts';
import { type LocalRevocations, openLocalRevocations, type Revocations } from './revocations.ts';
import { type LocalUploads, openLocalUploads, UPLOAD_BOUNDS, type Uploads } from './uploads.ts';

export interface Fleet {
  throttle: Throttle;
  revocations: Revocations;
  uploads: Uploads;
  locks: Locks;
  notices: FleetNotices;
  close(): Promise<void>;
}

/** State of a single process, which may share it with others (shared-fleet.ts). */
export interface LocalFleet extends Fleet {
  revocations: LocalRevocations;
  uploads: LocalUploads;
}

/** Opens the state in `folder`, which is created if missing. Throws conflict if another process uses it. */
export async function openLocalFleet(folder: string, uploadBounds = UPLOAD_BOUNDS): Promise<LocalFleet> {
  makeFolder(folder);
  await using opening = new AsyncDisposableStack();
  opening.adopt(lockFolder(folder), (lock) => lock.close());
  const revocations = await openLocalRevocations(join(folder, 'revocations'));
  const knownNetworks = opening.adopt(await KnownNetworks.open(join(folder, 'known-networks')), (each) => each.close());
  const uploads = await openLocalUploads(join(folder, 'uploads'), uploadBounds);

  let sweeping: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // what a sweep failed to remove is expired anyway, and is retried by the next one
    sweeping = sweeping.then(() => Promise.allSettled([uploads.sweep(), revocations.sweep()]));
  }, FLEET_SWEEP_MS);
  timer.unref();
  opening.defer(async () => {
    clearInterval(timer);
    await sweeping;
  });

  const opened = opening.move();
  return {
    throttle: localThrottle(undefined, knownNetworks),
    revocations,
    uploads,
    locks: localLocks(),
    notices: localNotices(),
    close: () => opened.disposeAsync(),
  };
}
