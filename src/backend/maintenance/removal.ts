// Deletes rooms and users with everything that belongs to them. Rooms, bodies and files are marked as removed
// (ROOM_STATE, CONTENT_STATE) and deleted piece by piece in short transactions, so that no session waits for a large
// one. After a kill the next start continues.

import {
  BACKEND_CHUNK_BYTES,
  BACKEND_LIST_PAGE_ROWS,
  BACKEND_SWEEP_BYTES,
  BACKEND_SWEEP_MESSAGES,
} from '../../limits/backend.ts';
import { LEVEL } from '../../model.ts';
import type { Session, SessionServer } from '../session/session.ts';
import { unfinishedRooms } from '../store/dead-properties.ts';
import { sweepSessionKeys } from '../store/keys.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { dropUnreferenced } from '../store/references.ts';
import { releaseRooms, removeRoomFromMemory, roomById, roomsOwnedBy } from '../store/rooms.ts';
import { CONTENT_STATE, ROOM_STATE } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { allUsers, removeUserFromMemory, updateUser } from '../store/users.ts';
import { dropVisits } from '../store/visits.ts';

/** Deletes rooms, and the messages that are in no other. Sessions in them have no current room then. */
export function deleteRooms(server: SessionServer, rooms: readonly StoredRoom[]): void {
  const { store } = server;
  const ids = rooms.map(({ id }) => id);
  const gone = new Set(rooms);
  store.transaction(() => {
    for (const room of rooms) removeRoomFromMemory(store, room);
    dropRooms(store, ids);
    for (const session of server.sessions) {
      const { room } = session;
      if (!room || !gone.has(room)) continue;
      session.room = undefined;
      store.onRollback(() => {
        session.room = room;
      });
    }
  });
}

/** Deletes rooms whose import was interrupted by the end of a process. */
export function deleteUnfinishedRooms(server: SessionServer): void {
  const rooms = unfinishedRooms(server.store).map((id) => roomById(server.store, id)!);
  if (rooms.length > 0) deleteRooms(server, rooms);
}

/** Deletes an account and its personal rooms. The user must not be logged in. */
export function deleteUser(server: SessionServer, user: StoredUser): void {
  const { store } = server;
  store.transaction(() => {
    deleteRooms(server, roomsOwnedBy(store, user.id));
    releaseRooms(store, user.id);
    store.run`DELETE FROM user WHERE id = ${user.id}`;
    removeUserFromMemory(store, user);
  });
  for (const session of server.sessions) if (session.selectedUser === user) session.selectedUser = undefined;
}

/** Deletes users that were marked while logged in, if the server ended before their sessions did. */
export function deleteMarkedUsers(server: SessionServer): void {
  for (const user of [...allUsers(server.store)]) if (user.level === LEVEL.deleted) deleteUser(server, user);
}

/** Deletes the user now (true), or ends the sessions, the last of which deletes the account. */
export function deleteOrMark(session: Session, user: StoredUser): boolean {
  if (session.server.isOnline(user)) {
    updateUser(session.store, user, { level: LEVEL.deleted });
    session.server.endSessionsOf(user, session);
    return false;
  }
  deleteUser(session.server, user);
  return true;
}

/** chunks of 64 KiB that go in one transaction */
const SWEPT_CHUNKS = BACKEND_SWEEP_BYTES / BACKEND_CHUNK_BYTES;

/**
 * Takes rooms out of everybody's reach, name and all. A single small one is gone at once. Inside a transaction only.
 */
function dropRooms(store: Store, roomIds: readonly number[]): void {
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
  const file = store.get`SELECT id FROM room_file WHERE room = ${roomId} LIMIT 1`;
  if (file) {
    sweepChunks(store, 'room_file_chunk', 'file', Number(file.id), 'room_file');
    return false;
  }
  store.run`DELETE FROM room WHERE id = ${roomId}`;
  return true;
}
