// Further lists of rooms: LKRN LKRO LRMS LPRM (protocol section 18.3). The gateway filters LKRA instead.

import { ACCESS, ROOM_FLAG } from '../../../model.ts';
import type { Reply } from '../../session/reply.ts';
import { roomList } from '../../session/room-list.ts';
import type { Session } from '../../session/session.ts';

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
