// The current room: GOTO STAT RINF GETA VIEW FORG WHOK (protocol section 18.4) and its read marks, GTSN SLRP SEEN
// (protocol section 10). Nearly every request of the gateway begins with GOTO, so it reads memory and writes rarely.

import { ACCESS } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { roleOf } from '../../protocol/room-facts.ts';
import { SequenceSet } from '../../protocol/sequence-set.ts';
import { listingText } from '../content/message-text.ts';
import { enterRoom } from '../maintenance/log-in.ts';
import { accessOf, isAdmin, isRoomAdmin, keyOf, readableRoom, requireRoom } from '../session/access.ts';
import { tryPassword } from '../session/attempts.ts';
import { inPieces, listing, listingStart, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { baseRoom, findRoom, fullName, roomFacts, shownName, withoutMacro } from '../store/rooms.ts';
import { numberSetting } from '../store/store.ts';
import { allUsers, userById } from '../store/users.ts';
import { countNew, storedVisit, updateVisit, visitOf, withMark } from '../store/visits.ts';

/** `GOTO room|password|transient` → 17 fields; 540, 550 too many wrong passwords, 572 */
export function goto(session: Session, args: string): Reply | Promise<Reply> {
  const [name = '', password = '', transient] = splitFields(args);
  const isTransient = toInt(transient) === 1;
  const { room, key } = wayInto(session, name);
  if (!room || key === 'none') throw notFound(session, name);
  if (key === 'open') return entered(session, room, isTransient);
  const { openedRooms } = session.server;
  const given = key === 'password' ? password : '';
  if (openedRooms.has(session, room, given)) return entered(session, room, isTransient, key);
  const opening = key === 'password' ? tryPassword(session, room, given) : openedRooms.mayTryName(session);
  const before = room.password;
  return opening.then((isOpened) => {
    // Meanwhile the room may have been deleted or changed, or the user removed from it.
    const now = wayInto(session, name);
    const isSame = now.room === room && now.key === key && room.password === before;
    if (!isOpened || !isSame) {
      throw key === 'name' ? notFound(session, name) : new Refusal('passwordRequired', 'wrong or missing passwd');
    }
    openedRooms.add(session, room, given);
    return entered(session, room, isTransient, key);
  });
}

/** What admits the session to the room of this name: its rights, the name alone, or the password (keyOf). */
function wayInto(
  session: Session,
  name: string,
): { room: StoredRoom | undefined; key: 'open' | ReturnType<typeof keyOf> } {
  const { store, user } = session;
  const room = findRoom(store, user, name);
  const only = session.appPassword?.room ?? null;
  if (!room || (only !== null && room.id !== only)) return { room: undefined, key: 'none' };
  if (!user && session.isAdminSocket) return { room, key: 'open' };
  const visit = user && visitOf(store, user.id, room.id);
  const access = accessOf(user, room, visit);
  return { room, key: access & ACCESS.enter ? 'open' : keyOf(room, visit, access) };
}

function entered(session: Session, room: StoredRoom, isTransient: boolean, key?: 'name' | 'password'): Reply {
  enterRoom(session, room, isTransient);
  if (key === 'password') session.roomPassword = room.password;
  return ok(enteredFields(session, room), session.flag);
}

/** The same refusal for a missing room and for one that the session may not know. */
function notFound(session: Session, name: string): Refusal {
  session.server.openedRooms.noteMiss(session, name);
  return new Refusal('noSuchRoom', `room '${withoutMacro(name)}' not found`);
}

function enteredFields(session: Session, room: StoredRoom): string {
  const { store, user } = session;
  const visit = user && visitOf(store, user.id, room.id);
  const lastRead = visit?.lastRead ?? 0;
  return [
    shownName(room, user),
    visit ? countNew(store, room, visit) : room.total,
    room.total,
    user && room.infoMessage > lastRead ? 1 : 0,
    room.flags,
    room.highest,
    lastRead,
    room.owner === null ? 0 : 1,
    isRoomAdmin(user, room) ? 1 : 0,
    0,
    room.floor,
    visit?.view ?? room.view,
    room.view,
    roleOf(roomFacts(room)) === 'trash' ? 1 : 0,
    room.flags2,
    room.changed,
    '',
  ].join('|');
}

/** → `200 full name|changed|`; what the session knows of the room is brought up to date. 550 */
export function stat(session: Session): Reply {
  if (!session.room) return ok('|0|');
  const room = readableRoom(session);
  session.highestKnown = room.highest;
  return ok(`${fullName(room)}|${room.changed}|`);
}

/** → listing of the room text; 550, 571 */
export function rinf(session: Session): Reply {
  const { store } = session;
  const room = session.room && readableRoom(session);
  const info = room && String(store.get`SELECT info FROM room WHERE id = ${room.id}`?.info ?? '');
  if (!info) throw new Refusal('noSuchFile', 'No info file.');
  return listing('Info:', listingText(info));
}

/** → `200 NAME` of the room admin, or `200 `; 550 */
export function geta(session: Session): Reply {
  const admin = session.room && readableRoom(session).admin;
  return ok(admin == null ? '' : (userById(session.store, admin)?.name ?? ''));
}

/** `VIEW n`: the own view of this room */
export function view(session: Session, args: string): Reply {
  const { user, room } = session;
  if (user && room) updateVisit(session.store, visitOf(session.store, user.id, room.id), { view: toInt(args) });
  return ok('ok');
}

/** The room is no longer known; the session goes to the base room. 560 */
export function forg(session: Session): Reply {
  const { store, user } = session;
  const room = requireRoom(session);
  if (isAdmin(user) && room.owner === null && numberSetting(store, 'c_aide_zap') === 0) {
    throw new Refusal('notHere', 'You may not forget this room.');
  }
  if (user) {
    const visit = visitOf(store, user.id, room.id);
    // A user who was removed by KICK must not regain access this way.
    if (visit.state !== 'locked_out') updateVisit(store, visit, { state: 'forgotten' });
  }
  enterRoom(session, baseRoom(store));
  return ok('Ok');
}

/** → names of the users who know the room; 550 */
export function whok(session: Session): Reply {
  const { store } = session;
  const room = session.room && readableRoom(session);
  const title = 'Who knows room:';
  if (!room) return listing(title, '');
  const row = (user: StoredUser): string =>
    accessOf(user, room, storedVisit(store, user.id, room.id)) & ACCESS.known ? `${user.name}\n` : '';
  return inPieces(listingStart(title), allUsers(store).map(row));
}

/** → `200 SEQUENCE SET` */
export function gtsn(session: Session): Reply {
  const { room, user } = session;
  return ok(user && room ? visitOf(session.store, user.id, room.id).seen.toString() : '*:0');
}

/** `SLRP n` or `SLRP HIGHEST`: everything up to n is read, forwards or backwards → `200 n` */
export function slrp(session: Session, args: string): Reply {
  const room = requireRoom(session);
  const wanted = args.trim().toUpperCase() === 'HIGHEST' ? session.highestKnown : Math.max(0, toInt(args));
  const { store, user } = session;
  if (user) {
    const visit = visitOf(store, user.id, room.id);
    const seen = SequenceSet.upTo(wanted);
    // Clients repeat this when they leave a room: avoids a write.
    if (visit.lastRead !== wanted || visit.seen.toString() !== seen.toString()) {
      updateVisit(store, visit, { seen, lastRead: wanted });
    }
  }
  return ok(wanted);
}

/** `SEEN number|1 or 0` → 200; 512 */
export function seen(session: Session, args: string): Reply {
  const fields = splitFields(args);
  if (fields.length !== 2) throw new Refusal('illegalValue', 'Invalid parameters');
  const room = requireRoom(session);
  const { store, user } = session;
  if (user) {
    const visit = visitOf(store, user.id, room.id);
    const marked = withMark(store, room, visit.seen, toInt(fields[0]), toInt(fields[1]) !== 0);
    if (marked !== visit.seen) updateVisit(store, visit, { seen: marked });
  }
  return ok('OK');
}
