// What the embedded room server has acknowledged survives kill -9, and nothing is there by halves: posts, moves,
// deletions, read marks, rooms. It is killed at random moments while clients write to it. Run: npm run test:slow

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../src/backend/store.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { WireClient } from '../support/wire-client.ts';

const ROUNDS = 30;
const WRITERS = 3;
const MAX_ACKNOWLEDGED = 150;
/** in every other round the server kills itself before one of so many changes of the database, in transactions too */
const MAX_CHANGES = 600;
/** larger than what is held in memory, so that some bodies are half written when the kill comes */
const LARGE_BODY_BYTES = 600_000;

const seed = newSeed();
const random = randomFrom(seed);
const folder = await mkdtemp(join(tmpdir(), 'durable-'));
after(() => rm(folder, { recursive: true, force: true }));

type Place = 'here' | 'there' | 'deleted';

/** What is known of one writer's rooms; what was asked and not answered may be either way. */
interface Writer {
  name: string;
  /** messages and where they may be */
  messages: Map<number, Set<Place>>;
  sizes: Map<number, number>;
  rooms: Set<string>;
  /** read up to; several while the last SLRP has not been answered */
  lastRead: Set<number>;
}

const writers: Writer[] = Array.from({ length: WRITERS }, (_, i) => ({
  name: `w${i}`,
  messages: new Map(),
  sizes: new Map(),
  rooms: new Set(),
  lastRead: new Set([0]),
}));

describe('kill -9 of the room server', () => {
  it(`loses nothing that was acknowledged and leaves nothing by halves, ${ROUNDS} times`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    for (let round = 0; round < ROUNDS; round++) {
      const { child, socketPath } = await startProcess(`s${round}`, round % 2 === 0 ? 0 : 1 + random(MAX_CHANGES));
      if (round === 0) await createRooms(socketPath);
      let left = 1 + random(MAX_ACKNOWLEDGED);
      const work = writers.map((writer) => write(socketPath, writer, () => --left === 0 && child.kill('SIGKILL')));
      await Promise.all([once(child, 'exit'), ...work]);
      checkDatabase();
    }
  });
});

async function startProcess(name: string, killAt: number): Promise<{ child: ChildProcess; socketPath: string }> {
  const script = fileURLToPath(new URL('../support/room-server-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, folder, name, String(killAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout!, 'data'),
    once(child, 'exit').then(() => assert.fail('the room server did not start')),
  ]);
  return { child, socketPath: join(folder, name) };
}

async function createRooms(socketPath: string): Promise<void> {
  const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
  for (const { name } of writers) {
    await admin.expect(`CREU ${name}|pw`, 200);
    for (const room of [`${name} here`, `${name} there`]) await admin.expect(`CRE8 1|${room}|0`, 200);
    await admin.expect(`ASUP ${name}|||||6`, 200);
  }
  admin.close();
}

/** Changes things until the connection dies. */
async function write(socketPath: string, writer: Writer, acknowledged: () => void): Promise<void> {
  try {
    const client = await WireClient.login(socketPath, writer.name, 'pw');
    await client.expect(`GOTO ${writer.name} here`, 200);
    for (;;) {
      await change(client, writer);
      acknowledged();
    }
  } catch (error) {
    if (!/closed the connection|EPIPE|ECONNRESET/.test(String(error))) throw error;
  }
}

async function change(client: WireClient, writer: Writer): Promise<void> {
  const { messages, sizes, rooms } = writer;
  const here = [...messages].filter(([, places]) => places.size === 1 && places.has('here')).map(([number]) => number);
  const number = here[random(here.length || 1)];
  const what = random(10);
  if (what < 6 || number === undefined) {
    const size = random(8) === 0 ? LARGE_BODY_BYTES : 1 + random(3000);
    const [posted] = await client.send('ENT0 1||0|1|durable||1', `${'x'.repeat(size - 1)}\n`);
    messages.set(Number(posted), new Set(['here']));
    sizes.set(Number(posted), size);
  } else if (what < 7) {
    for (const one of here) messages.set(one, new Set(['here', 'there']));
    await client.expect(`MOVE ${here.join(',')}|${writer.name} there|0`, 200);
    for (const one of here) messages.set(one, new Set(['there']));
  } else if (what < 8) {
    messages.set(number, new Set(['here', 'deleted']));
    await client.expect(`DELE ${number}`, 200);
    messages.set(number, new Set(['deleted']));
  } else if (what < 9) {
    writer.lastRead.add(number);
    await client.expect(`SLRP ${number}`, 200);
    writer.lastRead = new Set([number]);
  } else {
    const room = `${writer.name} room ${rooms.size}-${random(1e9)}`;
    await client.expect(`CRE8 1|${room}|0`, 200);
    rooms.add(room);
  }
}

