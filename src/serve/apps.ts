// The App of each room server, and the handler that passes each request to the right one.

import { fileURLToPath } from 'node:url';
import { dispatcher } from '../api/dispatch.ts';
import { routes } from '../api/routes.ts';
import { defaultLanding, type ServeOptions } from '../cli/serve-options.ts';
import { addDavRoutes } from '../dav/routes.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { type HostedServer, type LiveParts, newApp, RoomServers, sealerOf } from '../gateway/new-app.ts';
import { sessionKeyIn, sessionKeysOf } from '../gateway/seal.ts';
import type { Exchange } from '../http/exchange.ts';
import type { LogError } from '../http/problem.ts';
import { folderSource, memorySource, type StaticSource } from '../http/static.ts';
import { SHARE_OF_ONE_SERVER } from '../limits/http.ts';
import type { RenderThreads } from '../render/threads.ts';
import type { Pool } from '../room-server/connection/pool.ts';
import { embeddedStatic } from '../system/assets.ts';
import type { Telemetry } from './telemetry.ts';

interface AppNeeds {
  pools: readonly Pool[];
  fleet: Fleet;
  spoolFolder: string;
  renderThreads: RenderThreads;
  telemetry: Telemetry;
}

export type Apps = Awaited<ReturnType<typeof openApps>>;

export async function openApps(options: ServeOptions, { pools, telemetry, ...shared }: AppNeeds) {
  const { logError, underWay } = telemetry;
  const keys = options.secretFile
    ? sessionKeysOf(options.secretFile)
    : ([options.sessionKey ?? (await sessionKeyIn(options.dataFolder))] as const);
  const { prefix, maxBodyBytes, maxEventStreams, maxSpooledBytes } = options;
  const router = routes(prefix);
  addDavRoutes(router, prefix);
  const davRoutes = new Set(router.routes().flatMap(({ method, pattern }) => (method === 'PROPFIND' ? [pattern] : [])));
  const live = liveParts(options);
  const bounds = { maxBodyBytes, maxEventStreams, maxSpooledBytes };
  const servers = options.backends.map(({ name, hosts }, i): HostedServer => {
    const app = newApp({ ...shared, ...bounds, server: name, pool: pools[i]!, prefix, davRoutes, live, keys });
    return { name, hosts, app };
  });
  const requestsOfOne = Math.ceil(options.maxConnections * SHARE_OF_ONE_SERVER);
  const dispatch = dispatcher(router, new RoomServers(servers, requestsOfOne), underWay);
  return {
    servers,
    /** seals the session cookies; workers use the same */
    sessionKey: keys[0],
    handle(exchange: Exchange): Promise<void> {
      const { backendTime } = exchange;
      return backendTime ? backendTime.run(() => dispatch(exchange)) : dispatch(exchange);
    },
    reload(changed: ServeOptions): void {
      if (changed.secretFile) reloadKeys(servers, changed.secretFile, logError);
      // the default landing page lies below the prefix that the server started with
      const isDefault = changed.landing === defaultLanding(changed.prefix);
      const now = liveParts(isDefault ? { ...changed, landing: defaultLanding(prefix) } : changed);
      for (const { app } of servers) Object.assign(app, now);
    },
    /** Ends the event streams. */
    async close(): Promise<void> {
      await Promise.all(servers.map(({ app }) => app.watches.close()));
    },
  };
}

/** A file that cannot be used changes nothing. */
function reloadKeys(servers: readonly HostedServer[], file: string, logError: LogError): void {
  try {
    const keys = sessionKeysOf(file);
    for (const { name, app } of servers) app.sealer = sealerOf(keys, name);
  } catch (error) {
    logError('-', error);
  }
}

/** What a reload replaces. */
function liveParts({ landing, hasSecureCookies, staticFolder, allowedOrigins }: ServeOptions): LiveParts {
  const statics = staticSources(staticFolder);
  return { landing, hasSecureCookies, statics, allowedOrigins: new Set(allowedOrigins) };
}

/** The operator's files win over the built-in ones. */
function staticSources(folder: string | undefined): StaticSource[] {
  const inBinary = embeddedStatic();
  const builtIn = inBinary
    ? memorySource(inBinary)
    : folderSource(fileURLToPath(new URL('../../static', import.meta.url)));
  return folder === undefined ? [builtIn] : [folderSource(folder), builtIn];
}
