// What the room server says of itself (verb INFO, protocol section 18.1).

import {
  MAX_PASSWORD_BYTES,
  MAX_ROOM_PASSWORD_BYTES,
  REAL_SERVER_PASSWORD_BYTES,
  REAL_SERVER_ROOM_PASSWORD_BYTES,
} from '../limits/backend.ts';
import { SERVER_KNOWN_MS } from '../limits/protocol.ts';
import type { Answer } from '../protocol/answer.ts';
import { command } from '../protocol/fields.ts';
import { REPLY } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass } from './connection/refusal.ts';

const INFO = command('INFO');

/** The lines of INFO by their documented positions, counted from 0; lines that the server does not send are empty. */
export async function readServerInfo(pool: Pool, identity: Identity): Promise<(position: number) => string> {
  const [answer] = await pool.read(identity, [INFO]);
  const { lines } = expectClass(answer!, REPLY.listing);
  return (position) => lines[position] ?? '';
}

const SOFTWARE_LINE = 4;

function isOurs(software: string): boolean {
  return software.startsWith('Vestibule ');
}

/** The answer to INFO is that of Vestibule's room server. */
export function isOwnInfo({ lines }: Answer): boolean {
  return isOurs(lines[SOFTWARE_LINE] ?? '');
}

/** what INFO has said, and when (performance.now()) */
const known = new WeakMap<Pool, { isOurs: boolean; at: number }>();

/** The room server is the one of Vestibule, which tells nobody what he may not know. Asked once in a while. */
export async function isOwnServer(pool: Pool, identity: Identity): Promise<boolean> {
  if (pool.isOwn) return true;
  const last = known.get(pool);
  if (last && performance.now() - last.at < SERVER_KNOWN_MS) return last.isOurs;
  const [answer] = await pool.read(identity, [INFO]);
  const told = { isOurs: isOwnInfo(answer!), at: performance.now() };
  known.set(pool, told);
  return told.isOurs;
}

/** Bytes that the room server keeps of a password: a real one cuts what is longer and compares it as a whole later. */
export async function readPasswordBounds(pool: Pool, identity: Identity): Promise<{ ofUser: number; ofRoom: number }> {
  const line = await readServerInfo(pool, identity);
  return isOurs(line(SOFTWARE_LINE))
    ? { ofUser: MAX_PASSWORD_BYTES, ofRoom: MAX_ROOM_PASSWORD_BYTES }
    : { ofUser: REAL_SERVER_PASSWORD_BYTES, ofRoom: REAL_SERVER_ROOM_PASSWORD_BYTES };
}
