// A folder that is moved, copied or deleted is there as a whole or not at all, also where the room server is killed in
// the middle of it. Run: npm run test:slow

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFaults } from '../../src/backend/maintenance/check.ts';
import { sweepSome } from '../../src/backend/maintenance/removal.ts';
import { openStore } from '../../src/backend/store/store.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { WireClient } from '../support/wire-client.ts';

const ROUNDS = 25;
const FILES = 150;
/** of the database, in what a copy does; the one transaction in which others see something has a few */
const CHANGES = { ofCopy: FILES * 6, atOnce: 15 };

const seed = newSeed();
const random = randomFrom(seed);
const folder = await mkdtemp(join(tmpdir(), 'folders-'));
after(() => rm(folder, { recursive: true, force: true }));

const WORDS = ['move', 'copy', 'remove'] as const;

describe('kill -9 while a folder is moved, copied or deleted', () => {
  it(`leaves all of it or nothing, ${ROUNDS} times`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    await run('fill', 0, async (client) => {
      for (const room of ['Here', 'There']) await client.expect(`CRE8 1|${room}|0||0||12`, 200);
      await client.expect('GOTO Here', 200);
      for (const name of ['docs/', ...Array.from({ length: FILES }, (_, i) => `docs/${i}`)]) {
        const header = `Content-type: text/plain\nX-Vestibule-Name: ${encodeURIComponent(name)}\n`;
        await client.send('ENT0 1||0|4|file||1', `${header}\n${name} words\n`);
      }
    });
    assert.deepEqual(foldersThere(), ['Here docs/']);
    let cuts = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const before = foldersThere();
      const [room, name] = before[random(before.length)]!.split(' ') as [string, string];
      const what = before.length === 1 ? WORDS[random(2)]! : WORDS[random(3)]!;
      const target = ['Here', 'There'][random(2)]!;
      const to = `${target} new${round}/`;
      const line = what === 'remove' ? `remove|${name}` : `${what}|${name}|${target}|new${round}/|0`;
      const isDone = await run(
        `s${round}`,
        1 + random(random(2) === 0 ? CHANGES.atOnce : CHANGES.ofCopy),
        async (client) => {
          await client.expect(`GOTO ${room}`, 200);
          assert.deepEqual((await client.expect(`MEMB tree|${line}`, 100)).lines, ['0'], line);
        },
      );
      if (!isDone) cuts++;
      const gone = what === 'copy' ? before : before.filter((each) => each !== `${room} ${name}`);
      const then = what === 'remove' ? gone : [...gone, to].sort();
      const now = foldersThere();
      const isBefore = !isDone && now.join() === before.join();
      assert.ok(isBefore || now.join() === then.join(), `${line} in ${room}: ${now} after ${before}, seed ${seed}`);
    }
    t.diagnostic(`${cuts} rounds ended before the answer`);
  });
});

/** `Here docs/` for each folder; each has all its files, and nothing else is there. */
function foldersThere(): string[] {
  const store = openStore(join(folder, 'data'));
  try {
    assert.deepEqual([...findFaults(store)], [], `seed ${seed}`);
    while (sweepSome(store));
    assert.deepEqual([...findFaults(store)], [], `when all is swept, seed ${seed}`);
    const sql = `SELECT r.name || ' ' || rm.name AS name FROM room_message rm JOIN room r ON r.id = rm.room
      WHERE r.name IN ('Here', 'There') ORDER BY 1`;
    const names = store.db
      .prepare(sql)
      .all()
      .map(({ name }) => String(name));
    const folders = names.filter((name) => name.endsWith('/'));
    assert.equal(names.length, folders.length * (FILES + 1), `${names}, seed ${seed}`);
    for (const each of folders) {
      assert.equal(names.filter((name) => name.startsWith(each)).length, FILES + 1, `${each}, seed ${seed}`);
    }
    return folders;
  } finally {
    store.close();
  }
}

/** Whether all of it was answered; then the process is killed. */
async function run(name: string, killAt: number, use: (client: WireClient) => Promise<void>): Promise<boolean> {
  const script = fileURLToPath(new URL('../support/room-server-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, folder, name, String(killAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  const ended = once(child, 'exit');
  let isDone = false;
  try {
    const client = await WireClient.login(join(folder, name), 'admin', 'adminpw');
    await use(client);
    isDone = true;
    client.close();
  } catch (error) {
    if (!/closed the connection|EPIPE|ECONNRESET|ECONNREFUSED/.test(String(error))) throw error;
  }
  child.kill('SIGKILL');
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL', 'a fault has ended the server');
  return isDone;
}
