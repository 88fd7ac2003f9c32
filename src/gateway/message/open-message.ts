// Opening the message of a request by number, name or UID.

import { isNotFound } from '../../errors.ts';
import { LOOKS_AT_A_NAME } from '../../limits/dav.ts';
import { hasNames } from '../../model.ts';
import { isPlainNumber, parseMessageNumber } from '../../protocol/member-names.ts';
import { anonymityOf, HIDDEN_NAMES } from '../../protocol/message-fields.ts';
import type { CachedHead } from '../../room-server/collections.ts';
import { OtherKind } from '../../room-server/connection/goto.ts';
import { serverOf } from '../../room-server/driver.ts';
import { findMessageNumber } from '../collection/collection.ts';
import { accessTo, isReading, type MessageContext, type RoomContext } from '../room-context.ts';

/** A message whose head has been read. */
export interface OpenedMessage extends MessageContext {
  head: CachedHead;
}

/** `isSeenAsked`: with its read mark. Throws not_found. */
export async function openNamed(context: RoomContext, segment: string, isSeenAsked = false): Promise<OpenedMessage> {
  const { members } = await serverOf(context.app.pool, context.caller.identity);
  const options = { isSeenAsked, isReading: isReading(context) };
  return { ...context, ...(await members.read(accessTo(context), segment, options)) };
}

/** What is shown instead of the author of an anonymous message; undefined for others. */
export function hiddenFrom({ head }: Pick<OpenedMessage, 'head'>): string | undefined {
  const kind = anonymityOf(head.fields);
  return kind && HIDDEN_NAMES[kind];
}

/**
 * Calls `use` with the message that a segment names, and again with the next one if another message takes the name
 * meanwhile: a file that is replaced is never missing. Throws not_found.
 */
export function withNamed<T>(
  context: RoomContext,
  segment: string,
  use: (message: OpenedMessage) => Promise<T>,
  isSeenAsked = false,
): Promise<T> {
  return whileReplaced(context, segment, () => openNamed(context, segment, isSeenAsked), use);
}

/** The same if the number is enough. */
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
  for (let attempt = 1; ; attempt++) {
    const found = await find();
    try {
      return await use(found);
    } catch (error) {
      if (number === found.msgnum || !isNotFound(error) || attempt >= LOOKS_AT_A_NAME) throw error;
      if ((await findMessageNumber(context, segment)) === found.msgnum) throw error;
    }
  }
}
