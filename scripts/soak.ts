// A soak: 200 people use every route of a gateway for half an hour, while connections are cut, stall and are reset, the
// room server is killed and started again, and some of them read slowly or break off. At the end what was acknowledged
// is there, what was deleted is not, each route has done what it is for, memory and file descriptors have not grown,
// and the log holds nothing unexplained. What the people do is in scripts/soak/.
// Run: npm run soak -- [--minutes 30 --users 200 --seed 7]

import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findSocketPaths } from '../src/backend/wire/socket-paths.ts';
import { LEVEL } from '../src/model.ts';
import { FAULT_KINDS, startFaultProxy } from '../test/support/fault-proxy.ts';
import { firstStart } from '../test/support/first-start.ts';
import { ADMIN_PASSWORD, type SpawnedGateway, spawnGateway } from '../test/support/gateway.ts';
import { newSeed, randomFrom } from '../test/support/random.ts';
import { writeSiteFiles } from '../test/support/site-files.ts';
import { NODE_FLAGS } from './node-flags.ts';
import { scriptOptions } from './script-options.ts';
import { Person, type Tally } from './soak/person.ts';
import { routesWithoutSuccess } from './soak/routes.ts';
import { Soaker } from './soak/soaker.ts';

const FAULT_MS = 2000;
/** the byte that is harmed is one of so many that pass next */
const FAULT_BYTES = 20_000;
const SAMPLE_MS = 1000;
/**
 * Garbage is collected so often: by itself V8 comes to it the later the more there is, and the memory of a gateway
 * whose objects stayed at 70 MB grew from 190 to 300 MB in ten minutes.
 */
const COLLECT_MS = 5000;
const garbageCollector = `${import.meta.resolve('../test/support/collect-garbage.ts')}?ms=${COLLECT_MS}`;
const FLAGS = [...NODE_FLAGS, '--expose-gc', '--import', garbageCollector];
/** the room server goes after so long, or a third of the time, and is away for so long and its start */
const KILL_MS = 120_000;
const AWAY_MS = 1000;
/** what is kept to be had again is full in the first third: then nothing more may be held */
const KEPT = 'kept-objects-mib=4,kept-lists-mib=12,kept-answers-mib=1,kept-readings-mib=16';
/** in the last third, beyond what was held in the middle one: by how many requests happen to be under way */
const MORE_MEGABYTES = 8;
const MORE_SHARE = 1.05;
const MORE_DESCRIPTORS = 30;
const END_MS = 3000;
const LEAST_ACKNOWLEDGED = 0.5;
/** every tenth, but a few: each of them has a floor, and there are few floors */
const ADMIN_SHARE = 10;
const MAX_ADMINS = 6;
/** in so long a run each route is asked for often enough to succeed once */
const EVERY_ROUTE_MINUTES = 10;

/** What the log may hold, and why. */
const EXPLAINED: readonly [RegExp, string][] = [
  [/^backend_lost: /, 'a connection was cut, or the room server killed'],
  [/^backend_unreachable: /, 'the room server is away'],
  [/^backend_timeout: /, 'a connection stalls'],
  [/^backend_protocol: .*shutting down/, 'the room server is about to stop'],
  [/^stall: /, 'the machine has much to do'],
];

const values = scriptOptions(import.meta.filename, {
  minutes: { type: 'string', default: '30' },
  users: { type: 'string', default: '200' },
  seed: { type: 'string', default: '' },
});
const seed = Number(values.seed) || newSeed();
const random = randomFrom(seed);
const totalMs = Number(values.minutes) * 60_000;
const names = Array.from({ length: Number(values.users) }, (_, i) => `soaker${i}`);
const isAdmin = (i: number) => i % ADMIN_SHARE === 0 && i / ADMIN_SHARE < MAX_ADMINS;
const folder = await mkdtemp(join(tmpdir(), 'vestibule-soak-'));
const endings: (() => Promise<void> | void)[] = [() => rm(folder, { recursive: true, force: true })];
const ending = { after: (done: () => Promise<void> | void) => void endings.unshift(done) };
const tally: Tally = { counts: new Map(), problems: [] };
/** of the gateway, and of its room server, whose files are those of one that was started not long ago */
const samples: { megabytes: number; descriptors: number; room_server_megabytes: number }[] = [];

try {
  await soak();
} finally {
  for (const end of endings) await end();
}
report();

