// Rights in rooms: the access field of room rows (protocol section 9). These rules are defined here only.

import { ACCESS, type AppPasswordScope, LEVEL, ROOM_FLAG, ROOM_FLAG2, VIEW } from '../../model.ts';
import { hasMemberNames, type StoredRoom, type StoredUser, type StoredVisit } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { AIDE_ROOM_KEY } from '../store/rooms.ts';
import { guestsAllowed, type Store } from '../store/store.ts';
import { visitOf } from '../store/visits.ts';

/** A session, as far as rights depend on it. */
export interface Visitor {
  readonly store: Store;
  readonly user: StoredUser | undefined;
  readonly isAdminSocket: boolean;
  /** used to log in, if any */
  readonly appPassword?: { readonly scope: AppPasswordScope } | undefined;
}

/** A session with its current room. */
interface VisitorInRoom extends Visitor {
  readonly room: StoredRoom | undefined;
  /** the room's stored password, if one admitted the session */
  readonly roomPassword: string;
}

/** How a session has logged in. */
interface LoggedIn {
  readonly keyHash: string | undefined;
  readonly appPassword: object | undefined;
}

const ALL = ACCESS.known | ACCESS.enter | ACCESS.hasNew | ACCESS.post | ACCESS.admin | ACCESS.delete | ACCESS.reply;

/** Sum of ACCESS bits. Without a user: a guest (whether guests are allowed at all is checked before). */
export function accessOf(user: StoredUser | undefined, room: StoredRoom, visit: StoredVisit | undefined): number {
  const access = user ? userAccess(user, room, visit?.state ?? 'none') : guestAccess(room);
  if (!(access & ACCESS.enter) || room.highest === 0 || visit?.seen.contains(room.highest)) return access;
  return access | ACCESS.hasNew;
}

/** Logged in by an app password for DAV: it stores objects and files, but posts no messages and sends no mail. */
export function isForDav({ appPassword }: Pick<Visitor, 'appPassword'>): boolean {
  return appPassword?.scope === 'dav';
}

/** Sum of ACCESS bits of a session; on the administration socket everything is allowed. */
export function sessionAccess(session: Visitor, room: StoredRoom): number {
  const { user } = session;
  if (!user && session.isAdminSocket) return ALL;
  const access = accessOf(user, room, user && visitOf(session.store, user.id, room.id));
  // boards, blogs and mailboxes hold posts
  return isForDav(session) && !hasMemberNames(room) ? access & ~(ACCESS.post | ACCESS.reply) : access;
}

/** An administrator of the site (LEVEL.admin). */
export function isAdmin(user: StoredUser | undefined): boolean {
  return user !== undefined && user.level >= LEVEL.admin;
}

/** An administrator, or somebody on the administration socket. */
export function hasAdminRights({ isAdminSocket, user }: Visitor): boolean {
  return isAdminSocket || isAdmin(user);
}

/** An administrator of the site, or the room's own. */
export function isRoomAdmin(user: StoredUser | undefined, room: StoredRoom | undefined): boolean {
  return isAdmin(user) || (user !== undefined && room?.admin === user.id);
}

/** Whether the session may administer the room. A user who was removed from it may not. */
export function mayAdminister(session: Visitor, room: StoredRoom): boolean {
  return session.isAdminSocket || (sessionAccess(session, room) & ACCESS.admin) !== 0;
}

/** The room the session is in. Throws Refusal 550 unless it may administer it ("room" in protocol section 18). */
export function roomToAdminister(session: VisitorInRoom): StoredRoom {
  const { room } = session;
  if (!room || !mayAdminister(session, room)) {
    throw new Refusal('higherAccess', 'This command requires Admin or Room Admin access.');
  }
  return room;
}

/**
 * What admits a user without access to the room: its name, its password, or nothing. Guests cannot use a password: it
 * could not be remembered for them.
 */
export function keyOf(room: StoredRoom, visit: StoredVisit | undefined, access: number): 'name' | 'password' | 'none' {
  const isLockedOut = visit?.state === 'locked_out' || access !== 0;
  if (isLockedOut || room.flags & (ROOM_FLAG.personal | ROOM_FLAG.preferredOnly)) return 'none';
  if (room.flags & ROOM_FLAG.guessName) return 'name';
  return room.flags & ROOM_FLAG.password && visit ? 'password' : 'none';
}

/**
 * The room the session is in. Throws Refusal 550 without one, and if the user has lost the right to be there: by KICK,
 * or because the room became private or has a new password.
 */
export function readableRoom(session: VisitorInRoom): StoredRoom {
  const { room } = session;
  if (!room) throw new Refusal('higherAccess', 'You are in no room.');
  if (!mayStillRead(session, room)) throw new Refusal('higherAccess', 'You may not read in this room any more.');
  return room;
}

