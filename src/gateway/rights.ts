// What the answer to GOTO says of a caller's rights in a room (protocol section 9). Asked before something is replaced,
// so that nothing is posted that would then stand beside what it replaces.

import { type EnteredRoom, ROOM_FLAG2 } from '../model.ts';

/** Admins may delete, owners in personal rooms, and whoever may post where the room says so. */
export function canDelete(room: EnteredRoom): boolean {
  return room.isAdmin || room.isPersonal || (room.flags2 & ROOM_FLAG2.collaborativeDelete) !== 0;
}
