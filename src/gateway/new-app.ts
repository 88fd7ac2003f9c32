// Makes the App of a room server, with all caches of users, rooms and messages, so nothing of one room server answers
// for another; finds the App of a request by its host.

import { hkdfSync } from 'node:crypto';
import { AppError } from '../errors.ts';
import { fleetOfServer } from '../fleet/fleet.ts';
import type { Exchange } from '../http/exchange.ts';
import { hostNameOf } from '../http/request-head.ts';
import { moduleSource } from '../http/static.ts';
import { MAX_REQUESTS_OF_ONE_SERVER } from '../limits/http.ts';
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
import { OriginalTimes } from './message/original-times.ts';
import { RenderedMessages } from './message/rendered-messages.ts';
import { MessageLimit } from './message/size-limit.ts';
import { ReplyCache } from './reply-cache.ts';
import { Sealer } from './seal.ts';
import { Spools } from './spools.ts';
import { TriedPasswords } from './tried-passwords.ts';

type Given = 'pool' | 'fleet' | 'prefix' | 'davRoutes' | 'maxBodyBytes';
/** replaced at a reload */
export type LiveParts = Pick<App, 'landing' | 'hasSecureCookies' | 'statics' | 'allowedOrigins'>;

export interface AppParts extends Pick<App, Given> {
  /** name of the room server; '' for the default one */
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
    replyCache: new ReplyCache(parts.pool),
    originalTimes: new OriginalTimes(),
    serialQueue: new SerialQueue(),
    rendered: new RenderedMessages(renderThreads),
    sharedModules: moduleSource(sharedModule),
  };
  takeNotices(app);
  return app;
}

type SessionKeys = readonly [Buffer, ...Buffer[]];

/** Seals cookies and signs lists with a key of this room server only (RFC 5869). */
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

export interface HostedServer {
  /** '' for the default one */
  name: string;
  /** as hostNameOf makes them */
  hosts: readonly string[];
  app: App;
}

interface Served extends HostedServer {
  requests: number;
}

export class RoomServers {
  readonly #all: readonly Served[];
  readonly #byHost: ReadonlyMap<string, Served>;
  /** for all other hosts */
  readonly #default: Served | undefined;
  /** undefined: there are no other servers to protect */
  readonly #maxRequests: number | undefined;

  /**
   * At least one server. `maxRequests`: concurrent requests to one of several, so that one that hangs leaves
   * connections to the others.
   */
  constructor(servers: readonly HostedServer[], maxRequests = MAX_REQUESTS_OF_ONE_SERVER) {
    this.#all = servers.map((server) => ({ ...server, requests: 0 }));
    this.#byHost = new Map(this.#all.flatMap((server) => server.hosts.map((host) => [host, server])));
    this.#default = this.#all.find(({ name }) => name === '');
    this.#maxRequests = this.#all.length === 1 ? undefined : maxRequests;
  }

  /**
   * Runs `use` with the App of the request's room server. Throws misdirected_request for an unknown host
   * (RFC 9110 section 15.5.20), busy for too many requests.
   */
  async serve(exchange: Exchange, use: (exchange: Exchange, app: App) => Promise<void>): Promise<void> {
    const server = this.#serverOf(exchange);
    if (!server) throw new AppError('misdirected_request', 'This host is not served here.');
    if (this.#maxRequests === undefined) return use(exchange, server.app);
    if (server.requests >= this.#maxRequests) {
      throw new AppError('busy', 'Too many concurrent requests to this host.', { retryAfterSeconds: 5 });
    }
    server.requests++;
    try {
      return await use(exchange, server.app);
    } finally {
      server.requests--;
    }
  }

  #serverOf({ authority }: Exchange): Served | undefined {
    if (this.#byHost.size === 0) return this.#default;
    const host = authority === undefined ? undefined : hostNameOf(authority);
    return (host === undefined ? undefined : this.#byHost.get(host)) ?? this.#default;
  }
}
