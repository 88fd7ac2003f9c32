// Notices: what a session is told between complete replies without having asked. Instant messages after ASYN 1 (902,
// protocol section 5), and, for gateways that hold event streams, changes of rooms after NTFY 1. That verb and its
// lines are our own (protocol section 21.1): `903 room|highest|mtime|` for a room with new content, `904` when the
// list of rooms has become another one.

import { ACCESS } from '../../model.ts';
import { toInt } from '../../protocol/fields.ts';
import { roomById, shownName } from '../store/rooms.ts';
import type { StoreChanges } from '../store/store.ts';
import { sessionAccess, type Visitor } from './access.ts';
import { ok, statusLine } from './reply.ts';

const NOTICE = { instantMessage: 902, room: 903, rooms: 904 } as const;

/** `NTFY 0|1`: say 903 and 904 when rooms change → the state */
export function ntfy({ notices }: { notices: Notices }, args: string): string {
  notices.isWatching = toInt(args) === 1;
  return ok(notices.isWatching ? 1 : 0);
}

/** The notices that are owed to one session. */
export class Notices {
  /** NTFY 1 */
  isWatching = false;
  #owesInstantMessage = false;
  /** a room that changes often while the peer is busy is told once */
  readonly #rooms = new Set<number>();
  #owesList = false;

  noteInstantMessage(): void {
    this.#owesInstantMessage = true;
  }

  /** true: there is something to tell. */
  noteChanges({ rooms, listsOf }: StoreChanges, userId: number | undefined): boolean {
    if (!this.isWatching || userId === undefined) return false;
    for (const id of rooms) this.#rooms.add(id);
    this.#owesList ||= listsOf.has('all') || listsOf.has(userId);
    return this.#owesList || rooms.size > 0;
  }

  /** The lines that are owed. Rights are looked at now: a room that the user does not know (any more) is not named. */
  take(session: Visitor): string {
    let lines = '';
    if (this.#owesInstantMessage) {
      this.#owesInstantMessage = false;
      lines = statusLine(NOTICE.instantMessage, 'instant msg');
    }
    for (const id of this.#rooms) {
      const room = roomById(session.store, id);
      if (!session.user || !room || (sessionAccess(session, room) & ACCESS.known) === 0) continue;
      lines += statusLine(NOTICE.room, `${shownName(room, session.user)}|${room.highest}|${room.changed}|`);
    }
    this.#rooms.clear();
    if (this.#owesList) {
      this.#owesList = false;
      lines += statusLine(NOTICE.rooms, 'The list of rooms has changed.');
    }
    return lines;
  }

  /** The user has logged out. */
  clear(): void {
    this.isWatching = false;
    this.#owesInstantMessage = false;
    this.#rooms.clear();
    this.#owesList = false;
  }
}
