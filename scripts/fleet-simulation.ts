// How many gateways and room servers a number of users needs, and how long they wait: a simulation by events
// (fleet-model.ts) of what one request of each kind costs, as measured.
//   node scripts/fleet-simulation.ts                       what 10⁴, 10⁶ and 10⁸ users need
//   node scripts/fleet-simulation.ts --users 50000 --gateways 4 --room-servers 2
//   node scripts/fleet-simulation.ts --measure             the costs measured here, and two gateways under load beside
//                                                          what is simulated of them
// --reads 60 --posts 2 an hour and --log-ins 1 a day of each user who is there; --fan-out 5 event streams hear of each
// post; --streams 0.3 of the users have a page open, with an event stream; --password-ms 80 of a processor for each
// log-in by password; --times FILE: costs as --measure prints them.
// With --measure: --rate 60 requests a second, --seconds 15.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BACKEND_MAX_SESSIONS } from '../src/limits/backend.ts';
import { EVENTS_CHECK_MS, MAX_EVENT_STREAMS } from '../src/limits/events.ts';
import {
  type FleetPlan,
  KINDS,
  type Kind,
  type Outcome,
  quantiles,
  randomNumbers,
  type ServiceTimes,
  STATIONS,
  simulate,
} from './fleet-model.ts';
import { fillFolder } from './generate.ts';
import { type Client, logIn, type Server, startServer } from './scale-site.ts';
import { scriptOptions } from './script-options.ts';

const text = (value: string) => ({ type: 'string', default: value }) as const;
const options = scriptOptions(import.meta.filename, {
  users: { type: 'string' },
  gateways: text('2'),
  'room-servers': text('1'),
  reads: text('60'),
  posts: text('2'),
  'log-ins': text('1'),
  'fan-out': text('5'),
  streams: text('0.3'),
  'password-ms': text('80'),
  times: { type: 'string' },
  measure: { type: 'boolean', default: false },
  rate: text('60'),
  seconds: text('15'),
});

const REQUESTS = 200_000;
/** of the time that a part may be busy: beyond it waits grow fast, and nothing is left for a part that fails */
const MOST_BUSY = 0.6;
/** stations that are simulated of a large fleet: the others are like them */
const MOST_STATIONS = 40;
const PASSWORD_THREADS = 2;
/** as --measure has found them, on two cores of a busy virtual machine; of the store, two scripts in Redis 7 */
const DEFAULT_TIMES: ServiceTimes = {
  gateway: { read: 0.6, post: 1.4, 'log-in': 3 },
  roomServer: { read: 0.35, post: 1.4, 'log-in': 4.5 },
  password: 80,
  store: 0.3,
  eventAtGateway: 0.4,
  eventAtRoomServer: 0.18,
  client: 0,
};

const READ = ['GET', 'r/Lobby/mailbox'] as const;
const POST = ['PUT', 'r/Lobby/new?subj=Load', 'Some lines of text.\n'.repeat(20)] as const;
/** requests of each kind that are measured alone */
const CALIBRATION = 150;
/** of as many users, with an event stream each */
const CLIENTS = 20;

if (options.measure) await compare();
else if (options.users !== undefined) show(planOf(Number(options.users)));
else for (const users of [1e4, 1e6, 1e8]) need(users);

function timesWanted(): ServiceTimes {
  const file = options.times;
  const times = file === undefined ? DEFAULT_TIMES : (JSON.parse(readFileSync(file, 'utf8')) as ServiceTimes);
  return { ...times, password: Number(options['password-ms']), client: 0 };
}

function planOf(users: number): FleetPlan {
  const hourly = (count: string) => (users * Number(count)) / 3600;
  return {
    gateways: Number(options.gateways),
    roomServers: Number(options['room-servers']),
    passwordThreads: PASSWORD_THREADS,
    rates: {
      read: hourly(options.reads),
      post: hourly(options.posts),
      'log-in': hourly(options['log-ins']) / 24,
    },
    fanOut: Number(options['fan-out']),
    times: timesWanted(),
    networkMs: 0.2,
  };
}

