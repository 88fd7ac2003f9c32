// What reading a message begins with: its header fields, its parts, its stored headers. Whether it is there and whether
// the caller may read it is asked of the room server each time; what never changes is kept, so that one round trip
// does.

import { LOOKS_AT_A_NAME } from '../../limits/dav.ts';
import { nameFrom } from '../../mime/stored-content.ts';
import { hasNames, holdsFiles } from '../../model.ts';
import { euidsOf, isPlainNumber, parseMessageNumber } from '../../protocol/member-names.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import { OtherKind } from '../../room-server/connection/goto.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { MessagePart } from '../../room-server/message-content.ts';
import type { MessageHead } from '../../room-server/messages.ts';
import { namesOfSegment } from '../collection/own-members.ts';
import { enteredRoom, type MessageContext, type RoomContext } from '../room-context.ts';
import { findMessageNumber } from './find.ts';
import { isSame, isWorthKeeping, type KnownMessage } from './known-message.ts';
import { isNotFound, unlessGone } from './unless-gone.ts';

/** The head of a message, with what is kept for the next reader. */
export interface KnownHead extends MessageHead {
  known: KnownMessage;
  /** its only part, where it came along */
  content?: (MessagePart & { bytes: Buffer }) | undefined;
  /** Schedule-Tag in quotes, empty for what has none; undefined: it is to be asked for */
  scheduleTag?: string;
}

/** A message whose head has been read. */
export interface OpenedMessage extends MessageContext {
  head: KnownHead;
}

/**
 * `isSeenAsked`: with its read mark. Throws not_found where the room has no such message, or none that the caller may
 * read.
 */
export async function headOf(message: MessageContext, isSeenAsked = false): Promise<KnownHead> {
  const { app, caller, room, msgnum } = message;
  const { identity } = caller;
  const { messages } = await serverOf(app.pool, identity);
  const known = app.knownMessages.get(msgnum);
  if (known) {
    const live = await messages.liveFields(app.pool, identity, room, msgnum, isSeenAsked);
    // the number may mean another message on another room server, and an author be hidden from one and shown to another
    if (isSame(live.fields, known.fields)) return { ...known.head, ...live, known };
  }
  const head = await messages.head(app.pool, identity, room, msgnum, isSeenAsked);
  return { ...head, known: keepHead(message, head) };
}

function keepHead({ app, msgnum }: MessageContext, { fields, parts, multipart, headers }: MessageHead): KnownMessage {
  const fresh: KnownMessage = { fields, head: { parts, multipart, headers }, parts: new Map(), text: undefined };
  if (isWorthKeeping(fresh)) app.knownMessages.set(msgnum, fresh);
  return fresh;
}

/** By name or UID, of a room server that tells all at once. Throws not_found. */
async function openOwn(context: RoomContext, segment: string, isSeenAsked: boolean): Promise<OpenedMessage> {
  const { app, caller, room } = context;
  const names = namesOfSegment(segment);
  const { objects } = await serverOf(app.pool, caller.identity);
  const { msgnum, head, ...more } = await objects.read(app.pool, caller.identity, room, names, isSeenAsked);
  const message = { ...context, msgnum };
  return { ...message, head: { ...head, ...more, known: keepHead(message, head) } };
}

/** The same by number, name or UID (find.ts). Throws not_found. */
export async function openNamed(context: RoomContext, segment: string, isSeenAsked = false): Promise<OpenedMessage> {
  const open = async (msgnum: number): Promise<OpenedMessage> => {
    const message = { ...context, msgnum };
    return { ...message, head: await headOf(message, isSeenAsked) };
  };
  const number = parseMessageNumber(segment);
  if (number === undefined) return openCalled(context, segment, open, isSeenAsked);
  if (!isPlainNumber(segment)) return open(number);
  const opening = open(number);
  const numbered = await unlessGone(opening);
  const entered = numbered?.head.entered ?? (await enteredRoom(context));
  if (!hasNames(entered)) return opening;
  const openOnce = (msgnum: number) => (msgnum === number ? opening : open(msgnum));
  const called = openCalled(context, segment, openOnce, isSeenAsked);
  const { method } = context.exchange;
  // only reads reach a file by its number as well
  const isEither = numbered && holdsFiles(entered) && (method === 'GET' || method === 'HEAD');
  return isEither ? ((await unlessGone(called)) ?? numbered) : called;
}

