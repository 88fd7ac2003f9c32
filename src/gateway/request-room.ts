// The room of a request, and its caller: what the path and X-Room-Password say.

import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { RoomRef } from '../room-server/connection/goto.ts';
import type { App } from './app.ts';
import { type Caller, callerOf, userOf } from './caller.ts';
import { realName } from './paths.ts';
import type { RoomContext } from './room-context.ts';
import { provePassword } from './room-password.ts';

/** The caller, guests included, and the room of the path. Throws as callerOf and roomOf. */
export async function callerInRoom(exchange: Exchange, app: App): Promise<RoomContext> {
  return roomContext(exchange, app, await callerOf(exchange, app));
}

/** The same, for what needs a logged-in caller. Throws as userOf and roomOf. */
export async function userInRoom(exchange: Exchange, app: App): Promise<RoomContext> {
  return roomContext(exchange, app, await userOf(exchange, app));
}

const guards = new WeakMap<Exchange, RoomRef['guard']>();

/** Runs `use` with this guard on the room of the request. Throws OtherKind. */
export async function inGuardedRoom<T>(exchange: Exchange, guard: RoomRef['guard'], use: () => T): Promise<Awaited<T>> {
  guards.set(exchange, guard);
  try {
    return await use();
  } finally {
    guards.delete(exchange);
  }
}

/** The same, where the caller is known. Throws as roomOf. */
export async function roomContext(exchange: Exchange, app: App, caller: Caller): Promise<RoomContext> {
  return { exchange, app, caller, room: await roomOf(exchange, app, caller) };
}

/**
 * The room of a request: `:room` of its path, or `room`, with the password of X-Room-Password, which was tried. Throws
 * bad_request, forbidden, too_many_requests.
 */
export async function roomOf(
  exchange: Exchange,
  app: App,
  caller: Caller,
  room = exchange.params.room!,
): Promise<RoomRef> {
  const name = realName(room);
  const password = exchange.header('x-room-password') ?? '';
  if (!isFieldSafe(name)) throw new AppError('bad_request', 'No room can have this name.');
  if (!isFieldSafe(password)) throw new AppError('bad_request', 'No room can have this password.');
  const ref = { name, password, guard: guards.get(exchange) };
  if (password !== '') await provePassword({ exchange, app, caller, room: ref });
  return ref;
}
