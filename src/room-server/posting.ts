// Changes the messages of a room: posts, deletes, moves, marks (verbs ENT0, DELE, MOVE, SEEN, protocol sections 10, 15
// and 18.6), on a connection that has entered the room. Nothing is ever sent twice. Operations on many messages skip
// those that are gone.

import { AppError, isNotFound } from '../errors.ts';
import { MAX_COMMAND_BYTES } from '../limits/protocol.ts';
import type { EnteredRoom } from '../model.ts';
import type { Answer } from '../protocol/answer.ts';
import { command, toInt } from '../protocol/fields.ts';
import type { SequenceSet } from '../protocol/sequence-set.ts';
import { REPLY, STATUS } from '../protocol/status.ts';
import type { Connection } from './connection/connection.ts';
import { expectClass, type KnownRefusals, refusalAfterBody, unexpectedAnswer } from './connection/server-errors.ts';
import { SEEN_SET, seenFrom, TOO_MANY_MARKS } from './messages.ts';

export const NO_TARGET: KnownRefusals = {
  [STATUS.noSuchRoom]: ['conflict', 'The target room does not exist.'],
  [STATUS.alreadyExists]: ['forbidden', 'Source and target are the same room.'],
};

export interface Posting {
  recipients: string;
  cc: string;
  bcc: string;
  subject: string;
  /** used in wiki and notes rooms only */
  euid: string;
  /** other than the caller, for administrators; '' for none */
  author?: string;
  /** message ids separated by `!` */
  references: string;
  /** embedded room server: the one message it may replace, 0 for none */
  replaces?: number | '*' | undefined;
  /** marked as read for the poster */
  isRead?: boolean | undefined;
}

export interface Posted {
  msgnum: number;
  euid: string;
}

const NO_RECIPIENT: KnownRefusals = {
  [STATUS.noSuchUser]: ['bad_request', 'A recipient is missing or unknown.'],
};

/** The cause of a conflict: another message has the UID. */
export class UidTaken extends Error {
  readonly msgnum: number;

  constructor(msgnum: number) {
    super(`message ${msgnum}`);
    this.msgnum = msgnum;
  }
}

/** As MessageMethods.post of server.ts. */
export async function postAsked(
  connection: Connection,
  posting: Posting,
  body: AsyncIterable<Buffer>,
): Promise<Posted> {
  const status = await connection.start(entCommand(1, posting));
  expectClass(status, REPLY.sendTextThenListing, NO_RECIPIENT);
  const posted = postedFrom(await connection.sendText(body));
  if (posting.isRead) await markPosted(connection, posted.msgnum);
  return posted;
}

/** The same with one round trip less: the embedded room server reads the body even if it refuses it. */
export async function postAtOnce(
  connection: Connection,
  posting: Posting,
  body: AsyncIterable<Buffer>,
): Promise<Posted> {
  const answer = await connection.askWithText(entCommand(1, posting, AT_ONCE), body);
  return postedFrom(expectClass(answer, REPLY.listing, NO_RECIPIENT).lines);
}

function postedFrom(lines: readonly string[]): Posted {
  const msgnum = toInt(lines[0]);
  if (msgnum >= 1) return { msgnum, euid: lines.at(-1) ?? '' };
  const inTheWay = toInt(lines[1]);
  if (msgnum === -5) throw new AppError('precondition_failed', 'The message has changed.');
  if (msgnum === -6) throw new AppError('conflict', 'Another message has this UID.', { cause: new UidTaken(inTheWay) });
  if (msgnum === -7) throw new AppError('forbidden', 'This account may not replace messages in this room.');
  if (msgnum === -2) throw new AppError('bad_request', 'The message is empty.');
  if (msgnum === -3) throw new AppError('conflict', 'The room does not accept this message.');
  if (msgnum === -4) throw new AppError('too_large', 'The message is too large for the room server.');
  throw refusalAfterBody(msgnum, lines[1]) ?? unexpectedAnswer(lines[0]);
}

const AT_ONCE = 1;

/** Ignores failures: the message has been posted. */
async function markPosted(connection: Connection, msgnum: number): Promise<void> {
  await connection.ask(command('SEEN', msgnum, 1)).catch(() => {});
}

/** Deletes a message from the room that the connection is in. Throws not_found (575), forbidden (550). */
export async function deleteFromRoom(connection: Connection, msgnum: number): Promise<void> {
  expectClass(await connection.ask(command('DELE', msgnum)), REPLY.done);
}

/** Moves or copies a message to another room. Throws conflict if that does not exist (572), forbidden, not_found. */
export async function moveToRoom(connection: Connection, msgnum: number, room: string, isCopy: boolean): Promise<void> {
  const answer = await connection.ask(command('MOVE', msgnum, room, isCopy ? 1 : 0));
  expectClass(answer, REPLY.done, NO_TARGET);
}

/** Copies messages to another room, as many as fit a command line; skips missing ones. Throws as moveToRoom. */
export async function copyToRoom(connection: Connection, numbers: readonly number[], room: string): Promise<void> {
  const answer = await connection.ask(command('MOVE', numbers.join(','), room, 1));
  if (answer.code !== STATUS.noSuchMessage) expectClass(answer, REPLY.done, NO_TARGET);
}

/** Asks whether this could be posted (ENT0 with a first field of 0). Throws as `post`. */
export async function probePost(connection: Connection, posting: Posting): Promise<void> {
  const status = await connection.ask(entCommand(0, posting));
  expectClass(status, REPLY.done, NO_RECIPIENT);
}

function entCommand(isPost: 0 | 1, posting: Posting, atOnce?: typeof AT_ONCE): string {
  const { recipients, cc, bcc, subject, author = '', euid, references, replaces, isRead } = posting;
  const fields = ['', 4, subject, author, 1, cc, bcc, euid, '', references];
  const ofOurs = atOnce ? [replaces ?? '', atOnce, ...(isRead ? [1] : [])] : replaces === undefined ? [] : [replaces];
  return command('ENT0', isPost, recipients, ...fields, ...ofOurs);
}

/** Deletes messages of the connection's room. Throws not_found if there are none of them, forbidden. */
export async function deleteMany(connection: Connection, numbers: readonly number[]): Promise<void> {
  await inLines(connection, numbers, (list) => command('DELE', list));
}

/** Throws conflict if the target does not exist or is the same room, not_found, forbidden. */
export async function moveMany(connection: Connection, numbers: readonly number[], room: string): Promise<void> {
  await inLines(connection, numbers, (list) => command('MOVE', list, room, 0));
}

/** Throws conflict if a mark is refused (quirk Q17). */
export async function markMany(connection: Connection, numbers: readonly number[], isSeen: boolean): Promise<void> {
  await marked(connection, numbers, isSeen);
}

/** The same for a server that may silently drop marks. */
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

/** of the numbers in a line, leaving room for verb and room name */
const MAX_LIST_BYTES = MAX_COMMAND_BYTES / 2;

/** Sends lines of as many numbers as fit, one after the other; stops at a refusal. */
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

/** Deletes replaced messages; those that are gone already are no fault. */
export async function removeReplaced(connection: Connection, numbers: readonly number[]): Promise<void> {
  for (const msgnum of numbers) {
    await deleteFromRoom(connection, msgnum).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/**
 * The number that the room server has just returned is not that of an older message, to which nothing must be done.
 * Throws backend_protocol.
 */
export function requireNewer(msgnum: number, before: EnteredRoom): void {
  if (msgnum > before.highest) return;
  throw new AppError('backend_protocol', 'The room server has given a message the number of another.');
}
