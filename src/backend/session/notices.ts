// Notices: unsolicited lines between complete replies. 902 announces instant messages after ASYN 1
// (protocol section 5). 903 and 904 announce changes after NTFY 1, our own verb for gateways with event streams
// (protocol section 21.1): `903 room|highest|mtime|` for a room with new content, `904` when the list of rooms has
// changed.

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

/** The pending notices of one session. */
export class Notices {
  /** NTFY 1 */
  isWatching = false;
  #owesInstantMessage = false;
  /** each room once, however often it changes while the peer is busy */
  readonly #rooms = new Set<number>();
  #owesList = false;

  noteInstantMessage(): void {
    this.#owesInstantMessage = true;
  }

  /** True if a notice is pending. */
  noteChanges({ rooms, listsOf }: StoreChanges, userId: number | undefined): boolean {
    if (!this.isWatching || userId === undefined) return false;
    for (const id of rooms) this.#rooms.add(id);
    this.#owesList ||= listsOf.has('all') || listsOf.has(userId);
    return this.#owesList || rooms.size > 0;
  }

  /** The pending lines. Rights are checked now: rooms that the user does not know, or no longer, are left out. */
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
