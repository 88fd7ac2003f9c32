// ICAL: reads and replaces a calendar or task room as one iCalendar object (protocol section 18.11, RFC 5545). What
// needs expanded recurrences or sent invitations (freebusy, conflicts, respond, handle_rsvp) is refused with 530.

import { BACKEND_TURN_MS, MAX_CALENDAR_BYTES, MAX_CALENDAR_COMPONENTS } from '../../../limits/backend.ts';
import { foldLine } from '../../../mime/objects/components.ts';
import { zoneKey } from '../../../mime/objects/content-lines.ts';
import { propertiesOf, propertyValue } from '../../../mime/objects/properties.ts';
import { ACCESS, VIEW } from '../../../model.ts';
import { splitFields } from '../../../protocol/fields.ts';
import { calendarTextOf, saveCalendar } from '../../content/calendars.ts';
import { RejectedByRoom } from '../../content/posting-rules.ts';
import { accessOf, readableRoom, requireUser, sessionAccess } from '../../session/access.ts';
import { LISTING_END, listingStart, ok, type Reply, takeText } from '../../session/reply.ts';
import type { Session } from '../../session/session.ts';
import { HIGHEST_NUMBER, messagesInRoom } from '../../store/messages.ts';
import { dropStage, exchangeContents, openStage } from '../../store/moving.ts';
import type { StoredRoom, StoredUser } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { roomById } from '../../store/rooms.ts';
import type { Store } from '../../store/store.ts';
import { userById } from '../../store/users.ts';
import { visitOf } from '../../store/visits.ts';

const PAGE_ROWS = 100;

/** `ICAL test|getics|putics|sgi|…`; 520, 530, 550, 560 */
export function ical(session: Session, args: string): Reply {
  switch (splitFields(args)[0]!.trim().toLowerCase()) {
    case 'test':
      return ok('This server supports calendaring');
    case 'sgi':
      // reports that this server does not mail invitations
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
        'unsupported',
        'This server keeps calendars, but works out no free times and answers no invitations.',
      );
    default:
      throw new Refusal('unsupported', 'Invalid subcommand');
  }
}

function getics(session: Session): Reply {
  if (!session.user && !session.isAdminSocket) throw new Refusal('notLoggedIn', 'Not logged in.');
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
    for (const row of rows) yield* componentsOf(calendarTextOf(store, row) ?? '');
    if (rows.length < PAGE_ROWS) return;
    low = rows.at(-1)!.id + 1;
  }
}

/** 400, then an iCalendar object that replaces everything in the room; invalid data changes nothing (quirk Q32) */
function putics(session: Session): Reply {
  const user = requireUser(session);
  const room = calendarRoom(session);
  if (!(sessionAccess(session, room) & ACCESS.delete)) throw new Refusal('higherAccess', 'Permission denied.');
  return takeText('Transmit data now', MAX_CALENDAR_BYTES, async (text) => {
    await replaceContent(session, user, room, text);
  });
}

/** Works in turns with other sessions. The room changes at the end, at once, if that is still allowed. */
async function replaceContent(
  { store, server }: Session,
  user: StoredUser,
  room: StoredRoom,
  text: string,
): Promise<void> {
  const isCalendar = /^BEGIN:VCALENDAR\s*$/im.test(text) && /^END:VCALENDAR\s*$/im.test(text);
  if (!isCalendar) return;
  const components: CalendarComponent[] = [];
  const turn = server.turns.begin(BACKEND_TURN_MS);
  for (const found of componentSteps(text)) {
    if (found) components.push(found);
    if (components.length > MAX_CALENDAR_COMPONENTS) return;
    if (turn.isOver) await turn.next();
  }
  // the server may have ended meanwhile
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
      // the server may have ended meanwhile
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
    // An object that the room rejects changes nothing, like invalid data.
    if (error instanceof RejectedByRoom) return;
    throw error;
  }
  for (const msgnum of msgnums) server.noteNewMessage([room.id], msgnum);
}

