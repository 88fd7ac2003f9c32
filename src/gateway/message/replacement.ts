// A message takes the place of those that have its name: it is posted, settles with others that came at the same time,
// and then what it replaces is deleted. A message itself never changes.

import { AppError } from '../../errors.ts';
import { canDelete, collectionKind, type EnteredRoom } from '../../model.ts';
import type { Connection } from '../../room-server/connection/connection.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { Posted } from '../../room-server/posting.ts';
import { accessTo, type RoomContext } from '../room-context.ts';
import { postBody, type ReceivedMessage } from './post-body.ts';

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
  const replaces = isConditional ? (existing[0] ?? 0) : undefined;
  const isRead = message.posting.isRead ?? isObject(entered, message.name);
  const posting = { ...message.posting, replaces, isRead };
  const { posted, room } = await postBody(context, connection, entered, { ...message, posting });
  const { name } = message;
  if (name === '' || message.isKnownByUid) return { posted, room, isReplaced: existing.length > 0 };
  const { members } = await serverOf(context.app.pool, connection);
  const named = { name, msgnum: posted.msgnum, before: entered, existing, isConditional };
  return { posted, room, isReplaced: await members.settleName(accessTo(context), connection, named) };
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