async function soak(): Promise<void> {
  const data = join(folder, 'data');
  const users = names.map((name, i) => ({ name, password: name, ...(isAdmin(i) && { level: LEVEL.admin }) }));
  (await firstStart(data, { adminPassword: ADMIN_PASSWORD, demo: false, users })).close();
  const servers: SpawnedGateway[] = [];
  const startServer = async () => {
    const started = await spawnGateway(ending, ['--data', data, '--log-format', 'json'], FLAGS);
    servers.push(started);
    return started;
  };
  let server = await startServer();
  // as the gateway of that server comes to it: only to one does it give app passwords
  const proxy = await startFaultProxy({ path: findSocketPaths(data).socketPath });
  ending.after(() => proxy.close());
  const site = join(folder, 'site');
  await writeSiteFiles(site);
  const words = ['--data', join(folder, 'gateway'), '--backend', `tcp://127.0.0.1:${proxy.port}`, '--static', site];
  const gateway = await spawnGateway(ending, [...words, '--log-format', 'json', '--bound', KEPT], FLAGS);
  const soakers = names.map((name, i) => {
    const neighbour = names[(i + 1) % names.length]!;
    const random = randomFrom(seed + i);
    const manners = { isAdmin: isAdmin(i), usesCookie: random(2) === 0 };
    return new Soaker(new Person({ name, neighbour, ...manners, url: gateway.url, random, tally }));
  });
  for (const soaker of soakers) await soaker.settle();
  console.log(`seed ${seed}: ${soakers.length} people, ${values.minutes} minutes`);

  const end = performance.now() + totalMs;
  const isOver = () => performance.now() > end || gateway.child.exitCode !== null;
  const every = async (ms: number, act: () => Promise<void> | void) => {
    for (await sleep(ms); !isOver(); await sleep(ms)) await act();
  };
  const kill = async () => {
    noteEnd(server);
    server.child.kill(random(2) === 0 ? 'SIGKILL' : 'SIGTERM');
    await sleep(AWAY_MS);
    await server.kill();
    server = await startServer();
  };
  await Promise.all([
    ...soakers.map((soaker) => soaker.live(isOver)),
    every(Math.min(KILL_MS, totalMs / 3), kill),
    every(SAMPLE_MS, () => sample(gateway, server)),
    every(FAULT_MS, () => {
      // in the protocol nothing tells bytes that were changed from those that were sent
      const kinds = FAULT_KINDS.filter((kind) => kind !== 'corrupt' && kind !== 'repeat');
      const kind = kinds[random(kinds.length)]!;
      proxy.arm({ kind, direction: random(2) === 0 ? 'up' : 'down', position: random(FAULT_BYTES) });
    }),
  ]);
  proxy.arm();
  proxy.drop();
  for (const each of [gateway, server]) noteEnd(each);
  await sleep(END_MS);
  for (const soaker of soakers) await soaker.settleUp();
  const written = soakers.reduce((sum, soaker) => sum + soaker.written, 0);
  const acknowledged = soakers.reduce((sum, soaker) => sum + soaker.acknowledged, 0);
  console.log(`${written} messages and objects were written, ${acknowledged} acknowledged\n`);
  // of who answers nothing, nothing can be lost
  if (acknowledged < written * LEAST_ACKNOWLEDGED) tally.problems.push('most of what was written was not acknowledged');
  judgeRoutes();
  judgeLog(gateway.said.err);
  for (const { said } of servers) judgeLog(said.err);
}

function judgeRoutes(): void {
  const told = routesWithoutSuccess(tally.counts).map((route) => `never answered with success: ${route}`);
  if (Number(values.minutes) >= EVERY_ROUTE_MINUTES) tally.problems.push(...told);
  else for (const line of told) console.log(line);
}

/** To be called before it is told to end. */
function noteEnd({ child, said }: SpawnedGateway): void {
  if (child.exitCode === null && child.signalCode === null) return;
  tally.problems.push(`a process has ended by itself: ${said.err.slice(-2000)}`);
}

function sample(gateway: SpawnedGateway, server: SpawnedGateway): void {
  if (server.child.exitCode !== null || server.child.signalCode !== null) return; // it is away for a moment
  const descriptors = readdirSync(`/proc/${gateway.child.pid}/fd`).length;
  const [megabytes, serverMegabytes] = [residentOf(gateway), residentOf(server)];
  // of a process that has just died Linux tells none
  if (Number.isFinite(serverMegabytes))
    samples.push({ megabytes, descriptors, room_server_megabytes: serverMegabytes });
}

function residentOf({ child: { pid } }: SpawnedGateway): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function judgeLog(log: string): void {
  for (const line of log.split('\n')) {
    if (line === '') continue;
    if (!line.startsWith('{')) {
      tally.problems.push(`written to stderr: ${line}`);
      continue;
    }
    const { level, message } = JSON.parse(line) as { level: string; message: string };
    if (level === 'error' && !EXPLAINED.some(([pattern]) => pattern.test(message))) {
      tally.problems.push(`the log: ${message}`);
    }
  }
}

function mean(of: typeof samples, key: keyof (typeof samples)[number]): number {
  return of.reduce((sum, sample) => sum + sample[key], 0) / of.length;
}

function report(): void {
  const third = Math.floor(samples.length / 3);
  const thirds = [samples.slice(0, third), samples.slice(third, -third), samples.slice(-third)] as const;
  const means = (key: keyof (typeof samples)[number]) => thirds.map((each) => mean(each, key));
  const held = { megabytes: means('megabytes'), 'room server MB': means('room_server_megabytes') };
  const descriptors = means('descriptors');
  for (const [name, [, before, after]] of Object.entries(held)) {
    if (after! > before! * MORE_SHARE + MORE_MEGABYTES) tally.problems.push(`${name}: the memory has grown`);
  }
  if (descriptors[2]! > descriptors[1]! + MORE_DESCRIPTORS) tally.problems.push('file descriptors have grown');
  const byRoute = Map.groupBy(tally.counts, ([key]) => key.split('\t')[0]!);
  for (const [route, of] of [...byRoute].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const answers = of.map(([key, count]) => `${key.split('\t')[1]}: ${count}`).sort();
    console.log(`${route.padEnd(44)} ${answers.join('  ')}`);
  }
  console.log(
    `\n${'means of a third'.padEnd(20)} ${['first', 'second', 'last'].map((each) => each.padStart(8)).join('')}`,
  );
  for (const [name, of] of Object.entries({ ...held, descriptors })) {
    console.log(`${name.padEnd(20)} ${of.map((each) => each.toFixed(0).padStart(8)).join('')}`);
  }
  for (const problem of tally.problems) console.error(problem);
  console.log(tally.problems.length === 0 ? '\nnothing was lost' : `\n${tally.problems.length} problems`);
  // not before all has been written: a pipe may be full
  process.stdout.write('', () => process.exit(tally.problems.length === 0 ? 0 : 1));
}
