// A gateway that has no more of what the machine gives: file descriptors, room on the disk for what is spooled, and
// ten thousand connections that nobody uses. Those who come then are told so or wait; those who are there are served;
// and afterwards everything is as it was before.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { type SpawnedGateway, spawnGateway } from '../support/gateway.ts';

const LARGE = Buffer.alloc(1024 * 1024, 'x\n'); // goes through a file

async function start(t: TestContext, flags: string[] = []): Promise<SpawnedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'shedding-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return spawnGateway(t, ['--demo', '--data', join(folder, 'data')], flags);
}

async function openFiles({ child }: SpawnedGateway): Promise<number> {
  return (await readdir(`/proc/${child.pid}/fd`)).length;
}

async function residentMib({ child }: SpawnedGateway): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}

function dial(gateway: SpawnedGateway, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(gateway.url).port), localAddress });
  return socket.on('error', () => {}).resume();
}

describe('a gateway without file descriptors', () => {
  it('refuses what needs one, goes on with the rest, and does everything again when there are some', async (t) => {
    const gateway = await start(t);
    const alice = gateway.as('alice');
    const put = () =>
      alice('r/Lobby/new', { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: LARGE }).then(
        ({ status }) => status,
        () => 0,
      );
    assert.equal(await put(), 201);
    const before = await openFiles(gateway);
    // two connections that are there, and none that could come
    const [kept, sending] = [dial(gateway), dial(gateway)];
    await Promise.all([once(kept, 'connect'), once(sending, 'connect')]);
    const fields = 'Host: x\r\nAuthorization: Basic YWxpY2U6YWxpY2U=\r\n';
    const answerOn = async (socket: Socket, ...pieces: (string | Buffer)[]) => {
      const answered = once(socket, 'data', { signal: AbortSignal.timeout(20_000) }) as Promise<[Buffer]>;
      for (const piece of pieces) socket.write(piece);
      return (await answered)[0].toString();
    };
    const ask = async () => Number((await answerOn(kept, `GET /svc/a/whoami HTTP/1.1\r\n${fields}\r\n`)).slice(9, 12));
    assert.equal(await ask(), 200);
    const limit = (count: number) =>
      execFileSync('prlimit', ['--pid', String(gateway.child.pid), `--nofile=${count}:20000`]);
    const free = 20;
    limit((await openFiles(gateway)) + free);
    const idle = Array.from({ length: 200 }, () => dial(gateway));
    await sleep(1000);
    t.diagnostic(`${await openFiles(gateway)} descriptors, ${before} when idle`);
    for (let i = 0; i < 20; i++) assert.equal(await ask(), 200, 'a connection that is there is served');
    const head = `PUT /svc/r/Lobby/new HTTP/1.1\r\n${fields}Content-Length: ${LARGE.length}\r\n\r\n`;
    const refused = await answerOn(sending, head, LARGE);
    assert.match(refused, /^HTTP\/1\.1 503 .*\r\nRetry-After: 5\r\n/s);
    assert.equal(await ask(), 200);
    for (const socket of idle) socket.destroy();
    limit(20_000);
    await eventually(put, 201);
    await eventually(async () => (await openFiles(gateway)) <= before + 2, true);
    assert.equal(gateway.child.exitCode, null);
    assert.doesNotMatch(gateway.said.err, /EMFILE|internal/, gateway.said.err);
  });
});

const CONNECTIONS = 10_000;
const ADDRESSES = 20;
const REQUESTS = 50;
/** collected often, garbage is not taken for what is held */
const FLAGS = [
  '--max-semi-space-size=1',
  '--expose-gc',
  '--import',
  import.meta.resolve('../support/collect-garbage.ts'),
];
const MAX_GROWTH_MIB = 60;

it(`${CONNECTIONS} idle connections keep nobody out, and leave nothing behind`, { timeout: 300_000 }, async (t) => {
  const gateway = await start(t, FLAGS);
  const alice = gateway.as('alice');
  const timed = async () => {
    const times: number[] = [];
    for (let i = 0; i < REQUESTS; i++) {
      const started = performance.now();
      const answer = await alice('r/Lobby/mailbox', { headers: { connection: 'close' } });
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
      times.push(performance.now() - started);
    }
    return times.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.99) - 1]!;
  };
  await timed();
  const quiet = await timed();
  const [memory, files] = [await residentMib(gateway), await openFiles(gateway)];
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  while (sockets.length < CONNECTIONS) {
    const some = Array.from({ length: 500 }, (_, i) => dial(gateway, `127.0.1.${1 + (i % ADDRESSES)}`));
    await Promise.all(some.map((socket) => once(socket, 'connect').catch(() => {})));
    sockets.push(...some);
  }
  await sleep(3000); // long enough to lose a place
  const held = await openFiles(gateway);
  const busy = await timed();
  t.diagnostic(`${held} descriptors; p99 ${quiet.toFixed(1)} ms quiet, ${busy.toFixed(1)} ms now`);
  for (const socket of sockets) socket.destroy();
  await eventually(async () => (await openFiles(gateway)) <= files + 10, true);
  await sleep(5000);
  const grown = (await residentMib(gateway)) - memory;
  t.diagnostic(`${grown.toFixed(0)} MiB more than before`);
  assert.ok(grown < MAX_GROWTH_MIB, `${grown} MiB`);
  assert.doesNotMatch(gateway.said.err, /fault|internal|EMFILE/, gateway.said.err);
});
