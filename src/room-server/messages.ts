// Messages of a room: lists, heads, stored header lines, read marks, finding (verbs MSGS, MSG0, MSG2, GTSN, SLRP, SEEN,
// protocol sections 10 to 14). Their content: message-content.ts.

import { AppError, type ErrorCode } from '../errors.ts';
import { BATCH_MESSAGES } from '../limits/dav.ts';
import { decodeRaw, decodeWords } from '../mime/coding/encoded-words.ts';
import { withoutCr } from '../mime/coding/transfer.ts';
import { charsetIn, type HeaderField, headerValue, parseHeaderLines, parseParameters } from '../mime/headers.ts';
import { isCalendar } from '../mime/objects/properties.ts';
import { originalEuidFrom, originalTimeFrom } from '../mime/stored-content.ts';
import type { EnteredRoom, PartRow } from '../model.ts';
import type { Answer } from '../protocol/answer.ts';
import { command, toInt, wholeLineCommand } from '../protocol/fields.ts';
import { type MessageFields, messageNumbers, parseMessageFields, storedTimeFrom } from '../protocol/message-fields.ts';
import { accountName } from '../protocol/names.ts';
import { SequenceSet } from '../protocol/sequence-set.ts';
import { REPLY, replyClass, STATUS } from '../protocol/status.ts';
import { memoised } from '../system/attached.ts';
import { bytesOfText, hasRawBytes } from '../system/bytes.ts';
import type { Connection } from './connection/connection.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { InRoom, Pool, RoomAccess } from './connection/pool.ts';
import { expectClass, type KnownRefusals } from './connection/server-errors.ts';

/** MSG0 and the like answer 550 for a message that is not in the room. */
export const NOT_IN_ROOM: KnownRefusals = {
  [STATUS.higherAccess]: ['not_found', 'No such message.'],
};

export type Selector = { kind: 'all' | 'new' | 'old' } | { kind: 'first' | 'last' | 'gt' | 'lt'; number: number };

export const ALL_NUMBERS = command('MSGS', 'ALL');

/** Numbers of all messages, including hidden ones. */
export async function listAll(pool: Pool, identity: Identity, room: RoomRef): Promise<number[]> {
  const { answers } = await pool.readInRoom(identity, room, [ALL_NUMBERS]);
  return messageNumbers(expectClass(answers[0]!, REPLY.listing).lines);
}

export interface MessageHead extends MessageFields {
  entered: EnteredRoom;
  /** if it was asked for */
  seen?: boolean;
  /** Unix seconds of getting its name in the room; 0: as its id says; undefined: unknown (not embedded) */
  stored?: number | undefined;
  /** generated and stored header fields as MSG2 prints them */
  headers: readonly HeaderField[];
}

/** The parts of a head that can change or differ between readers. */
export type LiveFields = Pick<MessageHead, 'entered' | 'fields' | 'seen'>;

/** Everything except the content; `isSeenAsked`: including the read mark. Throws not_found. */
export async function readHead(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  isSeenAsked = false,
): Promise<MessageHead> {
  const commands = [FRESH_LIST, command('MSG0', msgnum, 1), command('MSG2', msgnum, 1)];
  const inRoom = await pool.readInRoom(identity, room, withMarks(commands, isSeenAsked));
  const { entered, answers } = inRoom;
  const message = parseMessageFields(expectClass(answers[1]!, REPLY.listing, NOT_IN_ROOM).lines);
  const headers = parseHeaderLines(expectClass(answers[2]!, REPLY.listing, NOT_IN_ROOM).lines);
  for (const [name, value] of message.fields) {
    if (hasRawBytes(value)) message.fields.set(name, decodeRaw(bytesOfText(value), charsetIn(headers)));
  }
  return { entered, ...message, headers, ...seenIn(inRoom, msgnum, isSeenAsked) };
}

export function noSuchMessage(): AppError {
  return new AppError('not_found', 'No such message.');
}

/** Read marks can be long, so they are only requested if needed. */
export function withMarks(commands: readonly string[], isSeenAsked: boolean): readonly string[] {
  return isSeenAsked ? [...commands, SEEN_SET] : commands;
}

