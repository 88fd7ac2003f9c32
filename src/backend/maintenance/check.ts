// Whether everything in a database fits together (`vestibule check`). Reads all of it; changes nothing.

import { createHash } from 'node:crypto';
import { BACKEND_LIST_PAGE_ROWS } from '../../limits/backend.ts';
import { lookKey, userLookKey } from '../../protocol/name-rules.ts';
import { readBlob } from '../store/bodies.ts';
import { CONTENT_STATE, ROOM_STATE } from '../store/schema.ts';
import { indexedIn, storedTexts } from '../store/search-index.ts';
import { openBeside, type Store } from '../store/store.ts';

/** Each query selects faulty rows; they are reported as `TEXT: column value, …`. */
const RULES: readonly [string, string][] = [
  ['a row refers to what is not there', 'SELECT "table", rowid, parent FROM pragma_foreign_key_check'],
  [
    'a room counts its messages wrongly',
    `SELECT r.id AS room, r.total, count(rm.message) AS messages, r.highest, coalesce(max(rm.message), 0) AS latest
     FROM room r LEFT JOIN room_message rm ON rm.room = r.id WHERE r.dropped = ${ROOM_STATE.there} GROUP BY r.id
     HAVING r.total <> count(rm.message) OR r.highest <> coalesce(max(rm.message), 0)`,
  ],
  [
    'a message is in no room and in no history',
    `SELECT id AS message FROM message WHERE id NOT IN (SELECT message FROM room_message)
     AND id NOT IN (SELECT message FROM wiki_revision)`,
  ],
  [
    'a message has a body that is not complete',
    `SELECT m.id AS message, b.id AS body FROM message m JOIN blob b ON b.id = m.blob
     WHERE b.complete <> ${CONTENT_STATE.complete}`,
  ],
  [
    'no message has this body',
    `SELECT id AS body FROM blob WHERE complete = ${CONTENT_STATE.complete} AND id NOT IN (SELECT blob FROM message)`,
  ],
  [
    'a body is not of its size',
    `SELECT b.id AS body, b.size, coalesce(sum(length(c.data)), 0) AS bytes FROM blob b
     LEFT JOIN chunk c ON c.blob = b.id WHERE b.complete = ${CONTENT_STATE.complete} GROUP BY b.id
     HAVING b.size <> coalesce(sum(length(c.data)), 0) OR count(c.seq) <> coalesce(max(c.seq), -1) + 1`,
  ],
  [
    'a file of a room is not of its size',
    `SELECT f.id AS file, f.size, coalesce(sum(length(c.data)), 0) AS bytes FROM room_file f
     LEFT JOIN room_file_chunk c ON c.file = f.id WHERE f.complete = ${CONTENT_STATE.complete} GROUP BY f.id
     HAVING f.size <> coalesce(sum(length(c.data)), 0) OR count(c.seq) <> coalesce(max(c.seq), -1) + 1`,
  ],
  [
    'a room keeps a password that can be read',
    "SELECT id AS room FROM room WHERE password NOT GLOB 'scrypt$*$*' AND password <> ''",
  ],
  ['a message is not in the index', 'SELECT message FROM room_message EXCEPT SELECT rowid FROM message_text'],
  [
    'the index has a message that is in no room',
    'SELECT rowid AS message FROM message_text EXCEPT SELECT message FROM room_message',
  ],
];

/** How much is in a database. */
export interface Contents {
  rooms: number;
  messages: number;
}

/** Reports each fault in a database file; returns how much is in it. Throws AppError if the file is no database. */
export function check(file: string, report: (fault: string) => void): Contents {
  using store = openBeside(file);
  store.db.exec('BEGIN');
  for (const fault of findFaults(store)) report(fault);
  return countContents(store);
}

/** Counts rooms and the messages in them. */
export function countContents(store: Store): Contents {
  const row = store.db
    .prepare(
      `SELECT (SELECT count(*) FROM room WHERE dropped = ${ROOM_STATE.there}) AS rooms,
         (SELECT count(DISTINCT message) FROM room_message) AS messages`,
    )
    .get()!;
  return { rooms: Number(row.rooms), messages: Number(row.messages) };
}

