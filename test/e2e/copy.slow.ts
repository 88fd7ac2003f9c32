// `vestibule copy` with a message of 100 MiB in constant memory, and killed again and again. Memory is the most that
// Linux has counted as resident. Run: npm run test:slow

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ADMIN_PASSWORD, postedNumber, runVestibule, spawnGateway } from '../support/gateway.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { storedContent } from '../support/stored-content.ts';
import { noise } from './bodies.ts';

const MIB = 1024 * 1024;
const SIZE = 100 * MIB;
/** beyond the copy of the small site: buffers of 64 KiB on their way, and what V8 has not collected of them yet */
const MAX_GROWTH_BYTES = 64 * MIB;
const SAMPLE_MS = 20;
const KILLS = 30;
const ENV = { VESTIBULE_ADMIN_PASSWORD: ADMIN_PASSWORD, VESTIBULE_TO_PASSWORD: ADMIN_PASSWORD };
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const seed = newSeed();

const folders = await Promise.all(Array.from({ length: 6 }, () => mkdtemp(join(tmpdir(), 'vestibule-'))));
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))).then(() => {}));
const [from, small, smallOwn, own, peer, keys] = folders as [string, string, string, string, string, string];

/** Runs a copy; the most memory it had, in bytes. */
async function copy(t: TestContext, source: string, to: string[]): Promise<number> {
  const words = ['copy', '--from', `embedded:${source}`, ...to, '--passwords', join(keys, `${to.join().length}`)];
  const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, ...ENV } });
  const exited = once(child, 'exit');
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  let peak = 0;
  while (child.exitCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024);
    await setTimeout(SAMPLE_MS);
  }
  assert.deepEqual(await exited, [0, null], said);
  t.diagnostic(`${Math.round(peak / MIB)} MiB at the peak`);
  return peak;
}

describe('a copy with a message of 100 MiB', async () => {
  const site = await spawnGateway({ after }, ['--data', from, '--demo']);
  await spawnGateway({ after }, ['--data', small, '--demo']);
  for (const folder of [smallOwn, own, peer]) await spawnGateway({ after }, ['--data', folder]);
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(SIZE) };
  const random = randomFrom(seed);
  const piece = noise(random, MIB);
  const body = async function* () {
    for (let left = SIZE; left > 0; left -= MIB) yield piece;
  };
  postedNumber(await site.as('alice')('r/Town%20Square/new?subj=Large', { method: 'PUT', headers, body: body() }));

  for (const [kind, folder, words] of [
    ['a data folder', own, [] as string[]],
    ['a socket', peer, ['--to-user', 'admin']],
  ] as const) {
    it(`takes no more memory than one without, to ${kind}`, { timeout: 300_000 }, async (t) => {
      const target = (at: string) => [
        '--to',
        words[0] ? `unix:${join(at, 'citadel.socket')}` : `embedded:${at}`,
        ...words,
      ];
      // the small one goes where the large one goes after it: accounts and rooms are there already then
      const idle = await copy(t, small, target(words[0] ? folder : smallOwn));
      const growth = (await copy(t, from, target(folder))) - idle;
      t.diagnostic(`${Math.round(growth / MIB)} MiB more`);
      assert.ok(growth < MAX_GROWTH_BYTES, `${Math.round(growth / MIB)} MiB more`);
      const bodies = (at: string) => storedContent(at).messages.filter((row) => row.includes('|Large|'));
      assert.equal(bodies(folder).length, 1);
      if (!words[0]) assert.deepEqual(bodies(folder), bodies(from));
    });
  }
});

it(`a copy killed ${KILLS} times brings nothing twice and leaves nothing out (seed ${seed})`, {
  timeout: 600_000,
}, async (t) => {
  const [source, target] = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'vestibule-'))));
  t.after(() =>
    Promise.all([source!, target!].map((folder) => rm(folder, { recursive: true, force: true }))).then(() => {}),
  );
  const site = await spawnGateway(t, ['--data', source!, '--demo']);
  for (let i = 0; i < 500; i++) {
    postedNumber(await site.as('bob')(`r/Town%20Square/new?subj=${i}`, { method: 'PUT', body: `message ${i}\n` }));
  }
  const words = [
    'copy',
    '--from',
    `embedded:${source}`,
    '--to',
    `embedded:${target}`,
    '--passwords',
    join(keys, 'killed'),
  ];
  const random = randomFrom(seed);
  for (let i = 0; i < KILLS; i++) {
    const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, ...ENV }, stdio: 'ignore' });
    const exited = once(child, 'exit');
    await setTimeout(300 + random(500));
    child.kill('SIGKILL');
    await exited;
  }
  const { code, out, err } = await runVestibule(words, ENV);
  assert.equal(code, 0, err + out);
  const [before, after] = [storedContent(source!), storedContent(target!)];
  const shared = (rows: readonly string[]) => rows.filter((row) => !row.startsWith('Lobby: ')).sort();
  assert.deepEqual(shared(after.messages), shared(before.messages));
  assert.deepEqual(after.rooms, before.rooms);
  assert.deepEqual(after.visits, before.visits);
  assert.equal(after.count, before.count + 1, 'and its own Welcome');
});
