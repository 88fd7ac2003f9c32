// Whole gateways for end-to-end tests: in this process, as a child process, and one in front of another one's room
// server. Each has a data folder of its own, on a free port, and is gone when the test ends.

import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { databaseFile } from '../../src/backend/store/store.ts';
import { serveOrders } from '../../src/backend/worker.ts';
import { parseCommandLine } from '../../src/cli/options.ts';
import type { ServeOptions } from '../../src/cli/serve-options.ts';
import { type Gateway, start } from '../../src/serve/start.ts';
import type { RequestEntry } from '../../src/telemetry/log-line.ts';
import { EVENTUALLY_MS } from './eventually.ts';
import { firstStart, LOW_PASSWORD_COST } from './first-start.ts';
import { assertDocumentedAnswer } from './openapi.ts';
import { type Init, sendHttp } from './raw-http.ts';

/** `after` of node:test for a whole file, or a test's own context. */
export interface Ending {
  after(done: () => Promise<void> | void): void;
}

export type Api = (path: string, init?: Init) => Promise<Response>;

export interface TestUser {
  name: string;
  password: string;
  level?: number;
}

export interface TestGatewayOptions {
  /** alice/alice and bob/bob, and rooms with content */
  demo?: boolean;
  /** not with `backend` or `dataFolder` */
  users?: TestUser[];
  /** `unix:…` or `tcp://…`; without it the gateway brings its own room server, whose administrator is admin/secret */
  backend?: string;
  /** more words of the command line: `['--line-listen', 'tcp://127.0.0.1:0']` */
  options?: string[];
  /** threads that render as a test wants them to */
  spawnRenderer?: () => Worker;
  logRequest?: (entry: RequestEntry) => void;
  /** Its room server has a thread, as in the program; by default it works in this one, which is there at once. */
  hasThread?: boolean;
  /** a new folder unless given; removed at the end in both cases */
  dataFolder?: string;
}

export interface TestGateway {
  /** with a trailing slash; the same after a restart */
  url: string;
  /** where line protocol clients connect; as `--backend` takes it */
  lineUrl: string | undefined;
  /** of `--admin-listen` */
  adminUrl: string | undefined;
  dataFolder: string;
  /** what was logged as a fault */
  faults: unknown[];
  /** what was logged of pauses: a machine that has much else to do makes some */
  stalls: string[];
  /** Asks for a path below the prefix, as nobody; for a path that begins with `/` as it is. */
  api: Api;
  /** The same with HTTP Basic. */
  as(user: string, password?: string): Api;
  close(): Promise<void>;
  /** Closes and starts again with everything where it was. */
  restart(): Promise<void>;
}

export const ADMIN_PASSWORD = 'secret';
const PREFIX = '/svc/';

export async function startGateway(t: Ending, options: TestGatewayOptions = {}): Promise<TestGateway> {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'vestibule-')));
  if (options.dataFolder === undefined && options.backend === undefined) await prepare(dataFolder, options);
  else if (options.users) throw new Error('users are made in a new folder of an own room server');
  const serveOptions = optionsOf(dataFolder, options);
  const faults: unknown[] = [];
  // a machine that has much else to do holds up anything
  const stalls: string[] = [];
  const logError = (_requestId: string, error: unknown) => {
    if (typeof error === 'string' && error.startsWith('stall: ')) stalls.push(error);
    else faults.push(error);
  };
  const hooks = options.logRequest ? { logRequest: options.logRequest } : {};
  const isOwn = options.backend === undefined && !options.hasThread;
  const run = () => {
    const backendThread = isOwn ? roomServerHere() : undefined;
    return start(serveOptions, logError, { spawnRenderer: options.spawnRenderer, backendThread, ...hooks });
  };
  let running: Gateway | undefined = await run();
  const { url, adminUrl } = running;
  const lineUrl = running.backend?.lineListenUrl;
  serveOptions.port = Number(new URL(url).port);
  if (lineUrl !== undefined) serveOptions.lineListen = addressOf(lineUrl);
  const close = async () => {
    const closing = running;
    running = undefined;
    await closing?.close();
  };
  t.after(async () => {
    await close();
    await rm(dataFolder, { recursive: true, force: true });
  });
  return {
    url,
    lineUrl,
    adminUrl,
    dataFolder,
    faults,
    stalls,
    api: apiAt(url),
    as: (user, password) => apiAt(url, basic(user, password)),
    close,
    async restart() {
      await close();
      running = await onceFree(run);
    },
  };
}

/** What the first start would do, and adding users, with passwords that cost little. */
async function prepare(dataFolder: string, { demo = false, users = [] }: TestGatewayOptions): Promise<void> {
  const store = await firstStart(dataFolder, { adminPassword: ADMIN_PASSWORD, demo, users });
  store.close();
}

/** What `start` takes for the thread of the room server, which works in this thread; new passwords cost little. */
function roomServerHere(): Worker {
  const { port1: ours, port2: its } = new MessageChannel();
  serveOrders(its);
  const thread = new EventEmitter();
  ours.on('message', (message) => thread.emit('message', message));
  ours.once('close', () => thread.emit('exit', 0));
  const terminate = async () => void ours.close();
  const postMessage = (data: object | 'close') =>
    ours.postMessage(typeof data === 'object' ? { ...data, passwordCost: LOW_PASSWORD_COST } : data);
  return Object.assign(thread, { postMessage, terminate }) as unknown as Worker;
}