/** The same by name or UID alone. */
async function openCalled(
  context: RoomContext,
  segment: string,
  open: (msgnum: number) => Promise<OpenedMessage>,
  isSeenAsked: boolean,
): Promise<OpenedMessage> {
  const { app, caller } = context;
  // what the embedded room server calls a member need not stand in its header
  if (!(await serverOf(app.pool, caller.identity)).lacks.memberNames) return openOwn(context, segment, isSeenAsked);
  const remembered = app.foundNames.get(foundKey(context, segment));
  if (remembered !== undefined) {
    const message = await unlessGone(open(remembered));
    if (message && hasName(message.head, segment)) return message;
  }
  for (let look = 1; ; look++) {
    const msgnum = await findMessageNumber(context, segment);
    // a number never means another message
    const isLast = look === LOOKS_AT_A_NAME || String(msgnum) === segment;
    const message = await (isLast ? open(msgnum) : unlessGone(open(msgnum)));
    if (!message) continue;
    rememberName(context, segment, msgnum);
    return message;
  }
}

/**
 * Calls `use` with the message that a segment stands for. Another one may take its name meanwhile: then `use` is called
 * again, with that one, for a file that is replaced is there all the time. Throws not_found.
 */
export function withNamed<T>(
  context: RoomContext,
  segment: string,
  use: (message: OpenedMessage) => Promise<T>,
  isSeenAsked = false,
): Promise<T> {
  return whileReplaced(context, segment, () => openNamed(context, segment, isSeenAsked), use);
}

/** The same where the number is enough. */
export async function withNumber<T>(
  context: RoomContext,
  segment: string,
  use: (message: MessageContext) => Promise<T>,
): Promise<T> {
  const number = parseMessageNumber(segment);
  if (number !== undefined) {
    const guard = isPlainNumber(segment) ? hasNames : undefined;
    try {
      return await use({ ...context, room: { ...context.room, guard }, msgnum: number });
    } catch (error) {
      if (!(error instanceof OtherKind)) throw error;
    }
  }
  const find = async () => ({ ...context, msgnum: await findMessageNumber(context, segment) });
  return whileReplaced(context, segment, find, use);
}

async function whileReplaced<M extends MessageContext, T>(
  context: RoomContext,
  segment: string,
  find: () => Promise<M>,
  use: (message: M) => Promise<T>,
): Promise<T> {
  const number = parseMessageNumber(segment);
  for (let look = 1; ; look++) {
    const found = await find();
    try {
      return await use(found);
    } catch (error) {
      if (number === found.msgnum || !isNotFound(error) || look >= LOOKS_AT_A_NAME) throw error;
      if ((await findMessageNumber(context, segment)) === found.msgnum) throw error;
    }
  }
}

/** Where the next reader looks first; it is only a hint. */
export function rememberName(context: RoomContext, name: string, msgnum: number): void {
  context.app.foundNames.set(foundKey(context, name), msgnum);
}

function foundKey({ caller, room }: RoomContext, name: string): string {
  return `${accountName(caller.identity.user)}\n${nameKey(room.name)}\n${name}`;
}

function hasName({ headers, fields }: MessageHead, segment: string): boolean {
  const name = nameFrom(headers);
  // a UID is only an alias of what has a name: another may be called so
  return name === undefined
    ? euidsOf(segment).includes(fields.get('exti') ?? '')
    : name === segment || name === `${segment}/`;
}
