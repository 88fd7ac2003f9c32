// Reading the head of a message (header fields, parts, stored headers), by number or name. The room server is asked each
// time whether the message is there and the caller may read it; what never changes is cached, so that one short command
// is enough.

import { unlessGone } from '../errors.ts';
import { MAX_KEPT_CONTENT_BYTES, MAX_KEPT_HEADER_CHARACTERS, MAX_KNOWN_MESSAGES } from '../limits/dav.ts';
import { MAX_KEPT_PARTS } from '../limits/mime.ts';
import { hasNames, holdsFiles } from '../model.ts';
import { isPlainNumber, parseMessageNumber } from '../protocol/member-names.ts';
import { BoundedMap } from '../system/bounded-map.ts';
import type { AskInRoom, CachedHead, CachedMessage, MemberMethods, ReadMessage, ReadOptions } from './collections.ts';
import { type Pool, perPool, type RoomAccess } from './connection/pool.ts';
import type { LiveFields, MessageHead } from './messages.ts';

/** The methods of a driver that read a head. */
export interface HeadReader {
  head: AskInRoom<[msgnum: number, isSeenAsked?: boolean], MessageHead>;
  liveFields: AskInRoom<[msgnum: number, isSeenAsked?: boolean], LiveFields>;
}

const messages = perPool(() => new BoundedMap<number, CachedMessage>(MAX_KNOWN_MESSAGES, slotsOf));

/** `isSeenAsked`: with its read mark. Throws not_found. */
export async function headOf(
  reader: HeadReader,
  { pool, identity, room }: RoomAccess,
  msgnum: number,
  isSeenAsked = false,
): Promise<CachedHead> {
  const cached = messages(pool).get(msgnum);
  if (cached) {
    const live = await reader.liveFields(pool, identity, room, msgnum, isSeenAsked);
    // the author may be hidden from one reader and shown to another
    if (isSame(live.fields, cached.fields)) return { ...cached.head, ...live, cached };
  }
  const head = await reader.head(pool, identity, room, msgnum, isSeenAsked);
  return { ...head, cached: cacheHead(pool, msgnum, head) };
}

export function cacheHead(
  pool: Pool,
  msgnum: number,
  { fields, parts, multipart, headers }: MessageHead,
): CachedMessage {
  const fresh: CachedMessage = { fields, head: { parts, multipart, headers }, parts: new Map(), text: undefined };
  if (isWorthCaching(fresh)) messages(pool).set(msgnum, fresh);
  return fresh;
}

type Open = (msgnum: number) => Promise<ReadMessage>;

/** MemberMethods.read of a driver; `readCalled`: the message of a name or UID. */
export function readMethod(
  reader: HeadReader,
  readCalled: (at: RoomAccess, segment: string, open: Open, isSeenAsked: boolean) => Promise<ReadMessage>,
): MemberMethods['read'] {
  return async (at, segment, { isSeenAsked = false, isReading = false }: ReadOptions) => {
    const open: Open = async (msgnum) => ({ msgnum, head: await headOf(reader, at, msgnum, isSeenAsked) });
    const number = parseMessageNumber(segment);
    if (number === undefined) return readCalled(at, segment, open, isSeenAsked);
    if (!isPlainNumber(segment)) return open(number);
    const opening = open(number);
    const numbered = await unlessGone(opening);
    const entered = numbered?.head.entered ?? (await at.pool.readInRoom(at.identity, at.room, [])).entered;
    if (!hasNames(entered)) return opening;
    const openOnce: Open = (msgnum) => (msgnum === number ? opening : open(msgnum));
    const called = readCalled(at, segment, openOnce, isSeenAsked);
    return numbered && holdsFiles(entered) && isReading ? ((await unlessGone(called)) ?? numbered) : called;
  };
}

/** Whether the cache entry has room for this many more bytes. */
export function hasRoomFor({ parts, text }: CachedMessage, bytes: number): boolean {
  let cached = text?.length ?? 0;
  for (const part of parts.values()) cached += part.length;
  return cached + bytes <= MAX_KEPT_CONTENT_BYTES && parts.size < MAX_KEPT_PARTS;
}

export function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}

export function isWorthCaching({ fields, head }: CachedMessage): boolean {
  let length = 0;
  for (const value of fields.values()) length += value.length;
  for (const { name, value } of head.headers) length += name.length + value.length;
  return length <= MAX_KEPT_HEADER_CHARACTERS;
}

/** A message with very many parts counts as several: its list takes long to read again. */
export function slotsOf({ head }: CachedMessage): number {
  return Math.max(1, Math.ceil(head.parts.length / MAX_KEPT_PARTS));
}
