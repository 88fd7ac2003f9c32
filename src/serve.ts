// The gateway as a whole: options → its parts, made in order, passed to each other, and closed in the opposite order.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { dispatcher } from './api/dispatch.ts';
import { routes } from './api/routes.ts';
import type { CreatedAdmin } from './backend/maintenance/bootstrap.ts';
import type { Backend } from './backend/start.ts';
import { isEmbedded } from './cli/option-values.ts';
import { defaultLanding, type ServeOptions } from './cli/serve-options.ts';
import { warningOf } from './cli/server-address.ts';
import { addDavRoutes } from './dav/routes.ts';
import { type Fleet, openLocalFleet } from './fleet/fleet.ts';
import { shareFleet } from './fleet/shared-fleet.ts';
import { type LiveParts, newApp, sealerOf } from './gateway/new-app.ts';
import { type HostedServer, RoomServers } from './gateway/room-servers.ts';
import { sessionKeyIn, sessionKeysOf } from './gateway/session-keys.ts';
import type { Exchange } from './http/exchange.ts';
import { type Listener, type ListenOptions, listen } from './http/listener.ts';
import type { LogError } from './http/problem.ts';
import { folderSource, memorySource, type StaticSource } from './http/static.ts';
import { SHARE_OF_ONE_SERVER } from './limits/http.ts';
import { setBounds } from './limits/settable.ts';
import { command } from './protocol/fields.ts';
import { RenderThreads } from './render/threads.ts';
import { GUEST } from './room-server/connection/identity.ts';
import { Pool } from './room-server/connection/pool.ts';
import { serverTrust } from './room-server/connection/server-trust.ts';
import { countsPathIn, poolOptions, startEmbedded } from './serve-backend.ts';
import { embeddedStatic } from './system/assets.ts';
import { ChangeCounts } from './system/change-counts.ts';
import { ReadCounts } from './system/counts-file.ts';
import { lockFolder, makeFolder } from './system/folder-lock.ts';
import { connectionsWithin, openFilesLimit } from './system/open-files.ts';
import { forOperator } from './system/operator-errors.ts';
import { ServerCertificate } from './system/server-certificate.ts';
import { watchStalls } from './system/stalls.ts';
import { openAdmin } from './telemetry/admin.ts';
import { GatewayMetrics } from './telemetry/gateway-metrics.ts';
import type { RequestEntry } from './telemetry/log-line.ts';
import { requestObserver } from './telemetry/observer.ts';
import { startWorkers, type Workers } from './workers/workers.ts';

/** answered by every room server, to guests, too */
const ANYTHING = command('NOOP');

export interface Gateway {
  /** with a trailing slash */
  url: string;
  /** of --admin-listen */
  adminUrl: string | undefined;
  /** the embedded room server; undefined with `--backend` */
  backend: Backend | undefined;
  /** of this process, in the format of Prometheus; empty without --admin-listen */
  metrics(): string;
  /** Takes over the options that are live (option-table.ts); the others stay what they are. */
  reload(options: ServeOptions): void;
  /** Running requests may finish; then everything is closed. */
  close(): Promise<void>;
}

/** What a gateway tells, and what it may be given. */
export interface StartHooks {
  /** of a new administrator, whose password is shown once */
  tellAdmin?: (admin: CreatedAdmin) => void;
  logRequest?: (entry: RequestEntry) => void;
  /** a line for the operator that is no fault: the certificate was replaced, or is about to expire */
  tell?: (text: string) => void;
  /** makes a thread that renders messages */
  spawnRenderer?: (() => Worker) | undefined;
  /** of the embedded room server, started already (startBackend) */
  backendThread?: Worker | undefined;
  /** this is a worker: what the first process has for it */
  sharing?: Sharing | undefined;
}

/** What a worker has of the first process of the server (workers/workers.ts). */
export interface Sharing {
  fleet: Fleet;
  /** of the embedded room server; undefined with `--backend` */
  socketPath: string | undefined;
  /** which worker it is, from 1 on */
  number: number;
}

/**
 * Starts the gateway and, unless another one is named, its room server. Rejects when a part cannot start, mostly with
 * an AppError for the operator. `tellAdmin` is called even then: the password of a new account is never shown again.
 */
