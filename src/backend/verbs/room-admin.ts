// Creating, changing and deleting rooms, CRE8 GETR SETR SETA KILL EINF, and their members, INVT KICK
// (protocol section 18.5).

import { MAX_INFO_TEXT_BYTES, MAX_ROOM_PASSWORD_BYTES, MAX_ROOMS_PER_USER } from '../../limits/backend.ts';
import { ROOM_FLAG, VIEW } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { nameKey } from '../../protocol/names.ts';
import { personalName, roleOf } from '../../protocol/room-facts.ts';
import { now } from '../../system/clock.ts';
import { enterRoom } from '../maintenance/log-in.ts';
import { deleteRooms } from '../maintenance/removal.ts';
import { isAdmin, isMine, mayAdminister, requireRoom, roomToAdminister } from '../session/access.ts';
import { ok, type Reply, takeText } from '../session/reply.ts';
import { acceptedName, refuseRoomLookAlike } from '../session/rooms.ts';
import type { Session } from '../session/session.ts';
import { setProperty, UNFINISHED_MARK } from '../store/dead-properties.ts';
import { nextNumber } from '../store/messages.ts';
import { hashPassword, verifyPassword } from '../store/passwords.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import {
  BASE_ROOM_KEY,
  baseRoom,
  countRoomsOf,
  createRoom,
  findRoom,
  floorExists,
  fullName,
  isServerRoom,
  type NewRoom,
  personalKey,
  roomById,
  roomByName,
  roomFacts,
  shownName,
  updateRoom,
} from '../store/rooms.ts';
import { numberSetting } from '../store/store.ts';
import { findUser, userById, userNamed } from '../store/users.ts';
import { dropVisits, updateVisit, visitOf } from '../store/visits.ts';

/** QRflags of the kinds of CRE8: public, guess-name, password, invitation, personal */
const KIND_FLAGS = [
  0,
  ROOM_FLAG.private | ROOM_FLAG.guessName,
  ROOM_FLAG.private | ROOM_FLAG.password,
  ROOM_FLAG.private,
  ROOM_FLAG.private | ROOM_FLAG.personal,
];

const KIND_PERSONAL = 4;

const KIND_PERSONAL_OF = 5;

/** what SETR may change; "in use" is always set, "personal" never changes */
const EDITABLE_FLAGS = 0x3fff & ~ROOM_FLAG.inUse & ~ROOM_FLAG.network;

const EDITABLE_FLAGS2 = 0x7f & ~1;

/** `CRE8 create|name|kind|password|floor|-|view` → 200; 511, 512, 550, 561, 574 */
export function cre8(session: Session, args: string): Reply | Promise<Reply> {
  const [create, given = '', , password = '', , , , unfinished] = splitFields(args);
  const isFinished = toInt(unfinished) === 0;
  if (toInt(create) !== 1) {
    requireCreator(session);
    if (given === '') return ok('Ok to create rooms.');
    wantedRoom(session, args);
    return ok(`OK to create '${given}'`);
  }
  const room = wantedRoom(session, args);
  if (!(room.flags & ROOM_FLAG.password)) return make(session, room, { given, isFinished });
  // Checked again after hashing: the name may have been taken meanwhile.
  return hashToStore(session, password).then((hash) =>
    make(session, { ...wantedRoom(session, args), password: hash }, { given, isFinished }),
  );
}

/** The room that CRE8 asks for, without its password. Throws if it cannot be created. */
function wantedRoom(session: Session, args: string): NewRoom {
  requireCreator(session);
  const [, given = '', kindField, password = '', floorField, , viewField] = splitFields(args);
  const { store, user } = session;
  const kind = toInt(kindField);
  if (kind < 0 || kind > KIND_PERSONAL_OF) throw new Refusal('illegalValue', 'Invalid room type.');
  if (kind === KIND_PERSONAL_OF && !isAdmin(user)) throw new Refusal('higherAccess', 'Higher access required');
  const view = toInt(viewField);
  if (view < 0 || view > VIEW.files) throw new Refusal('illegalValue', 'Invalid view.');
  const floor = toInt(floorField);
  if (!floorExists(store, floor)) throw new Refusal('badFloor', 'Invalid floor number.');

  const room: NewRoom = { name: given, flags: KIND_FLAGS[Math.min(kind, KIND_PERSONAL)]!, view };
  if (kind === KIND_PERSONAL_OF) {
    const { owner: number, name } = personalName(given);
    const owner = number === undefined ? undefined : userById(store, number);
    if (!owner) throw new Refusal('illegalValue', 'Invalid room name.');
    Object.assign(room, { owner: owner.id, name });
  } else if (kind === KIND_PERSONAL) {
    if (!user) throw new Refusal('notLoggedIn', 'Not logged in.');
    room.owner = user.id;
  } else {
    room.floor = floor;
  }
  const isPersonal = room.owner != null;
  if (room.flags & ROOM_FLAG.password) requirePassword(password);
  room.name = acceptedName(room.name, isPersonal);
  if (findRoom(store, user, room.name) || (room.owner != null && isTaken(session, room.owner, room.name))) {
    throw new Refusal('alreadyExists', `'${given}' already exists.`);
  }
  if (!isPersonal) refuseRoomLookAlike(session, room.name);
  if (user && !isAdmin(user) && countRoomsOf(store, user.id) >= MAX_ROOMS_PER_USER) {
    throw new Refusal('tooBig', 'You have as many rooms as one user may have.');
  }
  room.maker = user?.id ?? null;
  // Unlike on a real server, users administer the public rooms that they create.
  const administers = view === VIEW.blog || numberSetting(store, 'c_creataide') !== 0;
  if (user && administers) room.admin = user.id;
  return room;
}

