// The queue of scheduling messages to users of this server, and the tags of scheduling objects (RFC 6638). A message is
// queued in the transaction of the change that sends it, so that both survive a kill or neither. Each delivery is a
// transaction.

import type { Store } from './store.ts';

/** One message for one recipient, both by number. */
export interface Delivery {
  message: number;
  sender: number;
  recipient: number;
  /** it only reports replies of other attendees */
  isRefresh: boolean;
  /** iCalendar, with METHOD */
  text: string;
}

/** Queues a message for these users. Inside a transaction only. */
export function queueDelivery(
  store: Store,
  message: { sender: number; text: string; recipients: readonly number[]; isRefresh: boolean },
): void {
  if (message.recipients.length === 0) return;
  const { lastInsertRowid } = store
    .prepare('INSERT INTO scheduling_message (sender, is_refresh, text) VALUES (?, ?, ?)')
    .run(message.sender, message.isRefresh ? 1 : 0, message.text);
  const insert = store.prepare('INSERT OR IGNORE INTO scheduling_delivery (message, recipient) VALUES (?, ?)');
  for (const recipient of message.recipients) insert.run(lastInsertRowid, recipient);
  // housekeeping delivers, too
  store.noteGarbage();
}

/** The oldest queued delivery. */
export function nextDelivery(store: Store): Delivery | undefined {
  const row = store
    .prepare(
      `SELECT d.message, m.sender, d.recipient, m.is_refresh, m.text FROM scheduling_delivery d
       JOIN scheduling_message m ON m.id = d.message
       WHERE d.message = (SELECT min(message) FROM scheduling_delivery) ORDER BY d.recipient LIMIT 1`,
    )
    .get();
  if (!row) return undefined;
  return {
    message: Number(row.message),
    sender: Number(row.sender),
    recipient: Number(row.recipient),
    isRefresh: row.is_refresh === 1,
    text: String(row.text),
  };
}

/** Removes a delivery from the queue, in the transaction that made it. */
export function endDelivery(store: Store, { message, recipient }: Delivery): void {
  store.prepare('DELETE FROM scheduling_delivery WHERE message = ? AND recipient = ?').run(message, recipient);
  const isLast = !store.prepare('SELECT 1 FROM scheduling_delivery WHERE message = ? LIMIT 1').get(message);
  if (isLast) store.prepare('DELETE FROM scheduling_message WHERE id = ?').run(message);
}

/** The number of queued deliveries of this sender, at most `max`. */
export function pendingDeliveries(store: Store, sender: number, max: number): number {
  const row = store
    .prepare(
      `SELECT count(*) AS count FROM (SELECT 1 FROM scheduling_message m
       JOIN scheduling_delivery d ON d.message = m.id WHERE m.sender = ? LIMIT ?)`,
    )
    .get(sender, max)!;
  return Number(row.count);
}

/** Number of the room that a user has chosen for new events, if any. */
export function chosenCalendar(store: Store, userId: number): number | undefined {
  const row = store.prepare('SELECT room FROM default_calendar WHERE user = ?').get(userId);
  return row && Number(row.room);
}

/** undefined: removes the choice. Inside a transaction only. */
export function setChosenCalendar(store: Store, userId: number, roomId: number | undefined): void {
  if (roomId === undefined) store.prepare('DELETE FROM default_calendar WHERE user = ?').run(userId);
  else store.prepare('INSERT OR REPLACE INTO default_calendar (user, room) VALUES (?, ?)').run(userId, roomId);
}

/** undefined: the message is no scheduling object. */
export function storedScheduleTag(store: Store, msgnum: number): number | undefined {
  const row = store.prepare('SELECT tag FROM schedule_tag WHERE message = ?').get(msgnum);
  return row && Number(row.tag);
}

/** Inside a transaction only. */
export function setScheduleTag(store: Store, msgnum: number, tag: number): void {
  store.prepare('INSERT OR REPLACE INTO schedule_tag (message, tag) VALUES (?, ?)').run(msgnum, tag);
}

/** Number and tag of the scheduling objects of a room from a number on, ascending. */
export function storedScheduleTags(
  store: Store,
  roomId: number,
  low: number,
  limit: number,
): { id: number; tag: number }[] {
  return store
    .prepare(
      `SELECT t.message AS id, t.tag FROM room_message rm JOIN schedule_tag t ON t.message = rm.message
       WHERE rm.room = ? AND rm.message >= ? ORDER BY rm.message LIMIT ?`,
    )
    .all(roomId, low, limit) as { id: number; tag: number }[];
}
