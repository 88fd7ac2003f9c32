// X-Room-Password: tries at the password of a room are counted like failed log-ins, whatever the room server behind
// does with them.

import { AppError } from '../errors.ts';
import { FAILED_LOGIN_MS } from '../limits/sessions.ts';
import { foldName } from '../protocol/name-rules.ts';
import { STATUS } from '../protocol/status.ts';
import type { RoomRef } from '../room-server/connection/goto.ts';
import { type Identity, identityKey } from '../room-server/connection/identity.ts';
import type { App } from './app.ts';
import { atLeast } from './caller.ts';
import type { RoomContext } from './room-context.ts';
import type { PasswordOutcome } from './tried-passwords.ts';

/**
 * Tries the password unless that was done a moment ago. Throws forbidden for a wrong one, too_many_requests after too
 * many: of this caller in this room, of all callers in it, or from this address. A right one takes back the first of
 * these counts.
 */
export async function provePassword(context: RoomContext): Promise<void> {
  const { exchange, app, caller, room } = context;
  // one count for all spellings that a room server may take for the same name
  const name = foldName(room.name).toLowerCase();
  // guests are one identity, but not one caller
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
    // a caller who knows the room by now may go on sending its password
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
    // no guess: the handler meets the same fault, and may answer it its own way (a room that is not there)
    return undefined;
  }
  await throttle.succeeded(own);
  await throttle.withdrawn(ofRoom);
  return 'right';
}

/** Without any password: no guess. */
async function isOpenTo(app: App, identity: Identity, { name }: RoomRef): Promise<boolean> {
  const look = app.pool.readInRoom(identity, { name, password: '' }, []);
  return look.then(
    () => true,
    () => false,
  );
}
