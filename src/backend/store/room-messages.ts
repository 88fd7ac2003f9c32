// Queries of gateways over a whole room, fast in large ones: messages by subject (the name of a file), all ids, and the
// columns that lists show.

import type { NumberRange } from '../../protocol/sequence-set.ts';
import { HIGHEST_NUMBER, MESSAGE_COLUMNS, type StoredMessage } from './messages.ts';
import type { Store } from './store.ts';

/** Messages of a room with this subject as stored, in any ASCII case, ascending. It is not empty. */
export function messagesBySubject(
  store: Store,
  roomId: number,
  subject: string,
  range: NumberRange,
  limit: number,
): StoredMessage[] {
  return store
    .prepare(
      `SELECT ${MESSAGE_COLUMNS} FROM message m CROSS JOIN room_message rm ON rm.room = ? AND rm.message = m.id
       JOIN blob b ON b.id = m.blob
       WHERE m.subject = ? COLLATE NOCASE AND m.subject <> '' AND m.id BETWEEN ? AND ? ORDER BY m.id LIMIT ?`,
    )
    .all(roomId, subject, range.low, Math.min(range.high, HIGHEST_NUMBER), limit) as unknown as StoredMessage[];
}

/** The columns of a message that lists show; without the body's row, which is far away from it. */
export type ListedMessage = Pick<
  StoredMessage,
  'id' | 'msgid' | 'time' | 'author' | 'path' | 'address' | 'anonymous' | 'room' | 'refs' | 'subject'
>;

const LISTED = 'm.id, m.msgid, m.time, m.author, m.path, m.address, m.anonymous, m.room, m.refs, m.subject';

/** The messages of a room, ascending. */
export function listedInRoom(store: Store, roomId: number, range: NumberRange, limit: number): ListedMessage[] {
  return store.rows<ListedMessage>(
    `SELECT ${LISTED} FROM room_message rm JOIN message m ON m.id = rm.message
     WHERE rm.room = ? AND rm.message BETWEEN ? AND ? ORDER BY rm.message LIMIT ?`,
    roomId,
    range.low,
    Math.min(range.high, HIGHEST_NUMBER),
    limit,
  );
}

/** The same from the end: the highest numbers of the range, descending. */
export function highestListedInRoom(store: Store, roomId: number, range: NumberRange, limit: number): ListedMessage[] {
  return store.rows<ListedMessage>(
    `SELECT ${LISTED} FROM room_message rm JOIN message m ON m.id = rm.message
     WHERE rm.room = ? AND rm.message BETWEEN ? AND ? ORDER BY rm.message DESC LIMIT ?`,
    roomId,
    range.low,
    Math.min(range.high, HIGHEST_NUMBER),
    limit,
  );
}

/** The messages with these numbers that are in the room, ascending. */
export function listedByNumber(store: Store, roomId: number, msgnums: readonly number[]): ListedMessage[] {
  return store.rows<ListedMessage>(
    `SELECT ${LISTED} FROM room_message rm JOIN message m ON m.id = rm.message
     WHERE rm.room = ? AND rm.message IN (SELECT value FROM json_each(?)) ORDER BY rm.message`,
    roomId,
    JSON.stringify(msgnums),
  );
}

/** The messages with these numbers, in any room, by number. */
export function listedMessages(store: Store, msgnums: readonly number[]): Map<number, ListedMessage> {
  const rows = store.rows<ListedMessage>(
    `SELECT ${LISTED} FROM message m WHERE m.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(msgnums),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Number, euid and time of the messages of a room, ascending. */
export function idsInRoom(
  store: Store,
  roomId: number,
  range: NumberRange,
  limit: number,
): Pick<StoredMessage, 'id' | 'euid' | 'time'>[] {
  return store.rows<Pick<StoredMessage, 'id' | 'euid' | 'time'>>(
    `SELECT m.id, m.exti AS euid, m.time FROM room_message rm JOIN message m ON m.id = rm.message
     WHERE rm.room = ? AND rm.message BETWEEN ? AND ? ORDER BY rm.message LIMIT ?`,
    roomId,
    range.low,
    Math.min(range.high, HIGHEST_NUMBER),
    limit,
  );
}

/** Messages of a room from a number on whose extent meets the range, and those without one, ascending. */
export function messagesMeeting(
  store: Store,
  roomId: number,
  range: { start: number; end: number },
  low: number,
  limit: number,
): Pick<StoredMessage, 'id' | 'blob'>[] {
  return store.rows<Pick<StoredMessage, 'id' | 'blob'>>(
    `SELECT m.id, m.blob FROM room_message rm JOIN message m ON m.id = rm.message
     WHERE rm.room = ? AND rm.message >= ? AND (rm.ends IS NULL OR rm.ends >= ? AND rm.starts <= ?)
     ORDER BY rm.message LIMIT ?`,
    roomId,
    low,
    range.start,
    range.end,
    limit,
  );
}
