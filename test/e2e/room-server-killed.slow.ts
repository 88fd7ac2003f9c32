// What the embedded room server has acknowledged survives kill -9, and nothing is there by halves: posts, moves,
// deletions, read marks, rooms, calendars. It is killed at random moments while clients write to it. Run: npm run
// test:slow

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFaults } from '../../src/backend/maintenance/check.ts';
import { sweepSome } from '../../src/backend/maintenance/removal.ts';
import { openStore } from '../../src/backend/store/store.ts';
import { BACKEND_MOVE_BYTES, MOVED_MESSAGE_BYTES } from '../../src/limits/backend.ts';
import { SequenceSet } from '../../src/protocol/sequence-set.ts';
import { newSeed, randomFrom } from '../support/random.ts';
import { WireClient } from '../support/wire-client.ts';

const ROUNDS = 200;
const WRITERS = 3;
const MAX_ACKNOWLEDGED = 60;
/** in every other round the server kills itself before one of so many changes of the database, in transactions too */
const MAX_CHANGES = 300;
/** larger than what is held in memory, so that some bodies are half written when the kill comes */
const LARGE_BODY_BYTES = 300_000;
const CALENDAR_ROUNDS = 12;
const EVENTS = 2000;
/** of the database: to store one, with its share of what follows when all are stored */
const CHANGES_PER_EVENT = 7;

const seed = newSeed();
const random = randomFrom(seed);
const folder = await mkdtemp(join(tmpdir(), 'durable-'));
after(() => rm(folder, { recursive: true, force: true }));

type Place = 'here' | 'there' | 'both' | 'deleted';

/** What is known of one writer's rooms; what was asked and not answered may be either way. */
interface Writer {
  name: string;
  /** messages and where they may be */
  messages: Map<number, Set<Place>>;
  /** where the command that has not been answered takes messages, in its order */
  asked: Map<number, Place>;
  sizes: Map<number, number>;
  /** of the message that was posted last */
  sent: number;
  rooms: Map<string, Set<'there' | 'gone'>>;
  /** what is read; several while the last change of it has not been answered */
  read: Set<number>[];
}

const writers: Writer[] = Array.from({ length: WRITERS }, (_, i) => ({
  name: `w${i}`,
  messages: new Map(),
  asked: new Map(),
  sizes: new Map(),
  sent: 0,
  rooms: new Map(),
  read: [new Set()],
}));

describe('kill -9 of the room server', () => {
  it(`loses nothing that was acknowledged and leaves nothing by halves, ${ROUNDS} times`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    for (let round = 0; round < ROUNDS; round++) {
      const { child, socketPath } = await startProcess(`s${round}`, round % 2 === 0 ? 0 : 1 + random(MAX_CHANGES));
      if (round === 0) await createRooms(socketPath);
      let left = 1 + random(MAX_ACKNOWLEDGED);
      const work = writers.map((writer) => write(socketPath, writer, () => --left === 0 && child.kill('SIGKILL')));
      const [[, signal]] = await Promise.all([once(child, 'exit'), ...work]);
      assert.equal(signal, 'SIGKILL', 'a fault has ended the server');
      checkDatabase();
    }
  });
});

describe('kill -9 while a calendar takes the place of another', () => {
  it(`leaves the old one or the new one whole, ${CALENDAR_ROUNDS} times`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    const place = join(folder, 'calendar');
    await mkdir(place);
    let isThere = -1;
    for (let round = 0; round < CALENDAR_ROUNDS; round++) {
      const killAt = round === 0 ? 0 : 1 + random(EVENTS * CHANGES_PER_EVENT);
      const { child, socketPath } = await startProcess(`s${round}`, killAt, place);
      const ended = once(child, 'exit');
      const isAnswered = await putCalendar(socketPath, round);
      child.kill('SIGKILL');
      const [, signal] = await ended;
      assert.equal(signal, 'SIGKILL', 'a fault has ended the server');
      const found = calendarIn(place);
      assert.ok(found === round || (!isAnswered && found === isThere), `calendar ${found} is there, seed ${seed}`);
      isThere = found;
    }
  });
});

/** Whether it was acknowledged. */
async function putCalendar(socketPath: string, round: number): Promise<boolean> {
  const events = Array.from({ length: EVENTS }, (_, i) => {
    const summary = `SUMMARY:words ${random(1e9)}`;
    return `BEGIN:VEVENT\nUID:${round}-${i}\nDTSTART:20261201T090000Z\n${summary}\nEND:VEVENT`;
  });
  try {
    const client = await WireClient.login(socketPath, 'admin', 'adminpw');
    await client.expect('GOTO _CALENDAR_', 200);
    await client.send('ICAL putics', `BEGIN:VCALENDAR\nVERSION:2.0\n${events.join('\n')}\nEND:VCALENDAR`);
    await client.expect('NOOP', 200);
    client.close();
    return true;
  } catch (error) {
    if (!isCutOff(error)) throw error;
    return false;
  }
}

