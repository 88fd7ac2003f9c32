// Deletes rooms and users with everything that belongs to them.

import { LEVEL } from '../../model.ts';
import type { Session, SessionServer } from '../session/session.ts';
import { unfinishedRooms } from '../store/dead-properties.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { roomsAdministeredBy, roomsOwnedBy } from '../store/room-cache.ts';
import { removeRoomFromMemory, roomById, updateRoom } from '../store/rooms.ts';
import { allUsers, removeUserFromMemory, updateUser } from '../store/users.ts';
import { dropRooms } from './sweeping.ts';

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
    for (const room of roomsAdministeredBy(store, user.id)) updateRoom(store, room, { admin: null });
    store.prepare('DELETE FROM user WHERE id = ?').run(user.id);
    removeUserFromMemory(store, user);
  });
  for (const session of server.sessions) if (session.selectedUser === user) session.selectedUser = undefined;
}

/** Deletes users that were marked while logged in, if the server ended before their sessions did. */
export function deleteMarkedUsers(server: SessionServer): void {
  for (const user of [...allUsers(server.store)]) if (user.level === LEVEL.deleted) deleteUser(server, user);
}

/** Deletes the user now (true), or ends his sessions, the last of which deletes him. */
export function deleteOrMark(session: Session, user: StoredUser): boolean {
  if (session.server.isOnline(user)) {
    updateUser(session.store, user, { level: LEVEL.deleted });
    session.server.endSessionsOf(user, session);
    return false;
  }
  deleteUser(session.server, user);
  return true;
}
