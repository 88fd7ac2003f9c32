// Which driver a room server has, by what it says of itself (verb INFO, protocol section 18.1).

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
/** verbs of its own that a server of Vestibule has (protocol section 21) */
const VERBS_LINE = 25;
/** what its driver speaks; APPW is for who asks on the same machine */
const VERBS = ['COUN', 'FIND', 'HITS', 'MEMB', 'PROP', 'ROWS', 'SCHD', 'SKEY'];

/** The lines of INFO by their documented positions, counted from 0; lines that the server does not send are empty. */
export async function readServerInfo(pool: Pool, identity: Identity): Promise<(position: number) => string> {
  const [answer] = await pool.read(identity, [INFO]);
  const { lines } = expectClass(answer!, REPLY.listing);
  return (position) => lines[position] ?? '';
}

/** what INFO has said, and when (performance.now()) */
const known = new WeakMap<Pool, { server: RoomServer; at: number }>();

/**
 * The driver of the server that the pool leads to, which is asked once in a while. `asker`: the connection where one is
 * held, for another one may not be had meanwhile.
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

/** The same of a connection that is of no pool. */
export async function serverOn(connection: Connection): Promise<RoomServer> {
  return serverFrom(await connection.ask(INFO));
}

/** An older Vestibule, which lacks a verb, is asked as any other server. */
function serverFrom({ lines }: Answer): RoomServer {
  const verbs = splitFields(lines[VERBS_LINE] ?? '');
  const isOurs = lines[SOFTWARE_LINE]?.startsWith('Vestibule ') && VERBS.every((verb) => verbs.includes(verb));
  if (!isOurs) return CITADEL;
  return verbs.includes('APPW') ? EMBEDDED : EMBEDDED_AFAR;
}
