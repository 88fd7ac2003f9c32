// Lists of rooms: LKRA LKRN LKRO LZRM LRMS LPRM (spec section 18.3). Rooms and read marks are in memory, so a list of a
// thousand rooms is a matter of joining strings.

import { ACCESS, ROOM_FLAG } from '../model.ts';
import { splitFields, toInt } from '../protocol/fields.ts';
import { accessOf, sessionAccess } from './access.ts';
import type { RoomRow } from './records.ts';
import { inListOrder, roomById, roomsOwnedBy, sharedRooms, shownName } from './rooms.ts';
import type { Session } from './session.ts';
import type { Reply } from './verb.ts';
import { visitsOf } from './visits.ts';

/** known rooms */
export function lkra(session: Session, args: string): Reply {
  return roomList(session, args, 'Known rooms:', (access) => (access & ACCESS.known) !== 0);
}

/** known rooms with new messages */
export function lkrn(session: Session, args: string): Reply {
  const wanted = ACCESS.known | ACCESS.hasNew;
  return roomList(session, args, 'Rooms w/ new msgs:', (access) => (access & wanted) === wanted);
}

/** known rooms without new messages */
export function lkro(session: Session, args: string): Reply {
  const looked = ACCESS.known | ACCESS.hasNew;
  return roomList(session, args, 'Rooms w/o new msgs:', (access) => (access & looked) === ACCESS.known);
}

/** forgotten rooms that may be entered */
export function lzrm(session: Session, args: string): Reply {
  const wanted = ACCESS.forgotten | ACCESS.enter;
  return roomList(session, args, 'Zapped rooms:', (access) => (access & wanted) === wanted);
}

/** known or forgotten rooms */
export function lrms(session: Session, args: string): Reply {
  const wanted = ACCESS.known | ACCESS.forgotten;
  return roomList(session, args, 'Accessible rooms:', (access) => (access & wanted) !== 0);
}

/** public rooms */
export function lprm(session: Session, args: string): Reply {
  const hidden = ROOM_FLAG.private | ROOM_FLAG.personal;
  return roomList(
    session,
    args,
    'Public rooms:',
    (access, room) => !(room.flags & hidden) && (access & (ACCESS.known | ACCESS.forgotten)) !== 0,
  );
}

function roomList(
  session: Session,
  args: string,
  title: string,
  isWanted: (access: number, room: RoomRow) => boolean,
): Reply {
  const { store, user } = session;
  const field = splitFields(args)[0]!.trim();
  const floor = field === '' ? -1 : toInt(field);
  const visits = user && visitsOf(store, user.id);
  let reply = `100 ${title}\n`;
  const add = (room: RoomRow): void => {
    if (floor !== -1 && room.floor !== floor) return;
    const visit = visits?.get(room.id);
    const access = user ? accessOf(user, room, visit) : sessionAccess(session, room);
    if (!isWanted(access, room)) return;
    reply += `${shownName(room, user)}|${room.flags}|${room.floor}|${room.order}|${room.flags2}|${access}|`;
    reply += `${visit?.view ?? room.view}|${room.view}|${room.changed}|\n`;
  };
  for (const room of personalRooms(session)) add(room);
  for (const room of sharedRooms(store)) add(room);
  return `${reply}000\n`;
}

/** Own personal rooms and those one has been invited to; their keys begin with digits, so they come first. */
function personalRooms({ store, user }: Session): RoomRow[] {
  if (!user) return [];
  const rooms = roomsOwnedBy(store, user.id);
  for (const { room: id } of visitsOf(store, user.id).values()) {
    const room = roomById(store, id);
    if (room && room.owner !== null && room.owner !== user.id) rooms.push(room);
  }
  return inListOrder(rooms);
}