function mayReplace(store: Store, user: StoredUser, room: StoredRoom): boolean {
  if (userById(store, user.id) !== user || roomById(store, room.id) !== room) return false;
  return (accessOf(user, room, visitOf(store, user.id, room.id)) & ACCESS.delete) !== 0;
}

/** The components of each new message: an event, its changed recurrences with the same UID, and their time zones. */
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
    return [...zones.filter((zone) => named.has(zone.zoneKey)), ...object];
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
  return saveCalendar(store, room, user, `\n${lines}`, { stage });
}

function calendarRoom(session: Session): StoredRoom {
  if (!session.room) throw new Refusal('notHere', 'Not a calendar room');
  const room = readableRoom(session);
  if (room.view !== VIEW.calendar && room.view !== VIEW.tasks) throw new Refusal('notHere', 'Not a calendar room');
  return room;
}

/** One component of an iCalendar object, as text. */
interface CalendarComponent {
  /** `VEVENT`, `VTODO`, `VJOURNAL` or `VTIMEZONE` */
  kind: string;
  /** '' for time zones, and if missing */
  uid: string;
  /** of a time zone */
  zoneKey: string;
  /** time zones that the component names */
  zoneNames: string[];
  /** from BEGIN to END, without line ends; folded lines stay folded */
  lines: string[];
}

const KINDS = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VTIMEZONE']);

const LINES_OF_A_STEP = 1000;

/** The complete components, in order, without what is between them. */
export function* componentsOf(text: string): Generator<CalendarComponent> {
  for (const found of componentSteps(text)) if (found) yield found;
}

/** Like componentsOf, but yields undefined after every LINES_OF_A_STEP lines, so that others can run. */
export function* componentSteps(text: string): Generator<CalendarComponent | undefined> {
  let lines: string[] = [];
  let kind = '';
  let count = 0;
  for (let next = 0; next <= text.length; ) {
    if (++count % LINES_OF_A_STEP === 0) yield undefined;
    const start = next;
    const lf = text.indexOf('\n', start);
    const end = lf < 0 ? text.length : lf;
    next = end + 1;
    const line = text.slice(start, lf > start && text[lf - 1] === '\r' ? lf - 1 : end);
    const begins = /^BEGIN:([A-Z]+)\s*$/i.exec(line)?.[1]?.toUpperCase();
    if (kind === '' && begins !== undefined && KINDS.has(begins)) {
      kind = begins;
      lines = [];
    }
    if (kind === '' || line === '') continue;
    lines.push(line);
    if (line.trim().toUpperCase() !== `END:${kind}`) continue;
    yield component(kind, lines);
    kind = '';
  }
}

/** a colon, semicolon or comma inside quotes ends nothing */
const ZONE_PARAMETER = /;TZID=(?:"([^"\n]*)"|([^";:\n]+))/gi;

function component(kind: string, lines: string[]): CalendarComponent {
  const text = lines.join('\n');
  const properties = propertiesOf(text, kind);
  return {
    kind,
    uid: kind === 'VTIMEZONE' ? '' : propertyValue(properties, 'UID'),
    zoneKey: kind === 'VTIMEZONE' ? zoneKey(propertyValue(properties, 'TZID')) : '',
    zoneNames: [...text.replace(/\n[ \t]/g, '').matchAll(ZONE_PARAMETER)].map((match) =>
      zoneKey(match[1] ?? match[2]!),
    ),
    lines,
  };
}

/** One VCALENDAR with all of them, in CR LF lines; each time zone once. */
export function* oneCalendar(components: Iterable<CalendarComponent>): Generator<string> {
  yield 'BEGIN:VCALENDAR\r\nPRODID:-//Vestibule//Room server//EN\r\nVERSION:2.0\r\nMETHOD:PUBLISH\r\n';
  const zones = new Set<string>();
  for (const { kind, zoneKey, lines } of components) {
    if (kind === 'VTIMEZONE' && zones.has(zoneKey)) continue;
    if (kind === 'VTIMEZONE') zones.add(zoneKey);
    yield lines.map((line) => `${foldLine(line)}\r\n`).join('');
  }
  yield 'END:VCALENDAR\r\n';
}
