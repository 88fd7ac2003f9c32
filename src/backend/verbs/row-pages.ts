// ROWS and COUN, our own verbs: a page of a room's list with all that its rows show, and the number of new messages in
// each room (protocol section 21.8). A gateway reads whole lists page by page with ROWS, too.

import { MAX_DETAILED_ROWS, MAX_LISTED_ROWS, PIECE_RANGES } from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { packField, splitFields, toInt } from '../../protocol/fields.ts';
import type { NumberRange } from '../../protocol/sequence-set.ts';
import { attachedFiles, firstWords } from '../content/first-words.ts';
import { threadRow } from '../content/message-header.ts';
import { readableRoom } from '../session/access.ts';
import { inPieces, listingStart, piecesOf, type Reply } from '../session/reply.ts';
import { type ListedRoom, roomsOf } from '../session/room-list.ts';
import type { Session, Verb } from '../session/session.ts';
import { HIGHEST_NUMBER, messageInRoom, structureOf } from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { highestListedInRoom, type ListedMessage, listedInRoom } from '../store/room-messages.ts';
import { roomById, roomsWithPictures, shownName } from '../store/rooms.ts';
import { countNew } from '../store/seen-counts.ts';
import { visitOf } from '../store/visits.ts';

/**
 * `ROWS above|below|limit|1: highest first|1: unread only|1: details` → 100 and rows, ascending, of messages with
 * numbers between the two (0: no bound): those of MSGS mode 9 with `1 or 0: read|` appended, and with details
 * `recipients|files|first words|`. 512, 550.
 */
export const rows: Verb = (session, args) => {
  const [above, below, limit, isFromEnd, isUnreadOnly, isDetailed] = splitFields(args).map(toInt);
  const room = readableRoom(session);
  const most = isDetailed ? MAX_DETAILED_ROWS : MAX_LISTED_ROWS;
  if (!limit || limit < 0) throw new Refusal('illegalValue', 'How many rows?');
  // only messages that are there now: the user may lose access meanwhile
  const range = { low: (above ?? 0) + 1, high: Math.min(below ? below - 1 : HIGHEST_NUMBER, room.highest) };
  const { seen } = session.user ? visitOf(session.store, session.user.id, room.id) : { seen: undefined };
  const ranges = isUnreadOnly && seen ? within(seen.gaps(), range) : [range];
  const format = (row: ListedMessage) => {
    const mark = seen?.contains(row.id) ? 1 : 0;
    return `${threadRow(session, row)}${mark}|${isDetailed ? details(session, room, row.id) : ''}\n`;
  };
  function* pieces(most: number): Generator<string> {
    const found = yield* chosen(session, room, ranges, most, isFromEnd === 1);
    yield* piecesOf(found, format, isDetailed ? 1 : undefined);
  }
  return inPieces(listingStart(' '), pieces(Math.min(limit, most)));
};

/** `COUN` → rows `room|unread|messages|highest number|1 or 0: picture|` of the rooms of LKRA. */
export function coun(session: Session): Reply {
  const { store, user } = session;
  const pictured = roomsWithPictures(store);
  const row = ({ room, visit, access }: ListedRoom) => {
    // it may have been deleted while earlier rows were sent
    if ((access & ACCESS.known) === 0 || roomById(store, room.id) !== room) return '';
    const unread = visit ? countNew(store, room, visit) : room.total;
    return `${shownName(room, user)}|${unread}|${room.total}|${room.highest}|${pictured.has(room.id) ? 1 : 0}|\n`;
  };
  return inPieces(listingStart('Messages:'), roomsOf(session).map(row));
}

function within(ranges: readonly NumberRange[], { low, high }: NumberRange): NumberRange[] {
  return ranges
    .map((range) => ({ low: Math.max(range.low, low), high: Math.min(range.high, high) }))
    .filter((range) => range.low <= range.high);
}

/** At most `limit` of the messages in the ranges, ascending. Yields empty pieces, because many ranges may be empty. */
function* chosen(
  { store }: Session,
  room: StoredRoom,
  ranges: readonly NumberRange[],
  limit: number,
  isFromEnd: boolean,
): Generator<string, ListedMessage[]> {
  const found: ListedMessage[] = [];
  for (const [i, range] of (isFromEnd ? ranges.toReversed() : ranges).entries()) {
    if (i % PIECE_RANGES === PIECE_RANGES - 1) yield '';
    const left = limit - found.length;
    if (left <= 0) break;
    const read = isFromEnd ? highestListedInRoom : listedInRoom;
    found.push(...read(store, room.id, range, left));
  }
  return isFromEnd ? found.reverse() : found;
}

/** Empty fields for a message that was deleted meanwhile. */
function details({ store }: Session, room: StoredRoom, msgnum: number): string {
  const row = messageInRoom(store, room.id, msgnum);
  if (!row) return '|0||';
  const structure = structureOf(store, msgnum);
  const recipients = [row.recipients, row.cc].filter((text) => text !== '').join(', ');
  const files = attachedFiles(store, row, structure);
  return `${packField(recipients)}|${files}|${packField(firstWords(store, row, structure))}|`;
}
