// What every handler is given beside the exchange: made once by main.ts, never changed.

import type { Pool } from '../client/pool.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Exchange } from '../http/exchange.ts';
import type { StaticSource } from '../http/static.ts';
import type { BoundedMap } from './bounded-map.ts';
import type { Sealer } from './seal.ts';

export interface App {
  pool: Pool;
  fleet: Fleet;
  sealer: Sealer;
  /** begins and ends with '/' */
  prefix: string;
  /** where `/` redirects to */
  landing: string;
  /** cookies are for TLS only, whatever the request looks like */
  hasSecureCookies: boolean;
  isProxyTrusted: boolean;
  /** for request bodies that do not fit in memory */
  spoolFolder: string;
  /** highest inbox message that biff has told of, by user: for callers without a session cookie */
  inboxSeen: BoundedMap<string, number>;
  /** texts of messages made ready for reading, see message-reading.ts */
  renderedTexts: BoundedMap<string, string>;
  /** a site's own files first, the built-in ones behind them */
  statics: StaticSource[];
}

export type Handler = (x: Exchange, app: App) => Promise<void> | undefined;
