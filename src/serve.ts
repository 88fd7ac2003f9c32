// The gateway as a whole: options → its parts, made in order, passed to each other, and closed in the opposite order.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { dispatcher } from './api/dispatch.ts';
import { routes } from './api/routes.ts';
import type { CreatedAdmin } from './backend/maintenance/bootstrap.ts';
import { type Backend, type BackendOptions, startBackend } from './backend/start.ts';
import { defaultLanding, type ServeOptions } from './cli/options.ts';
import { serverAddressOf, warningOf } from './cli/server-address.ts';
import { GUEST } from './client/connection/identity.ts';
import type { ServerAddress } from './client/connection/open-socket.ts';
import { Pool } from './client/connection/pool.ts';
import { serverTrust } from './client/connection/server-trust.ts';
import { Watches } from './client/watch/watches.ts';
import { addDavRoutes } from './dav/routes.ts';
import { type Fleet, openLocalFleet } from './fleet/fleet.ts';
import type { FleetNotice } from './fleet/notices.ts';
import { openRedisFleet } from './fleet/redis/redis-fleet.ts';
import { shareFleet } from './fleet/shared-fleet.ts';
import type { App } from './gateway/app.ts';
import { KeptLists } from './gateway/collection/kept-lists.ts';
import { newKeptObjects } from './gateway/collection/kept-object.ts';
import { OriginalTimes } from './gateway/message/original-times.ts';
import { Readings } from './gateway/message/readings.ts';
import { MessageLimit } from './gateway/message/size-limit.ts';
import { StoredTraitsCache } from './gateway/message/stored-traits.ts';
import { Sealer } from './gateway/seal.ts';
import { sessionKeyIn, sessionKeysOf } from './gateway/session-keys.ts';
import { Spools } from './gateway/spools.ts';
import { TriedPasswords } from './gateway/tried-passwords.ts';
import type { Exchange } from './http/exchange.ts';
import { type Listener, type ListenOptions, listen } from './http/listener.ts';
import type { LogError } from './http/problem.ts';
import { folderSource, memorySource, moduleSource, type StaticSource } from './http/static.ts';
import { MAX_FOUND_NAMES, MAX_KNOWN_ANONYMITY, MAX_KNOWN_MESSAGES } from './limits/dav.ts';
import { OWN_CONNECTION_MAX_AGE_MS, OWN_MAX_CONNECTIONS } from './limits/protocol.ts';
import { MAX_CACHE_ENTRIES } from './limits/sessions.ts';
import { command } from './protocol/fields.ts';
import { RenderThreads } from './render/threads.ts';
import { embeddedStatic, version } from './system/assets.ts';
import { BoundedMap } from './system/bounded-map.ts';
import type { CertificatePair } from './system/certificate.ts';
import { lockFolder, makeFolder } from './system/folder-lock.ts';
import { forOperator } from './system/operator-errors.ts';
import { SerialQueue } from './system/serial-queue.ts';
import { ServerCertificate } from './system/server-certificate.ts';
import { sharedModule } from './system/shared-modules.ts';
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
  const isFirst = options.backend === 'embedded' && !sharing;
  const backend = isFirst ? keep(await startEmbedded(options, logError, certificate?.pair, backendThread)) : undefined;
  if (certificate) certificate.onChange = (pair) => backend?.useCertificate(pair);
  if (backend?.createdAdmin) tellAdmin?.(backend.createdAdmin);
  const warning = options.backend === 'embedded' || sharing ? undefined : warningOf(options.backend);
  if (warning !== undefined) tell(warning);
  const socketPath = backend?.socketPath ?? sharing?.socketPath;
  const pool = keep(new Pool({ ...poolOptions(options, socketPath), answered: metrics?.answered }));
  const fleetFolder = join(options.dataFolder, 'fleet');
  const isAlone = !sharing && !options.shared;
  const shared = isAlone ? shareFleet(keep(await openLocalFleet(fleetFolder))) : undefined;
  if (!sharing && !isAlone) {
    makeFolder(fleetFolder);
    keep(lockFolder(fleetFolder));
  }
  // only now, with the locks of room server and fleet, is the folder known to be ours
  const spoolFolder = await emptySpoolFolder(options.dataFolder, sharing);
  const fleet = options.shared ? keep(openStore(options, spoolFolder, tell)) : (sharing?.fleet ?? shared!.fleet);
  const keys = options.secretFile
    ? sessionKeysOf(options.secretFile)
    : ([options.sessionKey ?? (await sessionKeyIn(options.dataFolder))] as const);
  const renderThreads = keep(new RenderThreads({ logError, ...(spawnRenderer && { spawn: spawnRenderer }) }));
  const watches = new Watches(pool);
  const router = routes(options.prefix);
  addDavRoutes(router, options.prefix);
  const davRoutes = new Set(router.routes().flatMap(({ method, pattern }) => (method === 'PROPFIND' ? [pattern] : [])));
  const app = makeApp(options, { pool, watches, fleet, spoolFolder, keys, renderThreads, davRoutes });
  fleet.notices.listen(noticeTaker(app));
  const dispatch = dispatcher(router, app, underWay);
  const handle = (exchange: Exchange) => stalls.run(exchange, () => dispatch(exchange));
  const observe = requestObserver({
    metrics: metrics?.requests,
    isLogged: () => live.logsRequests,
    log: (entry) => logRequest?.(entry),
  });
  const onRequest = (exchange: Exchange) => {
    observe(exchange);
    if (live.hsts !== undefined && exchange.secure) exchange.addHeader('Strict-Transport-Security', live.hsts);
  };
  const tlsContext = certificate && (() => certificate.context);
  const listener = await listenOn(options, sharing, { handle, logError, onRequest, tlsContext });
  let workers: Workers | undefined;
  opened.defer(async () => void (await Promise.all([listener.close(), workers?.close()])));
  if (!sharing && options.workers > 1) {
    const forWorkers = { ...options, port: listener.port, sessionKey: keys[0], adminPassword: undefined };
    workers = await startWorkers(options.workers - 1, { options: forWorkers, socketPath, shared, log: logError });
  }
  // closed first: the listener waits for running requests, and the streams of events do not end by themselves
  keep(watches);
  const state = () => ({
    traffic: listener.traffic(),
    requestsUnderWay: underWay.size,
    pool: pool.state,
    eventStreams: watches.size,
    uploads: fleet.uploads.totals(),
  });
  const others = workers && (() => workers!.metrics());
  admin?.follow(state, () => pool.read(GUEST, [ANYTHING]), others);
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
      if (changed.secretFile) takeKeys(app, changed.secretFile, logError);
      Object.assign(app, liveParts(isDefault ? { ...changed, landing: defaultLanding(options.prefix) } : changed));
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

