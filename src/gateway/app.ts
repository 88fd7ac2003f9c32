// What every handler gets beside the exchange; made once, at the start.

import type { Fleet } from '../fleet/fleet.ts';
import type { Exchange } from '../http/exchange.ts';
import type { StaticSource } from '../http/static.ts';
import type { Pool } from '../room-server/connection/pool.ts';
import type { InstantMailbox } from '../room-server/instant-mailbox.ts';
import type { Watches } from '../room-server/watch/watches.ts';
import type { BoundedMap } from '../system/bounded-map.ts';
import type { FairQueue, SerialQueue } from '../system/fair-queue.ts';
import type { OriginalTimes } from './message/original-times.ts';
import type { RenderedMessages } from './message/rendered-messages.ts';
import type { MessageLimit } from './message/size-limit.ts';
import type { ReplyCache } from './reply-cache.ts';
import type { Sealer } from './seal.ts';
import type { Spools } from './spools.ts';
import type { TriedPasswords } from './tried-passwords.ts';

export interface App {
  pool: Pool;
  watches: Watches;
  /** instant messages to fetch, at any gateway of the fleet */
  instant: InstantMailbox;
  fleet: Fleet;
  sealer: Sealer;
  /** begins and ends with '/' */
  prefix: string;
  /** patterns of the addresses that accept PROPFIND */
  davRoutes: ReadonlySet<string>;
  /** where `/` redirects to */
  landing: string;
  /** cookies are for TLS only, whatever the request is like */
  hasSecureCookies: boolean;
  /** of pages on other hosts that may use the interface, as browsers send them */
  allowedOrigins: ReadonlySet<string>;
  /** for bodies until the room server has them */
  spools: Spools;
  /** of a message or file */
  maxBodyBytes: number;
  /** of the room server */
  messageLimit: MessageLimit;
  /** highest inbox message that biff counted, by account: for callers without a session cookie */
  inboxSeen: BoundedMap<string, number>;
  /** Unix seconds of the last accepted log-in, by name and address; removed at a refusal */
  loggedInFrom: BoundedMap<string, number>;
  /** queue of log-ins by password, which are expensive for the room server: by address */
  logIns: FairQueue;
  /**
   * sessions whose browser has a newer cookie, after a new password or a log-in as another user, by id: requests with
   * the old cookie must not replace it
   */
  replacedSessions: BoundedMap<string, true>;
  /** of rooms */
  triedPasswords: TriedPasswords;
  /** for changes of one name (nameInRoomKey) */
  serialQueue: SerialQueue;
  replyCache: ReplyCache;
  originalTimes: OriginalTimes;
  rendered: RenderedMessages;
  /** a site's own files before the built-in ones */
  statics: StaticSource[];
  /** sources that the server shares with the web client */
  sharedModules: StaticSource;
}

export type Handler = (exchange: Exchange, app: App) => Promise<void>;
