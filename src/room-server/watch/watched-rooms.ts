// What a watch knows of rooms: the message numbers that arrived in one room, and which rooms of the list have changed.

import { MAX_EVENT_NUMBERS } from '../../limits/http.ts';
import type { RoomRow } from '../../model.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';

/** resolution of times of change */
const MTIME_STEP_MS = 1000;

/** Message numbers that arrived in one room while it was watched. */
export class WatchedRoom {
  readonly ref: RoomRef;
  /** in the room server's spelling */
  readonly name: string;
  /** the highest number ever seen */
  highest: number;
  /** all numbers above it are in #numbers */
  #floor: number;
  #numbers: number[] = [];
  /** last listed time of change, and when it was first listed (performance.now()) */
  #mtime: number | undefined;
  #listedAt = 0;
  #isSettled = false;

  constructor(ref: RoomRef, name: string, highest: number) {
    this.ref = ref;
    this.name = name;
    this.highest = highest;
    this.#floor = highest;
  }

  /**
   * Whether there may be new messages, given the listed time of change. True once more when that second has passed, as
   * more may have arrived within it. `now`: performance.now().
   */
  mayHaveChanged(mtime: number, now: number): boolean {
    if (mtime !== this.#mtime) {
      this.#mtime = mtime;
      this.#listedAt = now;
      this.#isSettled = false;
      return true;
    }
    if (this.#isSettled || now - this.#listedAt <= MTIME_STEP_MS) return false;
    this.#isSettled = true;
    return true;
  }

  /** Ascending; skips known ones. Keeps the last MAX_EVENT_NUMBERS. */
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

  /** The numbers above `number`, ascending; undefined if they are no longer kept. */
  above(number: number): number[] | undefined {
    if (number < this.#floor) return undefined;
    return this.#numbers.filter((each) => each > number);
  }
}

/** Watches a room from its highest message on. Throws not_found, forbidden (room password). */
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

/** The rooms that an identity knows, and the order of their changes. */
export class RoomChanges {
  readonly #rooms = new Map<string, { mtime: number; change: number; isGone: boolean }>();
  /** number of the last change, over all rooms */
  change = 0;
  /** the latest time of change of all rooms */
  latest = 0;

  has(name: string): boolean {
    return this.#rooms.get(name)?.isGone === false;
  }

  /** Rooms changed since, by time of change. */
  since(change: number): ChangedRoom[] {
    if (change === this.change) return [];
    const changed = [...this.#rooms].filter(([, room]) => room.change > change);
    return inOrder(changed.map(([name, { mtime, isGone }]) => ({ name, mtime, isGone })));
  }

  /** Rooms whose time of change is `mtime` or later. */
  changedAt(mtime: number): ChangedRoom[] {
    const later = [...this.#rooms].filter(([, room]) => room.mtime >= mtime && !room.isGone);
    return inOrder(later.map(([name, room]) => ({ name, mtime: room.mtime, isGone: false })));
  }

  note(name: string, mtime: number): void {
    this.#rooms.set(name, { mtime, change: ++this.change, isGone: false });
    this.latest = Math.max(this.latest, mtime);
  }

  /** Takes the current list. Removed rooms are forgotten once delivered to everybody: up to the change `delivered`. */
  take(rows: readonly RoomRow[], delivered: number): void {
    for (const { name, mtime } of rows) {
      const known = this.#rooms.get(name);
      if (!known || known.isGone || known.mtime !== mtime) this.note(name, mtime);
    }
    const names = new Set(rows.map(({ name }) => name));
    for (const [name, room] of this.#rooms) {
      if (names.has(name)) continue;
      if (!room.isGone) Object.assign(room, { isGone: true, change: ++this.change });
      else if (room.change <= delivered) this.#rooms.delete(name);
    }
  }
}

function inOrder<T extends { mtime: number }>(rooms: T[]): T[] {
  return rooms.sort((a, b) => a.mtime - b.mtime);
}