interface Parts {
  pool: Pool;
  watches: Watches;
  fleet: Fleet;
  spoolFolder: string;
  /** of the session cookies: the first seals, all open */
  keys: readonly [Buffer, ...Buffer[]];
  renderThreads: RenderThreads;
  davRoutes: ReadonlySet<string>;
}

function makeApp(options: ServeOptions, { spoolFolder, keys, renderThreads, ...parts }: Parts): App {
  return {
    ...parts,
    sealer: new Sealer(...keys),
    prefix: options.prefix,
    ...liveParts(options),
    spools: new Spools(spoolFolder),
    messageLimit: new MessageLimit(),
    inboxSeen: new BoundedMap(MAX_CACHE_ENTRIES),
    loggedInFrom: new BoundedMap(MAX_CACHE_ENTRIES),
    triedPasswords: new TriedPasswords(),
    replacedSessions: new BoundedMap(MAX_CACHE_ENTRIES),
    storedTraits: new StoredTraitsCache(),
    keptLists: new KeptLists(),
    keptObjects: newKeptObjects(),
    anonymity: new BoundedMap(MAX_KNOWN_ANONYMITY),
    knownMessages: new BoundedMap(MAX_KNOWN_MESSAGES),
    originalTimes: new OriginalTimes(),
    foundNames: new BoundedMap(MAX_FOUND_NAMES),
    serialQueue: new SerialQueue(),
    readings: new Readings(renderThreads),
    sharedModules: moduleSource(sharedModule),
  };
}

