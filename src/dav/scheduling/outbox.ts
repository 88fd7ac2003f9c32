// POST on the scheduling outbox: when are these people busy (RFC 6638 section 5, RFC 5546 section 3.3.2)? Anything else
// that is posted there is refused: invitations go out with the events that they are for.

import { isUtf8 } from 'node:buffer';
import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { ownerOfBox } from '../../gateway/scheduling/boxes.ts';
import { ownAddressKeys } from '../../gateway/scheduling/own-calendar.ts';
import { readBody } from '../../http/body.ts';
import type { Exchange } from '../../http/exchange.ts';
import { send } from '../../http/respond.ts';
import { MAX_BUSY_SECONDS, MAX_BUSY_USERS } from '../../limits/backend.ts';
import { MAX_BUSY_QUESTION_BYTES } from '../../limits/dav.ts';
import { parseParameters } from '../../mime/headers.ts';
import { CalendarTimes } from '../../mime/objects/calendar-times.ts';
import { makeLine, parseObject, writeComponent } from '../../mime/objects/components.ts';
import { type Component, lineOf, textOf } from '../../mime/objects/content-lines.ts';
import { freeBusyCalendar } from '../../mime/objects/free-busy.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import { addressKey, attendeesOf, withoutScheduling } from '../../mime/scheduling/lines.ts';
import { isFieldSafe } from '../../protocol/fields.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { BusyTimes } from '../../room-server/server.ts';
import { now } from '../../system/clock.ts';
import { mapInSteps } from '../../system/steps.ts';
import { XML_TYPE } from '../multistatus.ts';
import { paced } from '../propfind-body.ts';
import { CALDAV_NAMESPACE, document, element, type Markup } from '../xml-write.ts';

interface BusyQuestion {
  request: Component;
  range: TimeRange;
  attendees: readonly string[];
}

/** what a code means, in words (RFC 5546 section 3.6, RFC 6638 section 3.2.9) */
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
  if (parseParameters(type).value !== 'text/calendar') throw refusal('supported-calendar-data', 'Send text/calendar.');
  const body = await readBody(exchange, MAX_BUSY_QUESTION_BYTES);
  if (!isUtf8(body)) throw refusal('valid-calendar-data', 'This is no UTF-8.');
  const { request, range, attendees } = busyQuestion(body.toString('utf8'));
  const own = await ownAddressKeys({ app, caller });
  if (!own.has(addressKey(lineOf(request, 'ORGANIZER')?.value ?? ''))) {
    throw refusal('valid-organizer', 'Only for oneself can one ask.');
  }
  const asked = [...new Set(attendees)].filter(isFieldSafe);
  const { scheduling } = await serverOf(app.pool, caller.identity);
  const found = await scheduling.busyTimes(app.pool, caller.identity, range, asked);
  const written = mapInSteps(found, (busy) => responseOf(request, range, busy));
  const responses = await paced(written, exchange.gone);
  const text = document('C:schedule-response', ...responses);
  await send(exchange, 200, { type: XML_TYPE, body: text });
}

function busyQuestion(text: string): BusyQuestion {
  const { object, fault } = parseObject(text);
  if (object?.name !== 'VCALENDAR') {
    throw refusal('valid-calendar-data', `This is no calendar: ${fault ?? 'no VCALENDAR'}.`);
  }
  const [request, ...others] = object.components.filter(({ name }) => name !== 'VTIMEZONE');
  const isRequest = textOf(object, 'METHOD').toUpperCase() === 'REQUEST';
  const times = new CalendarTimes(object);
  const [start, end] = ['DTSTART', 'DTEND'].map((name) => times.momentOf(request && lineOf(request, name))?.instant);
  const attendees = request ? attendeesOf(request).map(({ value }) => value.trim()) : [];
  const isBusy = request?.name === 'VFREEBUSY' && others.length === 0 && isRequest && attendees.length > 0;
  if (!request || !isBusy || start === undefined || end === undefined || end <= start) {
    throw refusal('valid-scheduling-message', 'Only busy times can be asked for here.');
  }
  if (end - start > MAX_BUSY_SECONDS || attendees.length > MAX_BUSY_USERS) {
    throw refusal('valid-scheduling-message', 'That is too long a time, or too many people.');
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
  // one line of each, for every answer has them (RFC 5546 section 3.3.3)
  const lines = [
    lineOf(request, 'UID'),
    lineOf(request, 'ORGANIZER'),
    attendeesOf(request).find(({ value }) => value.trim() === address),
  ];
  const people = lines.filter((line) => line !== undefined).map(withoutScheduling);
  return {
    ...calendar,
    lines: [...calendar.lines, makeLine('METHOD', 'REPLY')],
    components: [{ ...component!, lines: [...people, ...component!.lines] }],
  };
}

/** RFC 4918 section 16: asked again it would fail again */
function refusal(name: string, message: string): AppError {
  return new AppError('forbidden', message, { condition: { namespace: CALDAV_NAMESPACE, name, hrefs: [] } });
}
