// How long another user waits while one asks for very much of what all share (scripts/shared-resources.ts), as a
// multiple of what she waits when it is quiet: the median and the 99th percentile of her requests, over HTTP or on the
// line, and how many she was refused. A fresh gateway for each row.
// Run: node scripts/shared-stalls.ts [--only locks --seconds 4]

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WireClient } from '../test/support/wire-client.ts';
import { fromSource, type Server, startServer } from './scale-site.ts';
import { scriptOptions } from './script-options.ts';
import { SHARED, type SharedName } from './shared-resources.ts';

const values = scriptOptions(import.meta.filename, {
  only: { type: 'string', default: '' },
  seconds: { type: 'string', default: '4' },
});
const MS = Number(values.seconds) * 1000;
/** of mallory, each with one request under way */
const AT_ONCE = 64;
const PAUSE_MS = 5;

interface Asked {
  method?: string;
  path: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** takes nothing of the answer */
  isUnread?: boolean;
}

/** A request of somebody, by HTTP Basic; resolves with its status. */
type Ask = (asked: Asked) => Promise<number>;

interface Attack {
  /** what mallory does again and again, on AT_ONCE connections; `n` counts */
  does(n: number): Asked | ((site: Site) => Promise<unknown>);
  /** before that */
  prepare?(site: Site): Promise<unknown>;
  /** what the other asks for */
  asks?(n: number): Asked | ((site: Site) => Promise<unknown>);
}

interface Site {
  server: Server;
  mallory: Ask;
  ann: Ask;
  /** on the line, logged in */
  line(who: 'mallory' | 'ann'): Promise<WireClient>;
  sockets: Set<Socket>;
}

const NAMES = { mallory: 'alice', ann: 'bob' };
/** each has an address, as before a log-in they are told apart by it */
const ADDRESSES = { mallory: '127.0.0.1', ann: '127.0.0.2' };
/** counts as refused */
const LATE_MS = 20_000;
const WHOAMI: Asked = { path: 'a/whoami' };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const LARGE = Buffer.alloc(4_000_000, 'a line of text that is sent again and again\n');
const MAIL = `<p>${'<b>a'.repeat(20_000)}</p>`;
const LOCK = `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>
</D:lockinfo>`;
const FIND = '<D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>';

const put = (path: string, body: string | Buffer, headers: Record<string, string> = TEXT): Asked => ({
  method: 'PUT',
  path,
  body,
  headers,
});
const dav = (method: string, path: string, body: string, headers: Record<string, string> = {}): Asked => ({
  method,
  path,
  body,
  headers: { 'content-type': 'application/xml', ...headers },
});
const readings = (n: number): Asked => ({ path: `r/Lobby/${n % 20}/json?n=${n}` });
const byLine =
  (...lines: string[]) =>
  async (site: Site) => {
    const client = await site.line('mallory');
    for (const line of lines) await client.ask(line);
    client.close();
  };

/** Opens a connection that asks for nothing. */
async function idle({ server, sockets }: Site): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  sockets.add(socket);
  await sleep(PAUSE_MS);
}

const ATTACKS: Record<SharedName, Attack> = {
  connections: { does: () => idle },
  sessions: {
    does: () => async (site) => void site.sockets.add((await site.line('mallory')).socket),
    asks: () => async (site) => (await site.line('ann')).close(),
  },
  requests: { does: () => WHOAMI },
  turns: { does: (n) => ({ path: `a/search?q=the&n=${n}` }), asks: (n) => ({ path: `a/search?q=a&n=${n}` }) },
  transfers: { does: () => put('r/Lobby/new', LARGE), asks: () => put('r/Lobby/new', LARGE.subarray(0, 400_000)) },
  largeItems: {
    does: () => dav('PROPFIND', 'r/', FIND, { depth: '1' }),
    asks: () => dav('PROPFIND', 'r/', FIND, { depth: '1' }),
  },
  changes: { does: () => put('r/Lobby/shared.txt', 'x'), asks: () => put('r/Lobby/shared.txt', 'y') },
  roomServer: { does: () => byLine('LKRA', 'LKRA', 'MSGS ALL'), asks: (n) => ({ path: `r/Lobby/msgs.all?n=${n}` }) },
  commits: { does: (n) => put(`r/Lobby/n${n}.txt`, 'x'), asks: (n) => put(`r/Lobby/a${n}.txt`, 'x') },
  logIns: {
    does: (n) => ({ path: 'a/whoami', headers: { authorization: basic('alice', `wrong ${n}`) } }),
    asks: () => ({ method: 'POST', path: 'a/login', body: 'bob|bob', headers: TEXT }),
  },
  hashes: {
    does: () => async (site) => (await site.line('mallory')).close(),
    asks: () => async (site) => (await site.line('ann')).close(),
  },
  guesses: {
    does: (n) => ({ path: 'a/whoami', headers: { authorization: basic('bob', `wrong ${n}`) } }),
  },
  renderings: {
    prepare: ({ mallory }) => Promise.all(Array.from({ length: 20 }, () => mallory(put('r/Lobby/new', MAIL, HTML)))),
    does: readings,
    asks: readings,
  },
  renderThreads: {
    prepare: ({ mallory }) => Promise.all(Array.from({ length: 20 }, () => mallory(put('r/Lobby/new', MAIL, HTML)))),
    does: readings,
    asks: readings,
  },
  pool: { does: () => put('r/Lobby/new', LARGE.subarray(0, 100_000)), asks: () => put('r/Lobby/new', 'a text') },
  waiting: { does: (n) => ({ path: `r/Lobby/msgs.all?n=${n}`, headers: { authorization: '' } }) },
  answers: {
    prepare: async ({ mallory }) => void (await mallory(put('r/Lobby/large.txt', LARGE))),
    does: () => ({ path: 'r/Lobby/large.txt', isUnread: true }),
    asks: () => ({ path: 'r/Lobby/large.txt' }),
  },
  compression: { does: () => ({ path: 'r/', headers: { 'accept-encoding': 'gzip' } }), asks: () => ({ path: 'r/' }) },
  bodies: { does: () => put('r/Lobby/new', LARGE), asks: () => put('r/Lobby/new', 'a text') },
  uploads: {
    does: () => ({ method: 'POST', path: 'p', body: 'x', headers: TEXT }),
    asks: () => ({ method: 'POST', path: 'p', body: 'x', headers: TEXT }),
  },
  streams: { does: () => ({ path: 'a/events', isUnread: true }), asks: () => ({ path: 'a/events', isUnread: true }) },
  locks: {
    does: (n) => dav('LOCK', `r/Lobby/m${n}.txt`, LOCK),
    asks: (n) => dav('LOCK', `r/Lobby/a${n}.txt`, LOCK),
  },
  appPasswords: { does: (n) => byLine(`APPW new|dav|app ${n}`) },
  sessionKeys: { does: () => byLine('SKEY new', 'SKEY new', 'SKEY new') },
  rooms: { does: (n) => byLine(`CRE8 1|Room ${n}|0`) },
  invitations: { does: () => byLine('SCHD inbox', 'SCHD addresses') },
  instantMessages: { does: (n) => byLine(`SEXP bob|text ${n}`) },
  instantMemory: { does: (n) => byLine(`SEXP bob|text ${n}`), asks: () => ({ path: 'a/im' }) },
  chat: { does: () => byLine('GOTO Lobby', 'RCHT enter', 'RCHT poll|0') },
  store: { does: (n) => dav('LOCK', `r/Lobby/s${n}.txt`, LOCK) },
  caches: { does: (n) => ({ path: `r/Lobby/msgs.all?n=${n}` }), asks: () => ({ path: 'r/Lobby/msgs.all' }) },
};

