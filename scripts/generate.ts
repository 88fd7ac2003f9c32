// Fills a new data folder with rooms, messages and users, through the code that the server posts with, so that index,
// counts and references are as it would have made them. The same seed makes the same set. Run:
// node scripts/generate.ts --data DIR [--rooms 10000 --messages 1000000 --users 1000 --large-room 10000 --seed 1]
// Log in as `reader`, `admin` or `user1` …, each with the password `generated`.

import { fieldsForRoom } from '../src/backend/content/posting-rules.ts';
import { createFirstAdmin, createServerRooms } from '../src/backend/maintenance/bootstrap.ts';
import { finishedBody } from '../src/backend/store/bodies.ts';
import { numbersInRoom, saveMessage } from '../src/backend/store/messages.ts';
import { hashPassword } from '../src/backend/store/passwords.ts';
import type { StoredRoom, StoredUser } from '../src/backend/store/records.ts';
import { createRoom, fullName } from '../src/backend/store/rooms.ts';
import { openStore, type Store } from '../src/backend/store/store.ts';
import { addressOf, createUser, personalRoom } from '../src/backend/store/users.ts';
import { updateVisit, visitOf } from '../src/backend/store/visits.ts';
import { ROOM_FLAG, VIEW } from '../src/model.ts';
import { SequenceSet } from '../src/protocol/sequence-set.ts';
import { type Random, randomFrom } from '../test/support/random.ts';
import { contentFor, RARE_WORD } from './generated-content.ts';
import { scriptOptions } from './script-options.ts';

export interface SetSize {
  /** beside the large one, the server's own, and the eight of each user */
  rooms: number;
  /** in these and in the users' mailboxes */
  messages: number;
  users: number;
  /** messages of the room LARGE_ROOM */
  largeRoom: number;
  seed: number;
}

export const PASSWORD = 'generated';
export const READER = 'reader';
export const LARGE_ROOM = 'Archive';
/** messages with RARE_WORD, all of them in LARGE_ROOM */
export const RARE_MESSAGES = 20;

/** rooms that everybody knows; the others are by invitation */
const PUBLIC_ROOMS = 30;
const MEMBERSHIPS = 30;
/** what every twentieth room is, by its number */
const VIEWS: Record<number, number> = { 3: VIEW.calendar, 7: VIEW.addressBook, 11: VIEW.tasks, 15: VIEW.notes };
/** messages in one transaction: each pays for what it has dirtied once */
const BATCH = 5000;
const MAIL_PERCENT = 30;
/** of what was read in LARGE_ROOM, every so many were left out, and all of the last */
const UNREAD_EVERY = 200;
const UNREAD_LAST = 50;
/** scrypt N: the passwords of a generated set protect nothing */
const PASSWORD_COST = 1024;
const CACHE_KIB = 512 * 1024;
const YEARS_SECONDS = 2 * 365 * 86_400;

