// Scheduling between accounts of this server (RFC 6638 section 4): a message goes to the recipient's scheduling inbox,
// and its change into the calendar of the recipient or organizer. Messages prepared by SCHD send are queued in the
// transaction of the change that they belong to (RFC 6638 section 3), so that both survive a kill or neither. Each
// delivery is a transaction.

import { BACKEND_TURN_MS, MAX_INBOX_MESSAGES, MAX_REFRESHED_ATTENDEES } from '../../limits/backend.ts';
import { MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { parseObject, writeComponent } from '../../mime/objects/components.ts';
import { type Component, textOf } from '../../mime/objects/content-lines.ts';
import { applyMessage, isAllDeclined } from '../../mime/scheduling/incoming.ts';
import { addressKey, personKey } from '../../mime/scheduling/lines.ts';
import { schedulingObject } from '../../mime/scheduling/object.ts';
import { refreshMessages } from '../../mime/scheduling/organizer.ts';
import { LEVEL, ROOM_FLAG, ROOM_FLAG2, VIEW } from '../../model.ts';
import { nameKey, splitAddress } from '../../protocol/names.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import { now } from '../../system/clock.ts';
import type { Session, StagedScheduling } from '../session/session.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { messageByEuid, removeOldest } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { createRoom, personalKey, roomByName } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';
import { addressesOf, findUser, isOwnDomain, personalRoom, userAt, userById } from '../store/users.ts';
import { defaultCalendar, objectOf, storeCalendar } from './calendars.ts';
import { RejectedByRoom } from './posting-rules.ts';

const INBOX = 'Scheduling Inbox';

/** Codes of delivery (RFC 6638 section 3.2.9). */
export const DELIVERY_STATUS = {
  delivered: '1.2',
  unknown: '3.7',
  forbidden: '3.8',
  failed: '5.1',
  noWay: '5.2',
} as const;

/** The room for a user's scheduling messages, which no list of rooms shows; created when missing. */
export function inboxOf(store: Store, user: StoredUser): StoredRoom {
  const found = roomByName(store, personalKey(user.id, nameKey(INBOX)));
  if (found) return found;
  const flags = ROOM_FLAG.private | ROOM_FLAG.personal;
  return createRoom(store, { name: INBOX, owner: user.id, flags, flags2: ROOM_FLAG2.system, view: VIEW.calendar });
}

/** The keys of the calendar addresses of a user: `mailto:` and each mail address. */
export function calendarAddresses(store: Store, user: StoredUser): Set<string> {
  return new Set(addressesOf(store, user).map((address) => addressKey(`mailto:${address}`)));
}

/** The user with this calendar address, or the delivery status that says why there is none. */
export function calendarUser(store: Store, address: string): StoredUser | string {
  const key = addressKey(address);
  const mail = /^mailto:([^?]*)/.exec(key)?.[1];
  const domain = mail === undefined ? undefined : splitAddress(mail).domain;
  if (domain !== undefined && !isOwnDomain(store, domain)) return DELIVERY_STATUS.noWay;
  const user = mail === undefined ? userOfPath(store, key) : domain === undefined ? undefined : userAt(store, mail);
  return user && user.level > LEVEL.deleted ? user : DELIVERY_STATUS.unknown;
}

/** `/svc/u/ben/`: the path of a principal on a gateway with any prefix (RFC 6638 section 2.4.1). */
function userOfPath(store: Store, path: string): StoredUser | undefined {
  const name = /^\/(?:[^?#]*\/)?u\/([^/?#]+)\/?$/.exec(path)?.[1];
  try {
    return name === undefined ? undefined : findUser(store, decodeURIComponent(name));
  } catch {
    return undefined; // no percent-encoding
  }
}

/** The addresses as messages name them: those of a user, and the one that a message was sent to. */
export function keysOf(store: Store, user: StoredUser, message: Component): Set<string> {
  const keys = calendarAddresses(store, user);
  const object = schedulingObject(message);
  if (!object) return keys;
  // a name may be spelt in several ways (protocol/names.ts) and still mean the same account
  for (const part of object.parts.values()) {
    for (const line of part.lines) {
      if (line.name !== 'ATTENDEE' && line.name !== 'ORGANIZER') continue;
      const key = personKey(line);
      if (!keys.has(key) && calendarUser(store, key) === user) keys.add(key);
    }
  }
  return keys;
}

/** Makes pending deliveries, one message to one recipient each, until `isEnough`. True when none is left. */
export function deliverSome(store: Store, isEnough: () => boolean): boolean {
  do {
    const delivery = nextDelivery(store);
    if (!delivery) return true;
    try {
      store.transaction(() => {
        deliver(store, delivery);
        endDelivery(store, delivery);
      });
    } catch (error) {
      // After a disk error the delivery is tried again. Any other error would recur, and block the deliveries after it.
      if (!(error instanceof Refusal)) store.transaction(() => endDelivery(store, delivery));
      throw error;
    }
  } while (!isEnough());
  return false;
}

function deliver(store: Store, delivery: Delivery): void {
  const [sender, recipient] = [userById(store, delivery.sender), userById(store, delivery.recipient)];
  const { object: message } = parseObject(delivery.text);
  if (!sender || !recipient || !message) return;
  try {
    const isKnown = applyToCalendar(store, message, sender, recipient, delivery.isRefresh);
    if (isKnown && !delivery.isRefresh) addToInbox(store, recipient, delivery.text, sender);
  } catch (error) {
    // the room accepts no such message from anybody
    if (!(error instanceof RejectedByRoom)) throw error;
  }
}

/** False: the recipient does not want to know, having declined and removed it. */
function applyToCalendar(
  store: Store,
  message: Component,
  sender: StoredUser,
  recipient: StoredUser,
  isRefresh: boolean,
): boolean {
  const news = schedulingObject(message);
  if (!news || news.uid === '') return true;
  const found = objectOf(store, recipient, news.uid);
  const stored = found && parseObject(found.text).object;
  // what others answer invites nobody
  if ((found && !stored) || (!found && isRefresh)) return true;
  const recipientKeys = keysOf(store, recipient, message);
  const method = textOf(message, 'METHOD').toUpperCase();
  if (!found && method === 'REQUEST' && isAllDeclined(news, recipientKeys)) return false;
  for (const key of stored ? keysOf(store, recipient, stored) : []) recipientKeys.add(key);
  const applied = applyMessage(stored, message, recipientKeys, keysOf(store, sender, message), {
    steps: MAX_RECURRENCE_STEPS,
  });
  if (!applied) return true;
  const isTask = applied.calendar.components.some(({ name }) => name === 'VTODO');
  const usual = () => (isTask ? personalRoom(store, recipient, OWN_ROOM.tasks) : defaultCalendar(store, recipient));
  const room = found?.room ?? usual();
  // an answer changes the event, but whose it is stays
  const author = method === 'REPLY' ? recipient : sender;
  const tag = found && (storedScheduleTag(store, found.row.id) ?? found.row.id);
  const msgnum = storeCalendar(store, room, writeComponent(applied.calendar), author, found?.row);
  setScheduleTag(store, msgnum, tag === undefined || applied.isConsequential ? msgnum : tag);
  if (method === 'REPLY') refreshOthers(store, applied.calendar, sender, recipient);
  return true;
}

function addToInbox(store: Store, recipient: StoredUser, text: string, sender: StoredUser): void {
  const inbox = inboxOf(store, recipient);
  storeCalendar(store, inbox, text, sender);
  const surplus = inbox.total - MAX_INBOX_MESSAGES;
  if (surplus > 0) removeOldest(store, inbox.id, surplus);
}

/** Tells the other attendees on this server what one has replied (RFC 6638 section 4.2). */
function refreshOthers(store: Store, calendar: Component, replier: StoredUser, organizer: StoredUser): void {
  const object = schedulingObject(calendar);
  const messages = object ? refreshMessages(object, now()) : [];
  if (messages.reduce((count, { recipients }) => count + recipients.length, 0) > MAX_REFRESHED_ATTENDEES) return;
  for (const { calendar: news, recipients } of messages) {
    const users = recipients.map((address) => calendarUser(store, address));
    const others = users.filter((user) => typeof user !== 'string' && user !== replier && user !== organizer);
    const ids = (others as StoredUser[]).map(({ id }) => id);
    queueDelivery(store, { sender: organizer.id, text: writeComponent(news), recipients: ids, isRefresh: true });
  }
}

/**
 * Call it in the transaction that stored, moved or removed (`msgnum` undefined) the object with that UID in the room of
 * the session: queues the messages that were prepared for it.
 */
export function commitScheduling(session: Session, uid: string, msgnum: number | undefined): void {
  const { store } = session;
  const staged = stagedFor(session, uid);
  if (!staged) return;
  session.scheduling = undefined;
  session.hasSentScheduling = staged.messages.length > 0;
  store.onRollback(() => {
    session.scheduling = staged;
  });
  for (const message of staged.messages) queueDelivery(store, { ...message, sender: staged.user.id, isRefresh: false });
  if (msgnum !== undefined && staged.isTagged) setScheduleTag(store, msgnum, msgnum);
}

/**
 * Call it before the object is stored, in the same transaction. Throws RejectedByRoom if the room now has another
 * version than the one that the messages were made from: a reply that arrived meanwhile would be lost.
 */
export function requireExpected(session: Session, uid: string): void {
  const staged = stagedFor(session, uid);
  if (staged?.expected === undefined) return;
  const now = messageByEuid(session.store, staged.room.id, uid) ?? 0;
  if (now !== staged.expected) throw new RejectedByRoom();
}

function stagedFor(session: Session, uid: string): StagedScheduling | undefined {
  const { scheduling: staged } = session;
  const isMeant = staged?.uid === uid && staged.room === session.room && staged.user === session.user;
  return isMeant ? staged : undefined;
}

/**
 * Call it after that transaction: delivers as much as a turn allows, and leaves the rest to housekeeping. Does nothing
 * for a session that sent no message.
 */
export function deliverNow(session: Session): void {
  const { store, server } = session;
  if (!session.hasSentScheduling) return;
  session.hasSentScheduling = false;
  const turnEnd = performance.now() + BACKEND_TURN_MS;
  try {
    deliverSome(store, () => performance.now() >= turnEnd);
  } catch (error) {
    // a failing disk has been reported; delivery is tried again later
    if (!(error instanceof Refusal)) server.onFault(error);
  }
}

/** One message for one recipient, both by number. */
interface Delivery {
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
  const { lastInsertRowid } = store.run`INSERT INTO scheduling_message (sender, is_refresh, text)
    VALUES (${message.sender}, ${message.isRefresh ? 1 : 0}, ${message.text})`;
  const insert = store.prepare('INSERT OR IGNORE INTO scheduling_delivery (message, recipient) VALUES (?, ?)');
  for (const recipient of message.recipients) insert.run(lastInsertRowid, recipient);
  // housekeeping delivers, too
  store.noteGarbage();
}

/** whose message was delivered last */
const lastSenders = new WeakMap<Store, number>();

/** The oldest queued delivery of the next sender: they take turns. */
export function nextDelivery(store: Store): Delivery | undefined {
  const last = lastSenders.get(store) ?? 0;
  const row = store.get`SELECT d.message, m.sender, d.recipient, m.is_refresh, m.text FROM scheduling_message m
    JOIN scheduling_delivery d ON d.message = m.id WHERE m.id = (SELECT min(id) FROM scheduling_message WHERE sender =
    coalesce((SELECT min(sender) FROM scheduling_message WHERE sender > ${last}),
    (SELECT min(sender) FROM scheduling_message))) ORDER BY d.recipient LIMIT 1`;
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
export function endDelivery(store: Store, { message, recipient, sender }: Delivery): void {
  lastSenders.set(store, sender);
  store.run`DELETE FROM scheduling_delivery WHERE message = ${message} AND recipient = ${recipient}`;
  const isLast = !store.get`SELECT 1 FROM scheduling_delivery WHERE message = ${message} LIMIT 1`;
  if (isLast) store.run`DELETE FROM scheduling_message WHERE id = ${message}`;
}

/** How many of this sender are queued, at most `max`; not those that the replies of others have made. */
export function pendingDeliveries(store: Store, sender: number, max: number): number {
  const row = store.get`SELECT count(*) AS count FROM (SELECT 1 FROM scheduling_message m JOIN scheduling_delivery d ON
    d.message = m.id WHERE m.sender = ${sender} AND m.is_refresh = 0 LIMIT ${max})`!;
  return Number(row.count);
}

/** undefined: the message is no scheduling object. */
export function storedScheduleTag(store: Store, msgnum: number): number | undefined {
  const row = store.get`SELECT tag FROM schedule_tag WHERE message = ${msgnum}`;
  return row && Number(row.tag);
}

/** Inside a transaction only. */
export function setScheduleTag(store: Store, msgnum: number, tag: number): void {
  store.run`INSERT OR REPLACE INTO schedule_tag (message, tag) VALUES (${msgnum}, ${tag})`;
}

/** Number and tag of the scheduling objects of a room from a number on, ascending. */
export function storedScheduleTags(
  store: Store,
  roomId: number,
  low: number,
  limit: number,
): { id: number; tag: number }[] {
  return store.all<{ id: number; tag: number }>`SELECT t.message AS id, t.tag FROM room_message rm JOIN schedule_tag t
    ON t.message = rm.message WHERE rm.room = ${roomId} AND rm.message >= ${low} ORDER BY rm.message LIMIT ${limit}`;
}
