// Throttling of password attempts over the line protocol, and entering rooms by password or by an unlisted name. The
// rooms that a user has opened are remembered while the server runs: hashing the password again would cost each request
// 240 ms.

import { createHmac, randomBytes } from 'node:crypto';
import { MAX_OPENED_ROOMS, MAX_ROOM_PASSWORD_BYTES } from '../../limits/backend.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import type { Asker } from '../../system/fair-queue.ts';
import { localThrottle, type Throttle } from '../../system/throttle.ts';
import { verifyPassword } from '../store/passwords.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';

/** Shared by all sessions of a server. */
export class OpenedRooms {
  /** key of the digests, in this process only: a memory dump reveals no password */
  readonly #secret = randomBytes(32);
  readonly #digests = new BoundedMap<string, true>(MAX_OPENED_ROOMS);
  readonly #names = localThrottle();

  /** Whether the user has opened the room with this password since it was set. */
  has({ user }: Guesser, room: StoredRoom, password: string): boolean {
    return user !== undefined && this.#digests.get(this.#digest(user.id, room, password)) === true;
  }

  /** Guests cannot be distinguished, so nothing is remembered of them. */
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
   * Whether the session may enter an unlisted room by its name. After too many wrong names it may not for a while, and
   * gets the reply for a wrong name; rooms that the user knows are not affected.
   */
  async mayTryName(session: Guesser): Promise<boolean> {
    const keys = [nameCount(session)];
    if ((await this.#names.check(keys)) > 0) return false;
    await this.#names.withdrawn(keys);
    return true;
  }

  /**
   * Counts a name of no room, or of none that the user may know. Repeating the last name, as clients do, is no guess.
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
 * a failed log-in; a right one resets the count of the user. Throws Refusal 550 after too many.
 */
export async function tryPassword(session: Guesser, room: StoredRoom, password: string): Promise<boolean> {
  // An empty one is no guess, and one that is too long cannot have been set.
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

/** A session that tries a password. */
interface Guesser extends Asker {
  readonly user: StoredUser | undefined;
  /** of the peer, '' on a unix socket */
  readonly address: string;
  /** counts failed log-ins of clients that are no gateways */
  readonly throttle: Throttle | undefined;
}

/** Throttle keys of a failure beside the account; a client on a unix socket has no address. */
export function addressKeys({ address }: Guesser): string[] {
  return address === '' ? [] : [`address:${address}`];
}

/** Withdraws the attempt begun by waitForTurn if the password could not be compared. */
export async function unlessAsked<T>({ throttle }: Guesser, keys: string[], compare: Promise<T>): Promise<T> {
  try {
    return await compare;
  } catch (error) {
    await throttle?.withdrawn(keys);
    throw error;
  }
}

/** Throws Refusal 550 after too many recent failures. Follow it by failed or succeeded of the throttle. */
export async function waitForTurn({ throttle }: Guesser, keys: string[], what = 'failed log-ins'): Promise<void> {
  const wait = throttle ? await throttle.check(keys) : 0;
  if (wait > 0) throw new Refusal('higherAccess', `Too many ${what}. Try again in ${wait} seconds.`);
}
