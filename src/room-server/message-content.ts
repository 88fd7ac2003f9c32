// The content of messages (verbs DLAT and MSG2, protocol sections 12 and 13; quirk Q1): one part, a whole message, or
// many in one round trip, which are either counted as they arrive or collected within bounds.

import { decoderFor, transform, withoutCr } from '../mime/coding/transfer.ts';
import { contentParts } from '../mime/part.ts';
import { type SentForm, sentForm } from '../mime/stored-content.ts';
import { bodyOfRfc822 } from '../mime/stored-text.ts';
import { MimeWalker } from '../mime/walk.ts';
import { type Answer, AnswerReader, IN_STEP, PassedInStep, type TakePiece } from '../protocol/answer.ts';
import { command, splitFields } from '../protocol/fields.ts';
import { binaryLength } from '../protocol/framing.ts';
import { REPLY, replyClass, STATUS, type StatusLine } from '../protocol/status.ts';
import { slice } from '../system/bytes.ts';
import type { Connection } from './connection/connection.ts';
import { enterRoomCommand, parseEnteredRoom, type RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool, RoomAccess } from './connection/pool.ts';
import { expectClass, isLost } from './connection/server-errors.ts';
import { FRESH_LIST, type MessageHead, NOT_IN_ROOM, partsOf } from './messages.ts';

export interface ContentRef {
  msgnum: number;
  /** `part`: part 1, decoded; `text`: the whole message with CR LF */
  form: 'part' | 'text';
}

/** Consumes contents; a retry uses a new one. */
interface ContentTaker {
  /** The content of the message at `index` begins; not called for missing ones. */
  begin(index: number): TakePiece;
  /** stop reading */
  readonly isEnough: boolean;
}

/**
 * Feeds all contents, in the order of `messages`, to a taker until it has enough, and returns it. Retried once when the
 * connection is lost. Throws not_found, forbidden (room password).
 */
async function passContents<T extends ContentTaker>(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  messages: readonly ContentRef[],
  makeTaker: () => T,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const taker = makeTaker();
    try {
      await pool.withConnection(identity, (connection) => pass(connection, room, messages, taker));
      return taker;
    } catch (error) {
      if (attempt > 1 || !isLost(error)) throw error;
    }
  }
}

async function pass(
  connection: Connection,
  room: RoomRef,
  messages: readonly ContentRef[],
  taker: ContentTaker,
): Promise<void> {
  const readers = messages.map((_, index) => {
    const begin = ({ code }: StatusLine): TakePiece | undefined => {
      const kind = replyClass(code);
      if (kind !== REPLY.listing && kind !== REPLY.binary) return undefined;
      if (taker.isEnough) return undefined;
      const take = taker.begin(index);
      return (piece) => {
        if (taker.isEnough) return;
        take(piece);
        if (taker.isEnough) connection.close();
      };
    };
    return new PassedInStep(begin);
  });
  // in one write: one round trip
  const commands = [enterRoomCommand(room, true), FRESH_LIST, ...messages.map(contentCommand)];
  const [entered, ...others] = connection.readEach<Answer | true>(commands.join(''), [
    new AnswerReader(),
    new AnswerReader(),
    ...readers,
  ]);
  const all = Promise.all(others).catch((error: unknown) => {
    if (!taker.isEnough) throw error;
  });
  all.catch(() => undefined); // awaited below, unless the room cannot be entered
  parseEnteredRoom((await entered) as Answer);
  await all;
}

function contentCommand({ msgnum, form }: ContentRef): string {
  return (form === 'part' ? command('DLAT', msgnum, '1') : command('MSG2', msgnum)) + IN_STEP;
}

export interface Measured extends ContentRef {
  /** Returns a function that counts the bytes of a piece. */
  counter(): (piece: Buffer) => number;
}

export interface Lengths {
  /** undefined for missing messages and those beyond `maxBytes` */
  lengths: (number | undefined)[];
  /** what is left of `maxBytes`; 0 if not all were read */
  left: number;
}

/** One round trip. Throws not_found, forbidden (room password). */
export async function lengthsOf(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  messages: readonly Measured[],
  maxBytes: number,
): Promise<Lengths> {
  const { lengths, left } = await passContents(
    pool,
    identity,
    room,
    messages,
    () => new LengthTaker(messages, maxBytes),
  );
  return { lengths, left: Math.max(0, left) };
}

class LengthTaker implements ContentTaker {
  readonly lengths: Lengths['lengths'];
  readonly #messages: readonly Measured[];
  left: number;

  constructor(messages: readonly Measured[], maxBytes: number) {
    this.lengths = messages.map(() => undefined);
    this.#messages = messages;
    this.left = maxBytes;
  }

  get isEnough(): boolean {
    return this.left < 0;
  }

  begin(index: number): TakePiece {
    const count = this.#messages[index]!.counter();
    this.lengths[index] = 0;
    return (piece) => {
      this.left -= piece.length;
      this.lengths[index] = this.isEnough ? undefined : this.lengths[index]! + count(piece);
    };
  }
}

/** `gone`: no such message or content */
export type Collected = Buffer | 'gone' | 'too large';

export interface CollectingBounds {
  /** bytes of one content */
  maxEach: number;
  /** total bytes; at least `maxEach`, so that one always fits */
  maxBytes: number;
}

