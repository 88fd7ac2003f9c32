// The DAV benchmark: the same calendar on this server, on Cyrus and on Radicale, the same requests in turn, each with
// curl on a connection of its own; the median of the runs after a warm-up, for a server that has run for a while is
// what people ask. The ratio is the peer's time over ours: what is 1 or more is at least as fast. Absolute times are
// the machine's.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { startCyrus } from './cyrus.ts';
import { benchEvents } from './dav-events.ts';
import { AUTHORIZATION, askPeer, type DavPeer, type StartPeer } from './dav-peer.ts';
import { type BenchCalendar, type BenchRequest, LIST_REQUEST, ROWS, type Row, TOKEN_REQUEST } from './dav-rows.ts';
import { startRadicale } from './radicale.ts';
import { startVestibule } from './vestibule.ts';

const EVENTS = 2000;
const AT_ONCE = 4;
const WARM_UP_RUNS = 30;
/** of one contestant and row: a slow one is warm after fewer */
const WARM_UP_MS = 1000;
const COLLECTION = 'bench';
const SERVERS: readonly [name: string, start: StartPeer, packages: string][] = [
  ['Vestibule', startVestibule, ''],
  ['Cyrus', startCyrus, 'cyrus-imapd cyrus-caldav libsasl2-modules'],
  ['Radicale', startRadicale, 'radicale'],
];

interface Contestant {
  peer: DavPeer;
  calendar: BenchCalendar;
}

