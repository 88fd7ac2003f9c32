// The list of sessions, and ending them: RWHO STEL TERM (protocol section 18.10).

import { ACCESS } from '../../model.ts';
import { toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { isAdmin, sessionAccess } from '../session/access.ts';
import { listing, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { fullName, shownName } from '../store/rooms.ts';
import { guestsAllowed } from '../store/settings.ts';
import { isChatting } from './chat.ts';

/** where RWHO shows that somebody chats, as a real server does */
const CHAT_MARK_COLUMN = 14;

/**
 * → rows `session|user|room|host|client|last activity|last command|flags||||logged in`, newest first. Who may not
 * enter the server sees himself only.
 */
export function rwho(viewer: Session): Reply {
  const seesAll = viewer.isAdminSocket || isAdmin(viewer.user);
  const seesOthers = viewer.isAdminSocket || viewer.user !== undefined || guestsAllowed(viewer.store);
  let rows = '';
  for (const other of [...viewer.server.sessions].reverse()) {
    if (other !== viewer && (!seesOthers || (other.stealth && !seesAll))) continue;
    const flags = (other.lastCommand === 'ENT0' ? '*' : '.') + (other.stealth && seesAll ? '-' : '');
    rows += [
      other.id,
      other.user?.name ?? '(not logged in)',
      seenRoom(viewer, other),
      other.clientHost,
      other.clientName,
      other.lastActivity,
      other.lastCommand,
      flags,
      '',
      '',
      '',
      other.user ? 1 : 0,
    ].join('|');
    rows += '\n';
  }
  return listing(' ', rows, viewer.flag);
}

function seenRoom(viewer: Session, other: Session): string {
  const { room } = other;
  if (!room) return '';
  const isOwn = room.owner !== null && room.owner === viewer.user?.id;
  if (!isOwn && !(sessionAccess(viewer, room) & ACCESS.known)) return ' ';
  const name = isOwn ? shownName(room, viewer.user) : fullName(room);
  return isChatting(other) ? `${name.padEnd(CHAT_MARK_COLUMN)}<chat>` : name;
}

/** `STEL 0|1`: hidden from RWHO of others → the state */
export function stel(session: Session, args: string): Reply {
  session.stealth = switched(session.stealth, args);
  return ok(session.stealth ? 1 : 0);
}

/** `TERM session`: closes another session; one's own or, for administrators, any. 512, 550 */
export function term(session: Session, args: string): Reply {
  const wanted = toInt(args);
  const victim = [...session.server.sessions].find((other) => other.id === wanted);
  if (!victim) throw new Refusal(STATUS.illegalValue, 'No such session.');
  if (victim === session) throw new Refusal(STATUS.illegalValue, "You can't kill your own session.");
  const isOwn = session.user !== undefined && victim.user === session.user;
  const isAllowed = isOwn || session.isAdminSocket || (isAdmin(session.user) && !session.appPassword);
  if (!isAllowed) {
    throw new Refusal(STATUS.higherAccess, 'You are not allowed to do that.');
  }
  victim.destroy();
  return ok('Session terminated.');
}

/** The state after `0` or `1`; anything else only asks. */
export function switched(state: boolean, args: string): boolean {
  if (/^\s*\d/.test(args) && toInt(args) <= 1) return toInt(args) === 1;
  return state;
}
