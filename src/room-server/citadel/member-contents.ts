// Contents of members on a server without names: their lengths, and the calendar objects and cards, read in batches of
// one round trip.

import { unlessGone } from '../../errors.ts';
import { MAX_OBJECT_BYTES } from '../../limits/backend.ts';
import { ASSUMED_OBJECT_BYTES, BATCH_MESSAGES, MAX_MEASURED_BYTES, MAX_READ_AHEAD_BYTES } from '../../limits/dav.ts';
import { type HeaderField, headerValue } from '../../mime/headers.ts';
import { objectSource } from '../../mime/object-source.ts';
import { parseObject } from '../../mime/objects/components.ts';
import { objectFacts } from '../../mime/objects/properties.ts';
import { isObjectType } from '../../mime/stored-content.ts';
import { type BodyLines, BodyText } from '../../mime/stored-text.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import { SerialQueue } from '../../system/fair-queue.ts';
import { atOnce } from '../../system/steps.ts';
import type { Member, MemberContent } from '../collections.ts';
import { perPool, type RoomAccess } from '../connection/pool.ts';
import { collectContents, contentForm, lengthsOf, type Measured, withContent } from '../message-content.ts';
import { type MessageHead, readHeads } from '../messages.ts';
import { type HeaderFacts, headerFacts } from './header-facts.ts';

/** by message number */
export type FactsByNumber = ReadonlyMap<number, HeaderFacts>;
export type HeadersByNumber = ReadonlyMap<number, readonly HeaderField[]>;

const NONE_READ: HeadersByNumber = new Map();

/** One request at a time measures the messages of a room for a user. */
const measuring = perPool(() => new SerialQueue());

/**
 * Lengths of contents without a stored length, of messages that were not PUT under a name. Clients take a missing
 * length for 0, so it is taken from the list of parts or measured by reading, once: two round trips for a batch. For
 * one request, which reads a bounded number of bytes.
 */
export class ContentLengths {
  readonly #at: RoomAccess;
  #leftBytes: number;

  constructor(at: RoomAccess, maxBytes = MAX_MEASURED_BYTES) {
    this.#at = at;
    this.#leftBytes = maxBytes;
  }

  /** Adds missing sizes until `maxBytes` were read. `stored`: headers read before. Throws as pool.readInRoom. */
  async complete(messages: FactsByNumber, stored: HeadersByNumber = NONE_READ): Promise<FactsByNumber> {
    if (numbersWithoutSize(messages).length === 0) return messages;
    const { pool, identity, room } = this.#at;
    const cache = headerFacts(pool);
    const turn = `${accountName(identity.user)}/${nameKey(room.name)}`;
    return measuring(pool).run(turn, async () => {
      const complete = new Map(messages);
      for (const [msgnum, facts] of messages) {
        complete.set(msgnum, cache.of({ msgnum, euid: facts.euid, time: facts.time }) ?? facts);
      }
      for (const [msgnum, size] of await this.#read(numbersWithoutSize(complete), stored)) {
        complete.set(msgnum, cache.set(msgnum, { ...complete.get(msgnum)!, size }));
      }
      return complete;
    });
  }

