// MEMB read, contents and quota (protocol section 21.6): one member with all that a GET needs, the contents of many
// calendar objects and cards, and the space that a collection uses.

import { statfsSync } from 'node:fs';
import {
  BACKEND_CONTENTS_BYTES,
  BACKEND_LIST_PAGE_ROWS,
  MAX_CONTENT_WITH_MEMBER_BYTES,
  MAX_CONTENTS_AT_ONCE,
  MAX_OBJECT_BYTES,
} from '../../../limits/backend.ts';
import { parseHeaders } from '../../../mime/headers.ts';
import { isLeaf } from '../../../mime/part.ts';
import { CONTENT_FIELDS, sentForm } from '../../../mime/stored-content.ts';
import type { MimePart } from '../../../mime/walk.ts';
import { toInt } from '../../../protocol/fields.ts';
import { storedTimeFrom } from '../../../protocol/message-fields.ts';
import type { Steps } from '../../../system/steps.ts';
import { learnMembers } from '../../content/learning.ts';
import { headerLines } from '../../content/message-header.ts';
import { internetMessage } from '../../content/readable-message.ts';
import { storedScheduleTag } from '../../content/scheduling.ts';
import { readableRoom, requireUser } from '../../session/access.ts';
import { binaryStart, inPieces, LISTING_END, listingStart, type Reply, whole } from '../../session/reply.ts';
import { type Session, withTurns } from '../../session/session.ts';
import { BodyChunks, readBlob } from '../../store/bodies.ts';
import { memberNumber } from '../../store/members.ts';
import { asField, decodedPart, findPart, partLines, structureIn } from '../../store/message-part.ts';
import { type MessageInRoom, messageInRoom, type StoredMessage, structureOf } from '../../store/messages.ts';
import { FORMAT, type StoredRoom } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Store } from '../../store/store.ts';

/**
 * `read|name|name…` → `600 LENGTH|number|tag|bytes of lines|bytes of headers|filename|type|charset|stored` and the
 * bytes of the first of them in the room: the lines of `MSG0 n|1`, of `MSG2 n|1`, and its content. The next fields are
 * those of DLAT, empty if the content is not sent; the last is the time when it got its name, if its
 * id has another one. 575
 */
export function readOne(session: Session, names: readonly string[]): Reply | Promise<Reply> {
  return withTurns(session, reading(session, names));
}

function* reading(session: Session, names: readonly string[]): Steps<Reply> {
  try {
    yield* learnMembers(session.store, readableRoom(session));
  } catch (error) {
    // a full disk still allows reading, by message numbers
    if (!(error instanceof Refusal) || error.reason !== 'storage') throw error;
  }
  return memberOf(session, readableRoom(session), names);
}

function memberOf(session: Session, room: StoredRoom, names: readonly string[]): Reply {
  const { store } = session;
  for (const name of names) {
    const msgnum = name === '' ? undefined : memberNumber(store, room.id, name);
    const row = msgnum === undefined ? undefined : messageInRoom(store, room.id, msgnum);
    if (row) return answerMember(session, row);
  }
  throw new Refusal('noSuchMessage', 'There is no such member.');
}

function answerMember(session: Session, row: MessageInRoom): Reply {
  const { store } = session;
  const structure = structureOf(store, row.id);
  const lines = Buffer.from(`type=${row.format}\n${headerLines(session, row)}${structure ? partLines(structure) : ''}`);
  const headers = Buffer.concat([...internetMessage(session, row, structure, 1)]);
  const content = structure && smallContent(store, row, structure);
  const ofContent = content ? [structure.filename, structure.type, structure.charset].map(asField) : ['', '', ''];
  const bytes = Buffer.concat([lines, headers, ...(content ? [content] : [])]);
  const tag = (session.user && storedScheduleTag(store, row.id)) ?? '';
  const isInId = row.stored === (storedTimeFrom(row.msgid, row.id) ?? 0);
  const time = isInId || row.stored === 0 ? [] : [row.stored];
  const start = binaryStart(bytes.length, row.id, tag, lines.length, headers.length, ...ofContent, ...time);
  return whole([Buffer.from(start), bytes], bytes.length);
}

/** The decoded content of a message that is one part. */
function smallContent(store: Store, row: StoredMessage, part: MimePart): Buffer | undefined {
  const isOnly = isLeaf(part) && !/^(?:multipart|message)\//.test(part.type);
  if (!isOnly || part.decodedLength < 0 || part.decodedLength > MAX_CONTENT_WITH_MEMBER_BYTES) return undefined;
  return Buffer.concat([...decodedPart(store, row, part)]);
}

