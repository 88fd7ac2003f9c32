// How long others wait for a gateway while somebody sends it what is made to be slow, or reads that: the longest time
// that another user waited for three small reads, how long it all took, and the most memory. A fresh gateway for each
// row. Run: node scripts/http-stalls.ts [--only LF --limit 60] [--tree DIR, whose src/main.ts is started instead]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type HostileInput, INPUTS } from './hostile-inputs.ts';
import { type Client, fromSource, logIn, type Server, startServer } from './scale-site.ts';
import { scriptOptions } from './script-options.ts';

const values = scriptOptions(import.meta.filename, {
  only: { type: 'string', default: '' },
  limit: { type: 'string', default: '60' },
  tree: { type: 'string', default: resolve(import.meta.dirname, '..') },
});
const LIMIT_MS = Number(values.limit) * 1000;
const PAUSE_MS = 3;

const COLUMNS = ['at once', 'whoami', 'msgs.all', 'json', 'all of it', 'peak'] as const;
const INPUT_WIDTH = 64;
const WIDTH = 11;

/**
 * Reads over and over on a connection of its own; answers the longest wait so far, that of a read under way included.
 */
function watch(client: Client, path: string, isDone: () => boolean): () => number {
  let longest = 0;
  let asked = performance.now();
  const read = async () => {
    while (!isDone()) {
      asked = performance.now();
      await client.send('GET', path);
      longest = Math.max(longest, performance.now() - asked);
      asked = Number.POSITIVE_INFINITY;
      await setTimeout(PAUSE_MS);
    }
  };
  read().catch(() => {});
  return () => Math.max(longest, performance.now() - asked);
}

async function within<T>(work: Promise<T>): Promise<T | undefined> {
  work.catch(() => {});
  const ended = new AbortController();
  const late = setTimeout(LIMIT_MS, undefined, { signal: ended.signal }).catch(() => undefined);
  return Promise.race([work, late]).finally(() => ended.abort());
}

async function measure(server: Server, input: HostileInput, count: number): Promise<readonly string[]> {
  const others = await Promise.all(Array.from({ length: 3 }, () => logIn(server.url, 'bob', 'bob')));
  const small = (await others[0]!.send('PUT', 'r/Lobby/new', 'A small message.\n')).etag.replaceAll('"', '');
  const senders = await Promise.all(Array.from({ length: count }, () => logIn(server.url, 'alice', 'alice')));
  const work = await within(input.prepare(senders));
  if (!work) return [`${count}`, 'not put', '', '', over(), peak(server)];
  let isDone = false;
  const paths = ['a/whoami', 'r/Lobby/msgs.all', `r/Lobby/${small}/json`];
  // a first read each, for what is loaded and compiled only once
  for (const [i, path] of paths.entries()) await others[i]!.send('GET', path);
  const waits = paths.map((path, i) => watch(others[i]!, path, () => isDone));
  const started = performance.now();
  const took = await within(work().then(() => performance.now() - started));
  const longest = waits.map((wait) => `${wait().toFixed(0)} ms`);
  isDone = true;
  return [`${count}`, ...longest, took === undefined ? over() : `${took.toFixed(0)} ms`, peak(server)];
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
for (const input of INPUTS) {
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