function checkDatabase(): void {
  // Opening it is what a start does: the log is read back, unfinished uploads go.
  openStore(join(folder, 'data')).close();
  const db = new DatabaseSync(join(folder, 'data', 'vestibule.db'));
  const rows = (sql: string, ...values: (string | number)[]) => db.prepare(sql).all(...values);
  const none = (sql: string) => assert.deepEqual(rows(sql), [], sql);
  try {
    assert.equal(rows('PRAGMA integrity_check')[0]!.integrity_check, 'ok');
    none('PRAGMA foreign_key_check');
    none('SELECT id FROM blob WHERE complete = 0');
    none('SELECT id FROM blob WHERE id NOT IN (SELECT blob FROM message)');
    none('SELECT id FROM message WHERE id NOT IN (SELECT message FROM room_message)');
    none('SELECT id FROM message EXCEPT SELECT rowid FROM message_text');
    none('SELECT rowid FROM message_text EXCEPT SELECT id FROM message');
    none(`SELECT b.id FROM blob b LEFT JOIN chunk c ON c.blob = b.id GROUP BY b.id
          HAVING b.size <> coalesce(sum(length(c.data)), 0) OR count(c.seq) <> coalesce(max(c.seq), -1) + 1`);
    none(`SELECT r.id FROM room r LEFT JOIN room_message rm ON rm.room = r.id GROUP BY r.id
          HAVING r.total <> count(rm.message) OR r.highest <> coalesce(max(rm.message), 0)`);
    for (const writer of writers) checkWriter(writer, rows);
  } finally {
    db.close();
  }
}

function checkWriter(writer: Writer, rows: (sql: string, ...values: string[]) => Record<string, unknown>[]): void {
  const placed = new Map<number, Place>();
  const sql = `SELECT rm.message, b.size FROM room_message rm JOIN room r ON r.id = rm.room
    JOIN message m ON m.id = rm.message JOIN blob b ON b.id = m.blob WHERE r.name = ?`;
  for (const place of ['here', 'there'] as const) {
    for (const { message, size } of rows(sql, `${writer.name} ${place}`)) {
      const number = Number(message);
      assert.ok(!placed.has(number), `message ${number} is in both rooms`);
      placed.set(number, place);
      const known = writer.sizes.get(number);
      if (known !== undefined) assert.equal(size, known, `size of message ${number}`);
      // It was stored, and the kill came before the acknowledgement.
      else writer.messages.set(number, new Set([place]));
    }
  }
  for (const [number, places] of writer.messages) {
    const place = placed.get(number) ?? 'deleted';
    assert.ok(places.has(place), `message ${number} is ${place}, expected ${[...places].join(' or ')}`);
    writer.messages.set(number, new Set([place]));
  }
  for (const room of writer.rooms) assert.equal(rows('SELECT id FROM room WHERE name = ?', room).length, 1, room);
  const marks = rows(
    'SELECT last_read FROM visit v JOIN user u ON u.id = v.user JOIN room r ON r.id = v.room WHERE u.name = ? AND r.name = ?',
    writer.name,
    `${writer.name} here`,
  );
  const lastRead = Number(marks[0]?.last_read ?? 0);
  assert.ok(writer.lastRead.has(lastRead), `read up to ${lastRead}, expected ${[...writer.lastRead].join(' or ')}`);
  writer.lastRead = new Set([lastRead]);
}