/** Of a fleet that is large enough: how large that is, and how long its users wait. */
function need(users: number): void {
  const plan = planOf(users);
  const { rates, times, fanOut } = plan;
  const work = (costs: Record<Kind, number>) =>
    KINDS.reduce((sum, kind) => sum + (rates[kind] * costs[kind]) / 1000, 0);
  const streams = users * Number(options.streams);
  // a session tells one user's streams at once; who has none looks again and again
  const looking = Math.max(0, streams - BACKEND_MAX_SESSIONS);
  rates.read += (looking * 1000) / EVENTS_CHECK_MS;
  const enough = (busy: number) => Math.max(1, Math.ceil(busy / MOST_BUSY));
  const told = (rates.post * fanOut) / 1000;
  plan.gateways = enough(work(times.gateway) + told * times.eventAtGateway);
  const passwords = (rates['log-in'] * times.password) / 1000 / PASSWORD_THREADS;
  plan.roomServers = Math.max(enough(work(times.roomServer) + told * times.eventAtRoomServer), enough(passwords));
  const stores = enough((rates['log-in'] * times.store) / 1000);
  // one would stand still with one that fails
  plan.gateways = Math.max(2, plan.gateways, Math.ceil(streams / MAX_EVENT_STREAMS));
  const share = Math.max(1, Math.max(plan.gateways, plan.roomServers) / MOST_STATIONS);
  const part: FleetPlan = {
    ...plan,
    gateways: Math.max(1, Math.round(plan.gateways / share)),
    roomServers: Math.max(1, Math.round(plan.roomServers / share)),
    rates: { read: rates.read / share, post: rates.post / share, 'log-in': rates['log-in'] / share },
  };
  const perSecond = KINDS.reduce((sum, kind) => sum + rates[kind], 0);
  console.log(`\n${users.toLocaleString('en')} users, ${perSecond.toFixed(0)} requests a second:`);
  const perGateway = Math.ceil(streams / plan.gateways);
  console.log(
    `  ${streams.toLocaleString('en')} event streams, ${perGateway} at each gateway, which takes ${MAX_EVENT_STREAMS}`,
  );
  console.log(`  ${plan.gateways} gateways, ${plan.roomServers} room servers, ${stores} masters of the store`);
  if (share > 1) console.log(`  (simulated: ${part.gateways} and ${part.roomServers} of these)`);
  print(simulate(part, REQUESTS));
}

function show(plan: FleetPlan): void {
  print(simulate(plan, REQUESTS));
}

function print({ latency, busy, first }: Outcome): void {
  for (const kind of KINDS) {
    const { median, p95, p99 } = latency[kind];
    console.log(`  ${kind.padEnd(8)}${row(median)}${row(p95)}${row(p99)} ms (median, 95 %, 99 %)`);
  }
  const shares = STATIONS.filter((kind) => busy[kind] > 0).map((kind) => `${kind} ${(busy[kind] * 100).toFixed(0)} %`);
  const verdict = busy[first] > 0.95 ? `too much for the ${first}` : `first to saturate: ${first}`;
  console.log(`  busy: ${shares.join(', ')}; ${verdict}`);
}

function row(ms: number): string {
  return ms.toFixed(1).padStart(9);
}

/** Two gateways here, under load, and what is simulated of them. */
async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-fleet-'));
  const servers: Server[] = [];
  try {
    await fillFolder(join(folder, 'rooms'), { rooms: 20, messages: 400, users: 21, largeRoom: 50, seed: 1 }, () => {});
    const line = `unix:${join(folder, 'line')}`;
    const room = await startServer(join(folder, 'rooms'), ['--line-listen', line]);
    servers.push(room);
    const gateways: Server[] = [];
    for (const name of ['g1', 'g2'])
      gateways.push(await startServer(join(folder, name), ['--backend', line, '--drain-seconds', '1']));
    servers.push(...gateways);
    const clients: Client[] = [];
    for (let i = 0; i < CLIENTS; i++) clients.push(await logIn(gateways[i % 2]!.url, `user${i + 1}`));
    const { times, networkMs } = await costs(room, gateways, clients);
    console.log(`Costs, in milliseconds of a processor: ${JSON.stringify(times)}`);
    const rate = Number(options.rate);
    const rates = { read: rate * 0.9, post: rate * 0.1, 'log-in': 0 };
    const pids = [room, ...gateways].map(({ pid }) => pid).concat(process.pid);
    const before = pids.map(spentBy);
    const measured = await load(clients, rates, Number(options.seconds));
    const spent = pids.map((pid, i) => since(before[i]!, spentBy(pid)));
    const [atRoom, g1, g2, atClient] = spent.map(slowness) as [number, number, number, number];
    const simulated = simulate(
      {
        ...{ gateways: 2, roomServers: 1, passwordThreads: PASSWORD_THREADS, fanOut: CLIENTS, rates, networkMs },
        times: slowed(times, { gateway: (g1 + g2) / 2, roomServer: atRoom, client: atClient }),
      },
      REQUESTS,
    );
    const waits = [atRoom, g1, g2, atClient].map((each) => each.toFixed(1)).join(', ');
    console.log(`Slower by what else runs here: room server, gateways, clients ${waits} times`);
    console.log(`Two gateways, one room server and their clients, ${rate} requests a second:`);
    for (const kind of ['read', 'post'] as const) {
      for (const part of ['mean', 'median', 'p95'] as const) {
        const [real, model] = [measured[kind][part], simulated.latency[kind][part]];
        const ratio = (model / real).toFixed(2);
        console.log(`  ${kind} ${part.padEnd(7)} measured${row(real)} ms, simulated${row(model)} ms, ratio ${ratio}`);
      }
    }
    print(simulated);
  } finally {
    for (const server of servers.reverse()) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What one request of each kind takes of each part while nothing else is asked, and what is left of its time. */
async function costs(room: Server, gateways: readonly Server[], clients: readonly Client[]) {
  const [client] = clients as [Client];
  const [gateway] = gateways as [Server];
  const parts = [gateway.pid, room.pid, process.pid] as const;
  const of = async (count: number, act: (i: number) => Promise<unknown>) => {
    for (let i = 0; i < count / 3; i++) await act(i); // code that is compiled
    const before = parts.map(spentBy);
    const started = performance.now();
    for (let i = 0; i < count; i++) await act(i);
    const wall = (performance.now() - started) / count;
    const spent = parts.map((pid, i) => since(before[i]!, spentBy(pid)));
    const [atGateway, atRoom, atClient] = spent.map(({ ran }) => ran / count) as [number, number, number];
    const elsewhere = wall - spent.reduce((sum, { ran, waited }) => sum + ran + waited, 0) / count;
    return { gateway: atGateway, room: atRoom, client: atClient, elsewhere };
  };
  const read = await of(CALIBRATION, () => client.send(...READ));
  const post = await of(CALIBRATION, () => client.send(...POST));
  const login = await of(20, () => logIn(gateway.url, 'user1'));
  // they stay for the load that follows
  for (const each of clients) await each.begin('a/events?room=Lobby');
  const heard = await of(CALIBRATION / 3, async () => {
    await client.send(...POST);
    await sleep(30); // the streams are told behind the answer
  });
  const event = (loud: number, quiet: number, streams: number) => Math.max(0, (loud - quiet) / streams);
  const toDisk = Math.max(0, post.elsewhere - read.elsewhere);
  const times: ServiceTimes = {
    gateway: { read: read.gateway, post: post.gateway, 'log-in': login.gateway },
    // until a post is on the disk nothing else is done
    roomServer: { read: read.room, post: post.room + toDisk, 'log-in': login.room },
    // that of the generated set costs next to nothing, and is part of what the room server took
    password: 0,
    store: DEFAULT_TIMES.store,
    eventAtGateway: event(heard.gateway, post.gateway, CLIENTS / gateways.length),
    eventAtRoomServer: event(heard.room, post.room, CLIENTS),
    client: read.client,
  };
  return { times: rounded(times), networkMs: Math.max(0, read.elsewhere / 4) };
}

function rounded(times: ServiceTimes): ServiceTimes {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value);
  return JSON.parse(JSON.stringify(times, round)) as ServiceTimes;
}

