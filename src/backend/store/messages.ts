// Messages in the store: saving and loading (protocol section 11), and queries over a room. A message exists once;
// rooms refer to it (references.ts).

import { MAX_HEADER_TEXT_BYTES } from '../../limits/backend.ts';
import { MAX_PART_FIELD_CHARACTERS } from '../../limits/mime.ts';
import { decodeWords, encodeWords } from '../../mime/coding/encoded-words.ts';
import { MIME_VERSION } from '../../mime/coding/transfer.ts';
import type { MimePart } from '../../mime/walk.ts';
import { ROOM_FLAG } from '../../model.ts';
import { storedTimeFrom } from '../../protocol/message-fields.ts';
import type { NumberRange } from '../../protocol/sequence-set.ts';
import { now } from '../../system/clock.ts';
import { finishedBody, type StorableBody } from './bodies.ts';
import { factsFrom, type MessageFacts, storeFacts } from './message-facts.ts';
import { structureIn } from './message-part.ts';
import { FORMAT, type StoredRoom } from './records.ts';
import { addNew } from './references.ts';
import { fullName, roomById } from './rooms.ts';
import { indexMessage } from './search-index.ts';
import { nodeName, type Store } from './store.ts';

/** How the author is hidden: as `****`, or as `anonymous` at the author's wish. */
export type Anonymity = 'no' | 'only' | 'option';

/** A message that is not stored yet. */
export interface StorableMessage {
  /** FORMAT */
  format: number;
  /** display name */
  author: string;
  authorUser?: number | undefined;
  path: string;
  address: string;
  /** by default as its rooms require */
  anonymous?: Anonymity | undefined;
  /** full name of the room where it was posted */
  room: string;
  recipients?: string;
  cc?: string;
  /** exclusive id (`exti` in the protocol, UID of an object); later versions have the same */
  euid?: string;
  /** message ids without brackets, bars between */
  references?: string;
  subject: string;
  /** of an imported message; by default a new one */
  msgid?: string | undefined;
  /** Unix time shown; by default the time of saving */
  time?: number | undefined;
  /** finished, but not linked yet */
  body: StorableBody;
  /** ids of the rooms that refer to it */
  rooms: readonly number[];
  /** replaces a member with the same name; otherwise this message gets another name */
  mayReplace?: boolean;
  /** the stage that refers to it instead of the rooms: placing.ts */
  stage?: number;
}

/** A row of `message` with the size of its body, without the MIME structure. */
export interface StoredMessage {
  id: number;
  msgid: string;
  time: number;
  format: number;
  author: string;
  author_user: number | null;
  path: string;
  address: string;
  anonymous: Anonymity;
  room: string;
  recipients: string;
  cc: string;
  euid: string;
  refs: string;
  subject: string;
  blob: number;
  size: number;
}

/** The same, as a room has it. */
export interface MessageInRoom extends StoredMessage {
  /** Unix time when it arrived or got its name; 0 if unknown */
  stored: number;
}

/** upper bound for queries: SQLite has no infinite integer */
export const HIGHEST_NUMBER = Number.MAX_SAFE_INTEGER;

/** The author of messages from the server itself. */
const SYSTEM_AUTHOR = 'Vestibule';

/** of a StoredMessage, from message `m` and blob `b` */
export const MESSAGE_COLUMNS = `m.id, m.msgid, m.time, m.format, m.author, m.author_user, m.path, m.address,
  m.anonymous, m.room, m.recipients, m.cc, m.exti AS euid, m.refs, m.subject, m.blob, b.size`;
const IN_ROOM = `FROM room_message rm JOIN message m ON m.id = rm.message JOIN blob b ON b.id = m.blob
  WHERE rm.room = ? AND rm.message = ?`;

/** Stores the message with its references from rooms, as one durable unit. Returns its number. Throws Refusal 513. */
export function saveMessage(store: Store, m: StorableMessage): number {
  return store.transaction(() => {
    const blob = m.body.link();
    const posted = now();
    const time = m.time ?? posted;
    const id = nextNumber(store);
    const msgid = m.msgid ? clean(m.msgid) : `${hex(posted)}-${hex(id)}@${nodeName(store)}`;
    const author = headerText(m.author);
    const subject = headerText(m.subject);
    const euid = clean(m.euid ?? '');
    const structure = m.body.structure;
    const anonymous = m.anonymous ?? (hidesAuthor(store, m) ? 'only' : 'no');
    store.run`INSERT INTO message (id, msgid, time, format, author, author_user, path, address, anonymous, room,
      recipients, cc, exti, refs, subject, blob, parts) VALUES (${id}, ${msgid}, ${time}, ${m.format}, ${author},
      ${m.authorUser ?? null}, ${clean(m.path)}, ${clean(m.address)}, ${anonymous}, ${clean(m.room)},
      ${clean(m.recipients ?? '')}, ${clean(m.cc ?? '')}, ${euid}, ${clean(m.references ?? '')}, ${subject}, ${blob},
      ${structure ? JSON.stringify(structure, boundedField) : ''})`;
    const chunks = m.body.chunks?.();
    const { size, object } = m.body;
    const facts = factsFrom(store, { blob, chunks, object, size, format: m.format, structure, subject, time });
    storeFacts(store, id, facts);
    indexMessage(store, {
      id,
      blob,
      chunks,
      object,
      format: m.format,
      structure,
      subject,
      author: anonymous === 'no' ? author : '',
      rooms: m.rooms,
    });
    if (m.stage !== undefined) {
      const insert = store.prepare('INSERT INTO room_message (room, message, exti) VALUES (?, ?, ?)');
      insert.run(m.stage, id, euid);
    } else {
      const arrival = { mayReplace: m.mayReplace, stored: m.msgid ? broughtTime(m, id, facts) : undefined };
      for (const room of new Set(m.rooms)) addNew(store, room, id, euid, facts, arrival);
    }
    return id;
  });
}

