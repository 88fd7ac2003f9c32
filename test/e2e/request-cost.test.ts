// What a request of each kind makes the gateway and its room server do, counted, against what was recorded: round trips
// and writes between the two, SQL statements, bytes moved, heap allocated. Counts of one request after the other are
// the same on each machine, and tell what a change costs where times cannot. The message of a failure holds the line
// as it would be recorded now; so does `REQUEST_COSTS=all`, for each kind.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkCounts } from '../support/count-work.ts';
import { type CountedRequest, startCountedGateway } from '../support/counted-gateway.ts';

/**
 * Of one request; of reads, but for `first reading`, when nothing has changed since the one before. trips: times that
 * the gateway waits for the room server. asks, answers: writes of the gateway and of the room server on their socket
 * (the other end reads at most as often). sql: statements. asked, answered: bytes of these writes. sent: bytes to the
 * client. copied, copied2: bytes from buffer to buffer or string, in the gateway and in the room server. heap: KiB
 * allocated in the gateway, by code that V8 only interprets; those of the room server's thread are not counted: on a
 * busy machine they are half as much again.
 */
const RECORDED = `
kind              trips  asks  answers  sql  asked  answered  sent  copied  copied2  heap
floors                0     0        0    0      0         0   459       0        0    15
rooms                 0     0        0    0      0         0  7755       0        0    22
room                  0     0        0    0      0         0   947       0        0    17
stat                  0     0        0    0      0         0   414       0        0    17
msgs.all              0     0        0    0      0         0   432       0        0    18
msgs.new              0     0        0    0      0         0   372       0        0    18
mailbox               0     0        0    0      0         0  3292       0        0    20
message               0     0        0    0      0         0   990       0        0    18
message by name       0     0        0    0      0         0   971       0        0    18
message as JSON       0     0        0    0      0         0  1294       0        0    19
part                  0     0        0    0      0         0  1022      18        0    20
static file           0     0        0    0      0         0  1788       0        0    17
not modified          0     0        0    0      0         0   525       0        0    15
PROPFIND 0            3     3        3    2     60       203  1175    1783       56    81
PROPFIND 1            3     3        3    4     98       229 15520   30439       92   272
PROPFIND, named       0     0        0    0      0         0  6022      89        0    30
PUT, new              4     4        4   30   2256       137   346    2479     9204    91
PUT, again            4     4        4   39   2303       214   330    2603     9392    91
post                  2     2        2   12   2146       104   346    2336     8711    75
first reading         2     2        2   10     91      2926  2968   17623     5501   135
`;
const KIND_WIDTH = 16;
const IDLE_MS = 1000;

/** What the numbers of users, messages and times add to, and what is done by the clock meanwhile. */
const SLACK: Record<string, { part: number; fixed: number }> = {
  answers: { part: 0.15, fixed: 0.05 }, // a long one goes out in turns
  asked: { part: 0.02, fixed: 8 },
  answered: { part: 0.02, fixed: 8 },
  sent: { part: 0.02, fixed: 8 },
  copied: { part: 0.02, fixed: 16 },
  copied2: { part: 0.02, fixed: 16 },
  heap: { part: 0.12, fixed: 1 },
};
/** of the counts: once in some requests something else comes between */
const EXACT = { part: 0, fixed: 0.05 };

const READS = 1000;
/** each waits for the disk */
const WRITES = 250;
/** Reads that cost more than recorded are measured again, so much later: what else the two threads do only adds. */
const AGAIN_MS = [0, 1000, 5000];
/** code that runs for the first time, connections, what is kept */
const WARM_UP = 50;

const FEWER = new Set(['PUT, new', 'PUT, again', 'post', 'first reading']);

const MEMBERS = 20;
const ROOM = 'r/Measured';
const TARGET = 'r/Written';
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
/** what a program asks that keeps copies */
const NAMED = '<propfind xmlns="DAV:"><prop><getetag/><getcontenttype/><resourcetype/></prop></propfind>';
const LINE = 'A line of a message that is of a usual length.\n';
/** one that hardly ever changes */
const PAGE = 's/mark-192.png';

type Costs = Record<string, number>;
type Ask = (i: number) => CountedRequest;

const [names, ...lines] = RECORDED.trim()
  .split('\n')
  .map((line) => ({
    kind: line.slice(0, KIND_WIDTH).trim(),
    cells: line.slice(KIND_WIDTH).trim().split(/ +/),
  }));
const columns = names!.cells;

const gateway = await startCountedGateway({ after });
for (const room of [ROOM, TARGET]) await gateway.send({ method: 'MKCOL', path: `${room}/` });
/** messages of ROOM */
const numbers: string[] = [];
/** messages of TARGET that nobody has read */
const unread: string[] = [];
for (let i = 0; i < MEMBERS; i++) {
  const { etag } = await gateway.send(message(ROOM, `note-${i}.txt`, LINE.repeat(10)));
  numbers.push(JSON.parse(etag) as string);
}
const { etag: pageTag } = await gateway.send({ path: PAGE });
/** bytes that the gateway allocates in a millisecond by the clock, whatever is asked: a slow machine takes longer */
const heapPerMs = await idleHeap();

