// Coming into rooms by a password, which is kept as a hash only, or by a name that no list shows. A room that a user
// has opened is remembered while the server runs, so that the requests that follow neither wait nor cost 240 ms each.
// Tries of passwords and names are counted.

import { createHmac, randomBytes } from 'node:crypto';
import { MAX_OPENED_ROOMS, MAX_ROOM_PASSWORD_BYTES } from '../../limits/backend.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import { localThrottle } from '../../system/throttle.ts';
import { verifyPassword } from '../store/credentials/passwords.ts';
import type { StoredRoom } from '../store/records.ts';
import { addressKeys, type Guesser, unlessAsked, waitForTurn } from './attempts.ts';

/** Shared by all sessions of a server. */
export class OpenedRooms {
  /** digests only, under a key that dies with the process: a dump of its memory tells no password */
  readonly #secret = randomBytes(32);
  readonly #digests = new BoundedMap<string, true>(MAX_OPENED_ROOMS);
  readonly #names = localThrottle();

  /** Whether the user has opened the room with this password; it counts until the room has another one. */
  has({ user }: Guesser, room: StoredRoom, password: string): boolean {
    return user !== undefined && this.#digests.get(this.#digest(user.id, room, password)) === true;
  }

  /** Guests are not told apart, so nothing is remembered of them. */
  add({ user }: Guesser, room: StoredRoom, password: string): void {
    if (!user) return;
    this.#digests.set(this.#digest(user.id, room, password), true);
  }

  #digest(user: number, room: StoredRoom, password: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${user}|${room.id}|${room.password}|${password}`)
      .digest('base64');
  }

  /**
   * Whether who names an unlisted room may come in: not for a while after too many names that were none. What he gets
   * then is the answer to one more of them; all rooms that he knows stay open to him.
   */
  async mayTryName(session: Guesser): Promise<boolean> {
    const keys = [nameCount(session)];
    if ((await this.#names.check(keys)) > 0) return false;
    await this.#names.withdrawn(keys);
    return true;
  }

  /**
   * A name that was none, or nothing that this user may know of. Asking for one again and again, as clients do, is no
   * guess.
   */
  noteMiss(session: Guesser & { missedName: string }, name: string): void {
    if (session.missedName === name) return;
    session.missedName = name;
    void this.#names.failed([nameCount(session)]);
  }
}

function nameCount({ user, address }: Guesser): string {
  return user ? `user:${user.id}` : `guest:${address}`;
}

/**
 * Whether it is the room's password. A wrong one counts against the user in this room, the room, and the address, like
 * a failed log-in; a right one takes back what counts against the user alone. Throws Refusal 550 after too many.
 */
export async function tryPassword(session: Guesser, room: StoredRoom, password: string): Promise<boolean> {
  // None is no guess, and too long a one could not have been set.
  if (password === '' || Buffer.byteLength(password) > MAX_ROOM_PASSWORD_BYTES) return false;
  const { throttle, user } = session;
  const own = [`room:${room.id} user:${user!.id}`, ...addressKeys(session)];
  const ofRoom = [`room:${room.id}`];
  await waitForTurn(session, [...own, ...ofRoom], 'wrong passwords');
  const compare = verifyPassword(room.password, password, session);
  const isRight = await unlessAsked(session, [...own, ...ofRoom], compare);
  await (isRight ? throttle?.succeeded(own) : throttle?.failed(own));
  await (isRight ? throttle?.withdrawn(ofRoom) : throttle?.failed(ofRoom));
  return isRight;
}
