// The rooms that lists of rooms are made from (protocol section 18.3). Rooms and read marks are in memory, so a list of
// a thousand rooms costs little.

import { ACCESS, ROOM_FLAG } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import type { StoredRoom, StoredVisit } from '../store/records.ts';
import { inListOrder, openRooms, roomsAdministeredBy, roomsOwnedBy, sharedRooms } from '../store/room-cache.ts';
import { roomById, shownName } from '../store/rooms.ts';
import { visitsOf } from '../store/visits.ts';
import { accessOf, isAdmin, sessionAccess } from './access.ts';
import { listing, type Reply } from './reply.ts';
import type { Session } from './session.ts';

/** Rooms that this session knows: those of LKRA, in its order. */
export function knownRooms(session: Session): StoredRoom[] {
  return [...roomsOf(session)].filter(({ access }) => (access & ACCESS.known) !== 0).map(({ room }) => room);
}

/** The reply of LKRA and the like; `args`: a floor, or nothing. */
export function roomList(
  session: Session,
  args: string,
  title: string,
  isWanted: (access: number, room: StoredRoom) => boolean,
): Reply {
  const field = splitFields(args)[0]!.trim();
  const floor = field === '' ? -1 : toInt(field);
  let rows = '';
  for (const { room, visit, access } of roomsOf(session)) {
    if ((floor !== -1 && room.floor !== floor) || !isWanted(access, room)) continue;
    rows += `${shownName(room, session.user)}|${room.flags}|${room.floor}|${room.order}|${room.flags2}|${access}|`;
    rows += `${visit?.view ?? room.view}|${room.view}|${room.changed}|\n`;
  }
  return listing(title, rows);
}

/** A room with the session's visit and rights. */
export interface ListedRoom {
  room: StoredRoom;
  visit: StoredVisit | undefined;
  access: number;
}

/** All rooms that may be in a list of this session, personal ones first. */
export function* roomsOf(session: Session): Generator<ListedRoom> {
  const { store, user } = session;
  const visits = user && visitsOf(store, user.id);
  for (const part of [personalRooms(session), candidates(session)]) {
    for (const room of part) {
      const visit = visits?.get(room.id);
      yield { room, visit, access: user ? accessOf(user, room, visit) : sessionAccess(session, room) };
    }
  }
}

/**
 * Shared rooms that may be in a list of this session, in list order. Private rooms come from the user's visits:
 * scanning all rooms would take longer the more rooms others have.
 */
function candidates({ store, user, isAdminSocket }: Session): readonly StoredRoom[] {
  if (isAdmin(user) || isAdminSocket) return sharedRooms(store);
  if (!user) return openRooms(store);
  const own = new Set<StoredRoom>();
  const addPrivate = (room: StoredRoom | undefined): void => {
    if (room && room.owner === null && room.flags & ROOM_FLAG.private) own.add(room);
  };
  for (const { room: id } of visitsOf(store, user.id).values()) addPrivate(roomById(store, id));
  for (const room of roomsAdministeredBy(store, user.id)) addPrivate(room);
  return inListOrder([...openRooms(store), ...own]);
}

/** Own personal rooms and those one has been invited to; their keys begin with digits, so they come first. */
function personalRooms({ store, user }: Session): StoredRoom[] {
  if (!user) return [];
  const rooms = roomsOwnedBy(store, user.id);
  for (const { room: id } of visitsOf(store, user.id).values()) {
    const room = roomById(store, id);
    if (room && room.owner !== null && room.owner !== user.id) rooms.push(room);
  }
  return inListOrder(rooms);
}
