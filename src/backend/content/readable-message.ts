// The messages and parts that a session may read in its room, and the reply that shows their text.

import type { MimePart } from '../../mime/walk.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { readableRoom } from '../session/access.ts';
import { LISTING_END, listingStart, type Reply, whole } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { held } from '../store/body-chunks.ts';
import { findPart } from '../store/message-part.ts';
import { messageByNumber, messageInRoom, type StoredMessage, structureOf } from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { isRevisionIn } from '../store/wiki-history.ts';

/** The message, if the current room holds it; 550 for a number that is not there. */
export function readableMessage(session: Session, msgnum: number): StoredMessage {
  const room = readableRoom(session);
  const row = messageInRoom(session.store, room.id, msgnum) ?? fetchedRevision(session, room, msgnum);
  if (!row) throw new Refusal('higherAccess', `message ${msgnum} was not found in this room`);
  return row;
}

/** The page version that this session has fetched last, if it belongs to this room. */
function fetchedRevision(session: Session, room: StoredRoom, msgnum: number): StoredMessage | undefined {
  if (session.fetchedRevision !== msgnum || !isRevisionIn(session.store, room.id, msgnum)) return undefined;
  return messageByNumber(session.store, msgnum);
}

const END = Buffer.from(LISTING_END);

/** the status line of MSG0, MSG2 and MSG4 */
export const START = listingStart('msg:');

/** `head`, the content and the end of a listing; a stream if the content is large. */
export function textListing(
  { store }: Session,
  { blob }: StoredMessage,
  head: string,
  content: Iterable<Buffer>,
  contentBytes: number,
): Reply {
  return whole(held(store, blob, enclose(Buffer.from(head), content)), contentBytes);
}

function* enclose(head: Buffer, content: Iterable<Buffer>): Generator<Buffer> {
  yield head;
  yield* content;
  yield END;
}

/** A part of a message. */
export interface Section {
  row: StoredMessage;
  part: MimePart;
}

/** `n|part`. Throws Refusal 512, 550, 571. */
export function openSection(session: Session, args: string): Section {
  const fields = splitFields(args);
  const row = readableMessage(session, toInt(fields[0]));
  const structure = structureOf(session.store, row.id);
  if (!structure) throw new Refusal('illegalValue', 'This is not a MIME message.');
  const id = fields[1] ?? '';
  const part = findPart(structure, id);
  if (!part || part.decodedLength < 0) throw new Refusal('noSuchFile', `Section ${id} not found.`);
  return { row, part };
}
