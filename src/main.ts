// The program: command line and environment → configuration → a running gateway, signals, exit codes (0 done, 1 could
// not start or do it, 2 wrong usage). Everything is made here and passed on; nothing below reads it from elsewhere.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { dispatcher } from './api/dispatch.ts';
import { routes } from './api/routes.ts';
import type { CreatedAdmin } from './backend/maintenance/bootstrap.ts';
import { type Backend, startBackend } from './backend/start.ts';
import type { WorkerData } from './backend/worker.ts';
import { runCopyCommand } from './cli/copy-command.ts';
import { operatorLog } from './cli/log.ts';
import { UsageError } from './cli/option-values.ts';
import { parseCommandLine, type ServeOptions } from './cli/options.ts';
import { runStoreCommand } from './cli/store-command.ts';
import { runUserCommand } from './cli/user-command.ts';
import type { Target } from './client/connection/open-socket.ts';
import { Pool } from './client/connection/pool.ts';
import { Watches } from './client/watch/watches.ts';
import { addDavRoutes } from './dav/routes.ts';
import { AppError } from './errors.ts';
import { openLocalFleet } from './fleet/fleet.ts';
import type { App } from './gateway/app.ts';
import { OriginalTimes } from './gateway/message/original-times.ts';
import { Readings } from './gateway/message/readings.ts';
import { MessageLimit } from './gateway/message/size-limit.ts';
import { StoredTraitsCache } from './gateway/message/stored-traits.ts';
import { loadOrCreateKey, Sealer } from './gateway/seal.ts';
import { Spools } from './gateway/spools.ts';
import { TriedPasswords } from './gateway/tried-passwords.ts';
import { Turns } from './gateway/turns.ts';
import type { Exchange } from './http/exchange.ts';
import { listen } from './http/listener.ts';
import type { LogError } from './http/problem.ts';
import { folderSource, memorySource } from './http/static.ts';
import { MAX_FOUND_NAMES, MAX_KNOWN_ANONYMITY, MAX_KNOWN_MESSAGES } from './limits/dav.ts';
import { OWN_CONNECTION_MAX_AGE_MS, OWN_MAX_CONNECTIONS } from './limits/protocol.ts';
import { MAX_CACHE_ENTRIES } from './limits/sessions.ts';
import { RENDER_RESOURCES, RenderThreads } from './render/threads.ts';
import { embeddedStatic, embeddedWorkerScript, version, type WorkerName } from './system/assets.ts';
import { BoundedMap } from './system/bounded-map.ts';
import { makeFolder, takeFromOthers } from './system/folder-lock.ts';
import { forOperator, systemWords } from './system/operator-errors.ts';
import { watchStalls } from './system/stalls.ts';

const logToStderr = operatorLog((entry) => console.error(entry));

export interface Gateway {
  /** with a trailing slash */
  url: string;
  /** tells what people should know about the embedded room server; undefined with `--backend` */
  backend: Backend | undefined;
  /** Requests that run may finish; then everything is closed. */
  close(): Promise<void>;
}

/**
 * Starts the gateway and, unless another one is named, its room server. Rejects when something of it cannot start;
 * `tellAdmin` has heard of a new account by then, for its password is never shown again.
 */
