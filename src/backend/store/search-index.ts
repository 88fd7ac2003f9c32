// The full-text index (FTS5 table message_text): written and cleared with the message in one transaction, and asked by
// room and words.

import {
  MAX_EXCERPT_INPUT_BYTES,
  MAX_INDEXED_TEXT_BYTES,
  MAX_INDEXED_WORDS_BYTES,
  MAX_LATE_INDEXED,
  MAX_SEARCH_ROOM_WORDS,
} from '../../limits/backend.ts';
import { decodeText } from '../../mime/coding/charset.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { contentParts } from '../../mime/part.ts';
import { isSearchable, searchableText } from '../../mime/readable.ts';
import type { MimePart } from '../../mime/walk.ts';
import { indexedText, searchTerms } from '../../protocol/search-words.ts';
import { BodyChunks, readBlob } from './body-chunks.ts';
import { partText, type StoredBody } from './message-part.ts';
import { FORMAT, type StoredRoom } from './records.ts';
import type { Store } from './store.ts';

interface IndexedContent extends StoredBody {
  format: number;
  structure: MimePart | undefined;
  subject: string;
  /** '' for anonymous messages: a search must not tell who wrote them */
  author: string;
}

/** A message as the index takes it. */
export interface IndexedMessage extends IndexedContent {
  id: number;
  /** the rooms that refer to it */
  rooms: readonly number[];
}

/** to look where so many messages are is quicker than to name the rooms */
const FEW_HITS = 200;
/** to read what is in a room, row after row, is so much quicker than to look for one message */
const ROWS_FOR_A_LOOK = 10;

/** of a unit of UTF-16 */
const MOST_UTF8_BYTES = 3;

/** Text, subject and author as the index has them. */
function textsOf(store: Store, m: IndexedContent): [string, string, string] {
  return [bounded(bodyText(store, m)), indexedText(decodeWords(m.subject)), indexedText(decodeWords(m.author))];
}

/** The beginning of what the index sees of a text; letter pairs are longer than their letters. */
function bounded(text: string): string {
  const words = indexedText(text.slice(0, MAX_INDEXED_WORDS_BYTES));
  if (words.length * MOST_UTF8_BYTES <= MAX_INDEXED_WORDS_BYTES) return words;
  return Buffer.from(words).subarray(0, MAX_INDEXED_WORDS_BYTES).toString();
}

/**
 * Adds a message to the index. Inside the transaction that stores it, at whose end it is written there, with others:
 * between statements on other tables FTS5 would write a segment of its own for each message.
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
 * To be called when one more room refers to a message, or is about to (`coming`): the index keeps no text to which a
 * room could be added.
 */
export function reindexMessage(store: Store, msgnum: number, coming?: number): void {
  const found = store.prepare('SELECT room FROM room_message WHERE message = ?').all(msgnum);
  const rooms = found.map(({ room }) => Number(room));
  if (coming !== undefined) rooms.push(coming);
  unindexMessage(store, msgnum);
  indexMessage(store, { ...storedContent(store, msgnum), id: msgnum, rooms });
}

/** Text, subject and author of a stored message as the index ought to have them. */
export function storedTexts(store: Store, msgnum: number): [string, string, string] {
  return textsOf(store, storedContent(store, msgnum));
}

function storedContent(store: Store, msgnum: number): IndexedContent {
  const row = store
    .prepare('SELECT blob, format, subject, author, anonymous, parts FROM message WHERE id = ?')
    .get(msgnum) as unknown as Omit<IndexedContent, 'structure'> & { anonymous: string; parts: string };
  const { anonymous, parts, ...content } = row;
  return {
    ...content,
    author: anonymous === 'no' ? row.author : '',
    structure: parts === '' ? undefined : (JSON.parse(parts) as MimePart),
  };
}

/** Removes a message from the index. Inside the transaction that removes it. */
export function unindexMessage(store: Store, msgnum: number): void {
  if (store.caches.toIndex.delete(msgnum)) return;
  store.prepare('DELETE FROM message_text WHERE rowid = ?').run(msgnum);
}

/**
 * Where, in these rooms, messages with all the words are, the latest messages first. The rooms are part of the question
 * to the index: a word of everyday use is in so many messages of others that to look where each of them is would take
 * the longer, the more others write. Of very many rooms hits come soon anyway, and of a rare word there are few.
 */
export function searchHits(
  store: Store,
  rooms: readonly StoredRoom[],
  words: string,
  limit: number,
): { room: number; message: number }[] {
  const { text } = indexQuestion(store, rooms, words);
  return text === '' ? [] : latestHits(store, rooms, text, limit);
}

/** The beginning of what a search looks at in a message. */
export function searchedText(store: Store, msgnum: number): string {
  return bodyText(store, storedContent(store, msgnum), MAX_EXCERPT_INPUT_BYTES);
}

