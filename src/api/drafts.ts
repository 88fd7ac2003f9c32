// A message that is sent, or a newer draft, takes the place of the draft it was written as: one request, so that a page
// that is being left keeps neither two drafts nor the draft of what was sent.

import { AppError } from '../errors.ts';
import { withNamed } from '../gateway/message/open-message.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { fileNameOf, filesAmong } from '../mime/message-facts.ts';
import { storedContent } from '../mime/stored-content.ts';
import { numberSegment, parseMessageNumber } from '../protocol/member-names.ts';
import { ROOM_MACRO } from '../protocol/room-facts.ts';
import type { RoomRef } from '../room-server/connection/goto.ts';
import { deleteFromRoom } from '../room-server/posting.ts';
import { partsOfMessage } from './rendered-message.ts';
import { cleanFileName } from './uploads.ts';

/** What takes the place of a draft. */
interface Posted {
  room: RoomRef;
  msgnum: number;
}

const DRAFTS = { name: ROOM_MACRO.drafts, password: '' };

/** The number that `draft=N` of a PUT names, if it names one. Throws bad_request. */
export function draftOf({ query }: Exchange): number | undefined {
  const text = query.get('draft');
  if (text === undefined) return undefined;
  const msgnum = parseMessageNumber(text);
  if (msgnum === undefined) throw new AppError('bad_request', 'draft takes the number of a message.');
  return msgnum;
}

/**
 * Deletes it from the caller's own drafts where `posted` has all of its files, or the query says `dropped=1`: the
 * writer has taken some out. That it has gone, or cannot go, undoes nothing of what was posted.
 */
export async function removeDraft(context: RoomContext, msgnum: number, posted: Posted): Promise<void> {
  const { exchange, app, caller } = context;
  try {
    if (exchange.query.get('dropped') !== '1' && !(await hasAllFiles(context, msgnum, posted))) return;
    await app.pool.withRoom(caller.identity, DRAFTS, (connection) => deleteFromRoom(connection, msgnum));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function hasAllFiles(context: RoomContext, draft: number, { room, msgnum }: Posted): Promise<boolean> {
  const wanted = await filesIn(context, DRAFTS, draft);
  const left = wanted.length === 0 ? [] : await filesIn(context, room, msgnum);
  return wanted.every(({ size, name }) => {
    const found = left.findIndex((file) => (size !== undefined && file.size === size) || file.name === name);
    return found >= 0 && left.splice(found, 1).length > 0;
  });
}

/** Their lengths, and the names that they have as uploads. */
function filesIn(context: RoomContext, room: RoomRef, msgnum: number) {
  return withNamed({ ...context, room }, numberSegment(msgnum), async (message) => {
    const { headers, fields } = message.head;
    if (/^(?:text\/|$)/i.test(storedContent(headers, fields.get('type') ?? '').contentType)) return [];
    const files = filesAmong(await partsOfMessage(message), () => false);
    return files.map((part) => ({ size: part.size, name: cleanFileName(fileNameOf(part)) }));
  });
}
