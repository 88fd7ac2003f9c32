// The rooms that lists of rooms are made from (protocol section 18.3), which are in memory like the read marks, so that
// a list of a thousand rooms costs little; and the names that CRE8, SETR and XFER accept for rooms.

import { MAX_PERSONAL_ROOM_NAME_BYTES, MAX_ROOM_NAME_BYTES } from '../../limits/backend.ts';
import { ACCESS, ROOM_FLAG } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { areAlike, foldName, lookKey, nameFault, WELL_KNOWN_ROOMS } from '../../protocol/name-rules.ts';
import { personalName } from '../../protocol/room-facts.ts';
import type { StoredRoom, StoredVisit } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import {
  inListOrder,
  openRooms,
  roomById,
  roomsAdministeredBy,
  roomsOwnedBy,
  sharedRooms,
  shownName,
  withoutMacro,
} from '../store/rooms.ts';
import { ROOM_STATE } from '../store/schema.ts';
import { visitsOf } from '../store/visits.ts';
import { accessOf, isAdmin, sessionAccess } from './access.ts';
import { listing } from './reply.ts';
import type { Session, Verb } from './session.ts';

/** Rooms that this session knows: those of LKRA, in its order. */
export function knownRooms(session: Session): StoredRoom[] {
  return [...roomsOf(session)].filter(({ access }) => (access & ACCESS.known) !== 0).map(({ room }) => room);
}

/** LKRA and the like: `args` is a floor, or nothing. */
export function roomList(title: string, isWanted: (access: number, room: StoredRoom) => boolean): Verb {
  return (session, args) => {
    const field = splitFields(args)[0]!.trim();
    const floor = field === '' ? -1 : toInt(field);
    let rows = '';
    for (const { room, visit, access } of roomsOf(session)) {
      if ((floor !== -1 && room.floor !== floor) || !isWanted(access, room)) continue;
      rows += `${shownName(room, session.user)}|${room.flags}|${room.floor}|${room.order}|${room.flags2}|${access}|`;
      rows += `${visit?.view ?? room.view}|${room.view}|${room.changed}|\n`;
    }
    return listing(title, rows);
  };
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

/**
 * The folded name. Refuses names that look like a macro, which could not be entered, like the full name of a personal
 * room, and names with hidden characters. Throws Refusal 512.
 */
export function acceptedName(given: string, isPersonal: boolean): string {
  const max = isPersonal ? MAX_PERSONAL_ROOM_NAME_BYTES : MAX_ROOM_NAME_BYTES;
  if (Buffer.byteLength(given) > max) throw invalid();
  const name = foldName(given);
  const isOther = personalName(name).owner !== undefined || withoutMacro(name) !== name;
  // composing makes some letters longer
  if (name === '' || isOther || Buffer.byteLength(name) > max) throw invalid();
  const fault = nameFault(name);
  if (fault !== undefined) throw new Refusal('illegalValue', `Invalid room name. ${fault}`);
  return name;
}

function invalid(): Refusal {
  return new Refusal('illegalValue', 'Invalid room name.');
}

/**
 * Throws Refusal 574 if a shared room would be mistaken for a public one, or for one that everybody has. Names the
 * other room only to those who may know it. Private rooms may look alike: a refusal would reveal them.
 */
export function refuseRoomLookAlike(session: Session, name: string, except?: StoredRoom): void {
  const { store } = session;
  const other = store
    .prepare(`SELECT id FROM room WHERE look_key = ? AND owner IS NULL AND dropped = ${ROOM_STATE.there}`)
    .all(lookKey(name))
    .map(({ id }) => roomById(store, Number(id))!)
    .find((room) => room !== except && !(room.flags & ROOM_FLAG.private) && areAlike(room.name, name));
  const known = other && sessionAccess(session, other) !== 0 ? other.name : undefined;
  const taken = known ?? WELL_KNOWN_ROOMS.find((room) => areAlike(room, name));
  if (taken !== undefined) throw new Refusal('alreadyExists', `'${name}' looks like '${taken}', which already exists.`);
  if (other) throw new Refusal('alreadyExists', `'${name}' looks like a name that already exists.`);
}
