// Removes what nobody can reach any more in short transactions, so that no session waits for a large room or body to
// go: rooms, bodies and files are marked as removed (ROOM_STATE, CONTENT_STATE) and go from there piece by piece.
// After a kill the rest goes after the next start.

import {
  BACKEND_CHUNK_BYTES,
  BACKEND_LIST_PAGE_ROWS,
  BACKEND_SWEEP_BYTES,
  BACKEND_SWEEP_MESSAGES,
} from '../../limits/backend.ts';
import { sweepSessionKeys } from '../store/credentials/session-keys.ts';
import { dropUnreferenced } from '../store/references.ts';
import { CONTENT_STATE, ROOM_STATE } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { dropVisits } from '../store/visits.ts';

/** chunks of 64 KiB that go in one transaction */
const SWEPT_CHUNKS = BACKEND_SWEEP_BYTES / BACKEND_CHUNK_BYTES;

/**
 * Takes rooms out of everybody's reach, name and all. A single small one is gone at once. Inside a transaction only.
 */
export function dropRooms(store: Store, roomIds: readonly number[]): void {
  // Their owner and their floors may go before they do. No room has a name with a line end.
  store
    .prepare(
      `UPDATE room SET dropped = ${ROOM_STATE.removed}, key = char(10) || id, owner = NULL, admin = NULL, floor = 0
       WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .run(JSON.stringify(roomIds));
  const [first] = roomIds;
  if (roomIds.length > 1 || (first !== undefined && !sweepRoom(store, first))) store.noteGarbage();
}

/** Removes some of what is marked; answers whether there may be more. One short transaction. */
export function sweepSome(store: Store): boolean {
  const blob = store
    .prepare(
      `SELECT id FROM blob WHERE complete <> ${CONTENT_STATE.complete} AND complete = ${CONTENT_STATE.removed} LIMIT ?`,
    )
    .all(store.sending.size + 1)
    .find(({ id }) => !store.sending.has(Number(id)));
  if (blob) {
    store.transaction(() => sweepChunks(store, 'chunk', 'blob', Number(blob.id), 'blob'));
    return true;
  }
  const file = store.prepare(`SELECT id FROM room_file WHERE complete = ${CONTENT_STATE.removed} LIMIT 1`).get();
  if (file) {
    store.transaction(() => sweepChunks(store, 'room_file_chunk', 'file', Number(file.id), 'room_file'));
    return true;
  }
  const room = store
    .prepare(`SELECT id FROM room WHERE dropped <> ${ROOM_STATE.there} AND dropped = ${ROOM_STATE.removed} LIMIT 1`)
    .get();
  if (!room) return sweepSessionKeys(store);
  store.transaction(() => sweepRoom(store, Number(room.id)));
  return true;
}

/** Removes some chunks of a body or a file, and with the last of them the row they belong to. */
function sweepChunks(store: Store, chunks: string, column: string, id: number, owners: string): void {
  const some = `SELECT rowid FROM ${chunks} WHERE ${column} = ? ORDER BY seq DESC LIMIT ?`;
  const { changes } = store.prepare(`DELETE FROM ${chunks} WHERE rowid IN (${some})`).run(id, SWEPT_CHUNKS);
  if (changes < SWEPT_CHUNKS) store.prepare(`DELETE FROM ${owners} WHERE id = ?`).run(id);
}

/** Answers whether the room is gone. */
function sweepRoom(store: Store, roomId: number): boolean {
  let left = BACKEND_SWEEP_MESSAGES;
  for (const table of ['room_message', 'wiki_revision'] as const) {
    const found = store
      .prepare(`SELECT DISTINCT message FROM ${table} WHERE room = ? ORDER BY message LIMIT ?`)
      .all(roomId, left);
    for (const { message } of found) {
      store.prepare(`DELETE FROM ${table} WHERE room = ? AND message = ?`).run(roomId, message!);
      dropUnreferenced(store, Number(message));
    }
    left -= found.length;
    if (left === 0) return false;
  }
  for (const [table, keys] of [
    ['removed_member', 'room, sequence, message'],
    ['dead_property', 'room, member, name'],
  ]) {
    const { changes } = store
      .prepare(`DELETE FROM ${table} WHERE (${keys}) IN (SELECT ${keys} FROM ${table} WHERE room = ? LIMIT ?)`)
      .run(roomId, BACKEND_LIST_PAGE_ROWS);
    if (Number(changes) === BACKEND_LIST_PAGE_ROWS) return false;
  }
  if (dropVisits(store, roomId, BACKEND_LIST_PAGE_ROWS) === BACKEND_LIST_PAGE_ROWS) return false;
  const file = store.prepare('SELECT id FROM room_file WHERE room = ? LIMIT 1').get(roomId);
  if (file) {
    sweepChunks(store, 'room_file_chunk', 'file', Number(file.id), 'room_file');
    return false;
  }
  store.prepare('DELETE FROM room WHERE id = ?').run(roomId);
  return true;
}
