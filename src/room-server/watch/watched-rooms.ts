// What a watch knows of rooms: the message numbers that arrived in one room, and which rooms of the list have changed.

import { MAX_EVENT_NUMBERS } from '../../limits/events.ts';
import type { RoomRow } from '../../model.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';

const MTIME_STEP_MS = 1000;

export class WatchedRoom {
  readonly ref: RoomRef;
  /** as the room server writes it */
  readonly name: string;
  /** the highest number that was ever seen here */
  highest: number;
  /** all numbers above it are in #numbers */
  #floor: number;
  #numbers: number[] = [];
  /** time of change that the list of rooms told last, and when it was told first (of performance.now()) */
  #mtime: number | undefined;
  #toldAt = 0;
  #isSettled = false;

  constructor(ref: RoomRef, name: string, highest: number) {
    this.ref = ref;
    this.name = name;
    this.highest = highest;
    this.#floor = highest;
  }

  /**
   * The list of rooms tells when it was changed, in seconds: whether there may be something new. Once more when that
   * second has passed, for more may have come within it. `now` of performance.now().
   */
  mayHaveChanged(mtime: number, now: number): boolean {
    if (mtime !== this.#mtime) {
      this.#mtime = mtime;
      this.#toldAt = now;
      this.#isSettled = false;
      return true;
    }
    if (this.#isSettled || now - this.#toldAt <= MTIME_STEP_MS) return false;
    this.#isSettled = true;
    return true;
  }

  /** Ascending; what is known already does not count. Only the last MAX_EVENT_NUMBERS are kept. */
  add(numbers: readonly number[]): void {
    for (const number of numbers) {
      if (number <= this.highest) continue;
      this.#numbers.push(number);
      this.highest = number;
    }
    if (this.#numbers.length <= MAX_EVENT_NUMBERS) return;
    const dropped = this.#numbers.splice(0, this.#numbers.length - MAX_EVENT_NUMBERS);
    this.#floor = dropped.at(-1)!;
  }

  /** The numbers above `number`, ascending; undefined when that is too long ago to be known. */
  above(number: number): number[] | undefined {
    if (number < this.#floor) return undefined;
    return this.#numbers.filter((each) => each > number);
  }
}

/** A room to be watched from its highest message on. Throws not_found, forbidden (room password). */
export async function openWatchedRoom(pool: Pool, identity: Identity, ref: RoomRef): Promise<WatchedRoom> {
  const { entered } = await pool.readInRoom(identity, ref, []);
  return new WatchedRoom(ref, entered.name, entered.highest);
}

interface ChangedRoom {
  name: string;
  /** Unix seconds */
  mtime: number;
  isGone: boolean;
}

interface KnownRoom {
  mtime: number;
  /** grows from change to change, over all rooms */
  change: number;
  isGone: boolean;
}

export class KnownRooms {
  readonly #rooms = new Map<string, KnownRoom>();
  #change = 0;
  #latest = 0;

  /** what has changed last */
  get change(): number {
    return this.#change;
  }

  /** the latest time of change of all rooms */
  get latest(): number {
    return this.#latest;
  }

  has(name: string): boolean {
    return this.#rooms.get(name)?.isGone === false;
  }

  /** Rooms that have changed since, in the order of their time of change. */
  since(change: number): ChangedRoom[] {
    if (change === this.#change) return [];
    const changed = [...this.#rooms].filter(([, room]) => room.change > change);
    return inOrder(changed.map(([name, { mtime, isGone }]) => ({ name, mtime, isGone })));
  }

  /** Rooms whose time of change is `mtime` or later. */
  changedAt(mtime: number): ChangedRoom[] {
    const later = [...this.#rooms].filter(([, room]) => room.mtime >= mtime && !room.isGone);
    return inOrder(later.map(([name, room]) => ({ name, mtime: room.mtime, isGone: false })));
  }

  note(name: string, mtime: number): void {
    this.#rooms.set(name, { mtime, change: ++this.#change, isGone: false });
    this.#latest = Math.max(this.#latest, mtime);
  }

  /** The list as it is now. Rooms that are gone are forgotten once everybody was told: all up to the change `told`. */
  take(rows: readonly RoomRow[], told: number): void {
    for (const { name, mtime } of rows) {
      const known = this.#rooms.get(name);
      if (!known || known.isGone || known.mtime !== mtime) this.note(name, mtime);
    }
    const names = new Set(rows.map(({ name }) => name));
    for (const [name, room] of this.#rooms) {
      if (names.has(name)) continue;
      if (!room.isGone) Object.assign(room, { isGone: true, change: ++this.#change });
      else if (room.change <= told) this.#rooms.delete(name);
    }
  }
}

function inOrder<T extends { mtime: number }>(rooms: T[]): T[] {
  return rooms.sort((a, b) => a.mtime - b.mtime);
}
