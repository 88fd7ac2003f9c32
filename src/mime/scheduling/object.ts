// A calendar object as scheduling sees it: one event or task with its overrides, who organises it, and whose copy it is
// (RFC 6638 section 3.1, RFC 5546 section 2.1).

import { CalendarTimes } from '../objects/calendar-times.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf } from '../objects/content-lines.ts';
import { attendeeLine, organizerKey } from './lines.ts';

const KINDS: ReadonlySet<string> = new Set(['VEVENT', 'VTODO']);

/** What a message says of an instance: the master has the id undefined, an override the instant of RECURRENCE-ID. */
export type InstanceId = number | undefined;

export interface SchedulingObject {
  calendar: Component;
  uid: string;
  times: CalendarTimes;
  /** the component of each id, in the order of the calendar */
  parts: ReadonlyMap<InstanceId, Component>;
  /** the key of the organizer's address; empty where nobody organises it */
  organizer: string;
}

/** Names of elements in the namespace of CalDAV (RFC 6638 section 3.2.4). */
export type SchedulingPrecondition =
  | 'same-organizer-in-all-components'
  | 'allowed-organizer-scheduling-object-change'
  | 'allowed-attendee-scheduling-object-change'
  | 'max-attendees-per-instance';

/** A scheduling message that is to be sent. */
export interface SchedulingMessage {
  method: 'REQUEST' | 'CANCEL' | 'REPLY';
  /** as written in the object: `mailto:bob@example.com` */
  recipients: string[];
  /** with METHOD */
  calendar: Component;
}

/** undefined for what is no event and no task, or has several of one id. */
export function schedulingObject(calendar: Component): SchedulingObject | undefined {
  const times = new CalendarTimes(calendar);
  const parts = new Map<InstanceId, Component>();
  let uid = '';
  let organizer = '';
  for (const component of calendar.components) {
    if (!KINDS.has(component.name)) continue;
    const idLine = lineOf(component, 'RECURRENCE-ID');
    const id = times.momentOf(idLine)?.instant;
    if (parts.has(id) || (idLine && id === undefined)) return undefined;
    parts.set(id, component);
    uid ||= lineOf(component, 'UID')?.value.trim() ?? '';
    organizer ||= organizerKey(component);
  }
  return parts.size === 0 ? undefined : { calendar, uid, times, parts, organizer };
}

/** Whether all components name one organizer, where they name any (RFC 6638 section 3.2.4.2). */
export function hasOneOrganizer({ parts, organizer }: SchedulingObject): boolean {
  return [...parts.values()].every((component) => [organizer, ''].includes(organizerKey(component)));
}

/** Whose copy it is for the user with these address keys: none of the two where it is nothing to schedule. */
export function roleIn(
  { parts, organizer }: SchedulingObject,
  own: ReadonlySet<string>,
): 'organizer' | 'attendee' | undefined {
  if (organizer === '') return undefined;
  if (own.has(organizer)) return 'organizer';
  return [...parts.values()].some((component) => attendeeLine(component, own)) ? 'attendee' : undefined;
}

/** The calendar with these components in the place of its events and tasks; time zones and what else it has stay. */
export function withParts(calendar: Component, parts: Iterable<Component>): Component {
  return { ...calendar, components: [...calendar.components.filter(({ name }) => !KINDS.has(name)), ...parts] };
}

/** The calendar of a message: with METHOD, the time zones of `calendar`, and these components. */
export function messageCalendar(calendar: Component, method: string, parts: Iterable<Component>): Component {
  return {
    name: 'VCALENDAR',
    lines: [
      makeLine('VERSION', '2.0'),
      makeLine('PRODID', '-//Vestibule//Scheduling//EN'),
      makeLine('METHOD', method),
      ...calendar.lines.filter(({ name }) => name === 'CALSCALE'),
    ],
    components: [...calendar.components.filter(({ name }) => name === 'VTIMEZONE'), ...parts],
  };
}

/** An EXDATE for the instance that an override replaces, in the same zone and form as its RECURRENCE-ID. */
export function exceptionLine(idLine: ContentLine): ContentLine {
  const params: Record<string, string> = {};
  for (const name of ['VALUE', 'TZID']) {
    const value = idLine.params.get(name);
    if (value !== undefined) params[name] = value;
  }
  return makeLine('EXDATE', idLine.value.trim(), params);
}

/** Every line of every component of that kind, changed. */
export function mapLines(object: SchedulingObject, change: (line: ContentLine) => ContentLine): Component {
  const parts = [...object.parts.values()].map((part) => ({ ...part, lines: part.lines.map(change) }));
  return withParts(object.calendar, parts);
}
