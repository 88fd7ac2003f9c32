// What every handler is given beside the exchange: made once, when the gateway starts.

import type { Fleet } from '../fleet/fleet.ts';
import type { Exchange } from '../http/exchange.ts';
import type { StaticSource } from '../http/static.ts';
import type { Pool } from '../room-server/connection/pool.ts';
import type { InstantMailbox } from '../room-server/instant-mailbox.ts';
import type { Watches } from '../room-server/watch/watches.ts';
import type { BoundedMap } from '../system/bounded-map.ts';
import type { FairQueue, SerialQueue } from '../system/fair-queue.ts';
import type { KeptObject } from './collection/kept-object.ts';
import type { KeptReplies } from './kept-replies.ts';
import type { OriginalTimes } from './message/original-times.ts';
import type { Readings } from './message/readings.ts';
import type { MessageLimit } from './message/size-limit.ts';
import type { Sealer } from './seal.ts';
import type { Spools } from './spools.ts';
import type { TriedPasswords } from './tried-passwords.ts';

export interface App {
  pool: Pool;
  watches: Watches;
  /** instant messages that wait to be fetched, at any gateway of the fleet */
  instant: InstantMailbox;
  fleet: Fleet;
  sealer: Sealer;
  /** begins and ends with '/' */
  prefix: string;
  /** patterns of the addresses that WebDAV knows: those that take PROPFIND */
  davRoutes: ReadonlySet<string>;
  /** where `/` redirects to */
  landing: string;
  /** cookies are for TLS only, whatever the request looks like */
  hasSecureCookies: boolean;
  /** of pages on other hosts that may use the interface, as browsers write them */
  allowedOrigins: ReadonlySet<string>;
  /** for bodies that are held until the room server has them */
  spools: Spools;
  /** of a message or file that is sent */
  maxBodyBytes: number;
  /** of the room server */
  messageLimit: MessageLimit;
  /** highest inbox message that biff has counted, by account: for callers without a session cookie */
  inboxSeen: BoundedMap<string, number>;
  /** when the throttle let somebody in last (Unix seconds), by name and address; without those refused since */
  loggedInFrom: BoundedMap<string, number>;
  /** turns of log-ins by password, each of which costs the room server much: by address */
  logIns: FairQueue;
  /**
   * sessions whose browser has got another cookie, after a new password or a log-in as somebody else, by id: requests
   * that still have the old cookie must not replace the new one
   */
  replacedSessions: BoundedMap<string, true>;
  /** of rooms */
  triedPasswords: TriedPasswords;
  /** for changes of one name (nameInRoomKey) */
  serialQueue: SerialQueue;
  /** calendar objects and cards by message number, see collection/objects.ts */
  keptObjects: BoundedMap<number, KeptObject>;
  /** of what one room is asked for */
  keptReplies: KeptReplies;
  originalTimes: OriginalTimes;
  /** messages made ready for reading */
  readings: Readings;
  /** a site's own files first, the built-in ones behind them */
  statics: StaticSource[];
  /** sources of this server that the web client runs, too */
  sharedModules: StaticSource;
}

export type Handler = (exchange: Exchange, app: App) => Promise<void>;
