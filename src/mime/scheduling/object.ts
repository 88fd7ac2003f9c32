// A calendar object for scheduling: one event or task with its overrides, its organizer, and the user's role
// (RFC 6638 section 3.1, RFC 5546 section 2.1).

import { MAX_MESSAGE_CHARACTERS, MAX_MESSAGE_LINES } from '../../limits/mime.ts';
import { CalendarTimes } from '../objects/calendar-times.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf } from '../objects/content-lines.ts';
import { recurrenceIdOf, seriesStart } from '../objects/instances.ts';
import { attendeeLine, organizerKey } from './lines.ts';

const KINDS: ReadonlySet<string> = new Set(['VEVENT', 'VTODO']);

/** Identifies an instance: undefined for the master, for an override the instant of its RECURRENCE-ID. */
export type InstanceId = number | undefined;

export interface SchedulingObject {
  calendar: Component;
  uid: string;
  times: CalendarTimes;
  /** by id, in the order of the calendar */
  parts: ReadonlyMap<InstanceId, Component>;
  /** the organizer's address key; '' if there is none */
  organizer: string;
}

/** element names in the CalDAV namespace (RFC 6638 section 3.2.4) */
export type SchedulingPrecondition =
  | 'same-organizer-in-all-components'
  | 'allowed-organizer-scheduling-object-change'
  | 'allowed-attendee-scheduling-object-change'
  | 'max-attendees-per-instance';

/** a scheduling message to be sent */
export interface SchedulingMessage {
  method: 'REQUEST' | 'CANCEL' | 'REPLY';
  /** as written in the object: `mailto:bob@example.com` */
  recipients: string[];
  /** with METHOD */
  calendar: Component;
}

/**
 * undefined: no event or task, or two components with one id. `known`: the object of the other version, whose series
 * decides what is meant if this one has none.
 */
export function schedulingObject(calendar: Component, known?: SchedulingObject): SchedulingObject | undefined {
  const times = new CalendarTimes(calendar);
  const parts = new Map<InstanceId, Component>();
  const masters = calendar.components.filter((one) => KINDS.has(one.name) && !lineOf(one, 'RECURRENCE-ID'));
  const series = known?.parts.get(undefined);
  const begin = seriesStart(masters, times) ?? (series && known && seriesStart([series], known.times));
  let uid = '';
  let organizer = '';
  for (const component of calendar.components) {
    if (!KINDS.has(component.name)) continue;
    const idLine = lineOf(component, 'RECURRENCE-ID');
    const id = recurrenceIdOf(component, begin, times)?.instant;
    if (parts.has(id) || (idLine && id === undefined)) return undefined;
    parts.set(id, component);
    uid ||= lineOf(component, 'UID')?.value.trim() ?? '';
    organizer ||= organizerKey(component);
  }
  return parts.size === 0 ? undefined : { calendar, uid, times, parts, organizer };
}

/** Whether all components agree on the organizer (RFC 6638 section 3.2.4.2). */
export function hasOneOrganizer({ parts, organizer }: SchedulingObject): boolean {
  return [...parts.values()].every((component) => [organizer, ''].includes(organizerKey(component)));
}

/**
 * Whether the calendar is one message about the object with this UID: besides time zones only events, or only tasks,
 * all with this UID and one organizer, without alarms (RFC 5546 section 3.2).
 */
export function isMessageAbout(object: SchedulingObject, uid: string): boolean {
  const parts = [...object.parts.values()];
  const { components, lines } = object.calendar;
  return (
    hasOneOrganizer(object) &&
    lines.filter(({ name }) => name === 'METHOD').length === 1 &&
    components.every(({ name }) => name === 'VTIMEZONE' || name === parts[0]!.name) &&
    parts.every((part) => part.components.length === 0 && lineOf(part, 'UID')?.value.trim() === uid)
  );
}

/** The role of the user with these address keys; undefined if there is nothing to schedule. */
export function roleIn(
  { parts, organizer }: SchedulingObject,
  own: ReadonlySet<string>,
): 'organizer' | 'attendee' | undefined {
  if (organizer === '') return undefined;
  if (own.has(organizer)) return 'organizer';
  return [...parts.values()].some((component) => attendeeLine(component, own)) ? 'attendee' : undefined;
}

/** Replaces events and tasks; keeps time zones and the rest. */
export function withParts(calendar: Component, parts: Iterable<Component>): Component {
  return { ...calendar, components: [...calendar.components.filter(({ name }) => !KINDS.has(name)), ...parts] };
}

/** The calendar of a message: METHOD, the time zones of `calendar`, and these components. */
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

/** An EXDATE for the instance that an override replaces, in the form of its RECURRENCE-ID. */
export function exceptionLine(idLine: ContentLine): ContentLine {
  const params: Record<string, string> = {};
  for (const name of ['VALUE', 'TZID']) {
    const value = idLine.params.get(name);
    if (value !== undefined) params[name] = value;
  }
  return makeLine('EXDATE', idLine.value.trim(), params);
}

/** Maps every line of every event and task. */
export function mapLines(object: SchedulingObject, change: (line: ContentLine) => ContentLine): Component {
  const parts = [...object.parts.values()].map((part) => ({ ...part, lines: part.lines.map(change) }));
  return withParts(object.calendar, parts);
}

/**
 * Limits the size of what one change produces: a line of a series is copied into each instance, and an event into a
 * message for each group of attendees. Counts while producing, so that too much is never built.
 */
export class Amount {
  #lines = 0;
  #characters = 0;

  /** Adds a component. False: the total exceeds the limit. */
  holds({ lines, components }: Component): boolean {
    this.#lines += lines.length;
    for (const { text } of lines) this.#characters += text.length;
    const isFine = this.#lines <= MAX_MESSAGE_LINES && this.#characters <= MAX_MESSAGE_CHARACTERS;
    return isFine && components.every((inner) => this.holds(inner));
  }
}

/** Whether a text can be a scheduling object: a quick check. */
export function mayBeScheduled(text: string): boolean {
  return /^ORGANIZER[;:]/im.test(text);
}
