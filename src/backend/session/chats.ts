// What is said in the chats of rooms (RCHT, protocol section 18.10), kept in memory for CHAT_LINE_SECONDS.

import { CHAT_LINE_SECONDS, MAX_CHAT_LINES, MAX_CHATTED_LINES } from '../../limits/backend.ts';
import { now } from '../../system/clock.ts';
import type { StoredRoom } from '../store/records.ts';

export interface ChatLine {
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

  /** Above MAX_CHATTED_LINES the longest chats lose their oldest lines; short ones lose nothing. */
  #dropExcess(): void {
    let count = 0;
    for (const chat of this.#active) {
      expire(chat);
      if (chat.lines.length === 0) this.#active.delete(chat);
      count += chat.lines.length;
    }
    for (let excess = count - MAX_CHATTED_LINES; excess > 0; ) {
      const { lines } = longest(this.#active);
      excess -= lines.splice(0, Math.min(excess, Math.ceil(lines.length / 2))).length;
    }
  }

  #chatOf(room: StoredRoom): Chat {
    const chat = this.#byRoom.getOrInsertComputed(room, () => ({ lastSeq: 0, lines: [] }));
    expire(chat);
    return chat;
  }
}

function longest(chats: Iterable<Chat>): Chat {
  let found: Chat | undefined;
  for (const chat of chats) if (!found || chat.lines.length > found.lines.length) found = chat;
  return found!;
}

function expire({ lines }: Chat): void {
  const oldest = now() - CHAT_LINE_SECONDS;
  while (lines[0] && lines[0].time < oldest) lines.shift();
}
