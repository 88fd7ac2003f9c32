// How long others wait for a gateway while somebody sends it what is made to be slow, or reads that: how long small
// reads took another user, the median and the 99th percentile before and beside it, how many times the latter has
// become, the longest, how long it took, and the most memory. What is over sooner than the quiet before it took is done
// again: of a fifth of a second, the 99th percentile is the longest of all. A fresh gateway for each row.
// Run: node scripts/http-stalls.ts [--only LF --limit 60] [--tree DIR, whose src/main.ts is started instead]

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DAV_INPUTS } from './hostile-dav.ts';
import { type HostileInput, INPUTS } from './hostile-inputs.ts';
import type { WatchedSite } from './http-watcher.ts';
import { fromSource, logIn, type Server, startServer } from './scale-site.ts';
import { scriptOptions } from './script-options.ts';

const values = scriptOptions(import.meta.filename, {
  only: { type: 'string', default: '' },
  limit: { type: 'string', default: '60' },
  tree: { type: 'string', default: resolve(import.meta.dirname, '..') },
});
const LIMIT_MS = Number(values.limit) * 1000;
const WARM_MS = 1500;
const QUIET_MS = 4000;

const COLUMNS = ['at once', 'quiet', 'p99', 'beside', 'p99', 'times', 'longest', 'each time', 'peak'] as const;
const INPUT_WIDTH = 64;
const WIDTH = 10;

/** How long each of the reads took another user since he was asked before, ascending. */
async function timesOf(watcher: Worker): Promise<readonly number[]> {
  const answer = once(watcher, 'message') as Promise<[number[]]>;
  watcher.postMessage('times');
  return (await answer)[0].toSorted((a, b) => a - b);
}

function percentile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

async function within<T>(work: Promise<T>): Promise<T | undefined> {
  work.catch(() => {});
  const ended = new AbortController();
  const late = setTimeout(LIMIT_MS, undefined, { signal: ended.signal }).catch(() => undefined);
  return Promise.race([work, late]).finally(() => ended.abort());
}

/** Milliseconds, of as many as it takes to last QUIET_MS. */
async function timeOfEach(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let count = 1; ; count++) {
    await work();
    const took = performance.now() - started;
    if (took >= QUIET_MS) return took / count;
  }
}

async function measure(server: Server, input: HostileInput, count: number): Promise<readonly string[]> {
  const bob = await logIn(server.url, 'bob', 'bob');
  const small = (await bob.send('PUT', 'r/Lobby/new', 'A small message.\n')).etag.replaceAll('"', '');
  const senders = await Promise.all(Array.from({ length: count }, () => logIn(server.url, 'alice', 'alice')));
  const work = await within(input.prepare(senders));
  if (!work) return [`${count}`, 'not put', '', '', '', '', '', over(), peak(server)];
  const paths = ['a/whoami', 'r/Lobby/msgs.all', `r/Lobby/${small}/json`, 'r/'];
  const workerData: WatchedSite = { url: server.url, paths };
  const watcher = new Worker(new URL('./http-watcher.ts', import.meta.url), { workerData });
  try {
    await setTimeout(WARM_MS);
    await timesOf(watcher);
    await setTimeout(QUIET_MS);
    const quiet = await timesOf(watcher);
    const took = await within(timeOfEach(work));
    const beside = await timesOf(watcher);
    const [before, after] = [percentile(quiet, 0.99), percentile(beside, 0.99)];
    return [
      `${count}`,
      milliseconds(percentile(quiet, 0.5)),
      milliseconds(before),
      milliseconds(percentile(beside, 0.5)),
      milliseconds(after),
      (after / before).toFixed(1),
      milliseconds(beside.at(-1)!),
      took === undefined ? over() : `${took.toFixed(0)} ms`,
      peak(server),
    ];
  } finally {
    await watcher.terminate();
  }
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}

function over(): string {
  return `over ${values.limit} s`;
}

function peak(server: Server): string {
  return `${server.peakMegabytes().toFixed(0)} MB`;
}

function row(name: string, cells: readonly string[]): string {
  return `${name.padEnd(INPUT_WIDTH)}${cells.map((cell) => cell.padStart(WIDTH)).join('')}`;
}

console.log(row('', COLUMNS));
for (const input of [...INPUTS, ...DAV_INPUTS]) {
  if (!input.name.includes(values.only)) continue;
  for (const count of input.counts) {
    const folder = mkdtempSync(join(tmpdir(), 'vestibule-http-stalls-'));
    const server = await startServer(folder, ['--demo'], fromSource(values.tree));
    try {
      console.log(row(input.name, await measure(server, input, count)));
    } finally {
      // not asked to end: it may be busy for long
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
process.exit();
