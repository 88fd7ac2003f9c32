// Entering rooms: GOTO and STAT, and what one sees and does there first: RINF, GETA, VIEW, FORG, WHOK, GPEX
// (spec section 18.4). Nearly every request of the gateway begins with GOTO, so it reads memory and writes rarely.

import { ACCESS, ROOM_FLAG } from '../model.ts';
import { splitFields, toInt } from '../protocol/fields.ts';
import { accessOf, isAdmin, isRoomAdmin } from './access.ts';
import { requireRoom } from './marks.ts';
import type { RoomRow, VisitRow } from './records.ts';
import { baseRoom, findRoom, fullName, nameKey, shownName, withoutMacro } from './rooms.ts';
import { countNew } from './seen-counts.ts';
import type { Session } from './session.ts';
import { numberSetting } from './settings.ts';
import { listingText } from './text-reader.ts';
import { allUsers, userById } from './users.ts';
import { Refusal, type Reply } from './verb.ts';
import { updateVisit, visitOf, visitorsOf } from './visits.ts';

/** `GOTO room|password|transient` → 17 fields; 540, 572 */
export function goto(session: Session, args: string): Reply {
  const [name = '', password = '', transient] = splitFields(args);
  const { store, user } = session;
  const room = findRoom(store, user, name);
  if (!room) throw notFound(name);
  const visit = user && visitOf(store, user.id, room.id);
  if (user || !session.isAdminSocket) {
    const access = accessOf(user, room, visit);
    if (!(access & ACCESS.enter)) letIn(room, visit, access, name, password);
  }
  enterRoom(session, room, toInt(transient) === 1);
  return `200${session.flag}${enteredFields(session, room)}\n`;
}

/** What opens a private room to somebody who does not know it. Throws Refusal 540, 572. */
function letIn(room: RoomRow, visit: VisitRow | undefined, access: number, name: string, password: string): void {
  const isLockedOut = visit?.state === 'locked_out' || access !== 0;
  const excluded = ROOM_FLAG.personal | ROOM_FLAG.preferredOnly;
  if (isLockedOut || room.flags & excluded) throw notFound(name);
  if (room.flags & ROOM_FLAG.guessName) return;
  // Guests have nothing that would remember a password once given.
  if (!(room.flags & ROOM_FLAG.password) || !visit) throw notFound(name);
  if (nameKey(password) !== nameKey(room.password)) throw new Refusal(540, 'wrong or missing passwd');
}

function notFound(name: string): Refusal {
  return new Refusal(572, `room '${withoutMacro(name)}' not found`);
}

/** Makes it the session's room, without any check; the user knows it from then on, unless the visit is transient. */
export function enterRoom(session: Session, room: RoomRow, isTransient = false): void {
  const { store, user } = session;
  if (user && !isTransient) {
    const visit = visitOf(store, user.id, room.id);
    if (visit.state !== 'known' && !isAdminsVisit(session, room)) updateVisit(store, visit, { state: 'known' });
  }
  session.room = room;
  session.highestKnown = room.highest;
}

// An administrator who looks into somebody's personal room does not become a member of it.
function isAdminsVisit({ user }: Session, room: RoomRow): boolean {
  return room.owner !== null && room.owner !== user?.id && isAdmin(user);
}

function enteredFields(session: Session, room: RoomRow): string {
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
    room.owner !== null && nameKey(room.name) === 'trash' ? 1 : 0,
    room.flags2,
    room.changed,
    '',
  ].join('|');
}

/** → `200 full name|changed|`; what the session knows of the room is brought up to date */
export function stat(session: Session): Reply {
  const { room } = session;
  if (!room) return '200 |0|\n';
  session.highestKnown = room.highest;
  return `200 ${fullName(room)}|${room.changed}|\n`;
}

/** → listing of the room text; 571 */
export function rinf(session: Session): Reply {
  const { room, store } = session;
  const info = room && String(store.prepare('SELECT info FROM room WHERE id = ?').get(room.id)?.info ?? '');
  if (!info) throw new Refusal(571, 'No info file.');
  return `100 Info:\n${listingText(info)}000\n`;
}

/** → `200 NAME` of the room admin, or `200 ` */
export function geta(session: Session): Reply {
  const admin = session.room?.admin;
  return `200 ${admin == null ? '' : (userById(session.store, admin)?.name ?? '')}\n`;
}

/** `VIEW n`: the own view of this room */
export function view(session: Session, args: string): Reply {
  const { user, room } = session;
  if (user && room) updateVisit(session.store, visitOf(session.store, user.id, room.id), { view: toInt(args) });
  return '200 ok\n';
}

/** The room is no longer known; the session goes to the base room. 560 */
export function forg(session: Session): Reply {
  const { store, user } = session;
  const room = requireRoom(session);
  if (isAdmin(user) && room.owner === null && numberSetting(store, 'c_aide_zap') === 0) {
    throw new Refusal(560, 'You may not forget this room.');
  }
  if (user) updateVisit(store, visitOf(store, user.id, room.id), { state: 'forgotten' });
  enterRoom(session, baseRoom(store));
  return '200 Ok\n';
}

/** → names of the users who know the room */
export function whok(session: Session): Reply {
  const { room, store } = session;
  let reply = '100 Who knows room:\n';
  if (room) {
    const visitors = visitorsOf(store, room.id);
    for (const user of allUsers(store)) {
      if (accessOf(user, room, visitors.get(user.id)) & ACCESS.known) reply += `${user.name}\n`;
    }
  }
  return `${reply}000\n`;
}

/** `GPEX room|floor|mailboxes|site`: nothing expires here. 512 */
export function gpex(_session: Session, args: string): Reply {
  const which = splitFields(args)[0]!;
  if (which === 'site') return '200 1|0\n';
  if (!['room', 'floor', 'mailboxes'].includes(which)) throw new Refusal(512, `Invalid keyword "${which}"`);
  return '200 0|0\n';
}
