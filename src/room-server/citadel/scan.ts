// Reads the newest messages of some rooms, in few round trips and within bounds, where the index of the room server
// does not have them (verbs GOTO, MSGS ALL and MSG2, protocol sections 13 and 14; quirks Q57, Q58).

import { REQUEST_TURN_MS } from '../../limits/http.ts';
import { LOOKED_AT_ONCE, MAX_LISTED_AT_ONCE, MAX_LOOKED_MESSAGE_BYTES } from '../../limits/looking.ts';
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

export interface LookBounds {
  messages: number;
  /** of all of them, what is not kept included */
  bytes: number;
  /** for reading; what was read is looked at as long again */
  ms: number;
}

/** A room that has been entered, and what GOTO has told. */
export interface LookedRoom {
  ref: RoomRef;
  totalMessages: number;
  /** highest message number */
  highest: number;
}

/** Where a message is: in one room or more. */
export interface Place {
  msgnum: number;
  rooms: RoomRef[];
}

/** A message, from its header on; of a long one the beginning. */
export type TakeMessage = (place: Place, source: Buffer) => void;

/**
 * The newest messages above `above`, newest first, at most `max`, and whether there are no more. Rooms with the
 * newest are asked first, and others only where they may have newer ones.
 */
export async function newestIn(
  pool: Pool,
  identity: Identity,
  rooms: readonly LookedRoom[],
  above: number,
  max: number,
): Promise<{ places: Place[]; isAll: boolean }> {
  const left = rooms.filter(({ highest }) => highest > above).sort((a, b) => b.highest - a.highest);
  let places: Place[] = [];
  let isAll = true;
  // one more than is wanted: it tells that there are more
  while (left.length > 0 && !((places[max]?.msgnum ?? 0) >= left[0]!.highest)) {
    const batch = takeBatch(left);
    const answers = await pool.read(
      identity,
      batch.flatMap(({ ref }) => [enterRoomCommand(ref, true), ALL_NUMBERS]),
    );
    const byNumber = new Map(places.map((place) => [place.msgnum, place]));
    for (const [i, { ref }] of batch.entries()) {
      // what stands behind a GOTO that failed comes from the room before
      if (answers[2 * i]!.code !== STATUS.done) continue;
      for (const msgnum of messageNumbers(expectClass(answers[2 * i + 1]!, REPLY.listing).lines)) {
        if (msgnum <= above) continue;
        byNumber.getOrInsertComputed(msgnum, () => ({ msgnum, rooms: [] })).rooms.push(ref);
      }
    }
    const all = [...byNumber.values()].sort((a, b) => b.msgnum - a.msgnum);
    places = all.slice(0, max + 1);
    isAll = all.length <= max;
  }
  return { places: places.slice(0, max), isAll: isAll && left.length === 0 };
}

/** Takes the first ones away, as many as may be listed in one go. */
function takeBatch(rooms: LookedRoom[]): LookedRoom[] {
  let messages = 0;
  let count = 0;
  for (const { totalMessages } of rooms) {
    if (count > 0 && messages + totalMessages > MAX_LISTED_AT_ONCE) break;
    messages += totalMessages;
    count++;
  }
  return rooms.splice(0, count);
}

/**
 * Reads messages in this order, as far as the bounds allow, and passes them on; those that are gone are left out.
 * Returns how many of `places` it is through with.
 */
export async function lookThrough(
  pool: Pool,
  identity: Identity,
  places: readonly Place[],
  { bytes, ms }: LookBounds,
  take: TakeMessage,
): Promise<number> {
  const look: Look = { bytes, end: performance.now() + ms, isEnough: false };
  const lookedEnd = look.end + ms;
  const turn = requestTurns.begin(REQUEST_TURN_MS);
  let through = 0;
  while (through < places.length && !look.isEnough && performance.now() < look.end) {
    const sources = await readSources(pool, identity, places.slice(through, through + LOOKED_AT_ONCE), look);
    for (const source of sources) {
      const place = places[through]!;
      if (performance.now() > lookedEnd) return through;
      if (source) take(place, source);
      through++;
      if (turn.isOver) await turn.next();
    }
  }
  return through;
}

/** What is left of the bounds. */
interface Look {
  bytes: number;
  /** performance.now() */
  end: number;
  /** one of them has been reached */
  isEnough: boolean;
}

/**
 * Of as many as the bounds allow, from the first on; undefined for those that are gone. Asked once more when the
 * connection is lost.
 */
async function readSources(
  pool: Pool,
  identity: Identity,
  places: readonly Place[],
  look: Look,
): Promise<(Buffer | undefined)[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.withConnection(identity, (connection) => readOn(connection, places, look));
    } catch (error) {
      if (attempt > 1 || !isLost(error)) throw error;
    }
  }
}

/** In one write. The connection is closed where it would bring more than is wanted. */
async function readOn(connection: Connection, places: readonly Place[], look: Look): Promise<(Buffer | undefined)[]> {
  const enough = () => {
    look.isEnough = true;
    connection.close();
  };
  const timer = setTimeout(enough, Math.max(1, look.end - performance.now()));
  const sources: (Source | undefined)[] = places.map(() => undefined);
  const commands: string[] = [];
  const readers: PassedAnswer[] = [];
  /** positions of the readers that bring messages */
  const messages: number[] = [];
  let room: RoomRef | undefined;
  let isInside = false;
  const entered = ({ code }: StatusLine): undefined => {
    isInside = code === STATUS.done;
  };
  for (const [i, { msgnum, rooms }] of places.entries()) {
    if (rooms[0] !== room) {
      room = rooms[0]!;
      commands.push(enterRoomCommand(room, true), FRESH_LIST);
      readers.push(new PassedAnswer(entered), new PassedAnswer(() => undefined));
    }
    commands.push(command('MSG2', msgnum));
    messages.push(readers.length);
    readers.push(
      new PassedAnswer(({ code }) => {
        // what stands behind a GOTO that failed comes from the room before
        if (!isInside || replyClass(code) !== REPLY.listing) return undefined;
        const source = (sources[i] = new Source());
        return (piece) => {
          if (look.isEnough) return;
          look.bytes -= piece.length;
          if (look.bytes < 0) enough();
          else source.push(piece);
        };
      }),
    );
  }
  const answers = await Promise.allSettled(connection.readEach(commands.join(''), readers));
  clearTimeout(timer);
  const lost = answers.find((answer) => answer.status === 'rejected');
  if (lost && !look.isEnough) throw lost.reason;
  const end = messages.findIndex((at) => answers[at]!.status === 'rejected');
  return sources.slice(0, end < 0 ? sources.length : end).map((source) => source?.bytes());
}

/** The beginning of a message. */
class Source {
  readonly #pieces: Buffer[] = [];
  #left = MAX_LOOKED_MESSAGE_BYTES;

  push(piece: Buffer): void {
    if (this.#left <= 0) return;
    const kept = piece.subarray(0, this.#left);
    this.#left -= kept.length;
    this.#pieces.push(Buffer.from(kept)); // a copy: what is cut off is not to be kept
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