/** Yields a line for each fault. Run it in a read transaction, or while nothing is written. */
export function* findFaults(store: Store): Generator<string> {
  for (const search of [damages, brokenRules, wrongNames, wrongBodies, wrongRooms, wrongWords]) {
    try {
      yield* search(store);
    } catch (error) {
      // What is damaged may make any query fail.
      yield `the database cannot be read: ${error instanceof Error ? error.message : error}`;
    }
  }
}

function* damages(store: Store): Generator<string> {
  // This checks the full-text index, too.
  for (const { integrity_check: line } of store.db.prepare('PRAGMA integrity_check').all()) {
    if (line !== 'ok') yield `the database is damaged: ${line}`;
  }
}

function* brokenRules(store: Store): Generator<string> {
  for (const [text, sql] of RULES) {
    for (const row of store.db.prepare(sql).all()) {
      const facts = Object.entries(row).map(([name, value]) => `${name} ${value}`);
      yield `${text}: ${facts.join(', ')}`;
    }
  }
}

/** The keys by which look-alike names are found. */
function* wrongNames(store: Store): Generator<string> {
  for (const [table, which, keyOf] of [
    ['room', `WHERE dropped = ${ROOM_STATE.there}`, lookKey],
    ['user', '', userLookKey],
  ] as const) {
    const rows = store.db.prepare(`SELECT id, name, look_key FROM ${table} ${which}`);
    for (const { id, name, look_key: key } of rows.iterate()) {
      if (key !== keyOf(String(name))) yield `a name is not found by what it looks like: ${table} ${id}`;
    }
  }
}

function* wrongBodies(store: Store): Generator<string> {
  for (const { id, hash } of store.db
    .prepare(`SELECT id, hash FROM blob WHERE complete = ${CONTENT_STATE.complete}`)
    .iterate()) {
    const found = createHash('sha256');
    try {
      for (const piece of readBlob(store, Number(id))) found.update(piece);
    } catch {
      continue; // its size is wrong, which was reported
    }
    if (!found.digest().equals(hash as Uint8Array)) yield `a body is not what it was: body ${id}`;
  }
}

/** A search asks the index for the messages of its rooms. */
function* wrongRooms(store: Store): Generator<string> {
  for (const { id } of store.db
    .prepare(`SELECT id FROM room WHERE dropped = ${ROOM_STATE.there} AND total > 0`)
    .all()) {
    const indexed = indexedIn(store, Number(id));
    for (const { message } of store.db.prepare('SELECT message FROM room_message WHERE room = ?').iterate(id!)) {
      if (!indexed.has(Number(message))) yield `the index does not know that message ${message} is in room ${id}`;
    }
  }
}

/**
 * The index keeps no texts, but how many words each column of each message has: the texts are indexed anew, in memory,
 * a page at a time, and must come to the same.
 */
function* wrongWords(store: Store): Generator<string> {
  store.db.exec(`CREATE VIRTUAL TABLE temp.again USING fts5 (body, subject, author, content = '',
    contentless_delete = 1, tokenize = 'unicode61')`);
  const page = store.prepare('SELECT rowid AS id FROM message_text WHERE rowid > ? ORDER BY rowid LIMIT ?');
  const insert = store.prepare('INSERT INTO temp.again (rowid, body, subject, author) VALUES (?, ?, ?, ?)');
  // Counts of both are lists of the same numbers; the index counts one column more.
  const differing = store.prepare(
    `SELECT a.id FROM temp.again_docsize a JOIN main.message_text_docsize m ON m.id = a.id
     WHERE substr(m.sz, 1, length(a.sz)) <> a.sz`,
  );
  try {
    for (let last = 0; ; ) {
      const ids = page.all(last, BACKEND_LIST_PAGE_ROWS).map((row) => Number(row.id));
      for (const id of ids) {
        const texts = readableTexts(store, id);
        if (texts) insert.run(id, ...texts);
        else yield `the text of message ${id} cannot be read`;
      }
      for (const { id } of differing.all()) yield `the index has other words than message ${id}`;
      store.db.exec("INSERT INTO temp.again (again) VALUES ('delete-all')");
      if (ids.length < BACKEND_LIST_PAGE_ROWS) return;
      last = ids.at(-1)!;
    }
  } finally {
    store.db.exec('DROP TABLE temp.again');
  }
}

function readableTexts(store: Store, msgnum: number): [string, string, string] | undefined {
  try {
    return storedTexts(store, msgnum);
  } catch {
    return undefined;
  }
}
