// The scheduling inbox and outbox of a caller (RFC 6638 sections 2.1 to 2.3). POST on the outbox asks when people are
// busy (RFC 6638 section 5, RFC 5546 section 3.3.2); invitations are sent when their events are stored.

import { isUtf8 } from 'node:buffer';
import type { App } from '../gateway/app.ts';
import type { Caller } from '../gateway/caller.ts';
import { listMembers, openMember } from '../gateway/collection/collection.ts';
import { changeKept, keptProperties, PRIVILEGE } from '../gateway/collection/properties.ts';
import { realName, roomPath, userPath } from '../gateway/paths.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { hasInbox, openInbox, openInboxForMessage, ownerOfBox } from '../gateway/scheduling/boxes.ts';
import { isOwnCalendar, ownAddressKeys } from '../gateway/scheduling/conditions.ts';
import { readBody } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { send } from '../http/respond.ts';
import { MAX_BUSY_SECONDS, MAX_BUSY_USERS } from '../limits/backend.ts';
import { MAX_BUSY_QUESTION_BYTES, XML_TURN_MS } from '../limits/dav.ts';
import { parseParameters } from '../mime/headers.ts';
import { CalendarTimes } from '../mime/objects/calendar-times.ts';
import { makeLine, parseObject, writeComponent } from '../mime/objects/components.ts';
import { type Component, lineOf, textOf } from '../mime/objects/content-lines.ts';
import { freeBusyCalendar } from '../mime/objects/free-busy.ts';
import type { TimeRange } from '../mime/objects/instances.ts';
import { attendeesOf, organizerKey, personAddress, withoutScheduling } from '../mime/scheduling/lines.ts';
import { collectionKind } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { OWN_ROOM } from '../protocol/room-facts.ts';
import { serverOf } from '../room-server/driver.ts';
import type { BusyTimes } from '../room-server/server.ts';
import { now } from '../system/clock.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { answerPropfind, readFinitePropfind, readPropfind } from './describer.ts';
import { roomAtHref } from './href.ts';
import { memberResource } from './member-resource.ts';
import { propertiesResponse, sendMultistatus, XML_TYPE } from './multistatus.ts';
import { resourcesOf } from './propfind.ts';
import { answerChanged, checkUpdates, type PropertyUpdate, parseProppatch, type UpdateRefusal } from './proppatch.ts';
import { reportIn } from './report/report.ts';
import { deadProperties, type Need, propertyKey, type Resource, viewerOf } from './resource.ts';
import { openRoom, type RoomResource, unlessClosed } from './room-resource.ts';
import { childrenNamed, expandedName, paced, readXmlBody } from './xml-read.ts';
import { document, element, type Markup, unmet } from './xml-write.ts';

/** PROPFIND u/:user/inbox/ */
export async function propfindInbox(exchange: Exchange, app: App): Promise<void> {
  const caller = await ownerOfBox(exchange, app);
  const propfind = await readFinitePropfind(exchange);
  const viewer = await viewerOf(app, caller);
  if (!(await hasInbox(app, caller))) return answerPropfind(exchange, propfind, viewer, [box(exchange, app, 'inbox')]);
  const context = await openInbox(exchange, app);
  const inbox = await inboxResource(context, propfind.needs);
  if (propfind.depth === 0) return answerPropfind(exchange, propfind, viewer, [inbox]);
  const { members } = await listMembers(context, { isSizeWanted: propfind.needs.has('length') });
  return answerPropfind(
    exchange,
    propfind,
    viewer,
    [inbox],
    resourcesOf(members, inbox, { locked: (resource) => resource }),
  );
}

