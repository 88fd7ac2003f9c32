// The full-text index (FTS5 table message_text): updated in the transaction of the message, searched by room and words.

import {
  MAX_EXCERPT_INPUT_BYTES,
  MAX_INDEXED_TEXT_BYTES,
  MAX_INDEXED_WORDS_BYTES,
  MAX_LATE_INDEXED,
  MAX_SEARCH_ROOM_WORDS,
} from '../../limits/backend.ts';
import { decodeText } from '../../mime/coding/charset.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { contentParts, isLeaf } from '../../mime/part.ts';
import { isSearchable, messageText, searchableText } from '../../mime/readable.ts';
import { mayHoldMessage, unpack } from '../../mime/unpack.ts';
import { type MimePart, walk } from '../../mime/walk.ts';
import { indexedText, searchTerms } from '../../protocol/search-words.ts';
import { BodyChunks, readBlob } from './bodies.ts';
import { partBytes, type StoredBody, structureIn, textFrom } from './message-part.ts';
import { FORMAT, type StoredRoom } from './records.ts';
import type { Store } from './store.ts';

interface IndexedContent extends StoredBody {
  format: number;
  structure: MimePart | undefined;
  subject: string;
  /** '' for anonymous messages: a search must not reveal their authors */
  author: string;
}

/** A message as it is indexed. */
interface IndexedMessage extends IndexedContent {
  id: number;
  /** the rooms that refer to it */
  rooms: readonly number[];
}

/** up to so many hits, looking up their rooms is faster than naming the rooms in the query */
const FEW_HITS = 200;
/** of a unit of UTF-16 */
const MOST_UTF8_BYTES = 3;

/** Text, subject and author as indexed. */
function textsOf(store: Store, m: IndexedContent): [string, string, string] {
  return [bounded(bodyText(store, m)), indexedText(decodeWords(m.subject)), indexedText(decodeWords(m.author))];
}

/** The indexed start of a text; letter pairs are longer than their letters. */
function bounded(text: string): string {
  const words = indexedText(text.slice(0, MAX_INDEXED_WORDS_BYTES));
  if (words.length * MOST_UTF8_BYTES <= MAX_INDEXED_WORDS_BYTES) return words;
  return Buffer.from(words).subarray(0, MAX_INDEXED_WORDS_BYTES).toString();
}

/**
 * Adds a message to the index, inside the transaction that stores it. Index rows are written together at its end:
 * between statements on other tables, FTS5 would write a segment for each message.
 */
export function indexMessage(store: Store, m: IndexedMessage): void {
  const { toIndex } = store.caches;
  toIndex.set(m.id, [...textsOf(store, m), m.rooms.map(roomWord).join(' ')]);
  store.atEnd('index', () => writeIndex(store));
  store.onRollback(() => toIndex.clear());
  if (toIndex.size >= MAX_LATE_INDEXED) writeIndex(store);
}

function writeIndex(store: Store): void {
  const { toIndex } = store.caches;
  const insert = store.prepare('INSERT INTO message_text (rowid, body, subject, author, rooms) VALUES (?, ?, ?, ?, ?)');
  for (const [id, row] of toIndex) insert.run(id, ...row);
  toIndex.clear();
}

/**
 * Call it when a message is added to a room, or is about to be (`coming`): the index stores no text that a room could
 * be appended to, so the message is indexed again.
 */
export function reindexMessage(store: Store, msgnum: number, coming?: number): void {
  const found = store.all`SELECT room FROM room_message WHERE message = ${msgnum}`;
  const rooms = found.map(({ room }) => Number(room));
  if (coming !== undefined) rooms.push(coming);
  unindexMessage(store, msgnum);
  indexMessage(store, { ...storedContent(store, msgnum), id: msgnum, rooms });
}

/** Text, subject and author of a stored message as they should be indexed. */
export function storedTexts(store: Store, msgnum: number): [string, string, string] {
  return textsOf(store, storedContent(store, msgnum));
}

function storedContent(store: Store, msgnum: number): IndexedContent {
  type Row = Omit<IndexedContent, 'structure'> & { anonymous: string; parts: string };
  const row = store.get<Row>`SELECT blob, format, subject, author, anonymous, parts FROM message WHERE id = ${msgnum}`!;
  return {
    ...row,
    author: row.anonymous === 'no' ? row.author : '',
    structure: structureIn(row),
  };
}

/** Removes a message from the index. Inside the transaction that removes it. */
export function unindexMessage(store: Store, msgnum: number): void {
  if (store.caches.toIndex.delete(msgnum)) return;
  store.run`DELETE FROM message_text WHERE rowid = ${msgnum}`;
}

/**
 * Messages in these rooms with all the words, the latest first. The rooms are part of the index query: a common word is
 * in so many messages of other users that looking up the room of each would take longer the more others write. With
 * very many rooms hits come soon anyway, and a rare word has few.
 */