/** From the last answer to withMarks. */
export function seenIn({ answers }: InRoom, msgnum: number, isSeenAsked: boolean): { seen?: boolean } {
  return isSeenAsked ? { seen: seenFrom(answers.at(-1)!).contains(msgnum) } : {};
}

/** Heads of many messages in one round trip; undefined for missing ones. `stored`: headers that are known already. */
export async function readHeads(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  numbers: readonly number[],
  stored: ReadonlyMap<number, readonly HeaderField[]>,
): Promise<(Pick<MessageHead, 'fields' | 'parts' | 'headers'> | undefined)[]> {
  const unread = numbers.filter((msgnum) => !stored.has(msgnum));
  const commands = [
    ...numbers.map((msgnum) => command('MSG0', msgnum, 1)),
    ...unread.map((msgnum) => command('MSG2', msgnum, 1)),
  ];
  const { answers } = await pool.readInRoom(identity, room, [FRESH_LIST, ...commands]);
  const heads = answers.slice(1, 1 + numbers.length);
  const read = new Map(unread.map((msgnum, i) => [msgnum, headersFrom(answers[1 + numbers.length + i]!)]));
  return heads.map((answer, i) => {
    const headers = stored.get(numbers[i]!) ?? read.get(numbers[i]!);
    if (!headers || replyClass(answer.code) === REPLY.refused) return undefined;
    const { fields, parts } = parseMessageFields(expectClass(answer, REPLY.listing).lines);
    return { fields, parts, headers };
  });
}

/** Throws not_found. */
export async function readLiveFields(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  isSeenAsked = false,
): Promise<LiveFields> {
  const commands = withMarks([FRESH_LIST, command('MSG0', msgnum, 3)], isSeenAsked);
  const inRoom = await pool.readInRoom(identity, room, commands);
  const { fields } = parseMessageFields(expectClass(inRoom.answers[1]!, REPLY.listing, NOT_IN_ROOM).lines);
  return { entered: inRoom.entered, fields, ...seenIn(inRoom, msgnum, isSeenAsked) };
}

/** Header fields of many messages by number, without missing ones. */
export async function readFieldsOfMany(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  numbers: readonly number[],
): Promise<Map<number, ReadonlyMap<string, string>>> {
  const read = new Map<number, ReadonlyMap<string, string>>();
  for (let at = 0; at < numbers.length; at += BATCH_MESSAGES) {
    const batch = numbers.slice(at, at + BATCH_MESSAGES);
    const commands = [FRESH_LIST, ...batch.map((msgnum) => command('MSG0', msgnum, 3))];
    const { answers } = await pool.readInRoom(identity, room, commands);
    batch.forEach((msgnum, i) => {
      const { code, lines } = answers[i + 1]!;
      if (replyClass(code) === REPLY.listing) read.set(msgnum, parseMessageFields(lines).fields);
    });
  }
  return read;
}

/** Sets the last-read pointer: everything up to `last` is read, everything above is new. */
export function setLastRead(pool: Pool, identity: Identity, room: RoomRef, last: number | 'HIGHEST'): Promise<void> {
  return pool.withRoom(identity, room, async (connection) => {
    expectClass(await connection.ask(wholeLineCommand('SLRP', String(last))), REPLY.done);
  });
}

/** The length of read marks is limited (quirk Q17). */
export const TOO_MANY_MARKS: [ErrorCode, string] = [
  'conflict',
  'The room server cannot store so many separate read marks in this room.',
];

/** `check` is called before the change. Throws not_found, conflict if the room server dropped the mark. */
export function setSeen(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  isSeen: boolean,
  check?: (connection: Connection, entered: EnteredRoom) => Promise<void>,
): Promise<void> {
  return pool.withRoom(identity, room, async (connection, entered) => {
    await check?.(connection, entered);
    if (!(await hasMessage(connection, msgnum))) throw noSuchMessage();
    const [marked, set] = await connection.askAll([command('SEEN', msgnum, isSeen ? 1 : 0), SEEN_SET]);
    expectClass(marked!, REPLY.done, { [STATUS.illegalValue]: TOO_MANY_MARKS });
    if (seenFrom(set!).contains(msgnum) !== isSeen) throw new AppError(...TOO_MANY_MARKS);
  });
}

