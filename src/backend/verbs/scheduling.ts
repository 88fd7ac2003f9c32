// SCHD, our own verb: scheduling between accounts of this server (RFC 6638), including free and busy times. Other
// servers answer 530. SCHD send precedes the change that the messages belong to, and they go out with that change.

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
import { MAX_OCCURRENCES, MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { parseObject } from '../../mime/objects/components.ts';
import { type Component, textOf } from '../../mime/objects/content-lines.ts';
import { type BusyPeriod, busyPeriods, mergedPeriods } from '../../mime/objects/free-busy.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import { type Budget, UTC } from '../../mime/objects/offsets.ts';
import { addressKey, attendeesOf, personKey } from '../../mime/scheduling/lines.ts';
import { isMessageAbout, type SchedulingObject, schedulingObject } from '../../mime/scheduling/object.ts';
import { VIEW } from '../../model.ts';
import { splitFields, toInt } from '../../protocol/fields.ts';
import type { Stretch } from '../../system/turn-queue.ts';
import { calendarsOf, calendarTextOf, defaultCalendar, objectOf, setChosenCalendar } from '../content/calendars.ts';
import {
  calendarAddresses,
  calendarUser,
  DELIVERY_STATUS,
  inboxOf,
  keysOf,
  pendingDeliveries,
  storedScheduleTags,
} from '../content/scheduling.ts';
import { readableRoom, requireUser } from '../session/access.ts';
import { answerText, LISTING_END, listing, listingStart, ok, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { propertiesOfMember } from '../store/dead-properties.ts';
import { HIGHEST_NUMBER, messagesMeeting } from '../store/messages.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { Refusal } from '../store/refusal.ts';
import { findRoom, shownName } from '../store/rooms.ts';
import type { Store } from '../store/store.ts';

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
      throw new Refusal('illegalValue', 'SCHD takes send, drop, tags, where, inbox, default, addresses or busy.');
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
  if (!room || uid === '') throw new Refusal('illegalValue', 'SCHD send takes a UID, in a room.');
  session.scheduling = undefined;
  const { store, server } = session;
  return answerText('Messages', MAX_SCHEDULING_BYTES, async (text) => {
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
      // an address may be repeated as often as the text allows
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
  });
}

/** `to|…` lines, then an object; drops an unfinished one. Yields undefined where other sessions may run. */
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
 * The user that this message goes to, or the delivery status that says why it cannot. Requests and cancellations must
 * come from the organizer and go to their attendees; replies must come from their attendee and go to the organizer.
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
  if (!object || !isMessageAbout(object, uid)) return () => DELIVERY_STATUS.noWay;
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
  for (const part of object.parts.values()) for (const line of attendeesOf(part)) guests.add(personKey(line));
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
    if (name !== '' && !isCalendar) throw new Refusal('noSuchRoom', 'That is no calendar of yours.');
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
 * `SCHD busy|start|end` (Unix seconds) → 800; addresses; rows `A|address|status`, each followed by `B|start|end|type`.
 */
function busy(session: Session, user: StoredUser, start: number, end: number): Reply {
  if (end <= start || end - start > MAX_BUSY_SECONDS) throw new Refusal('illegalValue', 'No such time.');
  const { store, server } = session;
  return answerText('Addresses', (MAX_BUSY_USERS * MAX_OBJECT_BYTES) / 1024, async (text) => {
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
      // the server may have ended meanwhile
      if (!store.db.isOpen || session.user !== user) return '';
    }
    return `${rows}${LISTING_END}`;
  });
}

const PAGE_ROWS = 50;

/**
 * Busy times of the events in these rooms, merged, in order; at most MAX_OCCURRENCES. Others run when `turn` is over.
 * `budget`: of each event.
 */
export async function busyTimes(
  store: Store,
  rooms: readonly StoredRoom[],
  range: TimeRange,
  budget: Budget,
  turn: Stretch,
): Promise<BusyPeriod[]> {
  let periods: BusyPeriod[] = [];
  for (const { id, view } of rooms) {
    if (view !== VIEW.calendar) continue;
    // one may have very many calendars that are empty
    if (turn.isOver) await turn.next();
    // the server has ended meanwhile
    if (!store.db.isOpen) return [];
    if (isTransparent(store, id)) continue;
    for (let low = 1; ; ) {
      const rows = messagesMeeting(store, id, range, low, PAGE_ROWS);
      for (const row of rows) {
        const { object } = parseObject(calendarTextOf(store, row) ?? '');
        if (object) {
          const work = busyPeriods(object, range, UTC, { ...budget });
          let step = work.next();
          for (; !step.done; step = work.next()) if (turn.isOver) await turn.next();
          periods.push(...step.value);
          if (periods.length > MAX_OCCURRENCES) periods = mergedPeriods(periods).slice(0, MAX_OCCURRENCES);
        }
        if (turn.isOver) await turn.next();
        if (!store.db.isOpen) return [];
      }
      if (rows.length < PAGE_ROWS) break;
      low = rows.at(-1)!.id + 1;
    }
  }
  return mergedPeriods(periods).slice(0, MAX_OCCURRENCES);
}

const TRANSPARENCY = 'urn:ietf:params:xml:ns:caldav schedule-calendar-transp';

/** Whether the owner has excluded this calendar from busy times (RFC 6638 section 9.1). */
function isTransparent(store: Store, roomId: number): boolean {
  const set = propertiesOfMember(store, roomId, '').find(({ name }) => name === TRANSPARENCY);
  return set !== undefined && /<(?:\w+:)?transparent\b/.test(set.value);
}