/** Prints the rows whose names contain `only`. */
export async function benchDav(runs: number, only: string): Promise<void> {
  const rows = ROWS.filter(({ name }) => name.includes(only));
  if (rows.length === 0) return;
  const folders: string[] = [];
  const peers: DavPeer[] = [];
  const contestants: Contestant[] = [];
  // a peer may be in a group of its own, which an interrupt does not reach
  const stop = () => void Promise.all(peers.map((peer) => peer.stop())).finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    for (const [name, start, packages] of SERVERS) {
      const folder = mkdtempSync(join(tmpdir(), 'dav-'));
      chmodSync(folder, 0o755); // a peer may run as another user
      folders.push(folder);
      const peer = await start(folder);
      if (peer === undefined) {
        console.log(`${name} is not installed: apt-get install --no-install-recommends ${packages}`);
        continue;
      }
      peers.push(peer);
      contestants.push({ peer, calendar: await prepare(peer) });
    }
    printHead(contestants, runs);
    const scratch = mkdtempSync(join(tmpdir(), 'dav-'));
    folders.push(scratch);
    for (const row of rows) printRow(row, contestants, measure(row, contestants, runs, scratch));
  } finally {
    for (const peer of peers) await peer.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

async function prepare(peer: DavPeer): Promise<BenchCalendar> {
  const url = `${peer.calendars}${COLLECTION}/`;
  await askPeer(url, { method: 'MKCALENDAR' });
  const { events, inMonth } = benchEvents(EVENTS);
  const folder = peer.collectionFolder?.(COLLECTION);
  const left = events.values();
  const fill = async () => {
    for (const { uid, data } of left) {
      if (folder !== undefined) writeFileSync(join(folder, `${uid}.ics`), data);
      else
        await askPeer(`${url}${uid}.ics`, { method: 'PUT', headers: { 'content-type': 'text/calendar' }, body: data });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fill));
  const calendar = { url, hrefs: [], token: '', events, inMonth };
  const listed = await (await askPeer(url, fetchInit(LIST_REQUEST))).text();
  const hrefs = Array.from(listed.matchAll(/<(?:\w+:)?href>([^<]*)<\//g), ([, href]) => href!);
  const told = await (await askPeer(url, fetchInit(TOKEN_REQUEST))).text();
  const token = /<(?:\w+:)?sync-token>([^<]*)<\//.exec(told)?.[1];
  if (token === undefined) throw new Error(`${peer.name} tells no sync-token: ${told}`);
  return { ...calendar, hrefs: hrefs.filter((href) => href.includes(events[0]!.uid.slice(0, 6))).slice(1), token };
}

function fetchInit({ method, depth, type, body }: BenchRequest): RequestInit {
  return { method, headers: { ...(depth && { depth }), ...(type && { 'content-type': type }) }, body: body ?? null };
}

/** Milliseconds of each contestant, in their order; an error where the answer is wrong. */
function measure(row: Row, contestants: readonly Contestant[], runs: number, scratch: string): (number | Error)[] {
  const times: number[][] = contestants.map(() => []);
  const faults = new Map<number, Error>();
  for (const [i, { calendar }] of contestants.entries()) {
    const end = performance.now() + WARM_UP_MS;
    try {
      for (let run = 0; run < WARM_UP_RUNS && (run === 0 || performance.now() < end); run++)
        ask(row, calendar, run, scratch);
    } catch (error) {
      faults.set(i, error as Error);
    }
  }
  for (let run = WARM_UP_RUNS; run < WARM_UP_RUNS + runs; run++) {
    for (const [i, { calendar }] of contestants.entries()) {
      if (faults.has(i)) continue;
      try {
        times[i]!.push(ask(row, calendar, run, scratch));
      } catch (error) {
        faults.set(i, error as Error);
      }
    }
  }
  return times.map((each, i) => faults.get(i) ?? median(each));
}

/** Milliseconds from the connection to the last byte. Throws when the answer is not what it must be. */
function ask(row: Row, calendar: BenchCalendar, run: number, scratch: string): number {
  const { method, url, depth, type, body } = row.request(calendar, run);
  const words = ['-s', '--noproxy', '*', '-X', method, '-H', `Authorization: ${AUTHORIZATION}`];
  if (depth !== undefined) words.push('-H', `Depth: ${depth}`);
  if (type !== undefined) words.push('-H', `Content-Type: ${type}`);
  if (body !== undefined) {
    writeFileSync(join(scratch, 'body'), body);
    words.push('--data-binary', `@${join(scratch, 'body')}`);
  }
  const answer = join(scratch, 'answer');
  words.push('-o', answer, '-w', '%{http_code} %{time_total}', new URL(url, calendar.url).href);
  writeFileSync(answer, '');
  const [status, seconds] = execFileSync('curl', words, { encoding: 'utf8' }).split(' ').map(Number);
  const text = readFileSync(answer, 'utf8');
  if (status !== row.status) throw new Error(`answers ${status}, not ${row.status}: ${text.slice(0, 1500)}`);
  row.check(text, calendar);
  return seconds! * 1000;
}

function printHead(contestants: readonly Contestant[], runs: number): void {
  const processors = cpus();
  const machine = `${processors.length} × ${processors[0]?.model ?? arch()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  console.log(`${machine}, Linux ${release()}, Node ${process.version}`);
  console.log(contestants.map(({ peer }) => `${peer.name} ${peer.version}`).join(', '));
  console.log(`${EVENTS} events; median of ${runs} in ms; ratio = time of the peer / ours, 1 or more is as fast`);
  const names = contestants.map(({ peer }, i) => peer.name.padStart(9) + (i > 0 ? '  ratio' : ''));
  console.log(['request'.padEnd(34), ...names].join('  '));
}

function printRow({ name }: Row, contestants: readonly Contestant[], times: readonly (number | Error)[]): void {
  const ours = times[0]!;
  const cells = times.map((time, i) => {
    if (time instanceof Error) return `${'wrong'.padStart(9)}${i > 0 ? '      -' : ''}`;
    const ratio = typeof ours === 'number' ? (time / ours).toFixed(2) : '-';
    return `${time.toFixed(1).padStart(9)}${i > 0 ? `  ${ratio.padStart(5)}` : ''}`;
  });
  console.log([name.padEnd(34), ...cells].join('  '));
  for (const [i, time] of times.entries()) {
    if (time instanceof Error)
      console.log(`  ${contestants[i]!.peer.name} ${time.message.replaceAll(/\s+/g, ' ').slice(0, 400)}`);
  }
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