/** Whether the session still has the rights that admitted it to this room. */
export function mayStillRead(session: VisitorInRoom, room: StoredRoom): boolean {
  const { user, store } = session;
  const access = sessionAccess(session, room);
  if (access & ACCESS.enter) return true;
  const visit = user && visitOf(store, user.id, room.id);
  const key = keyOf(room, visit, access);
  return key === 'name' || (key === 'password' && room.password !== '' && session.roomPassword === room.password);
}

/** Who may use a verb (protocol section 18, column "who"). */
export type Who = 'any' | 'guest' | 'user' | 'admin';

/** Throws Refusal 520 or 550 unless the session may use such a verb. */
export function requireWho({ isAdminSocket, user, store }: Visitor, who: Who): void {
  if (who === 'any' || isAdminSocket) return;
  if (!user) {
    if (who === 'guest' && guestsAllowed(store)) return;
    throw new Refusal('notLoggedIn', 'Not logged in.');
  }
  if (who === 'admin' && !isAdmin(user)) throw new Refusal('higherAccess', 'This command requires Admin access.');
}

function guestAccess(room: StoredRoom): number {
  const isOpen = !(room.flags & (ROOM_FLAG.private | ROOM_FLAG.personal | ROOM_FLAG.preferredOnly));
  return isOpen && !(room.flags2 & ROOM_FLAG2.system) ? ACCESS.known | ACCESS.enter : 0;
}

function userAccess(user: StoredUser, room: StoredRoom, state: StoredVisit['state']): number {
  const isSiteAdmin = isAdmin(user);
  if (room.key === AIDE_ROOM_KEY && !isSiteAdmin) return 0;
  if (room.flags & ROOM_FLAG.preferredOnly && user.level < LEVEL.preferred) return 0;

  const isPersonal = room.owner !== null;
  const isMember = isPersonal ? room.owner === user.id || state === 'known' : state === 'known';
  const isPrivate = isPersonal || (room.flags & ROOM_FLAG.private) !== 0;
  const isLockedOut = state === 'locked_out' && !isSiteAdmin && room.owner !== user.id;
  if (isLockedOut) return isPrivate ? 0 : ACCESS.forgotten;

  const administers = isRoomAdmin(user, room);
  if (isPrivate && !isMember && !administers) return 0;

  let access: number = ACCESS.enter;
  if (state === 'forgotten') access |= ACCESS.forgotten;
  // The personal rooms of others are known to administrators by their full names only.
  else if (!isPersonal || isMember) access |= ACCESS.known;
  if (room.flags2 & ROOM_FLAG2.system) access &= ~(ACCESS.known | ACCESS.forgotten);

  if (administers) return access | ACCESS.post | ACCESS.reply | ACCESS.delete | ACCESS.admin;
  if (isPersonal) return access | ACCESS.post | ACCESS.reply | ACCESS.delete;
  if (room.flags & ROOM_FLAG.readOnly || user.level < LEVEL.problem) return access;
  access |= room.view === VIEW.blog ? ACCESS.reply : ACCESS.post | ACCESS.reply;
  if (room.flags2 & ROOM_FLAG2.collaborativeDelete) access |= ACCESS.delete;
  return access;
}

/** The user, whom the administration socket lacks. Throws Refusal 520. */
export function requireUser({ user }: Visitor): StoredUser {
  if (!user) throw new Refusal('notLoggedIn', 'Not logged in.');
  return user;
}

/** The room the session is in. Throws Refusal 560 when it is in none. */
export function requireRoom(session: VisitorInRoom): StoredRoom {
  if (!session.room) throw new Refusal('notHere', 'You are in no room.');
  return session.room;
}

/** Room admin, administrator, or owner of a personal room. */
export function isMine(session: VisitorInRoom, room: StoredRoom): boolean {
  return mayAdminister(session, room) || (session.user !== undefined && room.owner === session.user.id);
}

/** Whether it is the current room, or one that the user knows. */
export function knows(session: VisitorInRoom, room: StoredRoom): boolean {
  return room.id === session.room?.id || (sessionAccess(session, room) & ACCESS.known) !== 0;
}

/** Moving takes the right to delete; every reader may copy into a personal room. Throws Refusal 550. */
export function mayMove(session: VisitorInRoom, room: StoredRoom, target: StoredRoom, isCopy: boolean): boolean {
  if (session.isAdminSocket) return session.user !== undefined;
  if (!session.user || (sessionAccess(session, target) & ACCESS.post) === 0) return false;
  if ((sessionAccess(session, room) & ACCESS.delete) !== 0) return true;
  readableRoom(session);
  return isCopy && (target.flags & ROOM_FLAG.personal) !== 0;
}

/** Throws Refusal 550 after a log-in by session key or app password, which may be stolen. */
export function requirePassword(session: LoggedIn): void {
  if (session.keyHash !== undefined) throw new Refusal('higherAccess', 'This takes a log-in with the password.');
  refuseAppPassword(session);
}

/** Throws Refusal 550 after a log-in by app password. */
export function refuseAppPassword({ appPassword }: LoggedIn): void {
  if (appPassword) throw new Refusal('higherAccess', 'An app password cannot do this.');
}
