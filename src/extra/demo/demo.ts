// Content for `--demo`: a floor with one room of each kind, two users, and some forty messages of many forms, so that
// everything can be tried at once. On an empty store only; messages are stored as ENT0 stores them.

import { mailRooms, resolveRecipients } from '../../backend/content/mail.ts';
import { fieldsForRoom } from '../../backend/content/posting-rules.ts';
import { finishedBody } from '../../backend/store/bodies.ts';
import { messageInRoom, saveMessage } from '../../backend/store/messages.ts';
import { hashPassword } from '../../backend/store/passwords.ts';
import type { StoredRoom, StoredUser } from '../../backend/store/records.ts';
import { addFloor, createRoom, findRoom, floorExists, fullName } from '../../backend/store/rooms.ts';
import type { Store } from '../../backend/store/store.ts';
import { addressOf, createUser } from '../../backend/store/users.ts';
import { updateVisit, visitOf } from '../../backend/store/visits.ts';
import { ROOM_FLAG, VIEW } from '../../model.ts';
import { now } from '../../system/clock.ts';
import type { DemoEntry } from './bodies.ts';
import { demoEntries } from './content.ts';

const FLOOR = 1;

interface DemoRoom {
  name: string;
  view: number;
  flags?: number;
}

/** of the Committee */
const ROOM_PASSWORD = 'sesame';

const ROOMS: readonly DemoRoom[] = [
  { name: 'Town Square', view: VIEW.board },
  { name: 'Announcements', view: VIEW.board, flags: ROOM_FLAG.readOnly },
  { name: 'Events', view: VIEW.calendar },
  { name: 'To Do', view: VIEW.tasks },
  { name: 'Members', view: VIEW.addressBook },
  { name: 'Pinboard', view: VIEW.notes },
  { name: 'Handbook', view: VIEW.wiki },
  { name: 'Garden Diary', view: VIEW.blog },
  { name: 'Committee', view: VIEW.board, flags: ROOM_FLAG.private | ROOM_FLAG.password },
  { name: 'Speakeasy', view: VIEW.board, flags: ROOM_FLAG.private | ROOM_FLAG.guessName },
  { name: 'Birthday Plans', view: VIEW.board, flags: ROOM_FLAG.private },
];

/** Creates floor, rooms, the users alice and bob (passwords as their names, hashed at `cost`) and the messages. */
export async function fillDemo(store: Store, cost: number): Promise<void> {
  const hashes = [await hashPassword('alice', cost), await hashPassword('bob', cost)] as const;
  const roomPassword = await hashPassword(ROOM_PASSWORD, cost);
  store.transaction(() => {
    const alice = createUser(store, 'alice', hashes[0]);
    const bob = createUser(store, 'bob', hashes[1]);
    if (!floorExists(store, FLOOR)) addFloor(store, FLOOR, 'Community');
    for (const { name, view, flags = 0 } of ROOMS) {
      const password = flags & ROOM_FLAG.password ? roomPassword : '';
      const room = createRoom(store, { name, view, flags, password, floor: FLOOR, admin: alice.id });
      for (const user of [alice, bob]) {
        updateVisit(store, visitOf(store, user.id, room.id), { state: 'known' });
      }
    }
    const ids = new Map<string, string>();
    for (const entry of demoEntries(now())) post(store, entry.by === 'alice' ? alice : bob, entry, ids);
  });
}

/** `ids` collects the message ids of entries that others refer to. */
function post(store: Store, user: StoredUser, entry: DemoEntry, ids: Map<string, string>): void {
  const format = entry.format ?? 4;
  const { subject = '', euid = '' } = entry;
  const body = finishedBody(store, format, Buffer.from(entry.body));
  const rooms = roomsFor(store, user, entry);
  const room = rooms[0]!;
  const fields = entry.to ? { euid: '', subject } : fieldsForRoom(store, room, { format, euid, subject }, body);
  const msgnum = saveMessage(store, {
    format,
    author: user.name,
    authorUser: user.id,
    path: user.name,
    address: addressOf(store, user),
    room: fullName(room),
    recipients: entry.to ?? '',
    references: (entry.replyTo ?? []).map((key) => ids.get(key)!).join('|'),
    body,
    rooms: rooms.map(({ id }) => id),
    ...fields,
    time: fields.time ?? entry.time,
  });
  if (entry.key) ids.set(entry.key, messageInRoom(store, room.id, msgnum)!.msgid);
}

function roomsFor(store: Store, user: StoredUser, entry: DemoEntry): StoredRoom[] {
  const { to, subject = '', body } = entry;
  if (to) {
    const mail = { author: user.name, address: addressOf(store, user), to, cc: '', subject, size: body.length };
    return mailRooms(store, user, resolveRecipients(store, user, to, '', ''), mail);
  }
  return [findRoom(store, user, entry.room!)!];
}
