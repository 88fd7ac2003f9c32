// What a room or the whole room server takes, and what is left (verb MEMB of the embedded room server,
// protocol section 21.6). Only where hasMembers says that the room server has it.

import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass } from '../connection/refusal.ts';

/** In bytes. */
export interface Quota {
  used: number;
  available: number;
}

/** Of a room, or without one of the whole server. Throws as pool.readInRoom. */
export async function readQuota(pool: Pool, identity: Identity, room?: RoomRef): Promise<Quota> {
  const answer = room
    ? (await pool.readInRoom(identity, room, [command('MEMB', 'quota')])).answers[0]
    : (await pool.read(identity, [command('MEMB', 'quota', 'all')]))[0];
  const [used, available] = splitFields(expectClass(answer!, REPLY.listing).lines[0] ?? '');
  return { used: toInt(used), available: toInt(available) };
}
