// Many messages of a room at once: deleted, moved, marked (verbs DELE, MOVE, SEEN, protocol sections 10 and 18.6). What
// has gone meanwhile is passed over.

import { AppError } from '../errors.ts';
import { MAX_COMMAND_BYTES } from '../limits/protocol.ts';
import type { Answer } from '../protocol/answer.ts';
import { command } from '../protocol/fields.ts';
import type { SequenceSet } from '../protocol/sequence-set.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import { expectClass } from './connection/refusal.ts';
import { TOO_MANY_MARKS } from './messages.ts';
import { NO_TARGET } from './posting.ts';
import { SEEN_SET, seenFrom } from './seen-set.ts';

/** From the room that the connection is in. Throws not_found where none of them is there, forbidden. */
export async function deleteMany(connection: Connection, numbers: readonly number[]): Promise<void> {
  await inLines(connection, numbers, (list) => command('DELE', list));
}

/** Throws conflict where there is no such room, or it is the same one; not_found, forbidden. */
export async function moveMany(connection: Connection, numbers: readonly number[], room: string): Promise<void> {
  await inLines(connection, numbers, (list) => command('MOVE', list, room, 0));
}

/** Throws conflict where a mark is refused (quirk Q17). */
export async function markMany(connection: Connection, numbers: readonly number[], isSeen: boolean): Promise<void> {
  await marked(connection, numbers, isSeen);
}

/** The same at a server that does not say which marks it has kept. */
export async function markManyKept(connection: Connection, numbers: readonly number[], isSeen: boolean): Promise<void> {
  const seen = await marked(connection, numbers, isSeen);
  if (numbers.some((msgnum) => seen.contains(msgnum) !== isSeen)) throw new AppError(...TOO_MANY_MARKS);
}

async function marked(connection: Connection, numbers: readonly number[], isSeen: boolean): Promise<SequenceSet> {
  const marks = numbers.map((msgnum) => command('SEEN', msgnum, isSeen ? 1 : 0));
  const answers = await connection.askAll([...marks, SEEN_SET]);
  const seen = seenFrom(answers.pop()!);
  if (answers.some(({ code }) => code !== STATUS.done)) throw new AppError(...TOO_MANY_MARKS);
  return seen;
}

/** of numbers in a line; the last one, the verb and the name of a room come on top */
const MAX_LIST_BYTES = MAX_COMMAND_BYTES / 2;

/** As many as a line holds at a time, one line behind the other: a refusal ends it. */
async function inLines(
  connection: Connection,
  numbers: readonly number[],
  build: (list: string) => string,
): Promise<void> {
  let absent: Answer | undefined;
  let isAnyDone = false;
  for (let at = 0; at < numbers.length; ) {
    let list = String(numbers[at]);
    let end = at + 1;
    while (end < numbers.length && list.length < MAX_LIST_BYTES) list += `,${numbers[end++]}`;
    const answer = await connection.ask(build(list));
    if (answer.code === STATUS.noSuchMessage) absent = answer;
    else {
      expectClass(answer, REPLY.done, NO_TARGET);
      isAnyDone = true;
    }
    at = end;
  }
  if (absent && !isAnyDone) expectClass(absent, REPLY.done);
}