/** A port that was free for a moment may have gone to somebody else, mostly for a moment, too. */
async function onceFree(run: () => Promise<Gateway>): Promise<Gateway> {
  const end = performance.now() + EVENTUALLY_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!/EADDRINUSE/.test(String(error)) || performance.now() > end) throw error;
    }
    await setTimeout(100);
  }
}

/** A second gateway in front of the first one's room server, which must have been started with `--line-listen`. */
export function behindGateway(t: Ending, first: TestGateway, options: string[] = []): Promise<TestGateway> {
  return startGateway(t, { backend: first.lineUrl!, options });
}

/** One room server, reached directly and through a second gateway: what one does, the other shall do. */
export async function startBoth(t: Ending, options: TestGatewayOptions = {}): Promise<[string, TestGateway][]> {
  const first = await startGateway(t, { ...options, options: ['--line-listen', 'tcp://127.0.0.1:0'] });
  return [
    ['the embedded room server', first],
    ['a second gateway', await behindGateway(t, first)],
  ];
}

/** `Basic …`; the password is the name where none is given, as in the demo. */
export function basic(user: string, password = user): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Each answer is compared with what static/openapi.json says of it: nothing that a test sees is undocumented. */
export function apiAt(url: string, authorization?: string): Api {
  return async (path, init = {}) => {
    const headers = { ...(authorization !== undefined && { authorization }), ...init.headers };
    const target = path.startsWith('/') ? path : `${PREFIX}${path}`;
    const response = await sendHttp(url, target, { ...init, headers });
    if (target.startsWith(PREFIX)) {
      await assertDocumentedAnswer(init.method ?? 'GET', target.slice(PREFIX.length - 1), response);
    }
    return response;
  };
}

/** The cookie that an answer sets, as a request sends it back. */
export function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Logs in and fetches with the session cookie from then on. */
export async function withCookie(gateway: TestGateway, username: string, password = username): Promise<Api> {
  const response = await gateway.api('a/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const cookie = cookieOf(response);
  return (path, init = {}) => gateway.api(path, { ...init, headers: { cookie, ...init.headers } });
}

/** The number of the message that a PUT has made. */
export function postedNumber(response: Response): number {
  const number = Number(/^"(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1]);
  if (response.status !== 201 || !number) throw new Error(`nothing was posted: ${response.status}`);
  return number;
}

function optionsOf(dataFolder: string, { demo, backend, options = [] }: TestGatewayOptions): ServeOptions {
  const words = ['--port', '0', '--data', dataFolder, ...options];
  if (demo) words.push('--demo');
  if (backend !== undefined) words.push('--backend', backend);
  const line = parseCommandLine(words, backend === undefined ? { VESTIBULE_ADMIN_PASSWORD: ADMIN_PASSWORD } : {});
  if (line.command !== 'serve') throw new Error('no options to serve with');
  return line.options;
}

function addressOf(url: string): NonNullable<ServeOptions['lineListen']> {
  const line = parseCommandLine(['--line-listen', url], {});
  if (line.command !== 'serve') throw new Error('no address');
  return line.options.lineListen!;
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface SpawnedGateway {
  url: string;
  lineUrl: string | undefined;
  child: ChildProcess;
  /** what it has written so far */
  said: { out: string; err: string };
  as(user: string, password?: string): Api;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

/**
 * `…before node …flags vestibule serve --port 0 …words` as a child process; killed, and waited for, when the test ends.
 * A data folder that is not there yet is made before, as `prepare` does.
 */
export async function spawnGateway(
  t: Ending,
  words: string[],
  flags: string[] = [],
  before: string[] = [],
): Promise<SpawnedGateway> {
  const dataFolder = words[words.indexOf('--data') + 1]!;
  if (words.includes('--data') && !words.includes('--backend') && !existsSync(databaseFile(dataFolder))) {
    await prepare(dataFolder, { demo: words.includes('--demo') });
  }
  const [program, ...line] = [...before, process.execPath, ...flags, main, '--port', '0', ...words];
  const child = spawn(program!, line, {
    env: { ...process.env, VESTIBULE_ADMIN_PASSWORD: ADMIN_PASSWORD },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  t.after(kill);
  const said = { out: '', err: '' };
  const hasLine = words.includes('--line-listen');
  return new Promise((resolve, reject) => {
    // of two pipes the one that was written first may be heard last
    const hear = () => {
      const url = /Listening on (https?:\S+)\n/.exec(said.out)?.[1];
      const lineUrl = /Line protocol on (\S+)\n/.exec(said.err)?.[1];
      if (url === undefined || (hasLine && lineUrl === undefined)) return;
      resolve({ url, lineUrl, child, said, as: (user, password) => apiAt(url, basic(user, password)), kill });
    };
    for (const kind of ['out', 'err'] as const) {
      child[`std${kind}`].setEncoding('utf8').on('data', (text: string) => {
        said[kind] += text;
        hear();
      });
    }
    child.once('close', () => reject(new Error(said.err.trim())));
  });
}

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the program to its end. */
export async function runVestibule(words: string[], env: Record<string, string> = {}, input = ''): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, ...env } });
  const ended: Ended = { code: null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.err += text));
  child.stdin.end(input);
  [ended.code] = (await once(child, 'close')) as [number | null];
  return ended;
}