/** The round whose events, all of them and no other, the room has; -1: none. */
function calendarIn(place: string): number {
  const store = openStore(join(place, 'data'));
  try {
    assert.deepEqual([...findFaults(store)], [], `seed ${seed}`);
    while (sweepSome(store));
    assert.deepEqual([...findFaults(store)], [], `when all is swept, seed ${seed}`);
    const sql = `SELECT rm.exti FROM room_message rm JOIN room r ON r.id = rm.room WHERE r.name = 'Calendar'`;
    const uids = store.db.prepare(sql).all();
    const rounds = new Set(uids.map(({ exti }) => String(exti).split('-')[0]));
    assert.ok(
      uids.length === 0 || (uids.length === EVENTS && rounds.size === 1),
      `${uids.length} events, seed ${seed}`,
    );
    return uids.length === 0 ? -1 : Number([...rounds][0]);
  } finally {
    store.close();
  }
}

function isCutOff(error: unknown): boolean {
  return /closed the connection|EPIPE|ECONNRESET/.test(String(error));
}

async function startProcess(
  name: string,
  killAt: number,
  place = folder,
): Promise<{ child: ChildProcess; socketPath: string }> {
  const script = fileURLToPath(new URL('../support/room-server-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, place, name, String(killAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout!, 'data'),
    once(child, 'exit').then(() => assert.fail('the room server did not start')),
  ]);
  return { child, socketPath: join(place, name) };
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
    if (!isCutOff(error)) throw error;
  }
}

async function change(client: WireClient, writer: Writer): Promise<void> {
  const { messages, sizes, rooms } = writer;
  const here = at(writer, 'here');
  const number = here[random(here.length || 1)];
  const what = random(12);
  if (what < 5 || number === undefined) {
    const [posted] = await client.send('ENT0 1||0|1|durable||1', body(writer));
    messages.set(Number(posted), new Set(['here']));
    sizes.set(Number(posted), writer.sent);
  } else if (what < 6) {
    await moving(writer, here, 'there', () => client.expect(`MOVE ${here.join(',')}|${writer.name} there|0`, 200));
  } else if (what < 7) {
    await moving(writer, [number], 'both', () => client.expect(`MOVE ${number}|${writer.name} there|1`, 200));
  } else if (what < 8) {
    await moving(writer, [number], 'deleted', () => client.expect(`DELE ${number}`, 200));
  } else if (what < 9) {
    const read = [...messages.keys()].filter((one) => one <= number);
    await marking(writer, new Set(read), () => client.expect(`SLRP ${number}`, 200));
  } else if (what < 10) {
    const [before] = writer.read;
    const isRead = !before!.has(number);
    const after = new Set(before);
    if (isRead) after.add(number);
    else after.delete(number);
    await marking(writer, after, () => client.expect(`SEEN ${number}|${isRead ? 1 : 0}`, 200));
  } else if (what < 11) {
    await emptyThere(client, writer);
  } else {
    await changeRooms(client, writer, `${writer.name} room ${rooms.size}-${random(1e9)}`);
  }
}

/** A text of one line; some are larger than what is held in memory, some of these the same each time. */
function body(writer: Writer): string {
  const size = random(8) === 0 ? LARGE_BODY_BYTES : 20 + random(3000);
  writer.sent = size;
  return `${random(4) === 0 ? '' : random(1e9)}`.padEnd(size - 1, 'x y ').concat('\n');
}

function at({ messages }: Writer, place: Place): number[] {
  return [...messages].filter(([, places]) => places.size === 1 && places.has(place)).map(([number]) => number);
}

/** Every one of these messages is where it was, or in its new place, until the answer comes. */
async function moving(writer: Writer, numbers: number[], to: Place, ask: () => Promise<unknown>): Promise<void> {
  await placing(writer, new Map(numbers.map((number) => [number, to])), ask);
}

async function placing(writer: Writer, asked: Map<number, Place>, ask: () => Promise<unknown>): Promise<void> {
  const { messages } = writer;
  for (const [number, to] of asked) messages.get(number)!.add(to);
  writer.asked = asked;
  await ask();
  writer.asked = new Map();
  for (const [number, to] of asked) messages.set(number, new Set([to]));
}

async function marking(writer: Writer, after: Set<number>, ask: () => Promise<unknown>): Promise<void> {
  writer.read.push(after);
  await ask();
  writer.read = [after];
}

/** So that the rounds to come have little to look through. */
async function emptyThere(client: WireClient, writer: Writer): Promise<void> {
  await client.expect(`GOTO ${writer.name} there`, 200);
  const [moved, copied] = [at(writer, 'there'), at(writer, 'both')];
  const to = new Map<number, Place>();
  for (const number of moved) to.set(number, 'deleted');
  for (const number of copied) to.set(number, 'here');
  if (to.size > 0) await placing(writer, to, () => client.expect(`DELE ${[...to.keys()].join(',')}`, 200));
  await client.expect(`GOTO ${writer.name} here`, 200);
}

