// The room of a request, and its caller: what the path and X-Room-Password say.

import type { RoomRef } from '../client/connection/goto.ts';
import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import type { App } from './app.ts';
import { type Caller, callerOf, userOf } from './caller.ts';
import { realName } from './paths.ts';
import type { RoomContext } from './room-context.ts';
import { provePassword } from './room-password.ts';

/** The caller, guests included, and the room of the path. Throws as callerOf and roomOf. */
export async function callerInRoom(x: Exchange, app: App): Promise<RoomContext> {
  return roomContext(x, app, await callerOf(x, app));
}

/** The same, for what needs a logged-in caller. Throws as userOf and roomOf. */
export async function userInRoom(x: Exchange, app: App): Promise<RoomContext> {
  return roomContext(x, app, await userOf(x, app));
}

/** The same, where the caller is known. Throws as roomOf. */
export async function roomContext(x: Exchange, app: App, caller: Caller): Promise<RoomContext> {
  return { exchange: x, app, caller, room: await roomOf(x, app, caller) };
}

/**
 * The room of a request: `:room` of its path, or `room`, with the password of X-Room-Password, which was tried. Throws
 * bad_request, forbidden, too_many_requests.
 */
export async function roomOf(x: Exchange, app: App, caller: Caller, room = x.params.room!): Promise<RoomRef> {
  const name = realName(room);
  const password = x.header('x-room-password') ?? '';
  if (!isFieldSafe(name)) throw new AppError('bad_request', 'No room can have this name.');
  if (!isFieldSafe(password)) throw new AppError('bad_request', 'No room can have this password.');
  const ref = { name, password };
  if (password !== '') await provePassword({ exchange: x, app, caller, room: ref });
  return ref;
}
