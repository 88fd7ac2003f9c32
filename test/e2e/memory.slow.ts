// 200 MiB go in and out while the memory of the gateway stays flat: on the embedded room server, and through a second
// gateway. Memory is what Linux counts as resident, sampled while bytes flow.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { postedNumber, type SpawnedGateway, spawnGateway } from '../support/gateway.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { noise } from './bodies.ts';

const MIB = 1024 * 1024;
const SIZE = 200 * MIB;
const PIECE = MIB;
const garbageCollector = import.meta.resolve('../support/collect-garbage.ts');
/**
 * V8 collects buffers that are done with when its space for new objects is full, and those that have waited for a
 * socket later still: by then 64 KiB each have made some 50 to 160 MiB of them. Collected often, they show what is
 * really held.
 */
const FLAGS = ['--max-semi-space-size=1', '--expose-gc', '--import', garbageCollector];
/**
 * Growth over the idle level, over all transfers together, that is no sign of a body in memory: 25 to 69 MiB were seen,
 * of which SQLite and the buffers of the sockets have a part. A body held whole would add 200 MiB.
 */
const MAX_GROWTH_BYTES = 80 * MIB;
const SAMPLE_MS = 25;
const room = 'r/Town%20Square';

const seed = newSeed();
const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'vestibule-'))));
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))).then(() => {}));
const first = await spawnGateway(
  { after },
  ['--data', folders[0]!, '--demo', '--line-listen', 'tcp://127.0.0.1:0'],
  FLAGS,
);
const second = await spawnGateway({ after }, ['--data', folders[1]!, '--backend', first.lineUrl!], FLAGS);
const all = { first, second };
const idle = new Map<SpawnedGateway, number>();
for (const gateway of Object.values(all)) {
  assert.equal((await gateway.as('alice')(`${room}/mailbox`)).status, 200);
  idle.set(gateway, await residentBytes(gateway));
}

for (const [name, gateway] of [
  ['the embedded room server', first],
  ['a second gateway', second],
] as const) {
  describe(`on ${name}`, () => {
    const api = gateway.as('alice');
    let path = '';

    it('a message of 200 MiB goes in', { timeout: 900_000 }, (t) =>
      staysFlat(t, async () => {
        const headers = { 'content-type': 'application/octet-stream', 'content-length': String(SIZE) };
        path = `${room}/${postedNumber(await api(`${room}/new`, { method: 'PUT', headers, body: body() }))}`;
      }),
    );

    it('and out', { timeout: 900_000 }, (t) =>
      staysFlat(t, async () => {
        assert.equal(await digest((await api(path)).body!), await digest(body()), `seed ${seed}`);
      }),
    );

    it('an upload of 200 MiB goes in and out', { timeout: 900_000 }, (t) =>
      staysFlat(t, async () => {
        const response = await api('p?filename=large', { method: 'POST', body: body() });
        const [record] = (await response.json()) as { ref: string }[];
        assert.equal(await digest((await api(`p/${record!.ref}`)).body!), await digest(body()), `seed ${seed}`);
      }),
    );

    it('a reader who takes 1 MiB a second and then nothing holds nothing up', { timeout: 900_000 }, (t) =>
      staysFlat(t, async () => {
        const reader = (await api(path)).body!.getReader();
        for (let second = 0; second < 3; second++) {
          for (let read = 0; read < MIB; ) read += (await reader.read()).value!.length;
          await setTimeout(1000);
        }
        await setTimeout(2000);
        assert.equal((await api('r/')).status, 200, 'others are served');
        await reader.cancel();
      }),
    );
  });
}

/** Runs `transfer` and asserts that the memory of both gateways stays near what it was when they were idle. */
async function staysFlat(t: TestContext, transfer: () => Promise<void>): Promise<void> {
  const peak = new Map<SpawnedGateway, number>();
  const sample = async () => {
    for (const gateway of Object.values(all)) {
      peak.set(gateway, Math.max(peak.get(gateway) ?? 0, await residentBytes(gateway)));
    }
  };
  let isDone = false;
  const sampling = (async () => {
    for (; !isDone; await setTimeout(SAMPLE_MS)) await sample();
  })();
  try {
    await transfer();
  } finally {
    isDone = true;
    await sampling;
  }
  for (const [name, gateway] of Object.entries(all)) {
    const growth = peak.get(gateway)! - idle.get(gateway)!;
    t.diagnostic(`${name} gateway: ${mib(idle.get(gateway)!)} idle, ${mib(growth)} more at the peak`);
    assert.ok(growth < MAX_GROWTH_BYTES, `the ${name} gateway grew by ${mib(growth)}`);
  }
}

async function residentBytes({ child }: SpawnedGateway): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
}

/** The same bytes at every call, no two pieces alike. */
async function* body(): AsyncGenerator<Buffer> {
  const random = randomFrom(seed);
  const base = noise(random, PIECE);
  for (let left = SIZE; left > 0; left -= PIECE) {
    const piece = Buffer.from(base);
    for (let at = 0; at < PIECE; at += 256) piece.writeUInt32LE(random(0x100000000), at);
    yield piece;
  }
}

async function digest(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of source) hash.update(piece);
  return hash.digest('hex');
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
