// The caller and the room of a request: the path and X-Room-Password. Wrong room passwords count like failed log-ins,
// whatever the room server does about them.

import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { FAILED_LOGIN_MS } from '../limits/sessions.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { foldName } from '../protocol/name-rules.ts';
import { STATUS } from '../protocol/status.ts';
import type { RoomRef } from '../room-server/connection/goto.ts';
import { type Identity, identityKey } from '../room-server/connection/identity.ts';
import type { App } from './app.ts';
import { atLeast, type Caller, callerOf, userOf } from './caller.ts';
import { realName } from './paths.ts';
import type { RoomContext } from './room-context.ts';
import type { PasswordOutcome } from './tried-passwords.ts';

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

/** The same for a known caller. Throws as roomOf. */
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

/**
 * Tries the password unless it was tried a moment ago. Throws forbidden for a wrong one, too_many_requests after too
 * many: of this caller in this room, of all callers in it, or from this address. The right one resets the first of
 * these counts.
 */
async function provePassword(context: RoomContext): Promise<void> {
  const { exchange, app, caller, room } = context;
  // one count for all spellings of a name
  const name = foldName(room.name).toLowerCase();
  // guests share an identity, but are not one caller
  const key = `${name}\0${caller.isGuest ? exchange.remoteAddress : identityKey(caller.identity)}`;
  const outcome = await app.triedPasswords.outcomeOf(key, room.password, () => attempt(context, name));
  if (outcome === 'wrong')
    throw new AppError('forbidden', 'This room needs its password.', { backendCode: STATUS.passwordRequired });
}

async function attempt({ exchange, app, caller, room }: RoomContext, name: string): Promise<PasswordOutcome> {
  const { identity, isGuest } = caller;
  const who = isGuest ? exchange.remoteAddress : `user ${(await app.pool.identify(identity)).usernum}`;
  const ofRoom = [`room:${name}`];
  const own = [`room:${name}\0${who}`, `address:${exchange.remoteAddress}`];
  const { throttle } = app.fleet;
  const wait = await throttle.check([...own, ...ofRoom]);
  if (wait > 0) {
    // a caller who knows the room may keep sending its password
    if (await isOpenTo(app, identity, room)) return undefined;
    throw new AppError('too_many_requests', 'Too many wrong passwords. Please wait.', { retryAfterSeconds: wait });
  }
  const started = performance.now();
  try {
    await app.pool.readInRoom(identity, room, []);
  } catch (error) {
    if (error instanceof AppError && error.backendCode === STATUS.passwordRequired) {
      await throttle.failed([...own, ...ofRoom]);
      await atLeast(started, FAILED_LOGIN_MS);
      return 'wrong';
    }
    await throttle.withdrawn([...own, ...ofRoom]);
    // no guess: the handler meets the same error and may respond in its own way (a missing room)
    return undefined;
  }
  await throttle.succeeded(own);
  await throttle.withdrawn(ofRoom);
  return 'right';
}

/** Without the password: no guess. */
async function isOpenTo(app: App, identity: Identity, { name }: RoomRef): Promise<boolean> {
  const reading = app.pool.readInRoom(identity, { name, password: '' }, []);
  return reading.then(
    () => true,
    () => false,
  );
}