/** The first contents that fit `maxBytes`, at least one. Throws as lengthsOf. */
export async function collectContents(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  messages: readonly ContentRef[],
  bounds: CollectingBounds,
): Promise<Collected[]> {
  const taker = await passContents(pool, identity, room, messages, () => new CollectingTaker(bounds));
  const count = taker.isEnough ? taker.complete : messages.length;
  return Array.from({ length: count }, (_, i) => taker.contentAt(i));
}

class CollectingTaker implements ContentTaker {
  readonly #bounds: CollectingBounds;
  readonly #pieces = new Map<number, Buffer[] | 'too large'>();
  #left: number;
  /** how many are final, from the first on */
  complete = 0;

  constructor(bounds: CollectingBounds) {
    this.#bounds = bounds;
    this.#left = bounds.maxBytes;
  }

  get isEnough(): boolean {
    return this.#left < 0;
  }

  begin(index: number): TakePiece {
    this.complete = index;
    const pieces: Buffer[] = [];
    let left = this.#bounds.maxEach;
    this.#pieces.set(index, pieces);
    return (piece) => {
      this.#left -= piece.length;
      left -= piece.length;
      if (left >= 0) {
        pieces.push(piece);
        return;
      }
      // the next round begins after it
      this.#pieces.set(index, 'too large');
      pieces.length = 0;
      this.complete = index + 1;
    };
  }

  contentAt(index: number): Collected {
    const pieces = this.#pieces.get(index);
    if (pieces === undefined) return 'gone';
    return pieces === 'too large' ? pieces : Buffer.concat(pieces);
  }
}

export interface MessagePart {
  length: number;
  filename: string;
  contentType: string;
  charset: string;
}

/** A part that is small according to the part list, in one round trip with entering its room. */
export async function readSmallPart(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  partnum: string,
): Promise<MessagePart & { bytes: Buffer }> {
  const { answers } = await pool.readInRoom(identity, room, [FRESH_LIST, command('DLAT', msgnum, partnum)]);
  const answer = answers[1]!;
  if (replyClass(answer.code) !== REPLY.refused) {
    return { ...partFrom(expectClass(answer, REPLY.binary)), bytes: answer.bytes ?? Buffer.alloc(0) };
  }
  return withSourcePart(pool, identity, room, { msgnum, partnum, refusal: answer }, async (part) => {
    return { ...part, bytes: Buffer.concat(await Array.fromAsync(part.bytes)) };
  });
}

/**
 * Streams a part of any size to `use`, which must consume `bytes` before it returns. A part that a real server lists and
 * does not give, because it does not know the transfer encoding, is taken out of the message. Throws not_found.
 */
export async function withPart<T>(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  partnum: string,
  use: (part: MessagePart & { bytes: AsyncIterable<Buffer> }) => Promise<T>,
): Promise<T> {
  const start = [[FRESH_LIST], command('DLAT', msgnum, partnum)] as const;
  const used = await pool.startInRoom(identity, room, start, async (connection, status) => {
    if (replyClass(status.code) === REPLY.refused) return { refusal: status };
    const part = partFrom(expectClass(status, REPLY.binary));
    try {
      return { result: await use({ ...part, bytes: connection.binary(part.length) }) };
    } finally {
      // a real server answers twice when two parts go by one name (quirk Q6)
      const next = connection.isIdle ? await connection.ask(IN_STEP).catch(() => undefined) : undefined;
      if (next?.code !== STATUS.done) connection.close();
    }
  });
  return 'result' in used ? used.result : withSourcePart(pool, identity, room, { msgnum, partnum, ...used }, use);
}

/** The same from the source of the message, which is read twice: for the place of the part, and for the part. */
async function withSourcePart<T>(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  { msgnum, partnum, refusal }: { msgnum: number; partnum: string; refusal: StatusLine },
  use: (part: MessagePart & { bytes: AsyncIterable<Buffer> }) => Promise<T>,
): Promise<T> {
  const listed = await pool.withRoom(identity, room, (connection) => partsOf(connection, msgnum));
  if (!listed.some((row) => row.partnum === partnum)) return expectClass(refusal, REPLY.binary, NOT_IN_ROOM) as never;
  const part = await withRfc822(pool, identity, room, msgnum, async (bytes) => {
    const walker = new MimeWalker();
    for await (const chunk of withoutCr(bytes)) walker.push(chunk);
    return contentParts(walker.end()).find(({ number }) => number === partnum);
  });
  if (!part) return expectClass(refusal, REPLY.binary, NOT_IN_ROOM) as never;
  const { start, end, decodedLength: length, filename, name, type: contentType, charset } = part;
  return withRfc822(pool, identity, room, msgnum, (bytes) =>
    use({
      length,
      filename: filename || name,
      contentType,
      charset,
      bytes: transform(slice(withoutCr(bytes), start, end), decoderFor(part.encoding)),
    }),
  );
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

/** How GET sends the content of a message, from its headers and its list of parts. */
export function contentForm({ headers, fields, parts }: Pick<MessageHead, 'headers' | 'fields' | 'parts'>): SentForm {
  const hasPartOne = parts.some(({ partnum }) => partnum === '1');
  return sentForm(headers, fields.get('type') ?? '', hasPartOne);
}

/** Streams the whole content to `use`, which must consume it before it returns. Throws not_found. */
export function withContent<T>(
  { pool, identity, room }: RoomAccess,
  msgnum: number,
  { lines, part: partnum }: SentForm,
  use: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  if (lines) return withRfc822(pool, identity, room, msgnum, (bytes) => use(bodyOfRfc822(bytes, lines)));
  return withPart(pool, identity, room, msgnum, partnum, (part) => use(part.bytes));
}
