// ICAL: a calendar or task room as one iCalendar object, read and replaced (protocol section 18.11, RFC 5545). What
// would need recurring events worked out or invitations sent (freebusy, conflicts, respond, handle_rsvp) is refused:
// 530.

import { BACKEND_TURN_MS, MAX_CALENDAR_BYTES, MAX_CALENDAR_COMPONENTS } from '../../../limits/backend.ts';
import { contentParts } from '../../../mime/part.ts';
import { ACCESS, VIEW } from '../../../model.ts';
import { splitFields } from '../../../protocol/fields.ts';
import { STATUS } from '../../../protocol/status.ts';
import {
  type CalendarComponent,
  componentSteps,
  componentsOf,
  oneCalendar,
} from '../../content/calendar-components.ts';
import { fieldsForRoom, RejectedByRoom } from '../../content/groupware.ts';
import { accessOf, readableRoom, requireUser, sessionAccess } from '../../session/access.ts';
import { collectText } from '../../session/collect.ts';
import { askText, LISTING_END, listingStart, ok, type Reply } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { mainAddressOf } from '../../store/addresses.ts';
import { finishedBody } from '../../store/bodies.ts';
import { objectPartText } from '../../store/message-part.ts';
import { HIGHEST_NUMBER, messagesInRoom, saveMessage, structureOf } from '../../store/messages.ts';
import { FORMAT, type StoredRoom, type StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { fullName, roomById } from '../../store/rooms.ts';
import { dropStage, exchangeContents, openStage } from '../../store/staging.ts';
import type { Store } from '../../store/store.ts';
import { userById } from '../../store/users.ts';
import { visitOf } from '../../store/visits.ts';

const PAGE_ROWS = 100;
const CALENDAR_TYPES = new Set(['text/calendar', 'application/ics']);

/** `ICAL test|getics|putics|sgi|…`; 520, 530, 550, 560 */
export function ical(session: Session, args: string): Reply {
  switch (splitFields(args)[0]!.trim().toLowerCase()) {
    case 'test':
      return ok('This server supports calendaring');
    case 'sgi':
      // Asked to mail invitations, this server says that it does not.
      return ok('0');
    case 'getics':
      return getics(session);
    case 'putics':
      return putics(session);
    case 'freebusy':
    case 'conflicts':
    case 'respond':
    case 'handle_rsvp':
      throw new Refusal(
        STATUS.unsupported,
        'This server keeps calendars, but works out no free times and answers no invitations.',
      );
    default:
      throw new Refusal(STATUS.unsupported, 'Invalid subcommand');
  }
}

function getics(session: Session): Reply {
  if (!session.user && !session.isAdminSocket) throw new Refusal(STATUS.notLoggedIn, 'Not logged in.');
  return { stream: wholeRoom(session.store, calendarRoom(session)) };
}

function* wholeRoom(store: Store, room: StoredRoom): Generator<string> {
  yield listingStart('one big calendar');
  yield* oneCalendar(roomComponents(store, room));
  yield `\n${LISTING_END}`;
}

function* roomComponents(store: Store, room: StoredRoom): Generator<CalendarComponent> {
  for (let low = 1; ; ) {
    const rows = messagesInRoom(store, room.id, { low, high: HIGHEST_NUMBER }, PAGE_ROWS);
    for (const row of rows) {
      const structure = structureOf(store, row.id);
      const part = structure && [...contentParts(structure)].find(({ type }) => CALENDAR_TYPES.has(type));
      if (part) yield* componentsOf(objectPartText(store, row, part) ?? '');
    }
    if (rows.length < PAGE_ROWS) return;
    low = rows.at(-1)!.id + 1;
  }
}

/** 400, then an iCalendar object that replaces everything in the room; rubbish changes nothing (quirk Q32) */
function putics(session: Session): Reply {
  const user = requireUser(session);
  const room = calendarRoom(session);
  if (!(sessionAccess(session, room) & ACCESS.delete)) throw new Refusal(STATUS.higherAccess, 'Permission denied.');
  return {
    reply: askText('Transmit data now'),
    text: collectText(MAX_CALENDAR_BYTES, async (text) => {
      if (text !== undefined) await replaceContent(session, user, room, text);
      return '';
    }),
  };
}

/**
 * In pieces between which the others have their turn; the room changes at the end, at once, if it may still be changed.
 */
async function replaceContent(
  { store, server }: Session,
  user: StoredUser,
  room: StoredRoom,
  text: string,
): Promise<void> {
  const isCalendar = /^BEGIN:VCALENDAR\s*$/im.test(text) && /^END:VCALENDAR\s*$/im.test(text);
  if (!isCalendar) return;
  const components: CalendarComponent[] = [];
  let turnEnd = performance.now() + BACKEND_TURN_MS;
  for (const found of componentSteps(text)) {
    if (found) components.push(found);
    if (components.length > MAX_CALENDAR_COMPONENTS) return;
    if (performance.now() < turnEnd) continue;
    await server.turns.next();
    turnEnd = performance.now() + BACKEND_TURN_MS;
  }
  // The server has ended meanwhile.
  if (!store.db.isOpen) return;
  const objects = objectsOf(components);
  const stage = openStage(store);
  const msgnums: number[] = [];
  const saveSome = (): void => {
    for (const turnEnd = performance.now() + BACKEND_TURN_MS; performance.now() < turnEnd; ) {
      const object = objects[msgnums.length];
      if (!object) return;
      msgnums.push(saveObject(store, user, room, object, stage));
    }
  };
  try {
    while (msgnums.length < objects.length) {
      await server.turns.next();
      // The server has ended meanwhile.
      if (!store.db.isOpen) return;
      store.transaction(saveSome);
    }
    if (!mayReplace(store, user, room)) {
      dropStage(store, stage);
      return;
    }
    exchangeContents(store, stage, room.id);
  } catch (error) {
    dropStage(store, stage);
    // An object that the room rejects changes nothing, like any other rubbish.
    if (error instanceof RejectedByRoom) return;
    throw error;
  }
  for (const msgnum of msgnums) server.noteNewMessage([room.id], msgnum);
}

function mayReplace(store: Store, user: StoredUser, room: StoredRoom): boolean {
  if (userById(store, user.id) !== user || roomById(store, room.id) !== room) return false;
  return (accessOf(user, room, visitOf(store, user.id, room.id)) & ACCESS.delete) !== 0;
}

/**
 * The components of each message to be: an event and its changed recurrences, which have one UID, and their time zones.
 */
function objectsOf(components: readonly CalendarComponent[]): CalendarComponent[][] {
  const zones = components.filter(({ kind }) => kind === 'VTIMEZONE');
  const objects = new Map<string, CalendarComponent[]>();
  for (const [i, component] of components.entries()) {
    if (component.kind === 'VTIMEZONE') continue;
    const key = component.uid === '' ? `#${i}` : `:${component.uid}`;
    objects.getOrInsertComputed(key, () => []).push(component);
  }
  return [...objects.values()].map((object) => {
    const named = new Set(object.flatMap(({ zoneNames }) => zoneNames));
    return [...zones.filter(({ zoneId }) => named.has(zoneId)), ...object];
  });
}

function saveObject(
  store: Store,
  user: StoredUser,
  room: StoredRoom,
  object: readonly CalendarComponent[],
  stage: number,
): number {
  const lines = [...oneCalendar(object)].join('').replaceAll('\r', '');
  const text = `Content-type: text/calendar; charset=utf-8\n\n${lines}`;
  const body = finishedBody(store, FORMAT.mime, Buffer.from(text));
  return saveMessage(store, {
    format: FORMAT.mime,
    author: user.name,
    authorUser: user.id,
    path: user.name.replaceAll(' ', '_'),
    address: mainAddressOf(store, user),
    room: fullName(room),
    body,
    rooms: [room.id],
    stage,
    ...fieldsForRoom(store, room, { format: FORMAT.mime, euid: '', subject: '' }, body),
  });
}

function calendarRoom(session: Session): StoredRoom {
  if (!session.room) throw new Refusal(STATUS.notHere, 'Not a calendar room');
  const room = readableRoom(session);
  if (room.view !== VIEW.calendar && room.view !== VIEW.tasks) throw new Refusal(STATUS.notHere, 'Not a calendar room');
  return room;
}
