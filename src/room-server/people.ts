// Who is online (verb RWHO, protocol section 18.10).

import { command, splitFields, toInt } from '../protocol/fields.ts';
import { REPLY } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass } from './connection/refusal.ts';

const WHO = command('RWHO');

export interface OnlineSession {
  session: number;
  user: string;
  /** empty where the caller may not know it, or the session is in none */
  room: string;
  host: string;
  client: string;
  /** Unix seconds */
  lastActivity: number;
}

/** The sessions of users who are logged in, newest first. */
export async function listOnline(pool: Pool, identity: Identity): Promise<OnlineSession[]> {
  const [answer] = await pool.read(identity, [WHO]);
  return expectClass(answer!, REPLY.listing).lines.flatMap((line) => {
    const fields = splitFields(line);
    if (toInt(fields[11]) === 0) return [];
    const [, user = '', room = '', host = '', client = ''] = fields;
    return [{ session: toInt(fields[0]), user, room: room.trim(), host, client, lastActivity: toInt(fields[5]) }];
  });
}
