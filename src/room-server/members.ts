// Who knows a room: lists, inviting, putting out (verbs WHOK INVT KICK, protocol sections 18.4 and 18.5).

import { command } from '../protocol/fields.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals, ROOM_ADMINS_ONLY } from './connection/refusal.ts';

const WHO_KNOWS = command('WHOK');
const INVITING: KnownRefusals = {
  [STATUS.notHere]: ['conflict', 'Everybody belongs to this room.'],
  [STATUS.higherAccess]: ROOM_ADMINS_ONLY,
};

/** accounts of the room server itself, which nobody logs in as (protocol section 7) */
export const SYSTEM_ACCOUNT = /^SYS_/;

/** Names of the users who know the room. */
export async function listRoomMembers(pool: Pool, identity: Identity, room: RoomRef): Promise<string[]> {
  const { answers } = await pool.readInRoom(identity, room, [WHO_KNOWS]);
  return expectClass(answers[0]!, REPLY.listing).lines.filter((name) => !SYSTEM_ACCOUNT.test(name));
}

/** Lets a user into a room. Throws forbidden (550), not_found (570), conflict for the base room (560). */
export function inviteMember(pool: Pool, identity: Identity, room: RoomRef, user: string): Promise<void> {
  return change(pool, identity, room, command('INVT', user));
}

/** Puts a user out of a room until he is invited again. Throws as inviteMember. */
export function removeMember(pool: Pool, identity: Identity, room: RoomRef, user: string): Promise<void> {
  return change(pool, identity, room, command('KICK', user));
}

function change(pool: Pool, identity: Identity, room: RoomRef, verb: string): Promise<void> {
  return pool.visitRoom(identity, room, async (connection) => {
    expectClass(await connection.ask(verb), REPLY.done, INVITING);
  });
}