function basic(user: string, password = user): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function asker(url: string, who: 'mallory' | 'ann', connections: number, sockets: Set<Socket>): Ask {
  const localAddress = ADDRESSES[who];
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return ({ method = 'GET', path, body, headers = {}, isUnread = false }) =>
    new Promise((resolve) => {
      const all = { authorization: basic(NAMES[who]), ...headers };
      const taken = (response: IncomingMessage) => {
        const status = response.statusCode!;
        if (isUnread) {
          sockets.add(response.socket);
          resolve(status);
        } else {
          response.resume().on('close', () => resolve(status));
        }
      };
      const options = { method, agent: isUnread ? (false as const) : agent, headers: all, localAddress };
      request(new URL(`/svc/${path}`, url), options, taken)
        .on('error', () => resolve(0))
        .end(body);
    });
}

/** Milliseconds of each request until the time is over, and how many were refused. */
async function measure(site: Site, asks: (n: number) => ReturnType<Attack['does']>): Promise<[number[], number]> {
  const times: number[] = [];
  let refused = 0;
  for (const end = performance.now() + MS; performance.now() < end; await sleep(PAUSE_MS)) {
    const asked = asks(times.length);
    const began = performance.now();
    const isServed =
      typeof asked === 'function' ? asked(site).then(() => true) : site.ann(asked).then((it) => it < 400 && it > 0);
    const late = sleep(LATE_MS, false, { ref: false });
    if (!(await Promise.race([isServed.catch(() => false), late]))) refused++;
    times.push(performance.now() - began);
  }
  return [times.toSorted((a, b) => a - b), refused];
}

function percentile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

async function attackOn(name: SharedName): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-shared-'));
  const sockets = new Set<Socket>();
  const server = await startServer(folder, ['--demo', '--line-listen', 'tcp://127.0.0.1:0'], fromSource());
  try {
    const { hostname, port } = new URL(server.lineUrl!);
    const site: Site = {
      server,
      sockets,
      mallory: asker(server.url, 'mallory', AT_ONCE, sockets),
      ann: asker(server.url, 'ann', 1, sockets),
      line(who) {
        const at = { host: hostname, port: Number(port), localAddress: ADDRESSES[who] };
        return WireClient.login(at, NAMES[who], NAMES[who]);
      },
    };
    const { does, prepare, asks = () => WHOAMI } = ATTACKS[name];
    await prepare?.(site);
    await site.ann(WHOAMI);
    const [quiet, refusedBefore] = await measure(site, (n) => asks(n));
    let isOver = false;
    let done = 0;
    const attacks = Array.from({ length: AT_ONCE }, async () => {
      while (!isOver) {
        const asked = does(done++);
        await (typeof asked === 'function' ? asked(site) : site.mallory(asked)).catch(() => sleep(PAUSE_MS));
      }
    });
    const [beside, refused] = await measure(site, (n) => asks(n + quiet.length));
    isOver = true;
    void Promise.allSettled(attacks);
    const cells = [0.5, 0.99].flatMap((share) => {
      const [before, after] = [percentile(quiet, share), percentile(beside, share)];
      return [`${before.toFixed(1)} ms`, `${after.toFixed(1)} ms`, `${(after / before).toFixed(1)} x`];
    });
    return [...cells, `${done}`, `${refusedBefore}/${refused}`].map((cell) => cell.padStart(11)).join('');
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const COLUMNS = ['quiet p50', 'attack', 'times', 'quiet p99', 'attack', 'times', 'attacks', 'refused'];
console.log(`${''.padEnd(18)}${COLUMNS.map((column) => column.padStart(11)).join('')}`);
for (const name of Object.keys(SHARED) as SharedName[]) {
  if (name.includes(values.only)) console.log(`${name.padEnd(18)}${await attackOn(name)}`);
}
process.exit();