/** The number of the message with this euid (verb EUID), if any. */
export async function findByEuid(connection: Connection, euid: string): Promise<number | undefined> {
  const answer = await connection.ask(wholeLineCommand('EUID', euid));
  if (answer.code === STATUS.noSuchMessage) return undefined;
  const number = Number(expectClass(answer, REPLY.done).text.trim());
  if (!Number.isSafeInteger(number)) throw new AppError('backend_protocol', 'The room server sent no number.');
  return number;
}

/** Whether the connection's room has this message. */
export async function hasMessage(connection: Connection, msgnum: number): Promise<boolean> {
  const [, head] = await connection.askAll([FRESH_LIST, command('MSG0', msgnum, 3)]);
  if (head!.code === STATUS.higherAccess || head!.code === STATUS.noSuchMessage) return false;
  expectClass(head!, REPLY.listing);
  return true;
}

/** The parts of a message in the connection's room. Throws not_found. */
export async function partsOf(connection: Connection, msgnum: number): Promise<PartRow[]> {
  const [, head] = await connection.askAll([FRESH_LIST, command('MSG0', msgnum, 1)]);
  return parseMessageFields(expectClass(head!, REPLY.listing, NOT_IN_ROOM).lines).parts;
}

/** Stored bytes of a MIME message in the connection's room, with LF: all of MSG2 except generated headers. Throws not_found. */
export async function storedSizeOf(connection: Connection, msgnum: number): Promise<number> {
  await connection.ask(FRESH_LIST);
  const sizes: number[] = [];
  for (const mode of [0, 3]) {
    expectClass(await connection.start(command('MSG2', msgnum, mode)), REPLY.listing, NOT_IN_ROOM);
    let size = 0;
    for await (const piece of withoutCr(connection.listing())) size += piece.length;
    sizes.push(size);
  }
  return sizes[0]! - sizes[1]!;
}

export const SEEN_SET = command('GTSN');

/** A guest has no read marks (520): everything is new. */
export function seenFrom(answer: Answer): SequenceSet {
  return answer.code === STATUS.notLoggedIn
    ? SequenceSet.of([])
    : SequenceSet.parse(expectClass(answer, REPLY.done).text);
}

export async function readMarks({ pool, identity, room }: RoomAccess): Promise<SequenceSet> {
  return seenFrom((await pool.readInRoom(identity, room, [SEEN_SET])).answers[0]!);
}

/** The counts that GOTO would return for a room with only these messages, ascending. */
export function countsOf(
  numbers: readonly number[],
  seen: SequenceSet,
): Pick<EnteredRoom, 'newMessages' | 'totalMessages' | 'highest'> {
  return {
    newMessages: numbers.filter((number) => !seen.contains(number)).length,
    totalMessages: numbers.length,
    highest: numbers.at(-1) ?? 0,
  };
}

/**
 * Numbers, ascending, of messages in the connection's room with this stored subject, in any ASCII case. A real server
 * truncates a template line at 255 bytes, so `subject` has at most 250.
 */
export function findBySubject(connection: Connection, subject: string): Promise<number[]> {
  return findByField(connection, 'subj', subject);
}

/** The same by message id, without angle brackets; at most 250 bytes, no bar. */
export function findByMessageId(connection: Connection, id: string): Promise<number[]> {
  return findByField(connection, 'msgn', id);
}

async function findByField(connection: Connection, field: 'subj' | 'msgn', value: string): Promise<number[]> {
  expectClass(await connection.start(command('MSGS', 'ALL', '', 1, 0)), REPLY.sendTextThenListing);
  const lines = await connection.sendText([Buffer.from(`${field}|${value}\n`)]);
  return messageNumbers(lines);
}

