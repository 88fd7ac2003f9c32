// A room of one's own (verb CRE8, protocol section 18.5), which its creator may fill, empty and delete.

import { REPLY } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass } from './connection/refusal.ts';
import { requireRoomNameKept } from './name-checks.ts';
import { createRoomCommand, TOO_MANY_ROOMS } from './room-admin.ts';

const FIRST_FLOOR = 0;

/**
 * `view`: what kind of room it is, one of VIEW; `isUnfinished`: RoomServer.rooms.finish follows when it has been
 * filled, or it is gone at the next start of the room server, which does not lack `unfinishedRooms`. Throws forbidden
 * (the level is too low), bad_request (the name), conflict (there is one of that name), insufficient_storage (of as many
 * as one may have).
 */
export async function createPersonalRoom(
  pool: Pool,
  identity: Identity,
  name: string,
  view: number,
  isUnfinished = false,
): Promise<void> {
  requireRoomNameKept(name, true);
  return pool.withConnection(identity, async (connection) => {
    const create = createRoomCommand({ name, kind: 'personal', password: '', floor: FIRST_FLOOR, view, isUnfinished });
    expectClass(await connection.ask(create), REPLY.done, TOO_MANY_ROOMS);
  });
}