/** PROPPATCH u/:user/inbox/, with the calendar for new events (RFC 6638 section 9.2) */
export async function proppatchInbox(exchange: Exchange, app: App): Promise<void> {
  const caller = await ownerOfBox(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  const href = `${userPath(app, exchange.params.user!)}inbox/`;
  const isKept = await hasInbox(app, caller);
  const update = updates.find(({ name }) => propertyKey(name) === DEFAULT_CALENDAR);
  const decided = new Map<string, UpdateRefusal | undefined>();
  if (!isKept) for (const { name } of updates) decided.set(propertyKey(name), { status: 403 });
  const room = isKept && update ? await calendarOf(exchange, app, caller, update) : undefined;
  if (isKept && update) decided.set(DEFAULT_CALENDAR, room === undefined ? NO_CALENDAR : undefined);
  const { refused, changes } = await paced(checkUpdates(updates, box(exchange, app, 'inbox'), decided), exchange.gone);
  if (refused) return sendMultistatus(exchange, [[propertiesResponse(href, refused)]]);
  if (changes.length > 0) await changeKept(app, caller, 'inbox', changes);
  const { scheduling } = await serverOf(app.pool, caller.identity);
  if (room !== undefined) await scheduling.setDefaultCalendar(app.pool, caller.identity, room);
  return answerChanged(exchange, href, updates);
}

const DEFAULT_CALENDAR = propertyKey(expandedName('C:schedule-default-calendar-URL'));
const NO_CALENDAR: UpdateRefusal = { status: 403, error: element('C:valid-schedule-default-calendar-URL') };

/** The room that the update names, empty for the server's choice; undefined if it is not a calendar of the caller. */
async function calendarOf(
  exchange: Exchange,
  app: App,
  { identity }: Caller,
  { value }: PropertyUpdate,
): Promise<string | undefined> {
  const hrefs = value ? childrenNamed(value, 'D:href') : [];
  if (hrefs.length === 0) return '';
  const at = hrefs.length === 1 ? roomAtHref(exchange, app, hrefs[0]!.text.trim()) : undefined;
  if (!at || at.names.some((name) => name !== '')) return undefined;
  const found = await unlessClosed(app.pool.readInRoom(identity, { name: realName(at.room), password: '' }, []));
  const isCalendar = found && collectionKind(found.entered) === 'calendar' && isOwnCalendar(found.entered);
  return isCalendar ? found.entered.name : undefined;
}

/** PROPFIND u/:user/inbox/:name */
export async function propfindInboxMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await openInboxForMessage(exchange, app);
  const propfind = await readPropfind(exchange, 0);
  const member = await openMember(context, exchange.params.name!, propfind.needs.has('length'));
  const inbox = await inboxResource(context, new Set());
  const resource = memberResource(member, exchange.rawPath, inbox);
  return answerPropfind(exchange, propfind, await viewerOf(app, context.caller), [resource]);
}

/** REPORT u/:user/inbox/; throws not_found, bad_request. */
export async function reportInbox(exchange: Exchange, app: App): Promise<void> {
  const context = await openInbox(exchange, app);
  return reportIn(context, (needs) => inboxResource(context, needs));
}

/** PROPFIND u/:user/outbox/, which is always empty */
export async function propfindOutbox(exchange: Exchange, app: App): Promise<void> {
  const caller = await ownerOfBox(exchange, app);
  const propfind = await readFinitePropfind(exchange);
  const kept = propfind.needs.has('kept') ? await keptProperties(app, caller, 'outbox') : [];
  const outbox = { ...box(exchange, app, 'outbox'), dead: deadProperties(kept) };
  return answerPropfind(exchange, propfind, await viewerOf(app, caller), [outbox]);
}

/** An inbox or outbox without messages. */
function box(exchange: Exchange, app: App, kind: 'inbox' | 'outbox'): Resource {
  return {
    kind,
    href: `${userPath(app, exchange.params.user!)}${kind}/`,
    displayName: kind === 'inbox' ? 'Scheduling Inbox' : 'Scheduling Outbox',
    privileges: PRIVILEGE.read | (kind === 'inbox' ? PRIVILEGE.unbind : PRIVILEGE.bind),
    isOwn: true,
    defaultCalendar: roomPath(app, OWN_ROOM.calendar),
  };
}

async function inboxResource(context: RoomContext, needs: ReadonlySet<Need>): Promise<RoomResource> {
  const { app, caller, exchange } = context;
  const href = `${userPath(app, exchange.params.user!)}inbox/`;
  const { scheduling } = await serverOf(app.pool, caller.identity);
  const [room, kept, calendar] = await Promise.all([
    openRoom(context, href, needs.difference(NOT_OF_INBOX)),
    needs.has('kept') ? keptProperties(app, caller, 'inbox') : [],
    needs.has('defaultCalendar') ? scheduling.defaultCalendar(app.pool, caller.identity) : undefined,
  ]);
  const defaultCalendar = calendar === undefined ? undefined : roomPath(app, calendar);
  const dead = deadProperties(kept);
  return { ...room, kind: 'inbox', privileges: PRIVILEGE.read | PRIVILEGE.unbind, defaultCalendar, dead };
}