/** Numbers of the messages with all the words in these rooms, ascending; of very many the latest `limit`. */
export function searchNumbers(store: Store, rooms: readonly StoredRoom[], words: string, limit: number): number[] {
  const { text, isNarrow } = indexQuestion(store, rooms, words);
  if (text === '') return [];
  const total = rooms.reduce((sum, room) => sum + room.total, 0);
  if (!isNarrow || total > limit * ROWS_FOR_A_LOOK) return latestNumbers(store, rooms, text, limit).reverse();
  const hits = numbers(
    store,
    'SELECT json_group_array(rowid) AS list FROM message_text WHERE message_text MATCH ?',
    text,
  );
  const here = new Set(hits.length * ROWS_FOR_A_LOOK < total ? those(store, rooms, hits) : allIn(store, rooms));
  return hits.filter((message) => here.has(message)).slice(-limit);
}

/** To the index: '' finds nothing. `isNarrow`: it has few hits outside of the rooms. */
export function indexQuestion(
  store: Store,
  rooms: readonly StoredRoom[],
  words: string,
  isLastBegun = false,
): { text: string; isNarrow: boolean } {
  const terms = searchTerms(words, isLastBegun);
  // A user who knows very many empty rooms would have the index gone through for nothing.
  const filled = rooms.filter(({ total }) => total > 0);
  if (terms.length === 0 || filled.length === 0) return { text: '', isNarrow: true };
  const text = inTexts(terms);
  if (terms.some((term) => isRare(store, term))) return { text, isNarrow: true };
  if (filled.length > MAX_SEARCH_ROOM_WORDS) return { text, isNarrow: false };
  return { text: `rooms : (${filled.map(({ id }) => roomWord(id)).join(' OR ')}) AND ${text}`, isNarrow: true };
}

function latestHits(
  store: Store,
  rooms: readonly StoredRoom[],
  text: string,
  limit: number,
): { room: number; message: number }[] {
  // `+`: one look where a message is, not one for each room whether it is there
  return store
    .prepare(
      `SELECT rm.room, rm.message FROM message_text t CROSS JOIN room_message rm ON rm.message = t.rowid
       WHERE message_text MATCH ? AND +rm.room IN (SELECT value FROM json_each(?)) ORDER BY t.rowid DESC LIMIT ?`,
    )
    .all(text, idsOf(rooms), limit) as { room: number; message: number }[];
}

/** Each message once, in however many of the rooms it is; the latest first. */
function latestNumbers(store: Store, rooms: readonly StoredRoom[], text: string, limit: number): number[] {
  return numbers(
    store,
    `SELECT json_group_array(id) AS list FROM (
       SELECT t.rowid AS id FROM message_text t WHERE message_text MATCH ? AND EXISTS (
         SELECT 1 FROM room_message rm WHERE rm.message = t.rowid AND +rm.room IN (SELECT value FROM json_each(?)))
       ORDER BY t.rowid DESC LIMIT ?)`,
    text,
    idsOf(rooms),
    limit,
  );
}

/** Those of the messages that are in one of the rooms. */
function those(store: Store, rooms: readonly StoredRoom[], messages: readonly number[]): number[] {
  return numbers(
    store,
    `SELECT json_group_array(message) AS list FROM room_message
     WHERE message IN (SELECT value FROM json_each(?)) AND +room IN (SELECT value FROM json_each(?))`,
    JSON.stringify(messages),
    idsOf(rooms),
  );
}

/** All messages of the rooms, by the primary key: there those of a room stand together. */
function allIn(store: Store, rooms: readonly StoredRoom[]): number[] {
  return numbers(
    store,
    `SELECT json_group_array(message) AS list FROM room_message INDEXED BY sqlite_autoindex_room_message_1
     WHERE room IN (SELECT value FROM json_each(?))`,
    idsOf(rooms),
  );
}

/** In one text: to make an object of each of ten thousand rows takes longer than to find them. */
function numbers(store: Store, sql: string, ...values: (string | number)[]): number[] {
  return JSON.parse(String(store.prepare(sql).get(...values)!.list)) as number[];
}

function idsOf(rooms: readonly StoredRoom[]): string {
  return JSON.stringify(rooms.map(({ id }) => id));
}

/** A single word that few messages have, of all there are. */
function isRare(store: Store, term: string): boolean {
  if (!/^"\S+"$/.test(term)) return false;
  const sql = 'SELECT rowid FROM message_text WHERE message_text MATCH ? LIMIT ?';
  return store.prepare(sql).all(inTexts([term]), FEW_HITS + 1).length <= FEW_HITS;
}

/** The question for messages that have all the terms, not for the words of rooms. */
function inTexts(terms: readonly string[]): string {
  return `{body subject author} : (${terms.join(' AND ')})`;
}

/** Messages of which the index knows that they are in this room, among others that have left it. */
export function indexedIn(store: Store, roomId: number): Set<number> {
  const rows = store
    .prepare('SELECT rowid FROM message_text WHERE message_text MATCH ?')
    .all(`rooms : ${roomWord(roomId)}`);
  return new Set(rows.map((row) => Number(row.rowid)));
}

/** The word by which messages of a room are found: `'r12'`. Those that have left it may still have it. */
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
    if (!isSearchable(part.type)) continue;
    const known = m.object?.part === part ? m.object.text : undefined;
    text += `${known ?? searchableText(part.type, partText(store, body, part, maxBytes - text.length))}\n`;
  }
  return text;
}

function* headOf(store: Store, { blob, chunks }: StoredBody, maxBytes: number): Generator<Buffer> {
  let left = maxBytes;
  for (const chunk of readBlob(store, blob, 0, undefined, chunks)) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
