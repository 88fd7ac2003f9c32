// Messages in the store: saving, loading, referencing from rooms, removing (spec section 11). A message exists once;
// rooms refer to it; with its last reference it goes, with its body and its entry in the index. Called by all verbs that
// read or change messages, and by store set-up and room removal.

import { MAX_PART_FIELD_CHARACTERS, MAX_SUBJECT_BYTES } from '../limits.ts';
import { encodeWords } from '../mime/encoded-words.ts';
import type { MimePart } from '../mime/walk.ts';
import { VIEW } from '../model.ts';
import type { NumberRange } from '../protocol/sequence-set.ts';
import { type BodyWriter, wholeBody } from './bodies.ts';
import { now } from './clock.ts';
import { fullName, roomById, updateRoomContents } from './rooms.ts';
import { indexMessage, unindexMessage } from './search-index.ts';
import { nodeName } from './settings.ts';
import type { Store } from './store.ts';

export type Anonymity = 'no' | 'only' | 'option';

export interface NewMessage {
  /** 0 variable, 1 fixed, 4 MIME */
  format: number;
  /** display name */
  author: string;
  authorUser?: number | undefined;
  path: string;
  address: string;
  anonymous?: Anonymity;
  /** full name of the room where it was posted */
  room: string;
  recipients?: string;
  cc?: string;
  exti?: string;
  /** message ids without brackets, bars between */
  references?: string;
  subject: string;
  /** Unix time shown; by default the time of saving */
  time?: number | undefined;
  /** finished, but not linked yet */
  body: BodyWriter;
  /** ids of the rooms that refer to it */
  rooms: readonly number[];
}

/** A row of `message` with the size of its body, without the MIME structure. */
export interface MessageRow {
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
  exti: string;
  refs: string;
  subject: string;
  blob: number;
  size: number;
}

/** what a bound of a query may be: SQLite knows no integer Infinity */
const HIGHEST_NUMBER = Number.MAX_SAFE_INTEGER;

/** The author of what the server itself says. */
const SYSTEM_AUTHOR = 'Vestibule';

/** Rooms where a message replaces the one with the same exclusive id. */
const REPLACING_VIEWS: ReadonlySet<number> = new Set([
  VIEW.addressBook,
  VIEW.calendar,
  VIEW.tasks,
  VIEW.notes,
  VIEW.wiki,
  VIEW.blog,
]);

const COLUMNS = `m.id, m.msgid, m.time, m.format, m.author, m.author_user, m.path, m.address, m.anonymous, m.room,
  m.recipients, m.cc, m.exti, m.refs, m.subject, m.blob, b.size`;
const IN_ROOM = `FROM room_message rm JOIN message m ON m.id = rm.message JOIN blob b ON b.id = m.blob
  WHERE rm.room = ? AND rm.message = ?`;