/**
 * `contents|n,n,…` → `600 LENGTH|count|n|length|n|length…` and the contents in order, for the first `count` numbers.
 * Those of them without a content are missing, too large or no objects; the other numbers must be asked for again.
 */
export function contents(session: Session, numbers: string): Reply {
  const room = readableRoom(session);
  const asked = numbers.split(',').slice(0, MAX_CONTENTS_AT_ONCE).map(toInt);
  return { stream: answerContents(session.store, room.id, asked) };
}

/** Yields empty pieces at first, because a structure may describe thousands of parts. */
function* answerContents(store: Store, roomId: number, asked: readonly number[]): Generator<string | Buffer> {
  const pieces: Buffer[] = [];
  const fields: number[] = [];
  let length = 0;
  let answered = 0;
  for (const msgnum of asked) {
    yield '';
    const left = answered === 0 ? MAX_OBJECT_BYTES : BACKEND_CONTENTS_BYTES - length;
    const content = contentOf(store, roomId, msgnum, left);
    if (content === 'full') break;
    answered++;
    if (!content) continue;
    pieces.push(content);
    fields.push(msgnum, content.length);
    length += content.length;
  }
  yield binaryStart(length, answered, ...fields);
  yield Buffer.concat(pieces);
}

const ASKED = `SELECT m.blob, m.format, m.parts FROM room_message rm JOIN message m ON m.id = rm.message
  WHERE rm.room = ? AND rm.message = ?`;

/** undefined: missing, too large, or not sent as it is; `full`: it does not fit into `left` bytes */
function contentOf(store: Store, roomId: number, msgnum: number, left: number): Buffer | 'full' | undefined {
  const row = store.prepare(ASKED).get(roomId, msgnum) as { blob: number; format: number; parts: string } | undefined;
  const structure = row?.format === FORMAT.mime ? structureIn(row) : undefined;
  if (!row || !structure) return undefined;
  const chunks = new BodyChunks(store, row.blob);
  const block = Buffer.concat([...readBlob(store, row.blob, 0, structure.start, chunks)]);
  const form = sentForm(parseHeaders(block, CONTENT_FIELDS), String(row.format), true);
  const part = form.lines ? undefined : findPart(structure, form.part);
  if (!part || part.decodedLength < 0 || part.decodedLength > MAX_OBJECT_BYTES) return undefined;
  if (part.decodedLength > left) return 'full';
  return Buffer.concat([...decodedPart(store, { blob: row.blob, chunks }, part)]);
}

/**
 * `quota` → a row `used|available` in bytes: of the current room, including bodies shared with other rooms;
 * `quota|all` → of the database. The only limit is the disk. 520, 550.
 */
export function quota(session: Session, scope: string): Reply {
  requireUser(session);
  const { store } = session;
  if (scope === 'all') {
    const [used] = databaseBytes(store);
    return `${listingStart('Quota:')}${used}|${availableBytes(store)}\n${LISTING_END}`;
  }
  return inPieces(listingStart('Quota:'), ofRoom(store, readableRoom(session).id));
}

/** In pieces, because a room may have very many messages. */
function* ofRoom(store: Store, roomId: number): Generator<string> {
  const page = `SELECT rm.message, b.size FROM room_message rm JOIN message m ON m.id = rm.message
    JOIN blob b ON b.id = m.blob WHERE rm.room = ? AND rm.message > ? ORDER BY rm.message LIMIT ?`;
  let used = 0;
  for (let after = 0; ; ) {
    const rows = store.rows<{ message: number; size: number }>(page, roomId, after, BACKEND_LIST_PAGE_ROWS);
    for (const { size } of rows) used += size;
    if (rows.length < BACKEND_LIST_PAGE_ROWS) break;
    after = rows.at(-1)!.message;
    yield '';
  }
  yield `${used}|${availableBytes(store)}\n`;
}

/** Used, and free inside of the file. */
function databaseBytes(store: Store): [used: number, free: number] {
  const pragma = (name: string) => Number(Object.values(store.db.prepare(`PRAGMA ${name}`).get()!)[0]);
  const free = pragma('freelist_count');
  const size = pragma('page_size');
  return [(pragma('page_count') - free) * size, free * size];
}

/** Free space on the disk, and free pages of the database. */
function availableBytes(store: Store): number {
  const { bavail, bsize } = statfsSync(store.folder);
  return bavail * bsize + databaseBytes(store)[1];
}
