// What reading a message begins with: its header fields, its parts, its stored headers. Whether it is there and whether the
// caller may read it is asked of the room server each time; what never changes is kept, so that one round trip does.

import type { RoomRef } from '../../client/connection/goto.ts';
import type { Identity } from '../../client/connection/identity.ts';
import type { MessagePart } from '../../client/message-content.ts';
import { type MessageHead, readHead, readLiveFields } from '../../client/messages.ts';
import { AppError } from '../../errors.ts';
import { LOOKS_AT_A_NAME, MAX_KEPT_HEADER_CHARACTERS } from '../../limits/dav.ts';
import { MAX_KEPT_PARTS } from '../../limits/mime.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';
import { findMessageNumber, messageNumberOf, parseMessageNumber, uidsOf } from '../paths.ts';
import { nameFrom } from './name.ts';

/** A message as it was when it was read first. */
export interface KnownMessage {
  fields: ReadonlyMap<string, string>;
  head: Pick<MessageHead, 'parts' | 'multipart' | 'headers'>;
  /** its only part, where it is small and has been read */
  content: (MessagePart & { bytes: Buffer }) | undefined;
}

export interface Head extends MessageHead {
  known: KnownMessage;
}

/** `isSeenAsked`: with its read mark. Throws not_found where the room has no such message, or none that the caller may read. */
export async function headOf(
  app: App,
  identity: Identity,
  room: RoomRef,
  msgnum: number,
  isSeenAsked = false,
): Promise<Head> {
  const known = app.knownMessages.get(msgnum);
  if (known) {
    const live = await readLiveFields(app.pool, identity, room, msgnum, isSeenAsked);
    // the number may mean another message on another room server, and an author be hidden from one and shown to another
    if (isSame(live.fields, known.fields)) return { ...known.head, ...live, known };
  }
  const head = await readHead(app.pool, identity, room, msgnum, isSeenAsked);
  const { fields, parts, multipart, headers } = head;
  const fresh: KnownMessage = { fields, head: { parts, multipart, headers }, content: undefined };
  if (isWorthKeeping(fresh)) app.knownMessages.set(msgnum, fresh);
  return { ...head, known: fresh };
}

/** The same by number, name or UID (paths.ts). Throws not_found. */
export async function namedHeadOf(
  app: App,
  { identity }: Caller,
  room: RoomRef,
  segment: string,
  isSeenAsked = false,
): Promise<{ msgnum: number; head: Head }> {
  const number = parseMessageNumber(segment);
  if (number !== undefined) return { msgnum: number, head: await headOf(app, identity, room, number, isSeenAsked) };
  const remembered = app.foundNames.get(foundKey(identity, room, segment));
  if (remembered !== undefined) {
    const head = await unlessGone(headOf(app, identity, room, remembered, isSeenAsked));
    if (head && hasName(head, segment)) return { msgnum: remembered, head };
  }
  for (let look = 1; ; look++) {
    const msgnum = await findMessageNumber(app, identity, room, segment);
    const reading = headOf(app, identity, room, msgnum, isSeenAsked);
    const head = await (look < LOOKS_AT_A_NAME ? unlessGone(reading) : reading);
    if (!head) continue;
    rememberName(app, identity, room, segment, msgnum);
    return { msgnum, head };
  }
}

/**
 * Calls `use` with the message that a segment stands for. Another one may take its name meanwhile: then `use` is called
 * again, with that one, for a file that is replaced is there all the time. Throws not_found.
 */
export function withNamed<T>(
  app: App,
  caller: Caller,
  room: RoomRef,
  segment: string,
  use: (msgnum: number, head: Head) => Promise<T>,
  isSeenAsked = false,
): Promise<T> {
  const find = () => namedHeadOf(app, caller, room, segment, isSeenAsked);
  return whileReplaced(app, caller, room, segment, find, ({ msgnum, head }) => use(msgnum, head));
}

/** The same where the number is enough. */
export function withNumber<T>(
  app: App,
  caller: Caller,
  room: RoomRef,
  segment: string,
  use: (msgnum: number) => Promise<T>,
): Promise<T> {
  const find = async () => ({ msgnum: await messageNumberOf(app, caller, room, segment) });
  return whileReplaced(app, caller, room, segment, find, ({ msgnum }) => use(msgnum));
}

async function whileReplaced<F extends { msgnum: number }, T>(
  app: App,
  { identity }: Caller,
  room: RoomRef,
  segment: string,
  find: () => Promise<F>,
  use: (found: F) => Promise<T>,
): Promise<T> {
  const isNumber = parseMessageNumber(segment) !== undefined;
  for (let look = 1; ; look++) {
    const found = await find();
    try {
      return await use(found);
    } catch (error) {
      if (isNumber || !isNotFound(error) || look >= LOOKS_AT_A_NAME) throw error;
      if ((await findMessageNumber(app, identity, room, segment)) === found.msgnum) throw error;
    }
  }
}

/** Where the next reader looks first; it is only a hint. */
export function rememberName(app: App, identity: Identity, room: RoomRef, name: string, msgnum: number): void {
  app.foundNames.set(foundKey(identity, room, name), msgnum);
}

function foundKey({ user }: Identity, room: RoomRef, name: string): string {
  return `${accountName(user)}\n${nameKey(room.name)}\n${name}`;
}

function hasName({ headers, fields }: Head, segment: string): boolean {
  return nameFrom(headers) === segment || uidsOf(segment).includes(fields.get('exti') ?? '');
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}

function isWorthKeeping({ fields, head }: KnownMessage): boolean {
  let length = 0;
  for (const value of fields.values()) length += value.length;
  for (const { name, value } of head.headers) length += name.length + value.length;
  return length <= MAX_KEPT_HEADER_CHARACTERS && head.parts.length <= MAX_KEPT_PARTS;
}

/** undefined for a message that is not there, or no longer; any other fault is one of the request. */
export async function unlessGone<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found';
}
