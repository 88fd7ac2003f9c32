// The rooms that an identity knows, and which of them have changed, numbered from change to change.

import type { RoomRow } from '../../model.ts';

export interface ChangedRoom {
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
