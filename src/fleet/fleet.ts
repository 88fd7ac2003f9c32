// State that gateways share beyond the sealed cookies: log-in throttles, known networks, revoked sessions, upload
// records, write locks, notices of changes. This implementation serves one machine, in memory and on disk. All methods
// are async and all values plain data, so that another process (shared-fleet.ts) or a shared store can replace it.

import { join } from 'node:path';
import { FLEET_SWEEP_MS } from '../limits/sessions.ts';
import { lockFolder, makeFolder } from '../system/folder-lock.ts';
import { KnownNetworks, localThrottle, type Throttle } from '../system/throttle.ts';
import { type Locks, localLocks, type WriteLock } from './locks.ts';
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

/** `server`: its name, without NUL; '' for the default one. */
export function fleetOfServer(fleet: Fleet, server: string): Fleet {
  const notices = noticesOf(fleet.notices, server);
  if (server === '') return { ...fleet, notices };
  return {
    ...fleet,
    throttle: throttleOf(fleet.throttle, server),
    uploads: uploadsOf(fleet.uploads, server),
    locks: locksOf(fleet.locks, server),
    notices,
    close: async () => {},
  };
}

/** Unprefixed names contain no NUL. */
function marked(text: string, server: string): string {
  return `\0${server}\0${text}`;
}

function throttleOf(throttle: Throttle, server: string): Throttle {
  // 'account:ann' → 'account:\0server\0ann'
  const own = (keys: string[]) => keys.map((key) => key.replace(/^[a-z]+:/, (kind) => kind + marked('', server)));
  return {
    check: (keys) => throttle.check(own(keys)),
    failed: (keys) => throttle.failed(own(keys)),
    succeeded: (keys) => throttle.succeeded(own(keys)),
    withdrawn: (keys) => throttle.withdrawn(own(keys)),
  };
}

function uploadsOf(uploads: Uploads, server: string): Uploads {
  return {
    add: (owner, record, save) => uploads.add(marked(owner, server), record, save),
    get: (owner, ref) => uploads.get(marked(owner, server), ref),
    open: (record, start, end) => uploads.open(record, start, end),
    remove: (owner, ref) => uploads.remove(marked(owner, server), ref),
    list: (owner) => uploads.list(marked(owner, server)),
    totals: () => uploads.totals(),
    sweep: () => uploads.sweep(),
  };
}

function locksOf(locks: Locks, server: string): Locks {
  const start = marked('', server).length;
  const unmarked = (lock: WriteLock): WriteLock => ({
    ...lock,
    account: lock.account.slice(start),
    collection: lock.collection.slice(start),
  });
  const inRoom = (collection: string) => marked(collection, server);
  return {
    async add(lock, seconds) {
      const own = { account: marked(lock.account, server), collection: inRoom(lock.collection) };
      const added = await locks.add({ ...lock, ...own }, seconds);
      return 'taken' in added ? { taken: unmarked(added.taken) } : { inTheWay: added.inTheWay.map(unmarked) };
    },
    isEmpty: () => locks.isEmpty(),
    inCollection: async (collection) => (await locks.inCollection(inRoom(collection))).map(unmarked),
    async refresh(collection, token, seconds) {
      const lock = await locks.refresh(inRoom(collection), token, seconds);
      return lock && unmarked(lock);
    },
    noteMade: (collection, token, msgnum) => locks.noteMade(inRoom(collection), token, msgnum),
    remove: (collection, token) => locks.remove(inRoom(collection), token),
    removeFrom: (collection, name) => locks.removeFrom(inRoom(collection), name),
  };
}

function noticesOf(notices: FleetNotices, server: string): FleetNotices {
  return {
    tell: (notice) => notices.tell({ ...notice, server }),
    listen: (take) =>
      notices.listen(({ server: of = '', ...notice }) => {
        if (of === server || notice.about === 'gap') take(notice);
      }),
  };
}