/** When an imported message was stored on its server, if known: the time of an event is its start. */
function broughtTime({ msgid, time }: StorableMessage, id: number, { starts }: MessageFacts): number | undefined {
  return storedTimeFrom(msgid, id) ?? (starts === null ? time : undefined);
}

/** Whether a message made from something else, a file or an old version, must hide its author as a post would. */
function hidesAuthor(store: Store, { authorUser, rooms }: StorableMessage): boolean {
  return authorUser !== undefined && rooms.some((id) => isAnonymousRoom(roomById(store, id)));
}

export function isAnonymousRoom(room: StoredRoom | undefined): boolean {
  return ((room?.flags ?? 0) & ROOM_FLAG.anonymousOnly) !== 0;
}

/** Posts a text message from the server in a room. Returns its number. */
export function postNotice(store: Store, roomId: number, subject: string, text: string): number {
  const body = Buffer.from(`${MIME_VERSION}\nContent-type: text/plain; charset=utf-8\n\n${text.trimEnd()}\n`);
  return saveMessage(store, {
    format: FORMAT.mime,
    author: SYSTEM_AUTHOR,
    path: SYSTEM_AUTHOR,
    address: '',
    room: fullName(roomById(store, roomId)!),
    subject,
    body: finishedBody(store, FORMAT.mime, body),
    rooms: [roomId],
  });
}

/** The message if this room refers to it. */
export function messageInRoom(store: Store, roomId: number, msgnum: number): MessageInRoom | undefined {
  return store.prepare(`SELECT ${MESSAGE_COLUMNS}, rm.stored ${IN_ROOM}`).get(roomId, msgnum) as
    | MessageInRoom
    | undefined;
}

/** Whether the room holds a message with one of these message ids. */
export function isAnyInRoom(store: Store, roomId: number, msgids: readonly string[]): boolean {
  // In this order: a room may hold very many, and few have one id.
  const sql = `SELECT 1 FROM message m CROSS JOIN room_message rm ON rm.message = m.id
    WHERE m.msgid IN (SELECT value FROM json_each(?)) AND rm.room = ? LIMIT 1`;
  return store.prepare(sql).get(JSON.stringify(msgids), roomId) !== undefined;
}

/** The message, in whatever room: does not check rights. */
export function messageByNumber(store: Store, msgnum: number): StoredMessage | undefined {
  return store
    .prepare(`SELECT ${MESSAGE_COLUMNS} FROM message m JOIN blob b ON b.id = m.blob WHERE m.id = ?`)
    .get(msgnum) as StoredMessage | undefined;
}

/** Size of the body; 0 if there is no such message. */
export function bodyBytes(store: Store, msgnum: number): number {
  const row = store.get`SELECT b.size FROM message m JOIN blob b ON b.id = m.blob WHERE m.id = ${msgnum}`;
  return Number(row?.size ?? 0);
}

/** MIME structure of a stored message; undefined for formats without. */
export function structureOf(store: Store, msgnum: number): MimePart | undefined {
  const row = store.get<{ parts: string }>`SELECT parts FROM message WHERE id = ${msgnum}`;
  return row && structureIn(row);
}

const FROM_ROOM = 'FROM room_message rm JOIN message m ON m.id = rm.message';

/** Selects messages of a room whose numbers lie in a range, at most `limit`, ascending or from the highest down. */
function inRange<Row>(select: string, order: '' | 'DESC' = '') {
  const sql = `SELECT ${select} WHERE rm.room = ? AND rm.message BETWEEN ? AND ? ORDER BY rm.message ${order} LIMIT ?`;
  return (store: Store, roomId: number, { low, high }: NumberRange, limit: number): Row[] =>
    store.rows<Row>(sql, roomId, low, Math.min(high, HIGHEST_NUMBER), limit);
}

export const messagesInRoom = inRange<StoredMessage>(`${MESSAGE_COLUMNS} ${FROM_ROOM} JOIN blob b ON b.id = m.blob`);

export const numbersInRoom = inRange<{ id: number }>('rm.message AS id FROM room_message rm');

export const idsInRoom = inRange<Pick<StoredMessage, 'id' | 'euid' | 'time'>>(
  `m.id, m.exti AS euid, m.time ${FROM_ROOM}`,
);

