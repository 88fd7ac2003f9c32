// The calendars of a user and their objects: finds an object by UID, reads its text, and stores a later version under
// the same name (RFC 4791 section 4.1).

import { MAX_MIME_HEADER_BYTES } from '../../limits/mime.ts';
import { headerValue, parseHeaders } from '../../mime/headers.ts';
import { contentParts } from '../../mime/part.ts';
import { NAME_HEADER, SIZE_HEADER } from '../../mime/stored-content.ts';
import { ROOM_FLAG2, VIEW } from '../../model.ts';
import { nameKey } from '../../protocol/names.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import { finishedBody, readBlob } from '../store/bodies.ts';
import { objectPartText } from '../store/message-part.ts';
import {
  messageInRoom,
  type StorableMessage,
  type StoredMessage,
  saveMessage,
  structureOf,
} from '../store/messages.ts';
import { FORMAT, type StoredRoom, type StoredUser } from '../store/records.ts';
import { messageByEuid, removeFromRoom } from '../store/references.ts';
import { fullName, inListOrder, personalKey, roomsOwnedBy } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { authorFields, personalRoom } from '../store/users.ts';
import { fieldsForRoom } from './posting-rules.ts';

const CALENDAR_TYPES: ReadonlySet<string> = new Set(['text/calendar', 'application/ics']);

/** A calendar object of a user. */
export interface FoundObject {
  room: StoredRoom;
  row: StoredMessage;
  text: string;
}

/** Personal rooms of the user for events and tasks, by name, without system rooms. */
export function calendarsOf(store: Store, user: StoredUser): StoredRoom[] {
  const rooms = roomsOwnedBy(store, user.id).filter(
    ({ view, flags2 }) => (view === VIEW.calendar || view === VIEW.tasks) && (flags2 & ROOM_FLAG2.system) === 0,
  );
  return inListOrder(rooms);
}

/**
 * Where new events of the user go (RFC 6638 section 9.2): the chosen calendar or, if that no longer exists, the one
 * called Calendar, or else the first.
 */
export function defaultCalendar(store: Store, user: StoredUser): StoredRoom {
  const calendars = calendarsOf(store, user).filter(({ view }) => view === VIEW.calendar);
  const chosen = chosenCalendar(store, user.id);
  const usual = personalKey(user.id, nameKey(OWN_ROOM.calendar));
  return (
    calendars.find(({ id }) => id === chosen) ??
    calendars.find(({ key }) => key === usual) ??
    calendars[0] ??
    personalRoom(store, user, OWN_ROOM.calendar)
  );
}

/** The iCalendar text of a message; undefined if it has none, or too large a one. */
export function calendarTextOf(store: Store, row: Pick<StoredMessage, 'id' | 'blob'>): string | undefined {
  const structure = structureOf(store, row.id);
  const part = structure && [...contentParts(structure)].find(({ type }) => CALENDAR_TYPES.has(type));
  return part && objectPartText(store, row, part);
}

/** The object with this UID in the first of the user's calendars that has it. */
export function objectOf(store: Store, user: StoredUser, uid: string): FoundObject | undefined {
  for (const room of calendarsOf(store, user)) {
    const msgnum = messageByEuid(store, room.id, uid);
    const row = msgnum === undefined ? undefined : messageInRoom(store, room.id, msgnum);
    const text = row && calendarTextOf(store, row);
    if (row && text !== undefined) return { room, row, text };
  }
  return undefined;
}

/**
 * Stores an iCalendar text in a room, replacing `old`, whose name it gets. `author`: its sender. Returns the number.
 * Inside a transaction only. Throws RejectedByRoom.
 */
export function storeCalendar(
  store: Store,
  room: StoredRoom,
  text: string,
  author: StoredUser,
  old?: StoredMessage,
): number {
  const content = Buffer.from(text);
  const name = old && nameOf(store, old);
  const naming = name === undefined ? '' : `${NAME_HEADER}: ${name}\n${SIZE_HEADER}: ${content.length}\n`;
  const lines = content.toString('base64').replace(/.{76}/g, '$&\n');
  const isInbox = (room.flags2 & ROOM_FLAG2.system) !== 0;
  // several messages of an inbox may be about one event (RFC 6638 section 2.2)
  const more = isInbox ? { euid: '', time: undefined } : {};
  const msgnum = saveCalendar(store, room, author, `Content-transfer-encoding: base64\n${naming}\n${lines}\n`, more);
  if (old) removeFromRoom(store, room.id, [old.id]);
  return msgnum;
}

/** Saves an iCalendar message; `rest`: further header lines, a blank line and the content. Throws RejectedByRoom. */
export function saveCalendar(
  store: Store,
  room: StoredRoom,
  author: StoredUser,
  rest: string,
  more: Partial<StorableMessage>,
): number {
  const source = Buffer.from(`Content-type: text/calendar; charset=utf-8\n${rest}`);
  const body = finishedBody(store, FORMAT.mime, source);
  return saveMessage(store, {
    format: FORMAT.mime,
    ...authorFields(store, author),
    room: fullName(room),
    body,
    rooms: [room.id],
    ...fieldsForRoom(store, room, { format: FORMAT.mime, euid: '', subject: '' }, body),
    ...more,
  });
}

/** The name in its header, percent-encoded; undefined for most. */
function nameOf(store: Store, { blob, size }: StoredMessage): string | undefined {
  const end = Math.min(size, MAX_MIME_HEADER_BYTES);
  const source = Buffer.concat([...readBlob(store, blob, 0, end)]);
  const header = source.subarray(0, Math.max(source.indexOf('\n\n'), 0));
  return headerValue(parseHeaders(header, new Set([NAME_HEADER.toLowerCase()])), NAME_HEADER);
}

/** Number of the room that a user has chosen for new events, if any. */
export function chosenCalendar(store: Store, userId: number): number | undefined {
  const row = store.get`SELECT room FROM default_calendar WHERE user = ${userId}`;
  return row && Number(row.room);
}

/** undefined: removes the choice. Inside a transaction only. */
export function setChosenCalendar(store: Store, userId: number, roomId: number | undefined): void {
  if (roomId === undefined) store.run`DELETE FROM default_calendar WHERE user = ${userId}`;
  else store.run`INSERT OR REPLACE INTO default_calendar (user, room) VALUES (${userId}, ${roomId})`;
}
