// Scans the newest messages of some rooms, which the room server's index may lack, in few round trips and within bounds
// (verbs GOTO, MSGS ALL and MSG2, protocol sections 13 and 14; quirks Q57, Q58).

import { REQUEST_TURN_MS } from '../../limits/http.ts';
import { MAX_LISTED_AT_ONCE, MAX_SCANNED_MESSAGE_BYTES, SCANNED_AT_ONCE } from '../../limits/protocol.ts';
import { PassedAnswer } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import { messageNumbers } from '../../protocol/message-fields.ts';
import { REPLY, replyClass, STATUS, type StatusLine } from '../../protocol/status.ts';
import { requestTurns } from '../../system/turn-queue.ts';
import type { Connection } from '../connection/connection.ts';
import { enterRoomCommand, type RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass, isLost } from '../connection/server-errors.ts';
import { FRESH_LIST } from '../messages.ts';

const ALL_NUMBERS = command('MSGS', 'ALL');

export interface ScanBounds {
  messages: number;
  /** total, including discarded bytes */
  bytes: number;
  /** for reading; examining what was read may take as long again */
  ms: number;
}

/** A room and its answer to GOTO. */
export interface ScannedRoom {
  ref: RoomRef;
  totalMessages: number;
  /** highest message number */
  highest: number;
}

/** A message and the rooms that have it. */
export interface LocatedMessage {
  msgnum: number;
  rooms: RoomRef[];
}

/** `source`: the message from its header on; of a long one the beginning. */
export type TakeMessage = (message: LocatedMessage, source: Buffer) => void;

/**
 * The newest messages above `above`, newest first, at most `max`, and whether these are all. Asks the rooms with the
 * newest messages first, and others only if they may have newer ones.
 */
export async function newestIn(
  pool: Pool,
  identity: Identity,
  rooms: readonly ScannedRoom[],
  above: number,
  max: number,
): Promise<{ messages: LocatedMessage[]; isAll: boolean }> {
  const left = rooms.filter(({ highest }) => highest > above).sort((a, b) => b.highest - a.highest);
  let newest: LocatedMessage[] = [];
  let isAll = true;
  // one more than `max` shows that there are more
  while (left.length > 0 && !((newest[max]?.msgnum ?? 0) >= left[0]!.highest)) {
    const batch = takeBatch(left);
    const answers = await pool.read(
      identity,
      batch.flatMap(({ ref }) => [enterRoomCommand(ref, true), ALL_NUMBERS]),
    );
    const byNumber = new Map(newest.map((message) => [message.msgnum, message]));
    for (const [i, { ref }] of batch.entries()) {
      // answers after a failed GOTO come from the previous room
      if (answers[2 * i]!.code !== STATUS.done) continue;
      for (const msgnum of messageNumbers(expectClass(answers[2 * i + 1]!, REPLY.listing).lines)) {
        if (msgnum <= above) continue;
        byNumber.getOrInsertComputed(msgnum, () => ({ msgnum, rooms: [] })).rooms.push(ref);
      }
    }
    const all = [...byNumber.values()].sort((a, b) => b.msgnum - a.msgnum);
    newest = all.slice(0, max + 1);
    isAll = all.length <= max;
  }
  return { messages: newest.slice(0, max), isAll: isAll && left.length === 0 };
}

/** Removes the first ones, as many as may be listed at once. */
function takeBatch(rooms: ScannedRoom[]): ScannedRoom[] {
  let messages = 0;
  let count = 0;
  for (const { totalMessages } of rooms) {
    if (count > 0 && messages + totalMessages > MAX_LISTED_AT_ONCE) break;
    messages += totalMessages;
    count++;
  }
  return rooms.splice(0, count);
}

/** Passes messages to `take` in this order, without missing ones, within the bounds. Returns how many are done. */
export async function scan(
  pool: Pool,
  identity: Identity,
  messages: readonly LocatedMessage[],
  { bytes, ms }: ScanBounds,
  take: TakeMessage,
): Promise<number> {
  const left: Remaining = { bytes, end: performance.now() + ms, isEnough: false };
  const examinationEnd = left.end + ms;
  const turn = requestTurns.begin(REQUEST_TURN_MS);
  let done = 0;
  while (done < messages.length && !left.isEnough && performance.now() < left.end) {
    const sources = await readSources(pool, identity, messages.slice(done, done + SCANNED_AT_ONCE), left);
    for (const source of sources) {
      if (performance.now() > examinationEnd) return done;
      if (source) take(messages[done]!, source);
      done++;
      if (turn.isOver) await turn.next();
    }
  }
  return done;
}

/** What is left of the bounds. */
interface Remaining {
  bytes: number;
  /** performance.now() */
  end: number;
  /** a bound was reached */
  isEnough: boolean;
}

/** The first sources within the bounds; undefined for missing messages. Retried once when the connection is lost. */
async function readSources(
  pool: Pool,
  identity: Identity,
  messages: readonly LocatedMessage[],
  left: Remaining,
): Promise<(Buffer | undefined)[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.withConnection(identity, (connection) => readOn(connection, messages, left));
    } catch (error) {
      if (attempt > 1 || !isLost(error)) throw error;
    }
  }
}

/** In one write. Closes the connection when a bound is reached. */
async function readOn(
  connection: Connection,
  messages: readonly LocatedMessage[],
  left: Remaining,
): Promise<(Buffer | undefined)[]> {
  const enough = () => {
    left.isEnough = true;
    connection.close();
  };
  const timer = setTimeout(enough, Math.max(1, left.end - performance.now()));
  const sources: (Source | undefined)[] = messages.map(() => undefined);
  const commands: string[] = [];
  const readers: PassedAnswer[] = [];
  /** index in `readers` of each message */
  const positions: number[] = [];
  let room: RoomRef | undefined;
  let isInside = false;
  const entered = ({ code }: StatusLine): undefined => {
    isInside = code === STATUS.done;
  };
  for (const [i, { msgnum, rooms }] of messages.entries()) {
    if (rooms[0] !== room) {
      room = rooms[0]!;
      commands.push(enterRoomCommand(room, true), FRESH_LIST);
      readers.push(new PassedAnswer(entered), new PassedAnswer(() => undefined));
    }
    commands.push(command('MSG2', msgnum));
    positions.push(readers.length);
    readers.push(
      new PassedAnswer(({ code }) => {
        // answers after a failed GOTO come from the previous room
        if (!isInside || replyClass(code) !== REPLY.listing) return undefined;
        const source = (sources[i] = new Source());
        return (piece) => {
          if (left.isEnough) return;
          left.bytes -= piece.length;
          if (left.bytes < 0) enough();
          else source.push(piece);
        };
      }),
    );
  }
  const answers = await Promise.allSettled(connection.readEach(commands.join(''), readers));
  clearTimeout(timer);
  const lost = answers.find((answer) => answer.status === 'rejected');
  if (lost && !left.isEnough) throw lost.reason;
  const end = positions.findIndex((at) => answers[at]!.status === 'rejected');
  return sources.slice(0, end < 0 ? sources.length : end).map((source) => source?.bytes());
}

/** The beginning of a message. */
class Source {
  readonly #pieces: Buffer[] = [];
  #left = MAX_SCANNED_MESSAGE_BYTES;

  push(piece: Buffer): void {
    if (this.#left <= 0) return;
    const kept = piece.subarray(0, this.#left);
    this.#left -= kept.length;
    this.#pieces.push(Buffer.from(kept)); // a copy, to free the rest
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
