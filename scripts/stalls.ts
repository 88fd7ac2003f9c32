// How long the others wait for the room server while somebody has much done at once: the longest time that a second
// connection waited for the answer to a NOOP, and how long it all took, the median of some rounds.
// Run: node scripts/stalls.ts [--rounds 3 --only ICAL]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholeBody } from '../src/backend/store/bodies.ts';
import { saveMessage } from '../src/backend/store/messages.ts';
import { openStore } from '../src/backend/store/store.ts';
import { createUser, personalRoom } from '../src/backend/store/users.ts';
import { findSocketPaths } from '../src/backend/wire/socket-paths.ts';
import { MAX_CALENDAR_COMPONENTS, MAX_INDEXED_TEXT_BYTES } from '../src/limits/backend.ts';
import { randomFrom } from '../test/support/random.ts';
import { WireClient } from '../test/support/wire-client.ts';
import { fillFolder, PASSWORD } from './generate.ts';
import { contentFor } from './generated-content.ts';
import { type Server, startServer } from './scale-site.ts';
import { scriptOptions } from './script-options.ts';

const ROOMS = 3000;
const MESSAGES_OF_A_ROOM = 3;
const SIZE = { rooms: 10, messages: 100, users: 2, largeRoom: 100, seed: 1 };

const values = scriptOptions(import.meta.filename, {
  rounds: { type: 'string', default: '3' },
  only: { type: 'string', default: '' },
});

const random = randomFrom(1);

/** What one does and the others feel. The client is an administrator who stands in his calendar. */
const WORK: readonly { name: string; run(client: WireClient, round: number): Promise<unknown> }[] = [
  {
    name: `ICAL putics of ${MAX_CALENDAR_COMPONENTS} events over as many`,
    run: (client, round) => client.send('ICAL putics', calendarOf(round)),
  },
  { name: 'posting 1 MiB of words', run: (client) => client.send('ENT0 1|||1|words||1', words(0x61, 26, 6)) },
  { name: 'posting 1 MiB of Chinese', run: (client) => client.send('ENT0 1|||1|words||1', words(0x4e00, 5000, 40)) },
  {
    name: `deleting a user with ${ROOMS} rooms and ${ROOMS * MESSAGES_OF_A_ROOM} messages`,
    run: (client, round) => client.expect(`ASUP owner${round}|||||0`, 200),
  },
];

function calendarOf(round: number): string {
  const events = Array.from({ length: MAX_CALENDAR_COMPONENTS }, (_, i) => {
    const uid = `UID:${round}-${i}@example.org`;
    return (
      `BEGIN:VEVENT\n${uid}\nDTSTART:20261201T090000Z\nSUMMARY:Meeting ${i}\n` +
      `DESCRIPTION:${contentFor(0, random).subject}\nEND:VEVENT`
    );
  });
  return `BEGIN:VCALENDAR\nVERSION:2.0\n${events.join('\n')}\nEND:VCALENDAR`;
}

/** Text in words of letters that begin with this one. */
function words(first: number, letters: number, length: number): string {
  let text = '';
  for (let bytes = 0; bytes < MAX_INDEXED_TEXT_BYTES; ) {
    const word = Array.from({ length }, () => String.fromCodePoint(first + random(letters))).join('');
    text += `${word}${text.length % 10 === 0 ? '\n' : ' '}`;
    bytes += Buffer.byteLength(word) + 1;
  }
  return text;
}

async function prepare(folder: string, rounds: number): Promise<void> {
  await fillFolder(folder, SIZE, () => {});
  const store = openStore(folder);
  store.transaction(() => {
    for (let round = 0; round < rounds; round++) {
      const owner = createUser(store, `owner${round}`, null);
      for (let i = 0; i < ROOMS; i++) {
        const room = personalRoom(store, owner, `Folder ${i}`);
        for (let n = 0; n < MESSAGES_OF_A_ROOM; n++) {
          const { format, subject, body } = contentFor(0, random);
          saveMessage(store, {
            format,
            author: owner.name,
            path: owner.name,
            address: '',
            room: room.name,
            subject,
            body: wholeBody(store, format, Buffer.from(body)),
            rooms: [room.id],
          });
        }
      }
    }
  });
  store.close();
}

/** Milliseconds: of the longest NOOP beside it, and of all. */
async function watch(other: WireClient, work: Promise<unknown>): Promise<{ longest: number; all: number }> {
  let isDone = false;
  const started = performance.now();
  const ended = work.finally(() => (isDone = true));
  let longest = 0;
  while (!isDone) {
    const asked = performance.now();
    await other.expect('NOOP', 200);
    longest = Math.max(longest, performance.now() - asked);
  }
  await ended;
  return { longest, all: performance.now() - started };
}

function median(numbers: readonly number[]): string {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!.toFixed(0);
}

const folder = mkdtempSync(join(tmpdir(), 'vestibule-stalls-'));
let server: Server | undefined;
try {
  const rounds = Number(values.rounds);
  await prepare(folder, rounds);
  server = await startServer(folder);
  const { socketPath } = findSocketPaths(folder);
  const client = await WireClient.login(socketPath, 'admin', PASSWORD);
  const other = await WireClient.login(socketPath, 'reader', PASSWORD);
  await client.expect('GOTO _CALENDAR_', 200);
  await client.send('ICAL putics', calendarOf(-1));
  console.log(`${''.padEnd(60)}  longest wait    all of it`);
  for (const { name, run } of WORK) {
    if (!name.includes(values.only)) continue;
    await client.expect(name.startsWith('ICAL') ? 'GOTO _CALENDAR_' : 'GOTO Lobby', 200);
    const times: { longest: number; all: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const done = run(client, round).then(() => client.expect('NOOP', 200));
      times.push(await watch(other, done));
    }
    const [longest, all] = [times.map((time) => time.longest), times.map((time) => time.all)].map(median);
    console.log(`${name.padEnd(60)}  ${`${longest} ms`.padStart(12)}  ${`${all} ms`.padStart(11)}`);
  }
  client.close();
  other.close();
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
