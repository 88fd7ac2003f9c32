// The view that one of several room servers has of a Fleet: keys of users, names and rooms include the server, so that
// nothing crosses between servers. Session ids are random and need no prefix.

import type { Throttle } from '../system/throttle.ts';
import type { Fleet } from './fleet.ts';
import type { Locks, WriteLock } from './locks.ts';
import type { FleetNotices } from './notices.ts';
import type { Uploads } from './uploads.ts';

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
