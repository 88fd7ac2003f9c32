// Clients that want more than there is, all at once, before a whole gateway: heads, bodies, forms and pipelines without
// an end, heads and bodies that trickle, windows upon windows. Each is told why it is cut, others are served meanwhile,
// and afterwards everything is as it was before.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEADERS_CHECK_MS, HEADERS_TIMEOUT_MS, MAX_EVENT_STREAMS_PER_USER } from '../../src/limits/http.ts';
import { eventually } from '../support/eventually.ts';
import { basic, type SpawnedGateway, spawnGateway } from '../support/gateway.ts';

const AUTHORIZATION = `Authorization: ${basic('alice')}\r\n`;
const TRICKLE_MS = 1000;
/** of each kind */
const AT_ONCE = 20;
const PATIENCE_MS = HEADERS_TIMEOUT_MS + 2 * HEADERS_CHECK_MS + 30_000;
const MAX_GROWTH_MIB = 60;
const FLAGS = [
  '--max-semi-space-size=1',
  '--expose-gc',
  '--import',
  import.meta.resolve('../support/collect-garbage.ts'),
];

/** What is sent: once, and then again and again, as fast as it is taken or with pauses. */
interface Greed {
  name: string;
  first: string;
  again: string;
  pauseMs?: number;
  /** of an account that sends more at once than one may, several */
  statuses: readonly number[];
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const post = (path: string, type: string) =>
  `POST /svc/${path} HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Content-Type: ${type}\r\n` +
  'Transfer-Encoding: chunked\r\n\r\n';
const PART = 'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b\r\n';
const KINDS: readonly Greed[] = [
  {
    name: 'a head without an end',
    first: 'GET / HTTP/1.1\r\nHost: x\r\n',
    again: 'X-More: of it\r\n',
    statuses: [431],
  },
  { name: 'a line without an end', first: 'GET / HTTP/1.1\r\nX: ', again: 'x'.repeat(4000), statuses: [431] },
  { name: 'an address without an end', first: 'GET /svc/r/', again: 'x'.repeat(4000), statuses: [431] },
  {
    name: 'a head that trickles',
    first: 'GET / HTTP/1.1\r\nHost: x\r\n',
    again: 'X: y\r\n',
    pauseMs: TRICKLE_MS,
    statuses: [408],
  },
  {
    name: 'a log-in without an end',
    first: post('a/login', 'application/json'),
    again: chunk(' '.repeat(4000)),
    statuses: [413],
  },
  {
    name: 'a log-in that trickles',
    first: post('a/login', 'application/json'),
    again: chunk(' '),
    pauseMs: TRICKLE_MS,
    statuses: [408],
  },
  {
    name: 'XML without an end',
    first: post('r/Lobby/', 'application/xml').replace('POST', 'PROPFIND'),
    again: chunk(`<!--${'x'.repeat(4000)}-->`),
    statuses: [413],
  },
  {
    name: 'parts without an end',
    first: post('p', 'multipart/form-data; boundary=b') + chunk('--b\r\n'),
    again: chunk(PART),
    statuses: [413, 503, 507],
  },
  {
    name: 'the head of a part without an end',
    first: post('p', 'multipart/form-data; boundary=b') + chunk('--b\r\n'),
    again: chunk(`X-More: ${'x'.repeat(4000)}\r\n`),
    statuses: [413, 503],
  },
];

/** The status of the answer; 0: the connection was closed without one. */
function greedy(gateway: SpawnedGateway, { first, again, pauseMs }: Greed): Promise<number> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<number>();
  let timer: NodeJS.Timeout | undefined;
  const more = () => {
    if (socket.destroyed) return;
    if (pauseMs !== undefined) {
      socket.write(again);
      timer = setTimeout(more, pauseMs);
    } else if (socket.write(again.repeat(10))) setImmediate(more);
    else socket.once('drain', more);
  };
  socket.on('error', () => {});
  socket.once('data', (bytes) => resolve(Number(bytes.toString('latin1').slice(9, 12))));
  socket.on('close', () => {
    clearTimeout(timer);
    resolve(0);
  });
  socket.write(first);
  more();
  return promise.finally(() => socket.destroy());
}

/** How many of so many requests in one write are answered. */
async function pipelined(gateway: SpawnedGateway, count: number): Promise<number> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  let answers = 0;
  socket.on('error', () => {});
  socket.on('data', (bytes) => (answers += bytes.toString('latin1').split('HTTP/1.1 ').length - 1));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(`GET /svc/r/Lobby/mailbox HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n`.repeat(count));
  await closed;
  return answers;
}

async function held({ child: { pid } }: SpawnedGateway): Promise<{ mebibytes: number; files: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const files = (await readdir(`/proc/${pid}/fd`)).length;
  return { mebibytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024, files };
}

it('who sends without an end is told why he is cut, and nobody else has less', { timeout: 300_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'greedy-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const gateway = await spawnGateway(t, ['--demo', '--data', join(folder, 'data')], FLAGS);
  const [alice, bob] = [gateway.as('alice'), gateway.as('bob')];
  const served = async () => {
    const signal = AbortSignal.timeout(10_000);
    const answer = await bob('r/Lobby/mailbox', { headers: { connection: 'close' }, signal });
    await answer.arrayBuffer();
    return answer.status;
  };
  // so that caches are full
  for (let i = 0; i < 20; i++) assert.equal(await served(), 200);
  const streamsOf = async (count: number) => {
    const stop = new AbortController();
    const opened = await Promise.all(Array.from({ length: count }, () => alice('a/events', { signal: stop.signal })));
    const statuses = opened.map(({ status }) => status).sort();
    stop.abort();
    return statuses;
  };
  const attack = async (kinds: readonly Greed[]) => {
    const all = kinds.map(async (kind) => {
      const statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => greedy(gateway, kind)));
      const others = statuses.filter((status) => !kind.statuses.includes(status));
      assert.deepEqual(others, [], kind.name);
    });
    const answered = await pipelined(gateway, 10_000);
    await Promise.all(all);
    assert.ok(answered < 10_000, 'a pipeline without an end is cut');
  };
  await attack(KINDS.filter(({ pauseMs }) => pauseMs === undefined));
  await sleep(3000);
  const before = await held(gateway);

  let isOver = false;
  const attacked = attack(KINDS).finally(() => (isOver = true));
  const streams = await streamsOf(MAX_EVENT_STREAMS_PER_USER + 4);
  assert.deepEqual(streams, [...Array(MAX_EVENT_STREAMS_PER_USER).fill(200), ...Array(4).fill(429)]);
  let count = 0;
  for (const end = performance.now() + PATIENCE_MS; !isOver && performance.now() < end; await sleep(100)) {
    assert.equal(await served(), 200, 'another one is served meanwhile');
    count++;
  }
  assert.ok(isOver, 'all are cut');
  await attacked;
  assert.equal(await served(), 200);
  await eventually(async () => (await held(gateway)).files <= before.files + 5, true);
  await sleep(3000);
  const grown = (await held(gateway)).mebibytes - before.mebibytes;
  t.diagnostic(`${count} others served; ${grown.toFixed(0)} MiB more than before`);
  assert.ok(grown < MAX_GROWTH_MIB, `${grown} MiB`);
  assert.doesNotMatch(gateway.said.err, /fault|internal|EMFILE/, gateway.said.err);
});