function requireCreator({ store, user }: Session): void {
  if (user && user.level < numberSetting(store, 'c_createax')) {
    throw new Refusal('higherAccess', 'You need higher access to create rooms.');
  }
}

function make(
  { store, user }: Session,
  room: NewRoom,
  { given, isFinished }: { given: string; isFinished: boolean },
): Reply {
  store.transaction(() => {
    const { id, owner } = createRoom(store, room);
    const isOfOther = owner !== null && owner !== user?.id;
    if (user && !isOfOther) updateVisit(store, visitOf(store, user.id, id), { state: 'known' });
    if (!isFinished) setProperty(store, id, { member: '', name: UNFINISHED_MARK }, '');
  });
  return ok(`'${given}' has been created.`);
}

/**
 * → `200 name||directory|QRflags|floor|order|view|QRflags2|`; the password exists only as a hash, and
 * stays if SETR sends none
 */
export function getr(session: Session): Reply {
  const { name, directory, flags, floor, order, view, flags2 } = roomToAdminister(session);
  const shownDirectory = flags & ROOM_FLAG.directory ? directory : '';
  return ok(`${name}||${shownDirectory}|${flags}|${floor}|${order}|${view}|${flags2}|`, session.flag);
}

/** `SETR name|password|directory|QRflags|kick|floor|order|view|QRflags2` → 200; 512, 550, 560, 561, 574 */
export function setr(session: Session, args: string): Reply | Promise<Reply> {
  const { room, flags } = wantedSettings(session, args);
  const given = splitFields(args)[1] ?? '';
  if (!(flags & ROOM_FLAG.password)) return change(session, args, '');
  if (given === '' && room.flags & ROOM_FLAG.password) return change(session, args, room.password);
  return hashToStore(session, given, room.password).then((hash) => change(session, args, hash));
}

/** The settings that SETR asks for, all but the password. Throws Refusal 512, 550, 560, 561, 574. */
function wantedSettings(session: Session, args: string) {
  const { store } = session;
  const room = requireRoom(session);
  if (!isMine(session, room))
    throw new Refusal('higherAccess', `You do not have permission to edit '${shownName(room, session.user)}'`);
  if (isInbox(room)) throw new Refusal('notHere', 'Cannot edit this room.');
  const [given = '', , directory = '', flagsField, kick, floorField, orderField, viewField, flags2Field] =
    splitFields(args);
  const flags = editedFlags(room, toInt(flagsField));
  const name = newName(session, room, given, flags);

  let floor = floorField ? toInt(floorField) : -1;
  if (floor === -1 || room.owner !== null) floor = room.floor;
  if (!floorExists(store, floor)) throw new Refusal('badFloor', 'Target floor does not exist.');
  const view = viewField ? toInt(viewField) : room.view;
  if (view < 0 || view > VIEW.files) throw new Refusal('illegalValue', 'Invalid view.');
  const order = orderField ? Math.min(127, Math.max(1, toInt(orderField))) : room.order;
  const flags2 = flags2Field ? (room.flags2 & 1) | (toInt(flags2Field) & EDITABLE_FLAGS2) : room.flags2;
  const settings = { name, directory: flags & ROOM_FLAG.directory ? directory : '', flags, floor, order, view, flags2 };
  return { room, flags, settings, isKicking: toInt(kick) === 1 };
}

/** An unchanged name is not checked: it may be older than the rules. */
function newName(session: Session, room: StoredRoom, given: string, flags: number): string {
  const name = given === room.name ? given : acceptedName(given, room.owner !== null);
  const key = nameKey(name);
  const other = roomByName(session.store, room.owner === null ? key : personalKey(room.owner, key));
  if (other && other !== room) throw new Refusal('alreadyExists', `'${name}' already exists.`);
  if (isServerRoom(room) && key !== room.key) throw new Refusal('notHere', 'Cannot rename this room.');
  const becomesPublic = (room.flags & ~flags & ROOM_FLAG.private) !== 0;
  const isCompared = room.owner === null && !isServerRoom(room) && (key !== room.key || becomesPublic);
  if (isCompared) refuseRoomLookAlike(session, name, room);
  return name;
}

