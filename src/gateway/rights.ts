// The rights of a caller in a room, from its row in a room list (protocol section 9).

import { ACCESS, ROOM_FLAG, ROOM_FLAG2, type RoomRow } from '../model.ts';

/** Bits of privileges on a resource of DAV (RFC 3744 section 3); `write` is all that write. */
export const PRIVILEGE = {
  read: 1,
  readFreeBusy: 2,
  writeProperties: 4,
  writeContent: 8,
  bind: 16,
  unbind: 32,
  unlock: 64,
  write: 4 + 8 + 16 + 32 + 64,
} as const;

/**
 * Bits of PRIVILEGE in a room and on its messages, by its row: who posts may add, who deletes may remove, both together
 * replace; properties of the room are for who may change it.
 */
export function privilegesIn({ access, flags, flags2 }: Pick<RoomRow, 'access' | 'flags' | 'flags2'>): number {
  const canPost = (access & ACCESS.post) !== 0;
  const isAdmin = (access & ACCESS.admin) !== 0 || (flags & ROOM_FLAG.personal) !== 0;
  const isCollaborative = canPost && (flags2 & ROOM_FLAG2.collaborativeDelete) !== 0;
  const mayDelete = (access & ACCESS.delete) !== 0 || isCollaborative;
  return (
    PRIVILEGE.read |
    (canPost ? PRIVILEGE.bind | PRIVILEGE.unlock : 0) |
    (mayDelete ? PRIVILEGE.unbind : 0) |
    (canPost && mayDelete ? PRIVILEGE.writeContent : 0) |
    (isAdmin ? PRIVILEGE.writeProperties : 0)
  );
}
