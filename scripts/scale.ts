// Times what people do on a small set and on one a hundred times as large, in turn and in the same run, through HTTP
// and on the line, and prints both and the ratio; then what idle connections cost. Sets are made by generate.ts when
// they are missing and kept for the next run (the full one takes some minutes and 2.5 GB); remove the folder when code
// that stores messages has changed.
// Run: npm run scale [-- --folder DIR --rounds 15 --only search --messages 1000000 --no-idle]

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS } from '../src/backend/store/schema.ts';
import { fillFolder, type SetSize } from './generate.ts';
import { CONNECTIONS, IDLE_KINDS, measureIdle } from './idle-cost.ts';
import { openSite, type Site, startServer } from './scale-site.ts';
import { TASKS } from './scale-tasks.ts';
import { scriptOptions } from './script-options.ts';

const FULL = { rooms: 10_000, messages: 1_000_000, users: 1000 };
const LARGE_ROOM_MESSAGES = 10_000;
const STARTS = 3;

const values = scriptOptions(import.meta.filename, {
  folder: { type: 'string', default: join(tmpdir(), 'vestibule-scale') },
  rounds: { type: 'string', default: '15' },
  messages: { type: 'string', default: String(FULL.messages) },
  only: { type: 'string', default: '' },
  'no-idle': { type: 'boolean', default: false },
});

/** `messages` in all, those of the large room included; at 1 % it comes on top, or there would be nothing beside it. */
function sizeOf(messages: number, share: number): SetSize {
  // at least what the small set has of the usual size: the reader is to know as many rooms in any
  const of = (whole: number) => Math.round(whole * Math.max((share * messages) / FULL.messages, 0.01));
  const largeRoom = Math.min(LARGE_ROOM_MESSAGES, messages / 10);
  const beside = share === 1 ? messages - largeRoom : Math.round(messages * share);
  return { rooms: of(FULL.rooms), messages: beside, users: of(FULL.users), largeRoom, seed: 1 };
}

/** The data folder with this set: an earlier one, unless what makes it has become another. */
async function setOf(name: string, size: SetSize): Promise<string> {
  const folder = join(values.folder, name);
  const sources = ['generate.ts', 'generated-content.ts'].map((file) => readFileSync(new URL(file, import.meta.url)));
  const stamp = hash('sha256', JSON.stringify([size, MIGRATIONS, sources.map(String)]), 'hex');
  const stampFile = join(folder, 'generated');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return folder;
  console.log(`Making the ${name} set in ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(values.folder, { recursive: true });
  const growing = `${folder}.new`;
  rmSync(growing, { recursive: true, force: true });
  await fillFolder(growing, size, (text) => console.log(`  ${text}`));
  writeFileSync(join(growing, 'generated'), stamp);
  renameSync(growing, folder);
  return folder;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

function row(name: string, small: string, full: string, ratio: string): void {
  console.log([name.padEnd(44), small.padStart(10), full.padStart(10), ratio.padStart(7)].join('  '));
}

function compared(name: string, small: number, full: number, unit: string, digits = 2): void {
  row(name, `${small.toFixed(digits)} ${unit}`, `${full.toFixed(digits)} ${unit}`, (full / small).toFixed(2));
}

async function compareStarts(folders: readonly [string, string]): Promise<void> {
  const times: [number[], number[]] = [[], []];
  const sizes: [number[], number[]] = [[], []];
  for (let round = 0; round < STARTS; round++) {
    for (const which of [0, 1] as const) {
      const started = performance.now();
      const server = await startServer(folders[which]);
      times[which].push(performance.now() - started);
      sizes[which].push(server.residentMegabytes());
      await server.stop();
    }
  }
  compared('start', median(times[0]), median(times[1]), 'ms', 0);
  compared('memory after the start', median(sizes[0]), median(sizes[1]), 'MB', 0);
}

/** In turn, so that what else the machine does hits both alike. */
async function compareTasks(sites: readonly [Site, Site]): Promise<void> {
  for (const { name, run, per } of TASKS) {
    if (!name.includes(values.only)) continue;
    const times: [number[], number[]] = [[], []];
    const counts = [0, 0];
    // the first of each is not counted: caches fill
    for (let round = -1; round < Number(values.rounds); round++) {
      for (const which of [0, 1] as const) {
        const { ms, count } = await run(sites[which], Math.max(round, 0));
        if (round >= 0) times[which].push(ms);
        counts[which] = count;
      }
    }
    compared(name, median(times[0]), median(times[1]), 'ms');
    if (per === undefined) continue;
    const micros = (which: 0 | 1) => (median(times[which]) * 1000) / counts[which]!;
    compared(`  for each of ${counts.join(' and ')} ${per}`, micros(0), micros(1), 'µs');
  }
}

const full = sizeOf(Number(values.messages), 1);
const small = sizeOf(Number(values.messages), 0.01);
const folders = [await setOf('small', small), await setOf('full', full)] as const;
for (const { rooms, messages, users, largeRoom } of [small, full]) {
  console.log(`${rooms} rooms, ${users} users, ${messages} messages and one room of ${largeRoom}`);
}
row('', 'small', 'full', 'ratio');
if (values.only === '') await compareStarts(folders);
const sites = [await openSite(folders[0]), await openSite(folders[1])] as const;
try {
  await compareTasks(sites);
  if (values.only === '') {
    compared(
      'memory after all this',
      sites[0].server.residentMegabytes(),
      sites[1].server.residentMegabytes(),
      'MB',
      0,
    );
  }
} finally {
  for (const site of sites) await site.close();
}
if (values.only === '' && !values['no-idle']) {
  for (const kind of IDLE_KINDS) {
    console.log(`${`${CONNECTIONS} idle ${kind}`.padEnd(44)}  ${(await measureIdle(kind)).toFixed(1)} MB`);
  }
}
