// Chooses a room server's driver by its answer to INFO (protocol section 18.1).

import { SERVER_KNOWN_MS } from '../limits/protocol.ts';
import type { Answer } from '../protocol/answer.ts';
import { command, splitFields } from '../protocol/fields.ts';
import { REPLY } from '../protocol/status.ts';
import { CITADEL } from './citadel/citadel.ts';
import { Connection } from './connection/connection.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass } from './connection/server-errors.ts';
import { EMBEDDED, EMBEDDED_AFAR } from './embedded/embedded.ts';
import type { RoomServer } from './server.ts';

const INFO = command('INFO');
const SOFTWARE_LINE = 4;
/** lists Vestibule's own verbs (protocol section 21) */
const VERBS_LINE = 25;
/** those that the embedded driver needs; APPW is only offered on the same machine */
const VERBS = ['COUN', 'FIND', 'HITS', 'MEMB', 'PROP', 'ROWS', 'SCHD', 'SKEY'];

/** The lines of INFO by documented position, from 0; missing ones are empty. */
export async function readServerInfo(pool: Pool, identity: Identity): Promise<(position: number) => string> {
  const [answer] = await pool.read(identity, [INFO]);
  const { lines } = expectClass(answer!, REPLY.listing);
  return (position) => lines[position] ?? '';
}

/** `at`: performance.now() */
const known = new WeakMap<Pool, { server: RoomServer; at: number }>();

/**
 * The driver of the pool's server; INFO is cached for a while. `asker`: the connection if the caller holds one, as another
 * one may not be available.
 */
export async function serverOf(pool: Pool, asker: Identity | Connection): Promise<RoomServer> {
  if (pool.isEmbedded) return EMBEDDED;
  const last = known.get(pool);
  if (last && performance.now() - last.at < SERVER_KNOWN_MS) return last.server;
  const [answer] = await (asker instanceof Connection ? asker.askAll([INFO]) : pool.read(asker, [INFO]));
  const server = serverFrom(answer!);
  known.set(pool, { server, at: performance.now() });
  return server;
}

/** The same for a connection outside a pool. */
export async function serverOn(connection: Connection): Promise<RoomServer> {
  return serverFrom(await connection.ask(INFO));
}

/** An older Vestibule that lacks a verb gets the Citadel driver. */
function serverFrom({ lines }: Answer): RoomServer {
  const verbs = splitFields(lines[VERBS_LINE] ?? '');
  const isOurs = lines[SOFTWARE_LINE]?.startsWith('Vestibule ') && VERBS.every((verb) => verbs.includes(verb));
  if (!isOurs) return CITADEL;
  return verbs.includes('APPW') ? EMBEDDED : EMBEDDED_AFAR;
}