/** The columns of a message that lists show; without the body's row, which is far away from it. */
export type ListedMessage = Pick<
  StoredMessage,
  'id' | 'msgid' | 'time' | 'author' | 'path' | 'address' | 'anonymous' | 'room' | 'refs' | 'subject'
>;

const LISTED = 'm.id, m.msgid, m.time, m.author, m.path, m.address, m.anonymous, m.room, m.refs, m.subject';

export const listedInRoom = inRange<ListedMessage>(`${LISTED} ${FROM_ROOM}`);
export const highestListedInRoom = inRange<ListedMessage>(`${LISTED} ${FROM_ROOM}`, 'DESC');

/** The lowest number of the room that is in one of the ranges, which ascend. One statement: thousands may be empty. */
export function firstInRanges(store: Store, roomId: number, ranges: readonly NumberRange[]): number | undefined {
  const ends = ranges.map(({ low, high }) => [low, Math.min(high, HIGHEST_NUMBER)]);
  const sql = `SELECT rm.message AS id FROM json_each(?) r CROSS JOIN room_message rm
    WHERE rm.room = ? AND rm.message BETWEEN r.value ->> 0 AND r.value ->> 1 LIMIT 1`;
  const row = store.prepare(sql).get(JSON.stringify(ends), roomId) as { id: number } | undefined;
  return row?.id;
}

/** The number of the message that is the `count`th from the end; undefined when there are fewer. */
export function numberFromEnd(store: Store, roomId: number, count: number): number | undefined {
  const row = store.get<{ id: number }>`SELECT message AS id FROM room_message WHERE room = ${roomId}
    ORDER BY message DESC LIMIT 1 OFFSET ${count - 1}`;
  return row?.id;
}

/** The number the next message gets. Numbers are never reused, so it is the counter of the table that decides. */
export function nextNumber(store: Store): number {
  const row = store.get<{ seq: number }>`SELECT seq FROM sqlite_sequence WHERE name = 'message'`;
  return (row?.seq ?? 0) + 1;
}

/** For JSON.stringify of a MIME structure: truncates long values of the author, and omits unused fields. */
function boundedField(key: string, value: unknown): unknown {
  if (key === 'params') return {};
  return typeof value === 'string' ? value.slice(0, MAX_PART_FIELD_CHARACTERS) : value;
}

/** Text of a header field: one line, bounded, RFC 2047 encoded if not ASCII. Existing encoded words stay. */
function headerText(text: string): string {
  const given = clean(text).trim();
  const line = /[^\t -~]/.test(given) ? decodeWords(given) : given;
  if (Buffer.byteLength(line) <= MAX_HEADER_TEXT_BYTES) return encodeWords(line);
  return encodeWords([...line].slice(0, Math.floor(MAX_HEADER_TEXT_BYTES / 4)).join(''));
}

function clean(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ');
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(8, '0');
}

/** Messages of a room with this subject as stored, in any ASCII case, ascending. It is not empty. */
export function messagesBySubject(
  store: Store,
  roomId: number,
  subject: string,
  range: NumberRange,
  limit: number,
): StoredMessage[] {
  return store
    .prepare(
      `SELECT ${MESSAGE_COLUMNS} FROM message m CROSS JOIN room_message rm ON rm.room = ? AND rm.message = m.id
       JOIN blob b ON b.id = m.blob
       WHERE m.subject = ? COLLATE NOCASE AND m.subject <> '' AND m.id BETWEEN ? AND ? ORDER BY m.id LIMIT ?`,
    )
    .all(roomId, subject, range.low, Math.min(range.high, HIGHEST_NUMBER), limit) as unknown as StoredMessage[];
}

/** The messages with these numbers that are in the room, ascending. */
export function listedByNumber(store: Store, roomId: number, msgnums: readonly number[]): ListedMessage[] {
  return store.rows<ListedMessage>(
    `SELECT ${LISTED} ${FROM_ROOM} WHERE rm.room = ? AND rm.message IN (SELECT value FROM json_each(?))
     ORDER BY rm.message`,
    roomId,
    JSON.stringify(msgnums),
  );
}

/** The messages with these numbers, in any room, by number. */
export function listedMessages(store: Store, msgnums: readonly number[]): Map<number, ListedMessage> {
  const rows = store.rows<ListedMessage>(
    `SELECT ${LISTED} FROM message m WHERE m.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(msgnums),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Messages of a room from a number on whose extent meets the range, and those without one, ascending. */
export function messagesMeeting(
  store: Store,
  roomId: number,
  range: { start: number; end: number },
  low: number,
  limit: number,
): Pick<StoredMessage, 'id' | 'blob'>[] {
  return store.rows<Pick<StoredMessage, 'id' | 'blob'>>(
    `SELECT m.id, m.blob ${FROM_ROOM} WHERE rm.room = ? AND rm.message >= ?
     AND (rm.ends IS NULL OR rm.ends >= ? AND rm.starts <= ?)
     ORDER BY rm.message LIMIT ?`,
    roomId,
    low,
    range.start,
    range.end,
    limit,
  );
}
