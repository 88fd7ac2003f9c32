// The full-text index (FTS5 table message_text): written and cleared with the message in one transaction. Called by
// messages.ts; queried by search.ts and listing.ts.

import { MAX_INDEXED_TEXT_BYTES, MAX_SEARCH_HITS, MAX_SEARCH_WORDS } from '../limits.ts';
import { decodeText } from '../mime/charset.ts';
import { decodeWords } from '../mime/encoded-words.ts';
import { htmlToText } from '../mime/html-text.ts';
import type { MimePart } from '../mime/walk.ts';
import { readBody } from './bodies.ts';
import { contentParts, partText } from './message-part.ts';
import type { Store } from './store.ts';

export interface IndexedMessage {
  id: number;
  blob: number;
  format: number;
  structure: MimePart | undefined;
  subject: string;
  /** '' for anonymous messages: a search must not tell who wrote them */
  author: string;
}

export function indexMessage(store: Store, m: IndexedMessage): void {
  store
    .prepare('INSERT INTO message_text (rowid, subject, author, body) VALUES (?, ?, ?, ?)')
    .run(m.id, decodeWords(m.subject), decodeWords(m.author), bodyText(store, m));
}

export function unindexMessage(store: Store, msgnum: number): void {
  store.prepare('DELETE FROM message_text WHERE rowid = ?').run(msgnum);
}

/** Numbers of the messages of one room that hold all the words, ascending. */
export function searchRoom(store: Store, roomId: number, words: string): number[] {
  const query = toQuery(words);
  if (query === undefined) return [];
  const rows = store
    .prepare(
      `SELECT rm.message FROM message_text t JOIN room_message rm ON rm.message = t.rowid
       WHERE message_text MATCH ? AND rm.room = ? ORDER BY rm.message LIMIT ?`,
    )
    .all(query, roomId, MAX_SEARCH_HITS);
  return rows.map((row) => Number(row.message));
}

/** Where messages with all the words are, the latest messages first. */
export function searchAll(store: Store, words: string): { room: number; message: number }[] {
  const query = toQuery(words);
  if (query === undefined) return [];
  return store
    .prepare(
      `SELECT rm.room, rm.message FROM message_text t JOIN room_message rm ON rm.message = t.rowid
       WHERE message_text MATCH ? ORDER BY t.rowid DESC LIMIT ?`,
    )
    .all(query, MAX_SEARCH_HITS) as { room: number; message: number }[];
}

/** Every word quoted, so that nothing of the query language is reachable: `red "x` → `"red" "x"`. */
function toQuery(words: string): string | undefined {
  const quoted = words
    .split(/[^\p{L}\p{N}\p{M}\p{Co}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_SEARCH_WORDS)
    .map((word) => `"${word}"`);
  return quoted.length === 0 ? undefined : quoted.join(' ');
}

function bodyText(store: Store, m: IndexedMessage): string {
  if (!m.structure) {
    return m.format > 1 ? '' : decodeText(Buffer.concat([...headOf(store, m.blob)]), '');
  }
  let text = '';
  for (const part of contentParts(m.structure)) {
    if (text.length >= MAX_INDEXED_TEXT_BYTES) break;
    const isHtml = part.type === 'text/html';
    if (!isHtml && part.type !== 'text/plain' && part.type !== '') continue;
    const content = partText(store, m, part, MAX_INDEXED_TEXT_BYTES - text.length);
    text += `${isHtml ? htmlToText(content) : content}\n`;
  }
  return text;
}

function* headOf(store: Store, blob: number): Generator<Buffer> {
  let left = MAX_INDEXED_TEXT_BYTES;
  for (const chunk of readBody(store, blob)) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
