// Notices: unsolicited lines between complete replies. 902 announces instant messages after ASYN 1
// (protocol section 5). 903 and 904 announce changes after NTFY 1, our own verb for gateways with event streams
// (protocol section 21.1): `903 room|highest|mtime|` for a room with new content, `904` when the list of rooms has
// changed. And the chats of rooms (RCHT, protocol section 18.10), in memory for CHAT_LINE_SECONDS.

import { CHAT_LINE_SECONDS, MAX_CHAT_LINES, MAX_CHATTED_LINES } from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { STATUS } from '../../protocol/status.ts';
import { now } from '../../system/clock.ts';
import type { StoredRoom } from '../store/records.ts';
import { roomById, shownName } from '../store/rooms.ts';
import type { StoreChanges } from '../store/store.ts';
import { sessionAccess, type Visitor } from './access.ts';
import { statusLine } from './reply.ts';

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
      lines = statusLine(STATUS.instantMessage, 'instant msg');
    }
    for (const id of this.#rooms) {
      const room = roomById(session.store, id);
      if (!session.user || !room || (sessionAccess(session, room) & ACCESS.known) === 0) continue;
      lines += statusLine(STATUS.roomChanged, `${shownName(room, session.user)}|${room.highest}|${room.changed}|`);
    }
    this.#rooms.clear();
    if (this.#owesList) {
      this.#owesList = false;
      lines += statusLine(STATUS.roomListChanged, 'The list of rooms has changed.');
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

interface ChatLine {
  /** counts the lines of a room, from 1 */
  seq: number;
  /** Unix time */
  time: number;
  sender: string;
  text: string;
}

interface Chat {
  lastSeq: number;
  lines: ChatLine[];
}

/** Bounded by MAX_CHAT_LINES in a room and MAX_CHATTED_LINES in all. */
export class Chats {
  /** a chat goes when its room does */
  readonly #byRoom = new WeakMap<StoredRoom, Chat>();
  /** those with lines */
  readonly #active = new Set<Chat>();

  say(room: StoredRoom, sender: string, lines: readonly string[]): void {
    const chat = this.#chatOf(room);
    this.#active.add(chat);
    for (const text of lines) {
      chat.lines.push({ seq: ++chat.lastSeq, time: now(), sender, text });
      if (chat.lines.length > MAX_CHAT_LINES) chat.lines.shift();
    }
    this.#dropExcess();
  }

  /** The first line after the one with this number. */
  lineAfter(room: StoredRoom, seq: number): ChatLine | undefined {
    return this.#chatOf(room).lines.find((line) => line.seq > seq);
  }

  /** Above MAX_CHATTED_LINES, drops lines of the user with the most lines, from the chat with most of them. */
  #dropExcess(): void {
    let count = 0;
    for (const chat of this.#active) {
      expire(chat);
      if (chat.lines.length === 0) this.#active.delete(chat);
      count += chat.lines.length;
    }
    for (let excess = count - MAX_CHATTED_LINES; excess > 0; ) {
      const { chat, lines } = loudest(this.#active);
      const dropped = new Set(lines.slice(0, Math.min(excess, Math.ceil(lines.length / 2))));
      excess -= dropped.size;
      chat.lines = chat.lines.filter((line) => !dropped.has(line));
    }
  }

  #chatOf(room: StoredRoom): Chat {
    const chat = this.#byRoom.getOrInsertComputed(room, () => ({ lastSeq: 0, lines: [] }));
    expire(chat);
    return chat;
  }
}

/** The user with the most lines: the chat with most of them, and his lines there. */
function loudest(chats: Iterable<Chat>): { chat: Chat; lines: ChatLine[] } {
  const senders = new Map<string, { all: number; chat: Chat; lines: ChatLine[] }>();
  for (const chat of chats) {
    for (const [sender, lines] of Map.groupBy(chat.lines, (line) => line.sender)) {
      const own = senders.getOrInsertComputed(sender, () => ({ all: 0, chat, lines }));
      own.all += lines.length;
      if (lines.length > own.lines.length) Object.assign(own, { chat, lines });
    }
  }
  return [...senders.values()].reduce((most, one) => (one.all > most.all ? one : most));
}

function expire({ lines }: Chat): void {
  const oldest = now() - CHAT_LINE_SECONDS;
  while (lines[0] && lines[0].time < oldest) lines.shift();
}