/** The value of Strict-Transport-Security (RFC 6797 section 6.1); undefined: it is not sent. */
function hstsOf({ hstsDays }: ServeOptions): string | undefined {
  return hstsDays === undefined ? undefined : `max-age=${hstsDays * 86_400}`;
}

function noticeTaker({ pool, replacedSessions, inboxSeen }: App): (notice: FleetNotice) => void {
  return (notice) => {
    if (notice.about === 'account') pool.forget(notice.usernum);
    else if (notice.about === 'gap') pool.forget(undefined);
    else if (notice.about === 'inbox') inboxSeen.set(notice.account, notice.seen);
    else replacedSessions.set(notice.sessionId, true);
  };
}

/** Each process has its own client of the store. */
function openStore({ shared, sharedCaFile }: ServeOptions, folder: string, tell: (text: string) => void): Fleet {
  const { address } = shared!;
  const tls = address.isTls ? serverTrust(sharedCaFile, '--shared-ca').context : undefined;
  return openRedisFleet({ address, tls, folder, tell });
}

/** Of a file that cannot be used nothing is taken. */
function takeKeys(app: App, file: string, logError: LogError): void {
  try {
    app.sealer = new Sealer(...sessionKeysOf(file));
  } catch (error) {
    logError('-', error);
  }
}

/** What a reload replaces. */
function liveParts({ landing, hasSecureCookies, staticFolder, allowedOrigins }: ServeOptions) {
  const statics = staticSources(staticFolder);
  return { landing, hasSecureCookies, statics, allowedOrigins: new Set(allowedOrigins) } satisfies Partial<App>;
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

type ListenHooks = Pick<ListenOptions, 'handle' | 'logError' | 'onRequest' | 'tlsContext'>;

function listenOn(options: ServeOptions, sharing: Sharing | undefined, hooks: ListenHooks) {
  const { host, port, socket, isProxyTrusted: trustProxy, drainSeconds } = options;
  const isUnix = host.startsWith('unix:');
  const shares = sharing ? 'further' : options.workers > 1 ? 'first' : undefined;
  const ownAddress = isUnix
    ? { path: host.slice('unix:'.length) }
    : { host, port, ...(shares && ({ shares } as const)) };
  const at = socket === undefined ? ownAddress : { fd: socket };
  return listen({ at, trustProxy, graceMs: drainSeconds * 1000, ...hooks }).catch((error): Listener => {
    const where = `${host}${port > 0 && !isUnix ? ` port ${port}` : ''}`;
    throw forOperator(error, `Cannot listen on ${where}`, 'see --host and --port');
  });
}

function startEmbedded(
  options: ServeOptions,
  logError: LogError,
  certificate: CertificatePair | undefined,
  thread: Worker | undefined,
): Promise<Backend> {
  const backendOptions: BackendOptions = {
    dataFolder: options.dataFolder,
    demo: options.isDemo,
    version: version(),
    ...(options.lineListen && { lineListen: options.lineListen }),
    ...(certificate && { certificate }),
    syncDays: options.syncDays,
    ...(options.adminPassword !== undefined && { adminPassword: options.adminPassword }),
    onFault: (message) => logError('backend', message),
  };
  return startBackend(backendOptions, thread);
}

/** `socketPath`: of the embedded room server. The room server counts the connections of all processes together. */
function poolOptions(options: ServeOptions, socketPath: string | undefined) {
  const share = (count: number) => Math.max(1, Math.floor(count / options.workers));
  const common = { target: targetOf(options, socketPath), clientName: 'Vestibule', clientVersion: version() };
  if (socketPath === undefined) {
    const { backendConnections, backendConnecting } = options;
    return { ...common, maxConnections: share(backendConnections), maxConnecting: share(backendConnecting) };
  }
  return {
    ...common,
    isOwn: true,
    maxAgeMs: OWN_CONNECTION_MAX_AGE_MS,
    maxConnections: share(OWN_MAX_CONNECTIONS),
    maxConnecting: share(OWN_MAX_CONNECTIONS),
  };
}

function targetOf(options: ServeOptions, socketPath: string | undefined): ServerAddress {
  if (socketPath !== undefined) return { path: socketPath };
  const address = options.backend as Exclude<ServeOptions['backend'], 'embedded'>;
  return serverAddressOf(address, options.backendCaFile);
}
