// X-Room-Password: tries at the password of a room are counted like failed log-ins, whatever the room server behind does
// with them. Called by paths.ts for each request that brings one. One password of one caller is tried once, however many
// requests bring it: a page sends several at a time, and a typing error must not count for each.

import type { RoomRef } from '../client/connection/goto.ts';
import { type Identity, identityKey } from '../client/connection/identity.ts';
import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import {
  FAILED_LOGIN_MS,
  MAX_CACHE_ENTRIES,
  RIGHT_PASSWORD_SECONDS,
  WRONG_PASSWORD_SECONDS,
} from '../limits/sessions.ts';
import { foldName } from '../protocol/name-rules.ts';
import { STATUS } from '../protocol/status.ts';
import { BoundedMap } from '../system/bounded-map.ts';
import type { App } from './app.ts';
import { atLeast, type Caller } from './caller.ts';

/** What the room server said of a password; undefined: it was no guess, or it was not asked. */
type Outcome = 'right' | 'wrong' | undefined;

/** What is known of the passwords that callers have tried last, by room and identity. */
export class TriedPasswords {
  readonly #latest = new BoundedMap<string, { password: string; outcome: 'right' | 'wrong'; until: number }>(
    MAX_CACHE_ENTRIES,
  );
  readonly #underWay = new Map<string, Promise<Outcome>>();

  /** `key`: of room and identity. Of those who try the same at the same time one does. */
  async outcomeOf(key: string, password: string, attempt: () => Promise<Outcome>): Promise<Outcome> {
    const known = this.#latest.get(key);
    if (known?.password === password && performance.now() < known.until) return known.outcome;
    const same = `${key}\0${password}`;
    let trying = this.#underWay.get(same);
    if (!trying) {
      trying = attempt().finally(() => this.#underWay.delete(same));
      this.#underWay.set(same, trying);
    }
    const outcome = await trying;
    const seconds = outcome === 'right' ? RIGHT_PASSWORD_SECONDS : WRONG_PASSWORD_SECONDS;
    if (outcome) this.#latest.set(key, { password, outcome, until: performance.now() + seconds * 1000 });
    return outcome;
  }
}

/**
 * Tries the password unless that was done a moment ago. Throws forbidden for a wrong one, too_many_requests after too many:
 * of this caller in this room, of all callers in it, or from this address. A right one takes back the first of these counts.
 */
export async function provePassword(x: Exchange, app: App, caller: Caller, room: RoomRef): Promise<void> {
  // one count for all spellings that a room server may take for the same name
  const name = foldName(room.name).toLowerCase();
  // guests are one identity, but not one caller
  const key = `${name}\0${caller.isGuest ? x.remoteAddress : identityKey(caller.identity)}`;
  const outcome = await app.triedPasswords.outcomeOf(key, room.password, () => attempt(x, app, caller, room, name));
  if (outcome === 'wrong')
    throw new AppError('forbidden', 'This room needs its password.', { backendCode: STATUS.passwordRequired });
}

async function attempt(x: Exchange, app: App, caller: Caller, room: RoomRef, name: string): Promise<Outcome> {
  const { identity, isGuest } = caller;
  const who = isGuest ? x.remoteAddress : `user ${(await app.pool.identify(identity)).usernum}`;
  const ofRoom = [`room:${name}`];
  const own = [`room:${name}\0${who}`, `address:${x.remoteAddress}`];
  const { throttle } = app.fleet;
  const wait = await throttle.check([...own, ...ofRoom]);
  if (wait > 0) {
    if (await isOpenTo(app, identity, room)) return undefined; // who knows the room by now may go on sending what opened it
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
    return undefined; // the handler meets what it was, and may make something of it (a room that is not there)
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