/** Answers the messages that were made. Throws when the folder holds something already. */
export async function fillFolder(folder: string, size: SetSize, say: (text: string) => void): Promise<number> {
  const hash = await hashPassword(PASSWORD, PASSWORD_COST);
  const store = openStore(folder);
  try {
    createServerRooms(store);
    const created = await createFirstAdmin(store, PASSWORD, PASSWORD_COST);
    if (!created) throw new Error(`${folder} is not new.`);
    // A set that is cut off by a power failure is made again.
    store.db.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}`);
    const random = randomFrom(size.seed);
    const { users, rooms, large } = store.transaction(() => makePlaces(store, size, hash, random));
    const started = performance.now();
    const total = size.messages + size.largeRoom;
    let made = 0;
    const isLarge = (n: number) =>
      Math.floor(((n + 1) * size.largeRoom) / total) > Math.floor((n * size.largeRoom) / total);
    let inLarge = 0;
    while (made < total) {
      store.transaction(() => {
        for (const end = Math.min(made + BATCH, total); made < end; made++) {
          const time = Math.floor(Date.now() / 1000 - YEARS_SECONDS * (1 - made / total));
          const author = users[random(users.length)]!;
          if (isLarge(made)) {
            const isRare = inLarge++ % Math.ceil(size.largeRoom / RARE_MESSAGES) === 0;
            post(store, author, [large], time, random, isRare ? RARE_WORD : '');
          } else if (random(100) < MAIL_PERCENT) {
            const recipient = users[random(users.length)]!;
            const boxes = [personalRoom(store, author, 'Sent Items'), personalRoom(store, recipient, 'Mail')];
            post(store, author, boxes, time, random, '', recipient);
          } else {
            post(store, author, [rooms[random(rooms.length)]!], time, random);
          }
        }
      });
      const seconds = (performance.now() - started) / 1000;
      if (made % (BATCH * 10) === 0 || made === total) {
        say(`${made} of ${total} messages, ${Math.round(made / seconds)} a second`);
      }
    }
    store.transaction(() => readPartly(store, users[0]!, large));
    store.db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize');
    return made;
  } finally {
    store.close();
  }
}

function makePlaces(
  store: Store,
  size: SetSize,
  hash: string,
  random: Random,
): { users: StoredUser[]; rooms: StoredRoom[]; large: StoredRoom } {
  const names = [READER, ...Array.from({ length: size.users - 1 }, (_, i) => `user${i + 1}`)];
  const users = names.map((name) => createUser(store, name, hash));
  const large = createRoom(store, { name: LARGE_ROOM, flags: 0, view: VIEW.board });
  const rooms = Array.from({ length: size.rooms }, (_, i) =>
    createRoom(store, {
      name: `Room ${i + 1}`,
      flags: i < PUBLIC_ROOMS ? 0 : ROOM_FLAG.private,
      view: VIEWS[i % 20] ?? VIEW.board,
      admin: users[random(users.length)]!.id,
    }),
  );
  const closed = rooms.slice(PUBLIC_ROOMS);
  for (const user of users) {
    for (let i = 0; i < MEMBERSHIPS && closed.length > 0; i++) {
      const room = closed[(i * 2 + random(2) + user.id * MEMBERSHIPS * 2) % closed.length]!;
      const seen = SequenceSet.upTo(random(size.messages));
      updateVisit(store, visitOf(store, user.id, room.id), { state: 'known', seen });
    }
  }
  return { users, rooms, large };
}

function post(
  store: Store,
  author: StoredUser,
  rooms: StoredRoom[],
  time: number,
  random: Random,
  about = '',
  recipient?: StoredUser,
): void {
  const room = rooms[0]!;
  const { format, subject, body: source } = contentFor(recipient ? VIEW.mailbox : room.view, random, about);
  const body = finishedBody(store, format, Buffer.from(source));
  const fields = recipient ? { euid: '', subject } : fieldsForRoom(store, room, { format, euid: '', subject }, body);
  saveMessage(store, {
    format,
    author: author.name,
    authorUser: author.id,
    path: author.name,
    address: addressOf(store, author),
    room: fullName(room),
    recipients: recipient?.name ?? '',
    body,
    rooms: rooms.map(({ id }) => id),
    ...fields,
    time,
  });
}

/** As somebody reads who opens what looks interesting. */
function readPartly(store: Store, user: StoredUser, room: StoredRoom): void {
  const numbers = numbersInRoom(store, room.id, { low: 1, high: Number.POSITIVE_INFINITY }, room.total);
  const read = numbers.slice(0, -UNREAD_LAST).filter((_, i) => i % UNREAD_EVERY !== 0);
  const ranges: { low: number; high: number }[] = [];
  let unreadBefore = true;
  let at = 0;
  for (const { id } of numbers) {
    const isRead = read[at]?.id === id;
    if (isRead) {
      at++;
      if (unreadBefore) ranges.push({ low: id, high: id });
      else ranges.at(-1)!.high = id;
    }
    unreadBefore = !isRead;
  }
  updateVisit(store, visitOf(store, user.id, room.id), { state: 'known', seen: SequenceSet.of(ranges) });
}

if (import.meta.main) {
  const number = (value: number) => ({ type: 'string', default: String(value) }) as const;
  const values = scriptOptions(import.meta.filename, {
    data: { type: 'string' },
    rooms: number(10_000),
    messages: number(1_000_000),
    users: number(1000),
    'large-room': number(10_000),
    seed: number(1),
  });
  if (values.data === undefined) {
    console.error('--data says which folder is to be filled');
    process.exit(2);
  }
  const size = {
    rooms: Number(values.rooms),
    messages: Number(values.messages),
    users: Number(values.users),
    largeRoom: Number(values['large-room']),
    seed: Number(values.seed),
  };
  await fillFolder(values.data, size, (text) => console.log(text));
}