const NOT_OF_INBOX: ReadonlySet<Need> = new Set<Need>(['privileges', 'locks', 'dead']);

interface BusyQuestion {
  request: Component;
  range: TimeRange;
  attendees: readonly string[];
}

/** texts of status codes (RFC 5546 section 3.6, RFC 6638 section 3.2.9) */
const MEANINGS: Readonly<Record<string, string>> = {
  '2.0': 'Success',
  '3.7': 'Invalid calendar user',
  '3.8': 'No authority',
  '5.2': 'No way to ask',
};

/** POST u/:user/outbox/ → 200 with schedule-response. Throws forbidden, too_large. */
export async function postOutbox(exchange: Exchange, app: App): Promise<void> {
  const caller = await ownerOfBox(exchange, app);
  const type = exchange.header('content-type') ?? 'text/calendar';
  if (parseParameters(type).value !== 'text/calendar') throw unmet('C:supported-calendar-data', 'Send text/calendar.');
  const body = await readBody(exchange, MAX_BUSY_QUESTION_BYTES);
  if (!isUtf8(body)) throw unmet('C:valid-calendar-data', 'The body is not UTF-8.');
  const { request, range, attendees } = busyQuestion(body.toString('utf8'));
  const own = await ownAddressKeys({ app, caller });
  if (!own.has(organizerKey(request))) {
    throw unmet('C:valid-organizer', 'The ORGANIZER must be you.');
  }
  const asked = [...new Set(attendees)].filter(isFieldSafe);
  const { scheduling } = await serverOf(app.pool, caller.identity);
  const found = await scheduling.busyTimes(app.pool, caller.identity, range, asked);
  const responses = await requestTurns.map(found, XML_TURN_MS, (busy) => responseOf(request, range, busy));
  const text = document('C:schedule-response', ...responses);
  await send(exchange, 200, { type: XML_TYPE, body: text });
}

function busyQuestion(text: string): BusyQuestion {
  const { object, fault } = parseObject(text);
  if (object?.name !== 'VCALENDAR') {
    throw unmet('C:valid-calendar-data', `The body is not a calendar: ${fault ?? 'no VCALENDAR'}.`);
  }
  const [request, ...others] = object.components.filter(({ name }) => name !== 'VTIMEZONE');
  const isRequest = textOf(object, 'METHOD').toUpperCase() === 'REQUEST';
  const times = new CalendarTimes(object);
  const [start, end] = ['DTSTART', 'DTEND'].map((name) => times.momentOf(request && lineOf(request, name))?.instant);
  const attendees = request ? attendeesOf(request).map(personAddress) : [];
  const isBusy = request?.name === 'VFREEBUSY' && others.length === 0 && isRequest && attendees.length > 0;
  if (!request || !isBusy || start === undefined || end === undefined || end <= start) {
    throw unmet(
      'C:valid-scheduling-message',
      'Send one VFREEBUSY with METHOD:REQUEST, attendees, DTSTART and a later DTEND.',
    );
  }
  if (end - start > MAX_BUSY_SECONDS || attendees.length > MAX_BUSY_USERS) {
    throw unmet('C:valid-scheduling-message', 'The time is too long, or there are too many attendees.');
  }
  return { request, range: { start, end }, attendees };
}

function responseOf(request: Component, range: TimeRange, { address, status, periods }: BusyTimes): Markup {
  const content = [
    element('C:recipient', element('D:href', address)),
    element('C:request-status', `${status};${MEANINGS[status] ?? 'Not delivered'}`),
  ];
  if (status === '2.0')
    content.push(element('C:calendar-data', writeComponent(answerOf(request, range, address, periods))));
  return element('C:response', ...content);
}

function answerOf(request: Component, range: TimeRange, address: string, periods: BusyTimes['periods']): Component {
  const calendar = freeBusyCalendar(periods, range, now());
  const [component] = calendar.components;
  // one line of each, as every reply has them (RFC 5546 section 3.3.3)
  const lines = [
    lineOf(request, 'UID'),
    lineOf(request, 'ORGANIZER'),
    attendeesOf(request).find((line) => personAddress(line) === address),
  ];
  const people = lines.filter((line) => line !== undefined).map(withoutScheduling);
  return {
    ...calendar,
    lines: [...calendar.lines, makeLine('METHOD', 'REPLY')],
    components: [{ ...component!, lines: [...people, ...component!.lines] }],
  };
}
