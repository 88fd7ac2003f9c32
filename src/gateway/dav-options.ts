// What OPTIONS answers for DAV addresses (RFC 4918 section 10.1, RFC 9110 section 9.3.7). Clients probe before they log
// in: guests learn what may be there, users what is.

import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { type CollectionKind, collectionKind } from '../model.ts';
import type { App } from './app.ts';
import { SESSION_COOKIE } from './caller.ts';
import { userInRoom } from './request-room.ts';
import { enteredRoom } from './room-context.ts';

/** methods that make something at a free address */
const MAKING: ReadonlySet<string> = new Set(['MKCOL', 'MKCALENDAR']);

/** `methods`: those with a handler at the address; exchange.params: those of PROPFIND. */
export async function davOptions(
  exchange: Exchange,
  app: App,
  methods: readonly string[],
): Promise<{ methods: readonly string[]; headers: ReturnType<typeof davHeaders> }> {
  const isLoggedIn = exchange.header('authorization') !== undefined || exchange.cookies.has(SESSION_COOKIE);
  if (exchange.params.room === undefined || !isLoggedIn) return { methods, headers: davHeaders() };
  try {
    const kind = collectionKind(await enteredRoom(await userInRoom(exchange, app)));
    const isFolderPossible = kind === 'files' && exchange.params.name !== undefined;
    const allowed = methods.filter((method) => !MAKING.has(method) || (method === 'MKCOL' && isFolderPossible));
    return { methods: allowed, headers: davHeaders(kind) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // a room can be made at a free address
    const isFree = error.code === 'not_found' && exchange.params.name === undefined;
    return { methods: isFree ? methods.filter((method) => MAKING.has(method)) : methods, headers: davHeaders() };
  }
}

const CALENDARS = ['calendar-access', 'calendar-auto-schedule'];
const ADDRESS_BOOKS = ['addressbook'];

/**
 * Header fields of the answer; `kind` of the room of the address, undefined outside of rooms, where clients look for
 * their own, and for guests.
 */
export function davHeaders(kind?: CollectionKind): { DAV: string; 'MS-Author-Via': 'DAV' } {
  // a client may make calendars and address books (RFC 5689 section 3.1)
  const classes = kind === undefined ? ['extended-mkcol', ...CALENDARS, ...ADDRESS_BOOKS] : classesIn(kind);
  return { DAV: ['1', '2', '3', ...classes].join(', '), 'MS-Author-Via': 'DAV' };
}

/** RFC 4791 section 5.1, RFC 6352 section 6.1 */
function classesIn(kind: CollectionKind): readonly string[] {
  if (kind === 'calendar' || kind === 'tasks') return CALENDARS;
  return kind === 'addressbook' ? ADDRESS_BOOKS : [];
}