/** Numbers of messages in the connection's room above `msgnum`, ascending. GT is slow on a real server (quirk Q58). */
export async function findAbove(connection: Connection, msgnum: number): Promise<number[]> {
  const { lines } = expectClass(await connection.ask(command('MSGS', 'ALL')), REPLY.listing);
  return messageNumbers(lines).filter((number) => number > msgnum);
}

export const ALL_EUIDS = command('MSGS', 'ALL', '', '', 4);

/**
 * Refreshes the session's list of messages, or a real server would still answer for messages of the previous room (quirk
 * Q5c). A failing look-up does that (550, protocol section 5) without listing anything; MSGS LAST, GT and the like are
 * slow on a real server (quirk Q58). The answer is ignored.
 */
export const FRESH_LIST = command('MSG0', 0, 3);

export interface EuidRow {
  msgnum: number;
  /** may be empty */
  euid: string;
  /** Unix seconds */
  time: number;
}

/** All messages of a room, ascending by number. */
export async function listEuids(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
): Promise<{ entered: EnteredRoom; rows: readonly EuidRow[] }> {
  return parseEuids(await pool.readInRoom(identity, room, [ALL_EUIDS]));
}

const parseEuids = memoised(({ entered, answers }: InRoom) => ({ entered, rows: euidsFrom(answers[0]!) }));

export function euidsFrom(answer: Answer): EuidRow[] {
  return expectClass(answer, REPLY.listing)
    .lines.map(euidRow)
    .filter(({ msgnum }) => msgnum > 0);
}

/** `'302||1795221150'`; an euid may contain bars. Creates no arrays, as a room may list very many. */
function euidRow(line: string): EuidRow {
  const first = line.indexOf('|');
  const last = line.lastIndexOf('|');
  const euid = first < last ? line.slice(first + 1, last) : '';
  return { msgnum: toInt(line), euid, time: toInt(line.slice(last + 1)) };
}

/** Header fields as MSG2 prints them; undefined for missing messages. */
export async function readStoredHeaders(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  numbers: readonly number[],
): Promise<readonly (HeaderField[] | undefined)[]> {
  const { answers } = await pool.readInRoom(identity, room, headerCommands(numbers));
  return answers.slice(1).map(headersFrom);
}

/** The same in the connection's room. */
export async function storedHeadersOf(
  connection: Connection,
  numbers: readonly number[],
): Promise<(HeaderField[] | undefined)[]> {
  const answers = await connection.askAll(headerCommands(numbers));
  return answers.slice(1).map(headersFrom);
}

function headerCommands(numbers: readonly number[]): string[] {
  return [FRESH_LIST, ...numbers.map((msgnum) => command('MSG2', msgnum, 1))];
}

/** undefined for a message that is not there. */
function headersFrom(answer: Answer): HeaderField[] | undefined {
  if (replyClass(answer.code) === REPLY.refused) return undefined;
  return parseHeaderLines(expectClass(answer, REPLY.listing).lines);
}

/**
 * When a message was stored: its id tells (protocol section 11); of a message that was posted again, when the original
 * was written. Not used is the time of an event (when it begins) and of Internet mail (what its sender says).
 * `headers` as MSG2 prints them.
 */
export function storedTimeOf(headers: readonly HeaderField[], msgnum: number): number | undefined {
  const isEvent = isCalendar(parseParameters(headerValue(headers, 'content-type') ?? '').value.toLowerCase());
  const original = isEvent ? undefined : originalTimeFrom(headers);
  return original ?? storedTimeFrom(headerValue(headers, 'message-id')?.replace('<', ''), msgnum);
}

/** The euid that it has, or had before a room gave it another one or none. */
export function originalEuid({ fields, headers }: Pick<MessageHead, 'fields' | 'headers'>): string {
  return originalEuidFrom(headers) || (fields.get('exti') ?? '');
}

/** Its author, if not `user`. */
export function otherAuthor(fields: ReadonlyMap<string, string>, user: string): string | undefined {
  const author = decodeWords(fields.get('from') ?? '');
  return accountName(author) === accountName(user) ? undefined : author;
}
