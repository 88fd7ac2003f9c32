// Log-in and log-out of a session, and entering a room, for the verbs that do so. Here because a user who was deleted
// while logged in is removed with the last session.

import { MAX_PASSWORD_BYTES, MAX_SESSIONS_PER_ACCOUNT } from '../../limits/backend.ts';
import { LEVEL } from '../../model.ts';
import { now } from '../../system/clock.ts';
import { isAdmin } from '../session/access.ts';
import { ok } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { hashPassword } from '../store/passwords.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { baseRoom } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { createPersonalRooms, updateUser } from '../store/users.ts';
import { updateVisit, visitOf } from '../store/visits.ts';
import { deleteUser } from './removal.ts';

/** Makes it the current room, without a check. The user knows it from then on, unless the visit is transient. */
export function enterRoom(session: Session, room: StoredRoom, isTransient = false): void {
  if (session.user && !isTransient) {
    try {
      makeKnown(session.store, session.user, room);
    } catch (error) {
      // A full disk still allows reading.
      if (!(error instanceof Refusal)) throw error;
    }
  }
  session.room = room;
  session.roomPassword = '';
  session.highestKnown = room.highest;
}

function makeKnown(store: Store, user: StoredUser, room: StoredRoom): void {
  const visit = visitOf(store, user.id, room.id);
  // An administrator does not join the personal rooms of others by entering them.
  const isAdminsVisit = room.owner !== null && room.owner !== user.id && isAdmin(user);
  if (visit.state !== 'known' && !isAdminsVisit) updateVisit(store, visit, { state: 'known' });
}

/**
 * Logs the session in: creates missing personal rooms, enters the base room, and runs `note`, which by default counts
 * the call. Returns the reply of PASS, NEWU and SKEY, with a field for the scope of an app password. Throws Refusal
 * 551.
 */
export function logIn(
  session: Session,
  loggedIn: StoredUser,
  note: () => unknown = () => updateUser(session.store, loggedIn, { lastCall: now(), calls: loggedIn.calls + 1 }),
): string {
  const { store } = session;
  requireSessionLeft(session, loggedIn);
  const previousCall = loggedIn.lastCall;
  try {
    store.transaction(
      () => {
        createPersonalRooms(store, loggedIn);
        note();
      },
      () => ({ users: [loggedIn.id] }),
    );
  } catch (error) {
    // A full disk still allows reading.
    if (!(error instanceof Refusal)) throw error;
  }
  session.user = loggedIn;
  session.selectedUser = undefined;
  session.unknownName = undefined;
  session.newMail = 0;
  const { appPassword } = session;
  if (appPassword?.scope !== 'feed') enterRoom(session, baseRoom(store));
  const { name, level, flags, id } = loggedIn;
  return ok(`${name}|${level}|0|0|${flags}|${id}|${previousCall}${appPassword ? `|${appPassword.scope}` : ''}`);
}

/** Throws Refusal 551: one account must not take all sessions. Gateways bound their users themselves. */
function requireSessionLeft(session: Session, user: StoredUser): void {
  if (session.address === '') return;
  let count = 0;
  for (const other of session.server.sessions) if (other.user === user && other.address !== '') count++;
  if (count < MAX_SESSIONS_PER_ACCOUNT) return;
  session.appPassword = undefined;
  throw new Refusal('tooManySessions', `Too many sessions of this account (maximum is ${MAX_SESSIONS_PER_ACCOUNT})`);
}

/** Ends the log-in. A user who was deleted meanwhile is removed with the last session. */
export function logOut(session: Session): void {
  const left = session.user;
  session.user = undefined;
  session.selectedUser = undefined;
  session.unknownName = undefined;
  session.keyHash = undefined;
  session.appPassword = undefined;
  session.room = undefined;
  session.highestKnown = 0;
  session.openDownload = undefined;
  const { openUpload } = session;
  session.openUpload = undefined;
  openUpload?.writer.abort();
  session.chatRoom = undefined;
  session.isValidating = false;
  session.instantMessages = [];
  session.lastPager = undefined;
  session.stealth = false;
  session.refusesMessages = false;
  session.asyncMode = false;
  session.notices.clear();
  if (left?.level === LEVEL.deleted && !session.server.isOnline(left)) deleteUser(session.server, left);
}

/** Throws Refusal 541 if a user is logged in. */
export function requireNobody(session: Session): void {
  if (session.user) throw new Refusal('alreadyLoggedIn', 'Already logged in.');
}

/** Throws Refusal 512 for a password that is too long. */
export function hashOf(session: Session, password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) throw new Refusal('illegalValue', 'The password is too long.');
  return hashPassword(password, session.server.passwordCost, session);
}
