// The reads through a link that takes 10 ms each way between gateway and room server: a proxy that holds back what it
// passes on, and counts how often one side had to wait for the other. Times here are round trips, whatever the machine.

import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSocketPaths } from '../../src/backend/wire/socket-paths.ts';
import { fillFolder, PASSWORD, READER } from '../generate.ts';
import { startServer } from '../scale-site.ts';
import { ask, findKinds, logInAll } from './mix.ts';
import { median, row } from './pairs.ts';

const SIZE = { rooms: 10, messages: 200, users: 2, largeRoom: 50, seed: 1 };
const DELAY_MS = 10;
/** of a kind, after as many that find connections and caches as they will be */
const REQUESTS = 10;
const WIDTHS = [13, 11, 10, 10];

interface Link {
  path: string;
  /** round trips since it was asked last */
  takeTrips(): number;
  close(): void;
}

export async function benchLink(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-link-'));
  try {
    const [data, front] = [join(folder, 'data'), join(folder, 'front')];
    await fillFolder(data, SIZE, () => {});
    const server = await startServer(data);
    const link = await openLink(join(folder, 'link'), findSocketPaths(data).socketPath);
    const gateway = await startServer(front, ['--backend', `unix:${link.path}`]);
    try {
      const [headers] = await logInAll(gateway.url, [{ name: READER, password: PASSWORD }]);
      const kinds = await findKinds(gateway.url, [headers!]);
      console.log(`link: ${DELAY_MS} ms each way between gateway and room server; the mix, one after the other`);
      console.log(row(['kind', 'round trips', 'at most', 'median ms'], WIDTHS));
      for (const { name, mix } of kinds) {
        if (name === 'all') continue;
        const trips: number[] = [];
        const times: number[] = [];
        for (let i = 0; i < 2 * REQUESTS; i++) {
          const started = performance.now();
          await (await ask(gateway.url, mix[i % mix.length]!)).arrayBuffer();
          times.push(performance.now() - started);
          trips.push(link.takeTrips());
        }
        const [warmTrips, warmTimes] = [trips.slice(REQUESTS), times.slice(REQUESTS)];
        console.log(row([name, median(warmTrips), Math.max(...warmTrips), median(warmTimes).toFixed(1)], WIDTHS));
      }
    } finally {
      await gateway.stop();
      link.close();
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openLink(path: string, target: string): Promise<Link> {
  let trips = 0;
  const sockets = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(target);
    let isAnswered = true;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        setTimeout(() => to.destroy(), DELAY_MS);
      });
      from.on('data', (bytes: Buffer) => {
        if (from === near && isAnswered) trips++;
        isAnswered = from === far;
        setTimeout(() => to.write(bytes), DELAY_MS);
      });
    }
  });
  return new Promise((resolve) =>
    listener.listen(path, () =>
      resolve({
        path,
        takeTrips() {
          const taken = trips;
          trips = 0;
          return taken;
        },
        close() {
          listener.close();
          for (const socket of sockets) socket.destroy();
        },
      }),
    ),
  );
}
