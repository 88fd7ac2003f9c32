// What a gateway costs that does nothing: time until it listens, beside a bare Node server, from source and as the
// binary where that is built; memory when idle; memory of idle sessions, connections and event streams.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CONNECTIONS, IDLE_KINDS, measureIdle } from '../idle-cost.ts';
import { fromSource, startServer } from '../scale-site.ts';
import { startBare } from './bare.ts';
import { inTurn, median, medianRatio, row } from './pairs.ts';

const BINARY = join(import.meta.dirname, '../../dist/vestibule');
/** the store is made at the first start */
const SETTLE_MS = 1000;
const WIDTHS = [22, 10, 10, 8];

export async function benchFootprint({ rounds }: { rounds: number }): Promise<void> {
  const programs: Record<string, readonly string[]> = { 'from source': fromSource() };
  if (existsSync(BINARY)) programs.binary = [BINARY];
  console.log('footprint: a start, until it listens; ratio = gateway / bare Node');
  console.log(row(['', 'ms', 'bare ms', 'ratio'], WIDTHS));
  const folder = mkdtempSync(join(tmpdir(), 'bench-footprint-'));
  try {
    for (const [name, program] of Object.entries(programs)) {
      await (await startServer(folder, [], program)).stop();
      const idle: number[] = [];
      const ours = async () => {
        const started = performance.now();
        const server = await startServer(folder, [], program);
        const ms = performance.now() - started;
        await setTimeout(SETTLE_MS);
        idle.push(server.residentMegabytes());
        await server.stop();
        return ms;
      };
      const theirs = async () => {
        const started = performance.now();
        const server = await startBare([]);
        const ms = performance.now() - started;
        await server.stop();
        return ms;
      };
      const [gateway, bare] = await inTurn(rounds, [ours, theirs]);
      const times = [median(gateway!).toFixed(0), median(bare!).toFixed(0), medianRatio(gateway!, bare!).toFixed(2)];
      console.log(row([name, ...times], WIDTHS));
      console.log(row([`idle, ${name}`, `${median(idle).toFixed(0)} MB`], WIDTHS));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const kind of IDLE_KINDS) {
    const kilobytes = ((await measureIdle(kind)) / CONNECTIONS) * 1000;
    console.log(row([`${CONNECTIONS} ${kind}`, `${kilobytes.toFixed(0)} kB`, 'each'], WIDTHS));
  }
}
