// SCHD, a verb of our own: scheduling between people who have accounts here (RFC 6638). Any other server answers 530,
// as to FIND. What is to be sent goes with the change that sends it, so SCHD send comes before that change.

import {
  BACKEND_LIST_PAGE_ROWS,
  BACKEND_TURN_MS,
  MAX_BUSY_SECONDS,
  MAX_BUSY_USERS,
  MAX_OBJECT_BYTES,
  MAX_PENDING_DELIVERIES,
  MAX_SCHEDULING_BYTES,
  MAX_SCHEDULING_MESSAGE_BYTES,
} from '../../limits/backend.ts';
import { MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { parseObject } from '../../mime/objects/components.ts';
import { type Component, textOf } from '../../mime/objects/content-lines.ts';
import { addressKey, attendeesOf } from '../../mime/scheduling/lines.ts';
import { type SchedulingObject, schedulingObject } from '../../mime/scheduling/object.ts';
import { VIEW } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { busyTimes } from '../content/busy-times.ts';
import { calendarsOf, defaultCalendar, objectOf } from '../content/calendars.ts';
import { calendarAddresses, calendarUser, DELIVERY_STATUS, inboxOf, keysOf } from '../content/scheduling.ts';
import { readableRoom, requireUser } from '../session/access.ts';
import { collectText } from '../session/collect.ts';
import { askTextForListing, LISTING_END, listing, listingStart, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { HIGHEST_NUMBER } from '../store/messages.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { findRoom, shownName } from '../store/rooms.ts';
import { pendingDeliveries, setChosenCalendar, storedScheduleTags } from '../store/scheduling.ts';

/** `SCHD send|drop|tags|where|inbox|default|addresses|busy|…`; 512, 520, 550, 572 */
export function schd(session: Session, args: string): Reply {
  const [what, ...fields] = splitFields(args);
  const user = requireUser(session);
  switch (what) {
    case 'send':
      return send(session, user, fields);
    case 'drop':
      session.scheduling = undefined;
      return ok('Ok');
    case 'tags':
      return { stream: tags(session, Math.max(toInt(fields[0]), 0), toInt(fields[1])) };
    case 'where':
      return where(session, user, fields[0]?.trim() ?? '');
    case 'inbox':
      return ok(inboxOf(session.store, user).name);
    case 'default':
      return ok(calendarForNew(session, user, fields[0]).name);
    case 'addresses':
      return listing(
        'Calendar addresses:',
        [...calendarAddresses(session.store, user)].map((one) => `${one}\n`),
      );
    case 'busy':
      return busy(session, user, toInt(fields[0]), toInt(fields[1]));
    default:
      throw new Refusal(STATUS.illegalValue, 'SCHD takes send, drop, tags, where, inbox, default, addresses or busy.');
  }
}

/**
 * `SCHD send|UID|1: it is a scheduling object from then on|number of the message it is now, 0: none` → 800; lines
 * `to|address` and iCalendar objects.
 */
function send(session: Session, user: StoredUser, fields: readonly string[]): Reply {
  const { room } = session;
  const uid = fields[0]?.trim() ?? '';
  const isTagged = toInt(fields[1]) !== 0;
  const expected = fields[2] ? toInt(fields[2]) : undefined;
  if (!room || uid === '') throw new Refusal(STATUS.illegalValue, 'SCHD send takes a UID, in a room.');
  session.scheduling = undefined;
  const { store, server } = session;
  return {
    reply: askTextForListing('Messages'),
    text: collectText(MAX_SCHEDULING_BYTES, async (text) => {
      if (text === undefined) return LISTING_END;
      const staged = { uid, isTagged, expected, room, user, messages: [] as { text: string; recipients: number[] }[] };
      let rows = '';
      const turn = server.turns.begin(BACKEND_TURN_MS);
      let left = MAX_PENDING_DELIVERIES - pendingDeliveries(store, user.id, MAX_PENDING_DELIVERIES);
      for (const message of messagesIn(text)) {
        if (turn.isOver) await turn.next();
        // the server has ended meanwhile
        if (!store.db.isOpen) return '';
        if (!message) continue;
        const recipients: number[] = [];
        const addressee = addresseeOf(session, user, uid, message.text);
        // an address may be named again and again, as often as the text is long
        for (const address of message.to) {
          if (turn.isOver) await turn.next();
          if (!store.db.isOpen) return '';
          const target = addressee(address);
          const isLeft = typeof target === 'string' || target === user || left-- > 0;
          const status = isLeft ? DELIVERY_STATUS.delivered : DELIVERY_STATUS.failed;
          rows += `${address}|${typeof target === 'string' ? target : status}\n`;
          if (typeof target !== 'string' && target !== user && isLeft) recipients.push(target.id);
        }
        staged.messages.push({ text: message.text, recipients });
      }
      session.scheduling = staged;
      return `${rows}${LISTING_END}`;
    }),
  };
}

/** `to|…` lines, then an object; what is not finished is left out. undefined: others may have their turn. */
function* messagesIn(text: string): Generator<{ to: string[]; text: string } | undefined> {
  let to: string[] = [];
  let start = -1;
  for (let at = 0; at < text.length; ) {
    const lf = text.indexOf('\n', at);
    const end = lf < 0 ? text.length : lf;
    const line = text.slice(at, end);
    if (start < 0 && line.startsWith('to|')) to.push(line.slice(3).trim());
    else if (start < 0 && line === 'BEGIN:VCALENDAR') start = at;
    else if (start >= 0 && line === 'END:VCALENDAR') {
      yield { to, text: `${text.slice(start, end).replaceAll('\n', '\r\n')}\r\n` };
      to = [];
      start = -1;
    }
    at = end + 1;
    yield;
  }
}

/**
 * Whom an address means for this message, or the code that says why it gets none. Nobody speaks for others: requests
 * and cancellations come from the organizer and go to who is in them, replies go from the one who is in them to the
 * organizer.
 */
function addresseeOf(
  { store }: Session,
  user: StoredUser,
  uid: string,
  text: string,
): (address: string) => StoredUser | string {
  if (Buffer.byteLength(text) > MAX_SCHEDULING_MESSAGE_BYTES) return () => DELIVERY_STATUS.failed;
  const { object: message } = parseObject(text);
  const object = message && schedulingObject(message);
  if (!object || object.uid !== uid) return () => DELIVERY_STATUS.noWay;
  const allowed = allowedRecipients(message, object, keysOf(store, user, message));
  return (address) => {
    const key = addressKey(address);
    return allowed.has(key) ? calendarUser(store, key) : DELIVERY_STATUS.forbidden;
  };
}

function allowedRecipients(
  message: Component,
  object: SchedulingObject,
  own: ReadonlySet<string>,
): ReadonlySet<string> {
  const method = textOf(message, 'METHOD').toUpperCase();
  const guests = new Set<string>();
  for (const part of object.parts.values()) for (const { value } of attendeesOf(part)) guests.add(addressKey(value));
  if (method === 'REPLY') return guests.isSubsetOf(own) ? new Set([object.organizer]) : new Set();
  return (method === 'REQUEST' || method === 'CANCEL') && own.has(object.organizer) ? guests : new Set();
}

/** `SCHD tags|n|count` → rows `number|tag` of the scheduling objects of the room from that number on; 0: all. */
function* tags(session: Session, from: number, count: number): Generator<string> {
  const room = readableRoom(session);
  let left = count > 0 ? count : HIGHEST_NUMBER;
  yield listingStart('Schedule-Tags:');
  for (let low = from; ; ) {
    const rows = storedScheduleTags(session.store, room.id, low, Math.min(BACKEND_LIST_PAGE_ROWS, left));
    yield rows.map(({ id, tag }) => `${id}|${tag}\n`).join('');
    left -= rows.length;
    if (rows.length < BACKEND_LIST_PAGE_ROWS || left === 0) break;
    low = rows.at(-1)!.id + 1;
  }
  yield LISTING_END;
}

/** `SCHD default|room`: the room is to be one of the user's own calendars, empty: he has none to prefer; 572 */
function calendarForNew({ store }: Session, user: StoredUser, name: string | undefined): StoredRoom {
  if (name !== undefined) {
    const room = name === '' ? undefined : findRoom(store, user, name);
    const isCalendar = room?.view === VIEW.calendar && calendarsOf(store, user).includes(room);
    if (name !== '' && !isCalendar) throw new Refusal(STATUS.noSuchRoom, 'That is no calendar of yours.');
    store.transaction(() => setChosenCalendar(store, user.id, room?.id));
  }
  return defaultCalendar(store, user);
}

/** `SCHD where|UID` → a row `room|number` where one of the user's calendars has it. */
function where({ store }: Session, user: StoredUser, uid: string): Reply {
  const found = objectOf(store, user, uid);
  return listing('Objects:', found ? `${shownName(found.room, user)}|${found.row.id}|\n` : '');
}

/**
 * `SCHD busy|start|end` (Unix seconds) → 800; addresses; rows `A|address|status` and, behind it, `B|start|end|type`.
 */
function busy(session: Session, user: StoredUser, start: number, end: number): Reply {
  if (end <= start || end - start > MAX_BUSY_SECONDS) throw new Refusal(STATUS.illegalValue, 'No such time.');
  const { store, server } = session;
  return {
    reply: askTextForListing('Addresses'),
    text: collectText((MAX_BUSY_USERS * MAX_OBJECT_BYTES) / 1024, async (text) => {
      const addresses = (text ?? '').split('\n').filter((line) => line !== '');
      let rows = '';
      // one for all of them: each may take just less than a turn
      const turn = server.turns.begin(BACKEND_TURN_MS);
      for (const [i, address] of addresses.entries()) {
        const target = i < MAX_BUSY_USERS ? calendarUser(store, address) : DELIVERY_STATUS.forbidden;
        rows += `A|${address}|${typeof target === 'string' ? target : '2.0'}\n`;
        if (typeof target === 'string') continue;
        const rooms = calendarsOf(store, target);
        for (const one of await busyTimes(store, rooms, { start, end }, { steps: MAX_RECURRENCE_STEPS }, turn)) {
          rows += `B|${one.start}|${one.end}|${one.type}\n`;
        }
        // the server has ended meanwhile
        if (!store.db.isOpen || session.user !== user) return '';
      }
      return `${rows}${LISTING_END}`;
    }),
  };
}
