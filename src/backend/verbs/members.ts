// Letting users into a room and putting them out: INVT, KICK (protocol section 18.5).

import { nameKey } from '../../protocol/names.ts';
import { STATUS } from '../../protocol/status.ts';
import { ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { BASE_ROOM_KEY, fullName } from '../store/rooms.ts';
import { userNamed } from '../store/users.ts';
import { updateVisit, visitOf } from '../store/visits.ts';
import { isMine } from './room-admin.ts';

/** `INVT user` → 200; 550, 560, 570 */
export function invt(session: Session, args: string): Reply {
  const { room, member } = roomAndMember(session, args);
  updateVisit(session.store, visitOf(session.store, member.id, room.id), { state: 'known' });
  return ok(`${member.name} invited to ${fullName(room)}.`);
}

/** `KICK user`: out of the room at once and until the next invitation → 200; 550, 560, 570 */
export function kick(session: Session, args: string): Reply {
  const { room, member } = roomAndMember(session, args);
  updateVisit(session.store, visitOf(session.store, member.id, room.id), { state: 'locked_out' });
  return ok(`${member.name} kicked out of ${fullName(room)}.`);
}

function roomAndMember(session: Session, args: string): { room: StoredRoom; member: StoredUser } {
  const { room, store } = session;
  if (!room || !session.user || !isMine(session, room)) {
    throw new Refusal(STATUS.higherAccess, 'Higher access or room ownership required.');
  }
  if (nameKey(room.name) === BASE_ROOM_KEY && room.owner === null) {
    throw new Refusal(STATUS.notHere, "Can't add/remove users from this room.");
  }
  return { room, member: userNamed(store, args.trim()) };
}
