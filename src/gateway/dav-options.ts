// What OPTIONS answers for an address of WebDAV (RFC 4918 section 10.1, RFC 9110 section 9.3.7). Clients probe before
// they log in: then it is what could be there; to who is logged in, what is.

import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { collectionKind } from '../model.ts';
import type { App } from './app.ts';
import { SESSION_COOKIE } from './caller.ts';
import { davHeaders } from './dav-classes.ts';
import { userInRoom } from './request-room.ts';

/** by which something is made where nothing is */
const MAKING: ReadonlySet<string> = new Set(['MKCOL', 'MKCALENDAR']);

/** `methods`: those that the address has a handler for; exchange.params: those of PROPFIND. */
export async function davOptions(
  exchange: Exchange,
  app: App,
  methods: readonly string[],
): Promise<{ methods: readonly string[]; headers: ReturnType<typeof davHeaders> }> {
  const isLoggedIn = exchange.header('authorization') !== undefined || exchange.cookies.has(SESSION_COOKIE);
  if (exchange.params.room === undefined || !isLoggedIn) return { methods, headers: davHeaders() };
  try {
    const { caller, room } = await userInRoom(exchange, app);
    const { entered } = await app.pool.readInRoom(caller.identity, room, []);
    const kind = collectionKind(entered);
    const isFolderPossible = kind === 'files' && exchange.params.name !== undefined;
    const allowed = methods.filter((method) => !MAKING.has(method) || (method === 'MKCOL' && isFolderPossible));
    return { methods: allowed, headers: davHeaders(kind) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // no such room, or not to be told: what can be made there
    const isFree = error.code === 'not_found' && exchange.params.name === undefined;
    return { methods: isFree ? methods.filter((method) => MAKING.has(method)) : methods, headers: davHeaders() };
  }
}
