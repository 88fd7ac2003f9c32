// Another user, in a thread of its own, so that what http-stalls.ts sends and takes does not delay his clock: reads one
// small thing after the other on each of some connections, and says how long each took.

import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { logIn } from './scale-site.ts';

export interface WatchedSite {
  url: string;
  /** a path for each read of a round */
  paths: readonly string[];
}

const CONNECTIONS = 4;
const PAUSE_MS = 3;

const { url, paths } = workerData as WatchedSite;
const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => logIn(url, 'bob', 'bob')));
let times: number[] = [];
/** when those under way were sent */
const underWay = new Set<number>();

async function read(path: string, send: (method: string, path: string) => Promise<unknown>): Promise<void> {
  const sent = performance.now();
  underWay.add(sent);
  await send('GET', path).finally(() => underWay.delete(sent));
  times.push(performance.now() - sent);
}

// asked for what it has seen since it was asked before
parentPort!.on('message', () => {
  const now = performance.now();
  parentPort!.postMessage([...times, ...[...underWay].map((sent) => now - sent)]);
  times = [];
});

for (const [i, { send }] of clients.entries()) {
  void (async () => {
    // a first read each, for what is loaded and compiled only once
    for (let round = 0; ; round++) {
      await read(paths[(round + i) % paths.length]!, send);
      await setTimeout(PAUSE_MS);
    }
  })();
}