export async function start(
  options: ServeOptions,
  logError = logToStderr,
  tellAdmin: (admin: CreatedAdmin) => void = () => {},
  spawnRenderer: () => Worker = spawnRenderThread,
): Promise<Gateway> {
  /** what has been opened, to be closed in the opposite order */
  const opened: { close(): void | Promise<void> }[] = [];
  const close = async () => {
    for (const part of opened.splice(0).reverse()) await part.close();
  };
  try {
    return { ...(await open(options, opened, logError, tellAdmin, spawnRenderer)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  options: ServeOptions,
  opened: { close(): void | Promise<void> }[],
  logError: LogError,
  tellAdmin: (admin: CreatedAdmin) => void,
  spawnRenderer: () => Worker,
): Promise<Omit<Gateway, 'close'>> {
  const keep = <T extends { close(): void | Promise<void> }>(part: T): T => {
    opened.push(part);
    return part;
  };
  makeFolder(options.dataFolder);
  const underWay = new Set<Exchange>();
  const stalls = keep(watchStalls(logError, underWay));
  const backend = options.backend === 'embedded' ? keep(await startEmbedded(options, logError)) : undefined;
  if (backend?.createdAdmin) tellAdmin(backend.createdAdmin);
  const target = targetOf(options, backend);
  const pool = keep(
    new Pool({
      target,
      clientName: 'Vestibule',
      clientVersion: version(),
      ...(backend
        ? {
            isOwn: true,
            maxAgeMs: OWN_CONNECTION_MAX_AGE_MS,
            maxConnections: OWN_MAX_CONNECTIONS,
            maxConnecting: OWN_MAX_CONNECTIONS,
          }
        : { maxConnections: options.backendConnections, maxConnecting: options.backendConnecting }),
    }),
  );
  const fleet = keep(await openLocalFleet(join(options.dataFolder, 'fleet')));
  // Left behind by a kill. Only now, with the locks of room server and fleet, is the folder known to be ours.
  const spoolFolder = join(options.dataFolder, 'spool');
  await rm(spoolFolder, { recursive: true, force: true });
  await mkdir(spoolFolder, { mode: 0o700 });
  const key = options.sessionKey ?? (await sessionKeyIn(options.dataFolder));
  const renderThreads = keep(new RenderThreads({ spawn: spawnRenderer, logError }));
  const watches = new Watches(pool);
  const builtIn = embeddedStatic();
  const app: App = {
    pool,
    watches,
    fleet,
    sealer: new Sealer(key),
    prefix: options.prefix,
    landing: options.landing,
    hasSecureCookies: options.hasSecureCookies,
    spools: new Spools(spoolFolder),
    messageLimit: new MessageLimit(),
    inboxSeen: new BoundedMap(MAX_CACHE_ENTRIES),
    loggedInFrom: new BoundedMap(MAX_CACHE_ENTRIES),
    triedPasswords: new TriedPasswords(),
    replacedSessions: new BoundedMap(MAX_CACHE_ENTRIES),
    storedTraits: new StoredTraitsCache(),
    anonymity: new BoundedMap(MAX_KNOWN_ANONYMITY),
    knownMessages: new BoundedMap(MAX_KNOWN_MESSAGES),
    originalTimes: new OriginalTimes(),
    foundNames: new BoundedMap(MAX_FOUND_NAMES),
    turns: new Turns(),
    readings: new Readings(renderThreads),
    statics: [
      ...(options.staticFolder === undefined ? [] : [folderSource(options.staticFolder)]),
      builtIn ? memorySource(builtIn) : folderSource(fileURLToPath(new URL('../static', import.meta.url))),
    ],
  };
  const router = routes(options.prefix);
  addDavRoutes(router, options.prefix);
  const dispatch = dispatcher(router, app, underWay);
  const listener = keep(
    await listen({
      host: options.host,
      port: options.port,
      trustProxy: options.isProxyTrusted,
      handle: (exchange) => stalls.run(exchange, () => dispatch(exchange)),
      logError,
    }).catch((error) => {
      const address = `${options.host}${options.port > 0 ? ` port ${options.port}` : ''}`;
      throw forOperator(error, `Cannot listen on ${address}`, 'see --host and --port');
    }),
  );
  keep(watches); // closed first: the listener waits for running requests, and their streams have no end of their own
  return { url: `${listener.url}/`, backend };
}

async function sessionKeyIn(folder: string): Promise<Buffer> {
  const file = join(folder, 'session-key');
  try {
    const key = await loadOrCreateKey(file);
    takeFromOthers(file); // an operator may have put it there
    return key;
  } catch (error) {
    const text = `${file} holds no session key; without that file a new one is made, and everybody logs in again.`;
    throw error instanceof AppError ? new AppError('internal', text) : forOperator(error, `${file} cannot be used`);
  }
}

function startEmbedded(options: ServeOptions, logError: LogError): Promise<Backend> {
  return startBackend(
    {
      dataFolder: options.dataFolder,
      demo: options.isDemo,
      version: version(),
      ...(options.lineListen && { lineListen: options.lineListen }),
      ...(options.adminPassword !== undefined && { adminPassword: options.adminPassword }),
      onFault: (message) => logError('backend', message),
    },
    spawnWorker,
  );
}

function targetOf(options: ServeOptions, backend: Backend | undefined): Target {
  if (backend) return { path: backend.socketPath };
  const address = options.backend as Exclude<ServeOptions['backend'], 'embedded'>;
  return address.kind === 'unix' ? { path: address.path } : { host: address.host, port: address.port };
}

/** The room server's thread. */
export function spawnWorker(workerData: WorkerData): Worker {
  return new Worker(scriptOf('backend/worker'), { workerData });
}

/** One of the threads that render messages. */
function spawnRenderThread(): Worker {
  return new Worker(scriptOf('render/worker'), RENDER_RESOURCES);
}

/** From the sources, or from inside the one-file binary. */
function scriptOf(name: WorkerName): URL {
  const script = embeddedWorkerScript(name);
  if (script === undefined) return new URL(`./${name}.ts`, import.meta.url);
  return new URL(`data:text/javascript;base64,${Buffer.from(script).toString('base64')}`);
}

async function serve(options: ServeOptions): Promise<void> {
  const gateway = await start(options, logToStderr, announceAdmin);
  const { backend } = gateway;
  if (backend?.lineListenUrl) console.error(`Line protocol on ${backend.lineListenUrl}`);
  console.log(`Listening on ${gateway.url}`);
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1); // the second signal does not wait
    isStopping = true;
    gateway.close().then(
      () => process.exit(0),
      (error) => fail(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  backend?.failed.then((error) => fail(error));
}

export function announceAdmin({ name, password, generated }: CreatedAdmin): void {
  console.error(`Created the account ${name}${generated ? ` with the password ${password} (shown only once)` : ''}`);
}

function fail(error: unknown): never {
  if (error instanceof UsageError) {
    console.error(error.message);
    process.exit(2);
  }
  const { path, code, message } = error as NodeJS.ErrnoException;
  const words = systemWords(error);
  if (words !== undefined) console.error(`${path ?? message}: ${words}.`);
  else console.error(code === undefined ? error : message);
  process.exit(1);
}

/** Who reads along may stop: `vestibule user list | head -1`. What cannot be written to a file is told. */
function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') fail(forOperator(error, 'The output cannot be written'));
  });
  process.stderr.on('error', () => {});
}

if (import.meta.main) {
  watchOutput();
  try {
    const commandLine = parseCommandLine(process.argv.slice(2));
    if (commandLine.command === 'serve') await serve(commandLine.options);
    else if (commandLine.command === 'user') await runUserCommand(commandLine, spawnWorker, announceAdmin);
    else if (commandLine.command === 'store') runStoreCommand(commandLine);
    else if (commandLine.command === 'copy')
      process.exitCode = await runCopyCommand(commandLine, spawnWorker, announceAdmin);
    else console.log(commandLine.text);
  } catch (error) {
    fail(error);
  }
}