export function searchHits(
  store: Store,
  rooms: readonly StoredRoom[],
  words: string,
  limit: number,
): { room: number; message: number }[] {
  const query = indexQuery(store, rooms, words);
  if (query === '') return [];
  // `+`: looks up the rooms of a message once, instead of testing each room
  return store.all<{ room: number; message: number }>`SELECT rm.room, rm.message FROM message_text t
    CROSS JOIN room_message rm ON rm.message = t.rowid WHERE message_text MATCH ${query}
    AND +rm.room IN (SELECT value FROM json_each(${idsOf(rooms)})) ORDER BY t.rowid DESC LIMIT ${limit}`;
}

/** The start of the text of a message that a search considers. */
export function searchedText(store: Store, msgnum: number): string {
  return bodyText(store, storedContent(store, msgnum), MAX_EXCERPT_INPUT_BYTES);
}

/** Numbers of the messages with all the words in these rooms, ascending; of very many the latest `limit`. */
export function searchNumbers(store: Store, rooms: readonly StoredRoom[], words: string, limit: number): number[] {
  const query = indexQuery(store, rooms, words);
  if (query === '') return [];
  const rows = store.rows<{ id: number }>(
    `SELECT t.rowid AS id FROM message_text t WHERE message_text MATCH ? AND EXISTS (
       SELECT 1 FROM room_message rm WHERE rm.message = t.rowid AND +rm.room IN (SELECT value FROM json_each(?)))
     ORDER BY t.rowid DESC LIMIT ?`,
    query,
    idsOf(rooms),
    limit,
  );
  return rows.map(({ id }) => id).reverse();
}

/** The query of the full-text index; '' finds nothing. It may also find messages of other rooms. */
export function indexQuery(store: Store, rooms: readonly StoredRoom[], words: string, isLastBegun = false): string {
  const terms = searchTerms(words, isLastBegun);
  // With very many empty rooms the index would be searched for nothing.
  const filled = rooms.filter(({ total }) => total > 0);
  if (terms.length === 0 || filled.length === 0) return '';
  const query = inTexts(terms);
  if (filled.length > MAX_SEARCH_ROOM_WORDS || terms.some((term) => isRare(store, term))) return query;
  return `rooms : (${filled.map(({ id }) => roomWord(id)).join(' OR ')}) AND ${query}`;
}

function idsOf(rooms: readonly StoredRoom[]): string {
  return JSON.stringify(rooms.map(({ id }) => id));
}

/** Whether it is a single word that few messages have. */
function isRare(store: Store, term: string): boolean {
  if (!/^"\S+"$/.test(term)) return false;
  const query = inTexts([term]);
  const hits = store.all`SELECT rowid FROM message_text WHERE message_text MATCH ${query} LIMIT ${FEW_HITS + 1}`;
  return hits.length <= FEW_HITS;
}

/** The query for messages with all the terms, in the text columns only. */
function inTexts(terms: readonly string[]): string {
  return `{body subject author} : (${terms.join(' AND ')})`;
}

/** Messages that are indexed for this room, including some that have left it. */
export function indexedIn(store: Store, roomId: number): Set<number> {
  const query = `rooms : ${roomWord(roomId)}`;
  const rows = store.all`SELECT rowid FROM message_text WHERE message_text MATCH ${query}`;
  return new Set(rows.map((row) => Number(row.rowid)));
}

/** The word that marks messages of a room in the index: `'r12'`. Messages that have left the room may still have it. */
function roomWord(roomId: number): string {
  return `r${roomId}`;
}

function bodyText(store: Store, m: IndexedContent, maxBytes = MAX_INDEXED_TEXT_BYTES): string {
  if (!m.structure) {
    return m.format > FORMAT.fixed ? '' : decodeText(Buffer.concat([...headOf(store, m, maxBytes)]), '');
  }
  let text = '';
  const body = { blob: m.blob, chunks: m.chunks ?? new BodyChunks(store, m.blob) };
  for (const part of contentParts(m.structure)) {
    if (text.length >= maxBytes) break;
    if (m.object?.part === part) text += `${m.object.text}\n`;
    else text += partWords(part, (most) => partBytes(store, body, part, most), maxBytes - text.length);
  }
  return text;
}

/** Includes text that is packed in the part, within its first `maxBytes`. `read` returns at most that many bytes. */
function partWords(part: MimePart, read: (maxBytes: number) => Buffer, maxBytes: number): string {
  const isPacked = isLeaf(part) && mayHoldMessage(part);
  if (!isPacked && !isSearchable(part.type)) return '';
  const bytes = read(maxBytes);
  const inner = isPacked ? unpack(part, bytes) : undefined;
  if (inner) return messageText(inner, walk(inner)).slice(0, maxBytes);
  return isSearchable(part.type) ? `${searchableText(part.type, textFrom(part, bytes))}\n` : '';
}

function* headOf(store: Store, { blob, chunks }: StoredBody, maxBytes: number): Generator<Buffer> {
  let left = maxBytes;
  for (const chunk of readBlob(store, blob, 0, undefined, chunks)) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