async function idleHeap(): Promise<number> {
  const { gatewayHeap: before } = await gateway.counts();
  await sleep(IDLE_MS);
  return ((await gateway.counts()).gatewayHeap - before) / IDLE_MS;
}

describe('a request costs no more than what was recorded', () => {
  const one = (i: number) => numbers[i % MEMBERS]!;
  const kinds: Record<string, Ask> = {
    floors: () => ({ path: 'f/' }),
    rooms: () => ({ path: 'r/' }),
    room: () => ({ path: `${ROOM}/` }),
    stat: () => ({ path: `${ROOM}/stat` }),
    'msgs.all': () => ({ path: `${ROOM}/msgs.all` }),
    'msgs.new': () => ({ path: `${ROOM}/msgs.new` }),
    mailbox: () => ({ path: `${ROOM}/mailbox` }),
    message: (i) => ({ path: `${ROOM}/${one(i)}` }),
    'message by name': (i) => ({ path: `${ROOM}/note-${i % MEMBERS}.txt` }),
    'message as JSON': (i) => ({ path: `${ROOM}/${one(i)}/json` }),
    part: (i) => ({ path: `${ROOM}/${one(i)}/1` }),
    'static file': () => ({ path: PAGE }),
    'not modified': () => ({ path: PAGE, headers: { 'if-none-match': pageTag } }),
    'PROPFIND 0': () => ({ method: 'PROPFIND', path: `${ROOM}/`, headers: { depth: '0' } }),
    'PROPFIND 1': () => ({ method: 'PROPFIND', path: `${ROOM}/`, headers: { depth: '1' } }),
    'PROPFIND, named': () => ({ method: 'PROPFIND', path: `${ROOM}/`, headers: { depth: '1' }, body: NAMED }),
    'PUT, new': (i) => message(TARGET, `file-${1000 + i}.txt`, LINE.repeat(43)),
    'PUT, again': (i) => message(TARGET, `file-${1000 + i}.txt`, LINE.repeat(44)),
    post: () => message(TARGET, 'new?subj=Something', LINE.repeat(43)),
    'first reading': () => ({ path: `${TARGET}/%7C${unread.pop()!}/json` }),
  };

  for (const [kind, ask] of Object.entries(kinds)) {
    it(kind, async () => {
      const [count, pauses] = FEWER.has(kind) ? [WRITES, [0]] : [READS, AGAIN_MS];
      const send = async (i: number) => {
        const { etag } = await gateway.send(ask(i));
        if (kind === 'post') unread.push(JSON.parse(etag) as string);
      };
      const measure = async (first: number): Promise<Costs> => {
        const earlier = await gateway.counts();
        const started = performance.now();
        for (let i = first; i < first + count; i++) await send(i);
        const later = await gateway.counts();
        later.gatewayHeap -= heapPerMs * (performance.now() - started);
        return costsOf(earlier, later, count);
      };
      const recorded = lines.find((line) => line.kind === kind);
      for (let i = 0; i < WARM_UP; i++) await send(i);
      const measured: string[] = [];
      let grown = columns;
      for (const [round, pause] of pauses.entries()) {
        if (grown.length === 0) break;
        await sleep(pause);
        const costs = await measure(WARM_UP + round * count);
        measured.push(lineOf(kind, costs));
        assert.ok(recorded, `record it: ${lineOf(kind, costs)}`);
        grown = grown.filter((column) => costs[column]! > boundOf(column, recorded.cells[columns.indexOf(column)]!));
      }
      if (process.env.REQUEST_COSTS === 'all') console.log(measured.join('\n'));
      assert.deepEqual(grown, [], `more than recorded; it is now\n${measured.join('\n')}`);
    });
  }
});

function boundOf(column: string, recorded: string): number {
  const { part, fixed } = SLACK[column] ?? EXACT;
  return Number(recorded) * (1 + part) + fixed;
}

function message(room: string, name: string, body: string): CountedRequest {
  return { method: 'PUT', path: `${room}/${name}`, headers: TEXT, body };
}

function costsOf(earlier: WorkCounts, later: WorkCounts, requests: number): Costs {
  const of = (field: keyof WorkCounts) => (later[field] - earlier[field]) / requests;
  return {
    trips: of('roundTrips'),
    asks: of('asks'),
    answers: of('answers'),
    sql: of('statements'),
    asked: of('asked'),
    answered: of('answered'),
    sent: of('sent'),
    copied: of('gatewayCopied'),
    copied2: of('serverCopied'),
    heap: of('gatewayHeap') / 1024,
  };
}

/** As RECORDED has it. */
function lineOf(kind: string, costs: Costs): string {
  return (
    kind.padEnd(KIND_WIDTH) +
    columns
      .map((name) =>
        Math.round(costs[name]!)
          .toString()
          .padStart(name.length + 2),
      )
      .join('')
  );
}
