// A list of 100,000 members takes no more memory than one of 10,000: PROPFIND and mailbox of a room of either size, the
// first time, when the room server learns what its messages are, and again. Memory is what Linux counts as resident: of
// what is held, and of all, as an operator sees it.
// Run: npm run test:slow

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fillFolder, LARGE_ROOM, PASSWORD, READER } from '../../scripts/generate.ts';
import { NODE_FLAGS } from '../../scripts/node-flags.ts';
import { type SpawnedGateway, spawnGateway } from '../support/gateway.ts';

const MIB = 1024 * 1024;
/** as in memory.slow.ts: what V8 has not come to collect is not held */
const garbageCollector = import.meta.resolve('../support/collect-garbage.ts');
const COLLECTED = ['--max-semi-space-size=1', '--expose-gc', '--import', garbageCollector];
const SAMPLE_MS = 25;
const RUNS = 3;
const SIZES = [10_000, 100_000];
/** 20 MiB were seen; 90,000 members more, held as rows or as XML, would take 50 or 25 */
const MAX_DIFFERENCE_BYTES = 20 * MIB;
/** 18 MiB were seen; where rows of a list outlived the collections of new objects, 150 and more */
const MAX_DIFFERENCE_IN_ALL_BYTES = 40 * MIB;
const BODY = '<propfind xmlns="DAV:"><prop><resourcetype/><getetag/><getcontenttype/></prop></propfind>';

const LISTS = {
  PROPFIND: { path: '', init: { method: 'PROPFIND', headers: { depth: '1' }, body: BODY }, status: 207, others: 1 },
  mailbox: { path: 'mailbox', init: {}, status: 200, others: 0 },
} as const;
type Kind = keyof typeof LISTS;
const ENTRY_ENDS: Readonly<Record<Kind, string>> = { PROPFIND: '</D:response>', mailbox: '{"msgnum":' };

for (const kind of ['PROPFIND', 'mailbox'] as const) {
  describe(`${kind} of a large room`, () => {
    it('holds no more of 100,000 members than of 10,000', { timeout: 1_800_000 }, async (t) => {
      await differsBy(t, kind, COLLECTED, MAX_DIFFERENCE_BYTES);
    });

    it('leaves hardly more garbage', { timeout: 1_800_000 }, async (t) => {
      await differsBy(t, kind, NODE_FLAGS, MAX_DIFFERENCE_IN_ALL_BYTES);
    });
  });
}

async function differsBy(t: TestContext, kind: Kind, flags: readonly string[], bytes: number): Promise<void> {
  const [small, large] = [await growth(t, kind, SIZES[0]!, flags), await growth(t, kind, SIZES[1]!, flags)];
  assert.ok(large - small < bytes, `${mib(small)} and ${mib(large)}`);
}

/** Bytes at the peak over those of an idle gateway. */
async function growth(t: TestContext, kind: Kind, count: number, flags: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await fillFolder(folder, { rooms: 10, messages: 0, users: 2, largeRoom: count, seed: 1 }, () => {});
  const gateway = await spawnGateway(t, ['--data', folder], [...flags]);
  const api = gateway.as(READER, PASSWORD);
  assert.equal((await api('r/Lobby/mailbox')).status, 200);
  const idle = await residentBytes(gateway);
  let peak = idle;
  for (let run = 0; run < RUNS; run++) {
    const stop = new AbortController();
    const sampling = (async () => {
      for (; !stop.signal.aborted; await setTimeout(SAMPLE_MS)) peak = Math.max(peak, await residentBytes(gateway));
    })();
    const { path, init, status, others } = LISTS[kind];
    const answer = await api(`r/${LARGE_ROOM}/${path}`, init);
    assert.equal(answer.status, status);
    let responses = 0;
    let rest = '';
    for await (const text of answer.body!.pipeThrough(new TextDecoderStream())) {
      const pieces = (rest + text).split(ENTRY_ENDS[kind]);
      responses += pieces.length - 1;
      rest = pieces.at(-1)!;
    }
    stop.abort();
    await sampling;
    assert.equal(responses, count + others);
  }
  t.diagnostic(`${kind} of ${count}: ${mib(idle)} idle, ${mib(peak - idle)} more at the peak`);
  return peak - idle;
}

async function residentBytes({ child }: SpawnedGateway): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
