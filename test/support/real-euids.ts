// What a real server's index of euids does to a message that comes back into a room (quirk Q66), for real-server.ts: it
// still has the number from before, takes the message for the one that it replaces, and deletes it.

import type { StoredRoom } from '../../src/backend/store/records.ts';
import { euidIn, removeFromRoom } from '../../src/backend/store/references.ts';
import type { Store } from '../../src/backend/store/store.ts';
import { REPLACING_VIEWS } from '../../src/model.ts';

export class RealEuids {
  readonly #store: Store;
  /** by room and euid: what has come last */
  readonly #numbers = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** They are in the room, and what is about to go stays in the index. */
  note(room: StoredRoom | undefined, numbers: readonly number[]): void {
    for (const [key, number] of this.#keysOf(room, numbers)) this.#numbers.set(key, number);
  }

  /** They have been moved or copied into the room; a copy destroys the other one, too, unless a third room has it. */
  enter(room: StoredRoom | undefined, numbers: readonly number[], isCopy: boolean): void {
    const back = this.#keysOf(room, numbers).filter(([key, number]) => this.#numbers.get(key) === number);
    this.note(room, numbers);
    const gone = back.map(([, number]) => number);
    if (room) removeFromRoom(this.#store, room.id, gone);
    if (!isCopy) return;
    for (const number of gone) {
      const rooms = this.#store.prepare('SELECT room FROM room_message WHERE message = ?').all(number);
      if (rooms.length === 1) removeFromRoom(this.#store, Number(rooms[0]!.room), [number]);
    }
  }

  #keysOf(room: StoredRoom | undefined, numbers: readonly number[]): [string, number][] {
    if (!room || !REPLACING_VIEWS.has(room.view)) return [];
    return numbers.flatMap((number): [string, number][] => {
      const euid = euidIn(this.#store, room.id, number);
      return euid === undefined ? [] : [[`${room.id} ${euid}`, number]];
    });
  }
}
