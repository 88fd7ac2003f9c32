// What the room server says of itself (verb INFO, protocol section 18.1).

import {
  MAX_PASSWORD_BYTES,
  MAX_ROOM_PASSWORD_BYTES,
  REAL_SERVER_PASSWORD_BYTES,
  REAL_SERVER_ROOM_PASSWORD_BYTES,
} from '../limits/backend.ts';
import { SERVER_KNOWN_MS } from '../limits/protocol.ts';
import type { Answer } from '../protocol/answer.ts';
import { command, splitFields } from '../protocol/fields.ts';
import { REPLY } from '../protocol/status.ts';
import { Connection } from './connection/connection.ts';
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
/** verbs of its own that the embedded room server has (protocol section 21) */
const OWN_VERBS_LINE = 25;

function isOurs(software: string): boolean {
  return software.startsWith('Vestibule ');
}

/** The answer to INFO is that of Vestibule's room server. */
export function isOwnInfo({ lines }: Answer): boolean {
  return isOurs(lines[SOFTWARE_LINE] ?? '');
}

/** what INFO has said, and when (performance.now()) */
const known = new WeakMap<Pool, { isOurs: boolean; verbs: readonly string[]; at: number }>();

/** The room server is the one of Vestibule, which tells nobody what he may not know. Asked once in a while. */
export async function isOwnServer(pool: Pool, identity: Identity): Promise<boolean> {
  return pool.isOwn || (await lastInfo(pool, identity)).isOurs;
}

/**
 * It answers for the members of a room and their properties (MEMB, PROP). Asked once in a while. `asker`: the
 * connection where one is held, for another one may not be had meanwhile.
 */
export function hasMembers(pool: Pool, asker: Identity | Connection): Promise<boolean> {
  return hasVerb(pool, asker, 'MEMB');
}

/** It delivers scheduling messages (SCHD). Asked once in a while. */
export function hasScheduling(pool: Pool, identity: Identity): Promise<boolean> {
  return hasVerb(pool, identity, 'SCHD');
}

/** It gives lists page by page, and how much is new in each room (ROWS, COUN). Asked once in a while. */
export function hasRowPages(pool: Pool, identity: Identity): Promise<boolean> {
  return hasVerb(pool, identity, 'ROWS');
}

/** Programs have passwords of their own there (APPW). Asked once in a while. */
export function hasAppPasswords(pool: Pool, identity: Identity): Promise<boolean> {
  return hasVerb(pool, identity, 'APPW');
}

async function hasVerb(pool: Pool, asker: Identity | Connection, verb: string): Promise<boolean> {
  return pool.isOwn || (await lastInfo(pool, asker)).verbs.includes(verb);
}

async function lastInfo(pool: Pool, asker: Identity | Connection) {
  const last = known.get(pool);
  if (last && performance.now() - last.at < SERVER_KNOWN_MS) return last;
  const [answer] = await (asker instanceof Connection ? asker.askAll([INFO]) : pool.read(asker, [INFO]));
  const verbs = splitFields(answer!.lines[OWN_VERBS_LINE] ?? '');
  const told = { isOurs: isOwnInfo(answer!), verbs, at: performance.now() };
  known.set(pool, told);
  return told;
}

/** Bytes that the room server keeps of a password: a real one cuts what is longer and compares it as a whole later. */
export async function readPasswordBounds(pool: Pool, identity: Identity): Promise<{ ofUser: number; ofRoom: number }> {
  const line = await readServerInfo(pool, identity);
  return isOurs(line(SOFTWARE_LINE))
    ? { ofUser: MAX_PASSWORD_BYTES, ofRoom: MAX_ROOM_PASSWORD_BYTES }
    : { ofUser: REAL_SERVER_PASSWORD_BYTES, ofRoom: REAL_SERVER_ROOM_PASSWORD_BYTES };
}