/** The same where each waits for a processor besides. */
function slowed(times: ServiceTimes, by: { gateway: number; roomServer: number; client: number }): ServiceTimes {
  const all = (costs: Record<Kind, number>, factor: number) =>
    Object.fromEntries(KINDS.map((kind) => [kind, costs[kind] * factor])) as Record<Kind, number>;
  return {
    ...times,
    gateway: all(times.gateway, by.gateway),
    roomServer: all(times.roomServer, by.roomServer),
    eventAtGateway: times.eventAtGateway * by.gateway,
    eventAtRoomServer: times.eventAtRoomServer * by.roomServer,
    client: times.client * by.client,
  };
}

/** Requests at random moments, whether or not those before have been answered. */
async function load(clients: readonly Client[], rates: Record<Kind, number>, seconds: number) {
  const random = randomNumbers(7);
  const rate = rates.read + rates.post;
  const taken = { read: [] as number[], post: [] as number[] };
  const running: Promise<void>[] = [];
  const end = performance.now() + seconds * 1000;
  for (let due = performance.now(); due < end; due += (-Math.log(1 - random()) * 1000) / rate) {
    if (due > performance.now()) await sleep(due - performance.now());
    const kind = random() * rate < rates.post ? 'post' : 'read';
    const client = clients[running.length % clients.length]!;
    const asked = performance.now();
    const answer = kind === 'read' ? client.send(...READ) : client.send(...POST);
    running.push(answer.then(() => void taken[kind].push(performance.now() - asked)));
  }
  await Promise.all(running);
  return { read: quantiles(taken.read), post: quantiles(taken.post) };
}

interface Spent {
  /** on a processor, in milliseconds, of all threads */
  ran: number;
  /** for a processor that others had */
  waited: number;
}

/** Of a process, so far (proc_pid_schedstat: nanoseconds). */
function spentBy(pid: number): Spent {
  const tasks = `/proc/${pid}/task`;
  const spent = { ran: 0, waited: 0 };
  for (const task of readdirSync(tasks)) {
    const [ran, waited] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ').map(Number);
    spent.ran += ran! / 1e6;
    spent.waited += waited! / 1e6;
  }
  return spent;
}

function since(before: Spent, now: Spent): Spent {
  return { ran: now.ran - before.ran, waited: now.waited - before.waited };
}

/** How much longer it took than it would have on a processor of its own. */
function slowness({ ran, waited }: Spent): number {
  return ran > 0 ? (ran + waited) / ran : 1;
}
