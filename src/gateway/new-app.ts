// Makes the App of a room server. Whatever is kept of users, rooms and messages is made here, once for each: nothing of
// one room server can answer for another.

import { hkdfSync } from 'node:crypto';
import { fleetOfServer } from '../fleet/fleet.ts';
import { moduleSource } from '../http/static.ts';
import { MAX_CACHE_ENTRIES } from '../limits/sessions.ts';
import type { RenderThreads } from '../render/threads.ts';
import { InstantMailbox } from '../room-server/instant-mailbox.ts';
import { WATCH_TIMES } from '../room-server/watch/watch.ts';
import { Watches } from '../room-server/watch/watches.ts';
import { BoundedMap } from '../system/bounded-map.ts';
import { SerialQueue } from '../system/fair-queue.ts';
import { sharedModule } from '../system/shared-modules.ts';
import type { App } from './app.ts';
import { newLogInQueue } from './caller.ts';
import { newKeptObjects } from './collection/kept-object.ts';
import { KeptReplies } from './kept-replies.ts';
import { OriginalTimes } from './message/original-times.ts';
import { Readings } from './message/readings.ts';
import { MessageLimit } from './message/size-limit.ts';
import { Sealer } from './seal.ts';
import { Spools } from './spools.ts';
import { TriedPasswords } from './tried-passwords.ts';

type Given = 'pool' | 'fleet' | 'prefix' | 'davRoutes' | 'maxBodyBytes';
/** what a reload replaces */
export type LiveParts = Pick<App, 'landing' | 'hasSecureCookies' | 'statics' | 'allowedOrigins'>;

export interface AppParts extends Pick<App, Given> {
  /** of the room server among several; '' for the one that has none */
  server: string;
  live: LiveParts;
  spoolFolder: string;
  maxEventStreams: number;
  maxSpooledBytes: number;
  /** of the session cookies of all room servers: the first seals, all open */
  keys: SessionKeys;
  renderThreads: RenderThreads;
}

export function newApp(given: AppParts): App {
  const { server, live, spoolFolder, maxSpooledBytes, maxEventStreams, keys, renderThreads, ...parts } = given;
  const fleet = fleetOfServer(parts.fleet, server);
  const instant = new InstantMailbox(parts.pool, (change) => fleet.notices.tell({ about: 'instant', ...change }));
  const app: App = {
    ...parts,
    ...live,
    fleet,
    instant,
    watches: new Watches(parts.pool, instant, WATCH_TIMES, maxEventStreams),
    sealer: sealerOf(keys, server),
    spools: new Spools(spoolFolder, maxSpooledBytes),
    messageLimit: new MessageLimit(),
    inboxSeen: new BoundedMap(MAX_CACHE_ENTRIES),
    loggedInFrom: new BoundedMap(MAX_CACHE_ENTRIES),
    logIns: newLogInQueue(),
    triedPasswords: new TriedPasswords(),
    replacedSessions: new BoundedMap(MAX_CACHE_ENTRIES),
    keptObjects: newKeptObjects(),
    keptReplies: new KeptReplies(parts.pool),
    originalTimes: new OriginalTimes(),
    serialQueue: new SerialQueue(),
    readings: new Readings(renderThreads),
    sharedModules: moduleSource(sharedModule),
  };
  takeNotices(app);
  return app;
}

type SessionKeys = readonly [Buffer, ...Buffer[]];

/** A cookie is sealed, and a list signed, with a key that no other room server has (RFC 5869). */
export function sealerOf([first, ...others]: SessionKeys, server: string): Sealer {
  return new Sealer(keyOf(first, server), ...others.map((key) => keyOf(key, server)));
}

function keyOf(key: Buffer, server: string): Buffer {
  return server === '' ? key : Buffer.from(hkdfSync('sha256', key, '', `vestibule room server ${server}`, key.length));
}

function takeNotices({ fleet, pool, instant, watches, replacedSessions, inboxSeen }: App): void {
  fleet.notices.listen((notice) => {
    if (notice.about === 'account') pool.forget(notice.usernum);
    else if (notice.about === 'gap') pool.forget(undefined);
    else if (notice.about === 'inbox') inboxSeen.set(notice.account, notice.seen);
    else if (notice.about === 'instant') instant.hear(notice);
    else {
      replacedSessions.set(notice.sessionId, true);
      watches.wake();
    }
  });
}
