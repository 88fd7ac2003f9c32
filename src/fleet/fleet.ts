// What several gateways share beside the sealed cookies: log-in throttles and the networks known to them, revoked
// sessions, upload records, write locks, and notices of what has changed. serve opens one Fleet and puts it into the
// `App`. This one serves a single machine, in memory and on disk; every method is async and every value plain data, so
// that one in another process (shared-fleet.ts) or in a shared store can take its place.

import { join } from 'node:path';
import { FLEET_SWEEP_MS } from '../limits/sessions.ts';
import { lockFolder, makeFolder } from '../system/folder-lock.ts';
import { KnownNetworks } from '../system/known-networks.ts';
import { localThrottle, type Throttle } from '../system/throttle.ts';
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

/** The one of a single process, which can share it with others (shared-fleet.ts). */
export interface LocalFleet extends Fleet {
  revocations: LocalRevocations;
  uploads: LocalUploads;
}

/** Opens the state kept in `folder`, which is created when missing. Throws conflict while another process holds it. */
export async function openLocalFleet(folder: string, uploadBounds = UPLOAD_BOUNDS): Promise<LocalFleet> {
  makeFolder(folder);
  await using opening = new AsyncDisposableStack();
  opening.adopt(lockFolder(folder), (lock) => lock.close());
  const revocations = await openLocalRevocations(join(folder, 'revocations'));
  const knownNetworks = opening.adopt(await KnownNetworks.open(join(folder, 'known-networks')), (each) => each.close());
  const uploads = await openLocalUploads(join(folder, 'uploads'), uploadBounds);

  let sweeping: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // What a sweep could not remove now stays hidden by its age and is met again by the next one.
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
