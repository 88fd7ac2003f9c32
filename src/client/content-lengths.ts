// How long the contents of many messages of a room are, in one round trip (verbs MSG2 and DLAT, protocol sections 12
// and 13): they are counted as they come, and nothing of them is kept.

import { type Answer, AnswerReader, IN_STEP, PassedInStep, type TakePiece } from '../protocol/answer.ts';
import { command } from '../protocol/fields.ts';
import { REPLY, replyClass, type StatusLine } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import { isLost } from './connection/connection-fault.ts';
import { enterRoomCommand, parseEnteredRoom, type RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { FRESH_LIST } from './stored-headers.ts';

export interface Measured {
  msgnum: number;
  /** `part`: part 1, decoded; `text`: the whole message with CR LF line ends */
  form: 'part' | 'text';
  /** Makes what tells how many bytes of a piece count. */
  counter(): (piece: Buffer) => number;
}

export interface Lengths {
  /** undefined for messages that are gone, and for those behind `maxBytes` */
  lengths: (number | undefined)[];
  /** bytes of `maxBytes` that are left; 0 when not all could be read */
  left: number;
}

/** Asked for once more when the connection is lost. Throws not_found, forbidden (room password). */
export async function lengthsOf(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  messages: readonly Measured[],
  maxBytes: number,
): Promise<Lengths> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.withConnection(identity, (connection) => measure(connection, room, messages, maxBytes));
    } catch (error) {
      if (attempt > 1 || !isLost(error)) throw error;
    }
  }
}

async function measure(
  connection: Connection,
  room: RoomRef,
  messages: readonly Measured[],
  maxBytes: number,
): Promise<Lengths> {
  const lengths: Lengths['lengths'] = messages.map(() => undefined);
  let left = maxBytes;
  let isEnough = false;
  const readers = messages.map(({ counter }, i) => {
    const counted = ({ code }: StatusLine): TakePiece | undefined => {
      const kind = replyClass(code);
      if (kind !== REPLY.listing && kind !== REPLY.binary) return undefined;
      const count = counter();
      lengths[i] = 0;
      return (piece) => {
        if (isEnough) return;
        left -= piece.length;
        isEnough = left < 0;
        lengths[i] = isEnough ? undefined : lengths[i]! + count(piece);
        if (isEnough) connection.close();
      };
    };
    return new PassedInStep(counted);
  });
  // in one write, lest it takes two round trips
  const commands = [enterRoomCommand(room, true), FRESH_LIST, ...messages.map(contentCommand)];
  const [entered, ...others] = connection.readEach<Answer | true>(commands.join(''), [
    new AnswerReader(),
    new AnswerReader(),
    ...readers,
  ]);
  const all = Promise.all(others).catch((error: unknown) => {
    if (!isEnough) throw error;
  });
  all.catch(() => undefined); // awaited below, unless the room cannot be entered
  parseEnteredRoom((await entered) as Answer);
  await all;
  return { lengths, left: isEnough ? 0 : left };
}

function contentCommand({ msgnum, form }: Measured): string {
  return (form === 'part' ? command('DLAT', msgnum, '1') : command('MSG2', msgnum)) + IN_STEP;
}
