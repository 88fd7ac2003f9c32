// What is news to the reader: messages of others that have arrived since the page was told last. Not what the reader
// has written, on whatever device, nor what was only moved or marked.

import { isNewsRoom, unreadCount } from './room-list.js';
import { isOneself } from './session.js';

/** @import { MailboxEntry as Row, RoomListEntry } from '../api/interface.d.ts' */

/** The highest message number of all rooms. @param {RoomListEntry[]} rooms */
export const highestOf = (rooms) => rooms.reduce((most, room) => Math.max(most, room.highest ?? 0), 0);

/**
 * Numbers grow over all rooms, so a message that was only moved has one that is not above `known`, the highest number
 * of which the reader was told.
 * @param {Row} row @param {number} known
 */
export const isArrival = ({ msgnum, seen, author }, known) => msgnum > known && !seen && !isOneself(author);

/**
 * Whether something may have arrived there, of which its rows tell for certain. Not every room server tells the highest
 * number of a room: then it is what has become more.
 * @param {RoomListEntry} room @param {number} before how much in it was unread @param {number} known
 */
export function mayHaveArrivals(room, before, known) {
  const count = unreadCount(room);
  if (!isNewsRoom(room) || count === 0) return false;
  return room.highest === undefined ? count > before : room.highest > known;
}