async function changeRooms(client: WireClient, { name, rooms }: Writer, created: string): Promise<void> {
  const old = [...rooms].find(([, is]) => is.size === 1 && is.has('there'))?.[0];
  if (old === undefined || random(2) === 0) {
    await client.expect(`CRE8 1|${created}|0`, 200);
    rooms.set(created, new Set(['there']));
    return;
  }
  await client.expect(`GOTO ${old}`, 200);
  rooms.get(old)!.add('gone');
  await client.expect('KILL 1', 200);
  rooms.set(old, new Set(['gone']));
  await client.expect(`GOTO ${name} here`, 200);
}

function checkDatabase(): void {
  // Opening it is what a start does: the log is read back, unfinished uploads go.
  const store = openStore(join(folder, 'data'));
  try {
    assert.deepEqual([...findFaults(store)], [], `seed ${seed}`);
    assert.deepEqual(store.db.prepare('SELECT id FROM blob WHERE complete = 0').all(), []);
    for (const writer of writers) checkWriter(writer, (sql, ...values) => store.db.prepare(sql).all(...values));
  } finally {
    store.close();
  }
}

function checkWriter(writer: Writer, rows: (sql: string, ...values: string[]) => Record<string, unknown>[]): void {
  const placed = new Map<number, Place>();
  const sql = `SELECT rm.message, b.size FROM room_message rm JOIN room r ON r.id = rm.room
    JOIN message m ON m.id = rm.message JOIN blob b ON b.id = m.blob WHERE r.name = ?`;
  for (const place of ['here', 'there'] as const) {
    for (const { message, size } of rows(sql, `${writer.name} ${place}`)) {
      const number = Number(message);
      placed.set(number, placed.has(number) ? 'both' : place);
      const known = writer.sizes.get(number);
      if (known !== undefined) assert.equal(size, known, `size of message ${number}, seed ${seed}`);
      // It was stored, and the kill came before the acknowledgement.
      else {
        assert.equal(size, writer.sent, `message ${number} was stored in part, seed ${seed}`);
        writer.sizes.set(number, writer.sent);
        writer.messages.set(number, new Set([place]));
      }
    }
  }
  checkAsked(writer, placed);
  writer.asked = new Map();
  for (const [number, places] of writer.messages) {
    const place = placed.get(number) ?? 'deleted';
    assert.ok(places.has(place), `message ${number} is ${place}, expected ${[...places].join(' or ')}, seed ${seed}`);
    if (place === 'deleted') writer.messages.delete(number);
    else writer.messages.set(number, new Set([place]));
  }
  for (const [room, is] of writer.rooms) {
    const state = rows('SELECT id FROM room WHERE name = ? AND dropped = 0', room).length === 1 ? 'there' : 'gone';
    assert.ok(is.has(state), `${room} is ${state}, expected ${[...is].join(' or ')}, seed ${seed}`);
    if (state === 'gone') writer.rooms.delete(room);
    else writer.rooms.set(room, new Set([state]));
  }
  checkMarks(
    writer,
    rows,
    [...placed].filter(([, place]) => place !== 'there').map(([number]) => number),
  );
}

/** One turn's messages go together; where they take several turns, the kill may come between two of these. */
function checkAsked({ asked, sizes }: Writer, placed: Map<number, Place>): void {
  const isDone = [...asked].map(([number, to]) => (placed.get(number) ?? 'deleted') === to);
  const done = isDone.lastIndexOf(true) + 1;
  assert.ok(!isDone.slice(0, done).includes(false), `moved out of their order: ${isDone}, seed ${seed}`);
  const ends = new Set([0, asked.size]);
  let bytes = 0;
  for (const [i, number] of [...asked.keys()].entries()) {
    bytes += MOVED_MESSAGE_BYTES + sizes.get(number)!;
    if (bytes < BACKEND_MOVE_BYTES) continue;
    ends.add(i + 1);
    bytes = 0;
  }
  assert.ok(ends.has(done), `${done} of ${asked.size} were moved, turns end at ${[...ends]}, seed ${seed}`);
}

function checkMarks(
  writer: Writer,
  rows: (sql: string, ...values: string[]) => Record<string, unknown>[],
  here: number[],
): void {
  const marks = rows(
    `SELECT seen FROM visit v JOIN user u ON u.id = v.user JOIN room r ON r.id = v.room
     WHERE u.name = ? AND r.name = ?`,
    writer.name,
    `${writer.name} here`,
  );
  const seen = SequenceSet.parse(String(marks[0]?.seen ?? '*:0'));
  const fitting = writer.read.find((read) => here.every((number) => seen.contains(number) === read.has(number)));
  assert.ok(fitting, `read marks ${seen}, seed ${seed}`);
  writer.read = [fitting];
}
