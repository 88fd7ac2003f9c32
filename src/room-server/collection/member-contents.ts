// The contents of many calendar objects and cards, in few round trips (verb MEMB contents of the embedded room server,
// protocol section 21.6).

import { MAX_CONTENTS_AT_ONCE } from '../../limits/backend.ts';
import { MAX_COMMAND_BYTES } from '../../limits/protocol.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass, unexpectedAnswer } from '../connection/refusal.ts';

const COMMAND_START = 'MEMB contents|';

/**
 * The contents of the first of these messages, by number, and how many of them have been looked at: at least one. What
 * is not there, is no object or is too large has none. Throws as pool.readInRoom.
 */
export async function readContents(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  numbers: readonly number[],
): Promise<{ looked: number; contents: ReadonlyMap<number, Buffer> }> {
  const asked = fitting(numbers);
  const { answers } = await pool.readInRoom(identity, room, [command('MEMB', 'contents', asked.join(','))]);
  return parseContents(expectClass(answers[0]!, REPLY.binary));
}

/** Those that one command line holds. */
function fitting(numbers: readonly number[]): readonly number[] {
  let left = MAX_COMMAND_BYTES - COMMAND_START.length;
  let count = 0;
  while (count < numbers.length && count < MAX_CONTENTS_AT_ONCE) {
    left -= String(numbers[count]).length + 1;
    if (left < 0) break;
    count++;
  }
  return numbers.slice(0, count);
}

/** `LENGTH|looked at|n|length|n|length…` and the bytes, one content after the other */
function parseContents({ text, bytes = Buffer.alloc(0) }: Answer): {
  looked: number;
  contents: ReadonlyMap<number, Buffer>;
} {
  const [, looked, ...fields] = splitFields(text);
  const contents = new Map<number, Buffer>();
  let at = 0;
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const length = toInt(fields[i + 1]);
    if (length < 0) throw unexpectedAnswer(text);
    contents.set(toInt(fields[i]), bytes.subarray(at, at + length));
    at += length;
  }
  if (at !== bytes.length || toInt(looked) < 1) throw unexpectedAnswer(text);
  return { looked: toInt(looked), contents };
}
