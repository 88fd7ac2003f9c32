// What the answer to GOTO says of a caller's rights in a room (protocol section 9). Checked before something is
// replaced: else the new message would be posted beside the old one.

import { type EnteredRoom, ROOM_FLAG2 } from '../model.ts';

/** Admins may delete, owners in personal rooms, and where the room is collaborative everybody who may post. */
export function canDelete(room: EnteredRoom): boolean {
  return room.isAdmin || room.isPersonal || (room.flags2 & ROOM_FLAG2.collaborativeDelete) !== 0;
}