function change(session: Session, args: string, password: string): Reply {
  const { store } = session;
  // Read again: during hashing others may have changed the room or taken the name.
  const { room, settings, isKicking } = wantedSettings(session, args);
  store.transaction(() => {
    updateRoom(store, room, { ...settings, password, changed: now() });
    if (isKicking) dropVisits(store, room.id);
  });
  return ok('Ok');
}

function editedFlags(room: StoredRoom, wanted: number): number {
  let flags = (wanted & EDITABLE_FLAGS) | ROOM_FLAG.inUse;
  if (room.owner !== null) return flags | ROOM_FLAG.private | ROOM_FLAG.personal;
  if (flags & (ROOM_FLAG.password | ROOM_FLAG.guessName)) flags |= ROOM_FLAG.private;
  const closed = ROOM_FLAG.private | ROOM_FLAG.password | ROOM_FLAG.guessName | ROOM_FLAG.preferredOnly;
  return room.key === BASE_ROOM_KEY ? flags & ~closed : flags;
}

/** `SETA name`: who is room admin; an unknown or empty name means nobody */
export function seta(session: Session, args: string): Reply {
  const room = roomToAdminister(session);
  updateRoom(session.store, room, { admin: findUser(session.store, args.trim())?.id ?? null });
  return ok('Ok');
}

/** `KILL delete` → 200, the session is in the base room then; 560 */
export function kill(session: Session, args: string): Reply {
  const { room, store } = session;
  if (!room || !session.user || isServerRoom(room) || isInbox(room) || !isMine(session, room)) {
    throw new Refusal('notHere', "Can't delete this room.");
  }
  if (toInt(args) !== 1) return ok('ok to delete.');
  const name = shownName(room, session.user);
  deleteRooms(session.server, [room]);
  enterRoom(session, baseRoom(store));
  return ok(`'${name}' deleted.`);
}

/** `EINF 1`: 400, then the text of the room; anything else only checks the right */
export function einf(session: Session, args: string): Reply {
  const { store } = session;
  const room = roomToAdminister(session);
  if (toInt(args) !== 1) return ok('Ok.');
  return takeText('Transmit new banner in plain text now.', MAX_INFO_TEXT_BYTES, (text) => {
    // Meanwhile the room may have been deleted, or the sender removed from it.
    const isAllowed = roomById(store, room.id) === room && mayAdminister(session, room);
    if (!isAllowed) return;
    store.transaction(() => {
      store.run`UPDATE room SET info = ${text} WHERE id = ${room.id}`;
      updateRoom(store, room, { infoMessage: text === '' ? 0 : nextNumber(store), changed: now() });
    });
  });
}

function isInbox(room: StoredRoom): boolean {
  return roleOf(roomFacts(room)) === 'mail';
}

function isTaken({ store }: Session, owner: number, name: string): boolean {
  return roomByName(store, personalKey(owner, nameKey(name))) !== undefined;
}

/** Throws Refusal 512 for an empty password, or one that is too long. */
function requirePassword(password: string): void {
  if (password === '') throw new Refusal('illegalValue', 'A room of this type needs a password.');
  if (Buffer.byteLength(password) > MAX_ROOM_PASSWORD_BYTES)
    throw new Refusal('illegalValue', 'The password is too long.');
}

/**
 * The hash to store. An unchanged password keeps its hash, so that visitors need not enter it again. Throws Refusal
 * 512.
 */
async function hashToStore(session: Session, password: string, before = ''): Promise<string> {
  requirePassword(password);
  if (before !== '' && (await verifyPassword(before, password, session))) return before;
  return hashPassword(password, session.server.passwordCost, session);
}

/** `INVT user` → 200; 550, 560, 570 */
export function invt(session: Session, args: string): Reply {
  const { room, member } = roomAndMember(session, args);
  updateVisit(session.store, visitOf(session.store, member.id, room.id), { state: 'known' });
  return ok(`${member.name} invited to ${fullName(room)}.`);
}

/** `KICK user`: removes the user from the room until the next invitation → 200; 550, 560, 570 */
export function kick(session: Session, args: string): Reply {
  const { room, member } = roomAndMember(session, args);
  updateVisit(session.store, visitOf(session.store, member.id, room.id), { state: 'locked_out' });
  return ok(`${member.name} kicked out of ${fullName(room)}.`);
}

function roomAndMember(session: Session, args: string): { room: StoredRoom; member: StoredUser } {
  const { room, store } = session;
  if (!room || !session.user || !isMine(session, room)) {
    throw new Refusal('higherAccess', 'Higher access or room ownership required.');
  }
  if (nameKey(room.name) === BASE_ROOM_KEY && room.owner === null) {
    throw new Refusal('notHere', "Can't add/remove users from this room.");
  }
  return { room, member: userNamed(store, args.trim()) };
}
