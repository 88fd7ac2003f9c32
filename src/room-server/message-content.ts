// The content of messages: one part, or the whole (verbs DLAT and MSG2, protocol sections 12 and 13; quirk Q1).

import { IN_STEP } from '../protocol/answer.ts';
import { command, splitFields } from '../protocol/fields.ts';
import { binaryLength } from '../protocol/framing.ts';
import { REPLY, STATUS, type StatusLine } from '../protocol/status.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass } from './connection/refusal.ts';
import { NOT_IN_ROOM } from './messages.ts';
import { FRESH_LIST } from './stored-headers.ts';

export interface MessagePart {
  length: number;
  filename: string;
  contentType: string;
  charset: string;
}

/** A small part in one go with the entering of its room; the caller knows from the part list that it is small. */
export async function readSmallPart(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  partnum: string,
): Promise<MessagePart & { bytes: Buffer }> {
  const { answers } = await pool.readInRoom(identity, room, [FRESH_LIST, command('DLAT', msgnum, partnum)]);
  const answer = expectClass(answers[1]!, REPLY.binary, NOT_IN_ROOM);
  return { ...partFrom(answer), bytes: answer.bytes ?? Buffer.alloc(0) };
}

/** Streams a part of any size to `use`, which must consume `bytes` before it returns. Throws not_found. */
export function withPart<T>(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  partnum: string,
  use: (part: MessagePart & { bytes: AsyncIterable<Buffer> }) => Promise<T>,
): Promise<T> {
  const start = [[FRESH_LIST], command('DLAT', msgnum, partnum)] as const;
  return pool.startInRoom(identity, room, start, async (connection, status) => {
    const part = partFrom(expectClass(status, REPLY.binary, NOT_IN_ROOM));
    try {
      return await use({ ...part, bytes: connection.binary(part.length) });
    } finally {
      // a real server answers twice when two parts go by one name (quirk Q6)
      const next = connection.isIdle ? await connection.ask(IN_STEP).catch(() => undefined) : undefined;
      if (next?.code !== STATUS.done) connection.close();
    }
  });
}

/** `LENGTH|-1|filename|type|charset`; a bar in the file name (quirk Q18) shifts nothing. */
function partFrom(status: StatusLine): MessagePart {
  const fields = splitFields(status.text);
  return {
    length: binaryLength(status),
    filename: fields.slice(2, -2).join('|'),
    contentType: fields.at(-2) ?? '',
    charset: fields.at(-1) ?? '',
  };
}

/**
 * Streams a whole message, with its headers, as RFC 5322 text with CR LF line ends to `use`. Throws not_found.
 */
export function withRfc822<T>(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  use: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const start = [[FRESH_LIST], command('MSG2', msgnum)] as const;
  return pool.startInRoom(identity, room, start, (connection, status) => {
    expectClass(status, REPLY.listing, NOT_IN_ROOM);
    return use(connection.listing());
  });
}