  async #read(numbers: readonly number[], stored: HeadersByNumber): Promise<Map<number, number>> {
    const sizes = new Map<number, number>();
    if (numbers.length === 0 || this.#leftBytes <= 0) return sizes;
    const { pool, identity, room } = this.#at;
    const heads = await readHeads(pool, identity, room, numbers, stored);
    const unread: Measured[] = [];
    for (const [i, msgnum] of numbers.entries()) {
      const head = heads[i];
      if (!head) continue;
      const { lines } = contentForm(head);
      const size = lines ? lines.length : lengthFromParts(head);
      if (size === undefined) unread.push({ msgnum, ...counted(lines) });
      else sizes.set(msgnum, size);
    }
    if (unread.length === 0) return sizes;
    const { lengths, left } = await lengthsOf(pool, identity, room, unread, this.#leftBytes);
    this.#leftBytes = left;
    for (const [i, { msgnum }] of unread.entries()) if (lengths[i] !== undefined) sizes.set(msgnum, lengths[i]);
    return sizes;
  }
}

function numbersWithoutSize(messages: FactsByNumber): number[] {
  return [...messages].flatMap(([msgnum, { size }]) => (size === undefined ? msgnum : []));
}

/** Which bytes of a content count: those that GET sends, so both take them from mime/stored-text.ts. */
function counted(lines: BodyLines | undefined): Pick<Measured, 'form' | 'counter'> {
  if (!lines) return { form: 'part', counter: () => (piece) => piece.length };
  return {
    form: 'text',
    counter() {
      const body = new BodyText(lines.ending);
      return (piece) => body.push(piece).length; // a listing ends in LF: no CR is held back
    },
  };
}

/** The list of parts has the encoded length. */
function lengthFromParts(head: Pick<MessageHead, 'parts' | 'headers'>): number | undefined {
  const encoding = headerValue(head.headers, 'content-transfer-encoding')?.trim() || '7bit';
  if (!/^(7bit|8bit|binary)$/i.test(encoding)) return undefined;
  return head.parts.find((part) => part.partnum === '1')?.length;
}

const BOUNDS = { maxEach: MAX_OBJECT_BYTES, maxBytes: MAX_READ_AHEAD_BYTES };

/** In their order, without those that are gone, too large, or no objects. Throws as pool.readInRoom. */
export async function* readContents(
  at: RoomAccess,
  members: readonly Member[],
): AsyncGenerator<readonly MemberContent[]> {
  const objects = members.filter(({ contentType, size = 0 }) => isObjectType(contentType) && size <= MAX_OBJECT_BYTES);
  let next = readBatch(at, objects, 0);
  while (next) {
    const { read, end } = await next;
    next = readBatch(at, objects, end);
    next?.catch(() => undefined); // awaited in the next round unless the caller stops
    yield read;
  }
}

interface Batch {
  read: MemberContent[];
  /** where the next one begins */
  end: number;
}

function readBatch(at: RoomAccess, members: readonly Member[], start: number): Promise<Batch> | undefined {
  if (start >= members.length) return undefined;
  let bytes = 0;
  let end = start;
  for (; end < members.length && end < start + BATCH_MESSAGES; end++) {
    bytes += members[end]!.size ?? ASSUMED_OBJECT_BYTES;
    if (bytes > MAX_READ_AHEAD_BYTES && end > start) break;
  }
  return readBatchOf(at, members.slice(start, end), start);
}

async function readBatchOf(at: RoomAccess, members: readonly Member[], start: number): Promise<Batch> {
  const refs = members.map(({ msgnum }) => ({ msgnum, form: 'part' as const }));
  const collected = await collectContents(at.pool, at.identity, at.room, refs, BOUNDS);
  const read: MemberContent[] = [];
  for (const [i, each] of collected.entries()) {
    const bytes = each === 'gone' ? await readOdd(at, members[i]!) : each;
    if (Buffer.isBuffer(bytes)) read.push({ member: withFacts(at, members[i]!, bytes), bytes });
  }
  return { read, end: start + collected.length };
}

/** The text of a message without a part that can be fetched. */
async function readOdd(at: RoomAccess, { msgnum }: Member): Promise<Buffer | undefined> {
  const [head] = await readHeads(at.pool, at.identity, at.room, [msgnum], new Map());
  if (!head) return undefined;
  const form = contentForm(head);
  if (!form.lines) return undefined;
  const pieces: Buffer[] = [];
  let size = 0;
  const all = withContent(at, msgnum, form, async (bytes) => {
    for await (const piece of bytes) {
      size += piece.length;
      if (size > MAX_OBJECT_BYTES) return undefined;
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  });
  return unlessGone(all);
}

function withFacts({ pool }: RoomAccess, member: Member, bytes: Buffer): Member {
  const { msgnum } = member;
  const facts = headerFacts(pool).lastOf(msgnum);
  if (!facts || facts.euid !== member.euid || facts.object) return member;
  const { object } = parseObject(objectSource(bytes));
  if (!object) return member;
  const found = atOnce(objectFacts(object));
  headerFacts(pool).set(msgnum, { ...facts, object: found });
  return { ...member, ...found };
}
