// A message takes the place of those that have its name: it is posted, settles with others that came at the same time,
// and then what it replaces is deleted. A message itself never changes.

import { AppError } from '../../errors.ts';
import type { EnteredRoom } from '../../model.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import { findAbove } from '../../room-server/messages.ts';
import { deleteFromRoom, type Posted } from '../../room-server/posting.ts';
import { collectionKind } from '../collection/member.ts';
import { canDelete } from '../rights.ts';
import type { RoomContext } from '../room-context.ts';
import { rememberName } from './head.ts';
import { namedAmong } from './named.ts';
import { postBody, type ReceivedMessage, requireNewer } from './post-body.ts';

/**
 * Posts a message in the place of `existing`, which has its name, or its UID where the name is empty; then the room
 * server replaces it. `isConditional`: nothing else may be replaced. Throws as postBody and settleName.
 */
export async function postReplacing(
  context: RoomContext,
  connection: Connection,
  entered: EnteredRoom,
  message: ReceivedMessage,
  existing: readonly number[],
  isConditional: boolean,
): Promise<{ posted: Posted; room: string; isReplaced: boolean }> {
  const hasNames = !(await serverOf(context.app.pool, connection)).lacks.memberNames;
  const replaces = hasNames && isConditional ? (existing[0] ?? 0) : undefined;
  const isRead = message.posting.isRead ?? isObject(entered, message.name);
  const posting = { ...message.posting, replaces, isRead };
  const { posted, room } = await postBody(context, connection, entered, { ...message, posting });
  // the embedded room server has replaced what had the name
  if (hasNames || message.name === '' || message.isKnownByUid) return { posted, room, isReplaced: existing.length > 0 };
  const rivals = await settleName(connection, entered, message.name, posted.msgnum, isConditional);
  const replaced = [...existing, ...rivals];
  await removeReplaced(connection, replaced);
  rememberName(context, message.name, posted.msgnum);
  return { posted, room, isReplaced: replaced.length > 0 };
}

/** Not what people write to each other, which is listed as new to its author, too (protocol section 10). */
function isObject(room: EnteredRoom, name: string): boolean {
  const kind = collectionKind(room);
  return kind !== 'messages' && (kind !== 'files' || name !== '');
}

/** Throws forbidden where there is something to replace that the caller may not delete. */
export function requireReplaceable(room: EnteredRoom, existing: readonly number[]): void {
  if (existing.length > 0 && !canDelete(room)) {
    throw new AppError('forbidden', 'This account may not replace messages in this room.');
  }
}

/**
 * Another gateway may have given the same name in the meantime. Of messages with one name the last one posted counts,
 * as if they had come one after the other: the earlier ones are answered as replaced. Where they were not to be,
 * because the request had a precondition or the caller may not delete, the new one has come too late. `before` has been
 * read before `msgnum` was posted. Throws precondition_failed, conflict, backend_protocol.
 */
async function settleName(
  connection: Connection,
  before: EnteredRoom,
  name: string,
  msgnum: number,
  isConditional: boolean,
): Promise<number[]> {
  requireNewer(msgnum, before);
  const posted = await findAbove(connection, before.highest);
  // a number that is not the message’s would make the message its own rival; it may be gone, behind a later one
  if (!posted.some((number) => number >= msgnum)) {
    throw new AppError('backend_protocol', 'The room server does not list the message that it has taken.');
  }
  const earlier = posted.filter((number) => number < msgnum);
  const rivals = await namedAmong(connection, earlier, name);
  if (rivals.length === 0) return [];
  if (!canDelete(before)) {
    throw new AppError(
      'conflict',
      `Another message has got this name at the same time; this one is message ${msgnum}.`,
    );
  }
  if (!isConditional) return rivals;
  await deleteFromRoom(connection, msgnum);
  throw new AppError('precondition_failed', 'Another message has got this name at the same time.');
}

/** Deletes what has been replaced. Those that are gone already are no fault. */
export async function removeReplaced(connection: Connection, numbers: readonly number[]): Promise<void> {
  for (const msgnum of numbers) {
    await deleteFromRoom(connection, msgnum).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    });
  }
}
