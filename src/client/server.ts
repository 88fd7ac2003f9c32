// What the room server says of itself (verb INFO, spec section 18.1).

import { command } from '../protocol/fields.ts';
import type { Identity } from './identity.ts';
import type { Pool } from './pool.ts';
import { expectClass } from './refusal.ts';

const INFO = command('INFO');

/** The lines of INFO by their documented positions, counted from 0; lines that the server does not send are empty. */
export async function readServerInfo(pool: Pool, identity: Identity): Promise<(position: number) => string> {
  const [answer] = await pool.read(identity, [INFO]);
  const { lines } = expectClass(answer!, 1);
  return (position) => lines[position] ?? '';
}