export async function start(
  options: ServeOptions,
  logFault: LogError,
  { tellAdmin, logRequest, tell = () => {}, spawnRenderer, backendThread, sharing }: StartHooks = {},
): Promise<Gateway> {
  await using opened = new AsyncDisposableStack();
  const keep = <T extends { close(): void | Promise<void> }>(part: T): T => opened.adopt(part, (it) => it.close());
  setBounds(options.bounds);
  makeFolder(options.dataFolder);
  const live = { logsRequests: options.logsRequests, hsts: hstsOf(options) };
  const certificate = options.tls && keep(new ServerCertificate(options.tls, tell));
  const metrics = options.adminListen && keep(new GatewayMetrics());
  const logError: LogError = (requestId, error) => {
    metrics?.faulted();
    logFault(requestId, error);
  };
  // it is there from the beginning to the end, also while the gateway itself takes no requests
  const adminAddress = sharing ? undefined : options.adminListen;
  const admin = adminAddress && metrics && keep(await openAdmin(adminAddress, metrics, logError));
  const underWay = new Set<Exchange>();
  const stalls = keep(watchStalls(logError, underWay));
  const isFirst = options.backends.some(isEmbedded) && !sharing;
  const counted = isFirst ? new ChangeCounts() : undefined;
  const pair = certificate?.pair;
  const embedded = counted && { options, changes: counted, pair, thread: backendThread };
  const backend = embedded && keep(await startEmbedded(embedded, logError));
  const isShared = sharing?.socketPath !== undefined;
  const changes = isShared ? keep(new ReadCounts(countsPathIn(options.dataFolder))) : counted;
  if (certificate) certificate.onChange = (pair) => backend?.useCertificate(pair);
  if (backend?.createdAdmin) tellAdmin?.(backend.createdAdmin);
  if (!sharing)
    for (const warning of options.backends.flatMap(({ address }) => warningOf(address) ?? [])) tell(warning);
  const socketPath = backend?.socketPath ?? sharing?.socketPath;
  const pools = options.backends.map(({ name, address }) => {
    const answered = metrics?.answeredBy(name);
    return keep(new Pool({ ...poolOptions(options, address, socketPath, changes), answered }));
  });
  const fleetFolder = join(options.dataFolder, 'fleet');
  const isAlone = !sharing && !options.shared;
  const shared = isAlone ? shareFleet(keep(await openLocalFleet(fleetFolder, options.uploadBounds))) : undefined;
  if (!sharing && !isAlone) {
    makeFolder(fleetFolder);
    keep(lockFolder(fleetFolder));
  }
  // only now, with the locks of room server and fleet, is the folder known to be ours
  const spoolFolder = await emptySpoolFolder(options.dataFolder, sharing);
  const fleet = options.shared ? keep(await openStore(options, spoolFolder, tell)) : (sharing?.fleet ?? shared!.fleet);
  const keys = options.secretFile
    ? sessionKeysOf(options.secretFile)
    : ([options.sessionKey ?? (await sessionKeyIn(options.dataFolder))] as const);
  const renderThreads = keep(new RenderThreads({ logError, ...(spawnRenderer && { spawn: spawnRenderer }) }));
  const router = routes(options.prefix);
  addDavRoutes(router, options.prefix);
  const davRoutes = new Set(router.routes().flatMap(({ method, pattern }) => (method === 'PROPFIND' ? [pattern] : [])));
  const common = {
    fleet,
    prefix: options.prefix,
    davRoutes,
    maxBodyBytes: options.maxBodyBytes,
    maxEventStreams: options.maxEventStreams,
    maxSpooledBytes: options.maxSpooledBytes,
    live: liveParts(options),
    spoolFolder,
    keys,
    renderThreads,
  };
  const servers = options.backends.map(({ name, hosts }, i): HostedServer => {
    return { name, hosts, app: newApp({ ...common, server: name, pool: pools[i]! }) };
  });
  const requestsOfOne = Math.ceil(options.maxConnections * SHARE_OF_ONE_SERVER);
  const dispatch = dispatcher(router, new RoomServers(servers, requestsOfOne), underWay);
  const handle = (exchange: Exchange) => stalls.run(exchange, dispatch);
  const observe = requestObserver({
    metrics: metrics?.requests,
    isLogged: () => live.logsRequests,
    log: (entry) => logRequest?.(entry),
  });
  const onRequest = (exchange: Exchange) => {
    observe(exchange);
    if (live.hsts !== undefined && exchange.secure && !isThisMachine(exchange.host))
      exchange.addHeader('Strict-Transport-Security', live.hsts);
  };
  const tlsContext = certificate && (() => certificate.context);
  const maxConnections = connectionsOf(options, sharing ? () => {} : tell);
  const listener = await listenOn(options, sharing, { handle, logError, onRequest, tlsContext, maxConnections });
  let workers: Workers | undefined;
  opened.defer(async () => void (await Promise.all([listener.close(), workers?.close()])));
  if (!sharing && options.workers > 1) {
    const forWorkers = { ...options, port: listener.port, sessionKey: keys[0], adminPassword: undefined };
    workers = await startWorkers(options.workers - 1, { options: forWorkers, socketPath, shared, log: logError });
  }
  // closed first: the listener waits for running requests, and the streams of events do not end by themselves
  for (const { app } of servers) keep(app.watches);
  const state = () => ({
    traffic: listener.traffic(),
    requestsUnderWay: underWay.size,
    pools: new Map(servers.map(({ name, app }) => [name, app.pool.state])),
    eventStreams: servers.reduce((sum, { app }) => sum + app.watches.size, 0),
    uploads: fleet.uploads.totals(),
  });
  const others = workers && (() => workers!.metrics());
  const asked = servers.map(({ name, app }) => ({ name, ask: () => app.pool.read(GUEST, [ANYTHING]) }));
  admin?.follow(state, asked, others);
  const parts = opened.move();
  return {
    url: listener.url.startsWith('unix:') ? listener.url : `${listener.url}/`,
    adminUrl: admin?.url,
    backend,
    metrics: () => (metrics ? metrics.text(state()) : ''),
    reload: (changed) => {
      workers?.reload(changed);
      // the page by default lies below the prefix, which is the one that was started with
      const isDefault = changed.landing === defaultLanding(changed.prefix);
      if (changed.secretFile) takeKeys(servers, changed.secretFile, logError);
      const now = liveParts(isDefault ? { ...changed, landing: defaultLanding(options.prefix) } : changed);
      for (const { app } of servers) Object.assign(app, now);
      live.logsRequests = changed.logsRequests;
      live.hsts = hstsOf(changed);
      certificate?.reload();
    },
    close: () => {
      admin?.leave();
      return parts.disposeAsync();
    },
  };
}

