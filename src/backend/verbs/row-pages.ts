// ROWS and COUN, verbs of our own: a page of a room's list with what its rows show, and how much is new in each room
// (protocol section 21.8). A gateway reads whole lists by it, too, page by page.

import { MAX_DETAILED_ROWS, MAX_LISTED_ROWS } from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { packField, splitFields, toInt } from '../../protocol/fields.ts';
import type { NumberRange } from '../../protocol/sequence-set.ts';
import { STATUS } from '../../protocol/status.ts';
import { attachedFiles, firstWords } from '../content/first-words.ts';
import { readableRoom } from '../session/access.ts';
import { listing, listingStart, type Reply } from '../session/reply.ts';
import type { Session, Verb } from '../session/session.ts';
import { HIGHEST_NUMBER, messageInRoom, structureOf } from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { highestListedInRoom, type ListedMessage, listedInRoom } from '../store/room-messages.ts';
import { roomsWithPictures, shownName } from '../store/rooms.ts';
import { countNew } from '../store/seen-counts.ts';
import { visitOf } from '../store/visits.ts';
import { inPieces, threadRow } from './message-lists.ts';
import { roomsOf } from './room-lists.ts';

/** rows without details that are made before others have their turn */
const PIECE_ROWS = 10;

/**
 * `ROWS above|below|limit|1: highest first|1: unread only|1: details` → 100 and rows, ascending, of messages with
 * numbers between the two (0: no bound): those of MSGS mode 9 with `1 or 0: read|` behind them, and with details
 * `recipients|files|first words|`. 512, 550.
 */
export const rows: Verb = (session, args) => {
  const [above, below, limit, isFromEnd, isUnreadOnly, isDetailed] = splitFields(args).map(toInt);
  const room = readableRoom(session);
  const most = isDetailed ? MAX_DETAILED_ROWS : MAX_LISTED_ROWS;
  if (!limit || limit < 0) throw new Refusal(STATUS.illegalValue, 'How many rows?');
  const range = { low: (above ?? 0) + 1, high: below ? below - 1 : HIGHEST_NUMBER };
  const { seen } = session.user ? visitOf(session.store, session.user.id, room.id) : { seen: undefined };
  const ranges = isUnreadOnly && seen ? within(seen.gaps(), range) : [range];
  const found = chosen(session, room, ranges, Math.min(limit, most), isFromEnd === 1);
  return inPieces(
    listingStart(' '),
    pieces(found, isDetailed ? 1 : PIECE_ROWS, (row) => {
      const mark = seen?.contains(row.id) ? 1 : 0;
      return `${threadRow(session, row)}${mark}|${isDetailed ? details(session, room, row.id) : ''}\n`;
    }),
  );
};

/** `COUN` → rows `room|unread|messages|highest number|1 or 0: picture|` of the rooms of LKRA. */
export function coun(session: Session): Reply {
  const { store, user } = session;
  const pictured = roomsWithPictures(store);
  let text = '';
  for (const { room, visit, access } of roomsOf(session)) {
    if ((access & ACCESS.known) === 0) continue;
    const unread = visit ? countNew(store, room, visit) : room.total;
    text += `${shownName(room, user)}|${unread}|${room.total}|${room.highest}|${pictured.has(room.id) ? 1 : 0}|\n`;
  }
  return listing('Messages:', text);
}

function within(ranges: readonly NumberRange[], { low, high }: NumberRange): NumberRange[] {
  return ranges
    .map((range) => ({ low: Math.max(range.low, low), high: Math.min(range.high, high) }))
    .filter((range) => range.low <= range.high);
}

/** At most `limit` of the messages in the ranges, ascending. */
function chosen(
  { store }: Session,
  room: StoredRoom,
  ranges: readonly NumberRange[],
  limit: number,
  isFromEnd: boolean,
): ListedMessage[] {
  const found: ListedMessage[] = [];
  for (const range of isFromEnd ? ranges.toReversed() : ranges) {
    const left = limit - found.length;
    if (left <= 0) break;
    const read = isFromEnd ? highestListedInRoom : listedInRoom;
    found.push(...read(store, room.id, range, left));
  }
  return isFromEnd ? found.reverse() : found;
}

function* pieces(
  found: readonly ListedMessage[],
  rowsEach: number,
  format: (row: ListedMessage) => string,
): Generator<string> {
  for (let at = 0; at < found.length; at += rowsEach) {
    yield found
      .slice(at, at + rowsEach)
      .map(format)
      .join('');
  }
}

/** Empty fields for a message that has gone meanwhile. */
function details({ store }: Session, room: StoredRoom, msgnum: number): string {
  const row = messageInRoom(store, room.id, msgnum);
  if (!row) return '|0||';
  const structure = structureOf(store, msgnum);
  const recipients = [row.recipients, row.cc].filter((text) => text !== '').join(', ');
  return `${packField(recipients)}|${attachedFiles(structure)}|${packField(firstWords(store, row, structure))}|`;
}
