// A message that is sent, or a newer draft, takes the place of the draft it was written as: one request, so that a page
// that is being left keeps neither two drafts nor the draft of what was sent.

import { deleteFromRoom } from '../client/posting.ts';
import { AppError } from '../errors.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseMessageNumber } from '../protocol/member-names.ts';
import { ROOM_MACRO } from '../protocol/room-facts.ts';

const DRAFTS = { name: ROOM_MACRO.drafts, password: '' };

/** The number that `draft=N` of a PUT names, if it names one. Throws bad_request. */
export function draftOf({ query }: Exchange): number | undefined {
  const text = query.get('draft');
  if (text === undefined) return undefined;
  const msgnum = parseMessageNumber(text);
  if (msgnum === undefined) throw new AppError('bad_request', 'draft takes the number of a message.');
  return msgnum;
}

/** Deletes it from the caller's own drafts; that it has gone, or cannot go, undoes nothing of what was posted. */
export async function removeDraft({ app, caller }: RoomContext, msgnum: number): Promise<void> {
  try {
    await app.pool.withRoom(caller.identity, DRAFTS, (connection) => deleteFromRoom(connection, msgnum));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