/** The value of Strict-Transport-Security (RFC 6797 section 6.1); undefined: it is not sent. */
function hstsOf({ hstsDays }: ServeOptions): string | undefined {
  return hstsDays === 0 ? undefined : `max-age=${hstsDays * 86_400}`;
}

/** What else is developed and tried there speaks no TLS on its ports. */
function isThisMachine(host: string | undefined): boolean {
  return host !== undefined && /^localhost(?::|$)/i.test(host);
}

/** Each process has its own client of the store. */
async function openStore(
  { shared, sharedCaFile, uploadBounds }: ServeOptions,
  folder: string,
  tell: (text: string) => void,
): Promise<Fleet> {
  const { openRedisFleet } = await import('./extra/redis/redis-fleet.ts');
  const { address } = shared!;
  const tls = address.isTls ? serverTrust(sharedCaFile, '--shared-ca').context : undefined;
  return openRedisFleet({ address, tls, folder, uploadBounds, tell });
}

/** Of a file that cannot be used nothing is taken. */
function takeKeys(servers: readonly HostedServer[], file: string, logError: LogError): void {
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
    : folderSource(fileURLToPath(new URL('../static', import.meta.url)));
  return folder === undefined ? [builtIn] : [folderSource(folder), builtIn];
}

/** What a kill has left in it is removed. A worker has one of its own. */
async function emptySpoolFolder(dataFolder: string, sharing: Sharing | undefined): Promise<string> {
  const folder = join(dataFolder, 'spool', sharing ? `worker-${sharing.number}` : '');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

type ListenHooks = Pick<ListenOptions, 'handle' | 'logError' | 'onRequest' | 'tlsContext' | 'maxConnections'>;

/** What the operator wants, or as many as there can be. */
function connectionsOf({ maxConnections }: ServeOptions, tell: (text: string) => void): number {
  const files = openFilesLimit();
  if (files === undefined || connectionsWithin(files) >= maxConnections) return maxConnections;
  const most = connectionsWithin(files);
  tell(
    `The system allows ${files} open files: ${most} connections are taken, not ${maxConnections} (--max-connections)`,
  );
  return most;
}

function listenOn(options: ServeOptions, sharing: Sharing | undefined, hooks: ListenHooks) {
  const { host, port, socket, isProxyTrusted: trustProxy, drainSeconds } = options;
  const isUnix = host.startsWith('unix:');
  const shares = sharing ? 'further' : options.workers > 1 ? 'first' : undefined;
  const ownAddress = isUnix
    ? { path: host.slice('unix:'.length) }
    : { host, port, ...(shares && ({ shares } as const)) };
  const at = socket === undefined ? ownAddress : { fd: socket };
  const maxPerAddress = options.maxConnectionsPerAddress;
  return listen({ at, trustProxy, graceMs: drainSeconds * 1000, maxPerAddress, ...hooks }).catch((error): Listener => {
    const where = `${host}${port > 0 && !isUnix ? ` port ${port}` : ''}`;
    throw forOperator(error, `Cannot listen on ${where}`, 'see --host and --port');
  });
}