/** Stores the message and refers to it from its rooms, as one durable unit. Answers its number. Throws Refusal 510. */
export function saveMessage(store: Store, m: NewMessage): number {
  return store.transaction(() => {
    const blob = m.body.link();
    const posted = now();
    const id = nextNumber(store);
    const msgid = `${hex(posted)}-${hex(id)}@${nodeName(store)}`;
    const author = headerText(m.author);
    const subject = headerText(m.subject);
    const exti = clean(m.exti ?? '');
    const structure = m.body.structure;
    store
      .prepare(
        `INSERT INTO message (id, msgid, time, format, author, author_user, path, address, anonymous, room, recipients,
           cc, exti, refs, subject, blob, parts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        msgid,
        m.time ?? posted,
        m.format,
        author,
        m.authorUser ?? null,
        clean(m.path),
        clean(m.address),
        m.anonymous ?? 'no',
        clean(m.room),
        clean(m.recipients ?? ''),
        clean(m.cc ?? ''),
        exti,
        clean(m.references ?? ''),
        subject,
        blob,
        structure ? JSON.stringify(structure, boundedField) : '',
      );
    const isAnonymous = (m.anonymous ?? 'no') !== 'no';
    indexMessage(store, { id, blob, format: m.format, structure, subject, author: isAnonymous ? '' : author });
    for (const room of new Set(m.rooms)) addToRoom(store, room, id, exti);
    return id;
  });
}

/** A notice of the server itself in a room, as a text message. Answers its number. */
export function postNotice(store: Store, roomId: number, subject: string, text: string): number {
  const body = Buffer.from(`Content-type: text/plain; charset=utf-8\n\n${text.replace(/\n*$/, '\n')}`);
  return saveMessage(store, {
    format: 4,
    author: SYSTEM_AUTHOR,
    path: SYSTEM_AUTHOR,
    address: '',
    room: fullName(roomById(store, roomId)!),
    subject,
    body: wholeBody(store, 4, body),
    rooms: [roomId],
  });
}

/** The message if this room refers to it. */
export function messageInRoom(store: Store, roomId: number, msgnum: number): MessageRow | undefined {
  return store.prepare(`SELECT ${COLUMNS} ${IN_ROOM}`).get(roomId, msgnum) as MessageRow | undefined;
}

/** MIME structure of a stored message; undefined for formats without. */
export function structureOf(store: Store, msgnum: number): MimePart | undefined {
  const row = store.prepare('SELECT parts FROM message WHERE id = ?').get(msgnum) as { parts: string } | undefined;
  return row?.parts ? (JSON.parse(row.parts) as MimePart) : undefined;
}

export function isInRoom(store: Store, roomId: number, msgnum: number): boolean {
  return store.prepare('SELECT 1 FROM room_message WHERE room = ? AND message = ?').get(roomId, msgnum) !== undefined;
}

/** Number of the message with this exclusive id in the room; case matters. */
export function messageByExti(store: Store, roomId: number, exti: string): number | undefined {
  const row = store
    .prepare("SELECT max(message) AS message FROM room_message WHERE room = ? AND exti = ? AND exti <> ''")
    .get(roomId, exti) as { message: number | null };
  return row.message ?? undefined;
}

/** Messages of a room whose numbers lie in the range, ascending, at most `limit`. */
export function messagesInRoom(store: Store, roomId: number, range: NumberRange, limit: number): MessageRow[] {
  return store
    .prepare(
      `SELECT ${COLUMNS} FROM room_message rm JOIN message m ON m.id = rm.message JOIN blob b ON b.id = m.blob
       WHERE rm.room = ? AND rm.message BETWEEN ? AND ? ORDER BY rm.message LIMIT ?`,
    )
    .all(roomId, range.low, Math.min(range.high, HIGHEST_NUMBER), limit) as unknown as MessageRow[];
}

/** Only the numbers of the same. */
export function numbersInRoom(store: Store, roomId: number, range: NumberRange, limit: number): { id: number }[] {
  return store
    .prepare(
      'SELECT message AS id FROM room_message WHERE room = ? AND message BETWEEN ? AND ? ORDER BY message LIMIT ?',
    )
    .all(roomId, range.low, Math.min(range.high, HIGHEST_NUMBER), limit) as { id: number }[];
}

/** The highest number in the room that is below `msgnum`. */
export function numberBefore(store: Store, roomId: number, msgnum: number): number | undefined {
  const row = store
    .prepare('SELECT max(message) AS id FROM room_message WHERE room = ? AND message < ?')
    .get(roomId, msgnum) as { id: number | null };
  return row.id ?? undefined;
}

/** The number of the message that is the `count`th from the end; undefined when there are fewer. */
export function numberFromEnd(store: Store, roomId: number, count: number): number | undefined {
  const row = store
    .prepare('SELECT message AS id FROM room_message WHERE room = ? ORDER BY message DESC LIMIT 1 OFFSET ?')
    .get(roomId, count - 1) as { id: number } | undefined;
  return row?.id;
}

/** Refers to a stored message from one more room. Call inside a transaction. */
export function copyToRoom(store: Store, roomId: number, msgnum: number): void {
  const row = store.prepare('SELECT exti FROM message WHERE id = ?').get(msgnum) as { exti: string };
  addToRoom(store, roomId, msgnum, row.exti);
}

/** Takes messages out of a room, and out of the store where it was the last reference. Answers how many were there. */
export function removeFromRoom(store: Store, roomId: number, msgnums: readonly number[]): number {
  return store.transaction(() => {
    const remove = store.prepare('DELETE FROM room_message WHERE room = ? AND message = ?');
    const removed = msgnums.filter((msgnum) => remove.run(roomId, msgnum).changes > 0);
    if (removed.length > 0) {
      for (const msgnum of removed) dropUnreferenced(store, msgnum);
      countRoom(store, roomId, -removed.length);
    }
    return removed.length;
  });
}

/** Takes all messages out of a room that is going to be deleted. */
export function dropRoomMessages(store: Store, roomId: number): void {
  store.transaction(() => {
    const rows = store.prepare('SELECT message FROM room_message WHERE room = ?').all(roomId);
    removeFromRoom(
      store,
      roomId,
      rows.map((row) => Number(row.message)),
    );
  });
}

function addToRoom(store: Store, roomId: number, msgnum: number, exti: string): void {
  const room = roomById(store, roomId)!;
  if (exti !== '' && REPLACING_VIEWS.has(room.view)) {
    const old = messageByExti(store, roomId, exti);
    if (old !== undefined && old !== msgnum) removeFromRoom(store, roomId, [old]);
  }
  const { changes } = store
    .prepare('INSERT OR IGNORE INTO room_message (room, message, exti) VALUES (?, ?, ?)')
    .run(roomId, msgnum, exti);
  if (changes > 0) countRoom(store, roomId, 1);
}

function countRoom(store: Store, roomId: number, added: number): void {
  const row = store.prepare('SELECT max(message) AS highest FROM room_message WHERE room = ?').get(roomId) as {
    highest: number | null;
  };
  updateRoomContents(store, roomId, {
    highest: row.highest ?? 0,
    total: roomById(store, roomId)!.total + added,
    changed: now(),
  });
}

function dropUnreferenced(store: Store, msgnum: number): void {
  if (store.prepare('SELECT 1 FROM room_message WHERE message = ? LIMIT 1').get(msgnum)) return;
  const row = store.prepare('DELETE FROM message WHERE id = ? RETURNING blob').get(msgnum) as { blob: number };
  store.prepare('DELETE FROM blob WHERE id = ?').run(row.blob);
  unindexMessage(store, msgnum);
}

/** The number the next message gets. Numbers are never reused, so it is the counter of the table that decides. */
export function nextNumber(store: Store): number {
  const row = store.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'message'").get() as
    | { seq: number }
    | undefined;
  return (row?.seq ?? 0) + 1;
}

/** For JSON.stringify of a MIME structure: what its author could make long is cut, what nobody reads is left out. */
function boundedField(key: string, value: unknown): unknown {
  if (key === 'params') return {};
  return typeof value === 'string' ? value.slice(0, MAX_PART_FIELD_CHARACTERS) : value;
}

/** Text of a header field: one line, bounded, RFC 2047 encoded if not ASCII. Ready-made encoded words stay. */
function headerText(text: string): string {
  const line = clean(text).trim();
  if (Buffer.byteLength(line) <= MAX_SUBJECT_BYTES) return encodeWords(line);
  return encodeWords([...line].slice(0, Math.floor(MAX_SUBJECT_BYTES / 4)).join(''));
}

function clean(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ');
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(8, '0');
}
