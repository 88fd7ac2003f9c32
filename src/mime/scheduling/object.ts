// A calendar object as scheduling sees it: one event or task with its overrides, who organises it, and whose copy it is
// (RFC 6638 section 3.1, RFC 5546 section 2.1).

import { MAX_MESSAGE_CHARACTERS, MAX_MESSAGE_LINES } from '../../limits/mime.ts';
import { CalendarTimes } from '../objects/calendar-times.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf } from '../objects/content-lines.ts';
import { instancesIn } from '../objects/instances.ts';
import { parseRule } from '../objects/recurrence-rule.ts';
import { isRecurring } from '../objects/recurrence-set.ts';
import { attendeeLine, lineKey, organizerKey } from './lines.ts';

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

export class Amount {
  #lines = 0;
  #characters = 0;

  /** Counts this component and what is in it; false: that is too much by now. */
  holds({ lines, components }: Component): boolean {
    this.#lines += lines.length;
    for (const { text } of lines) this.#characters += text.length;
    const isFine = this.#lines <= MAX_MESSAGE_LINES && this.#characters <= MAX_MESSAGE_CHARACTERS;
    return isFine && components.every((inner) => this.holds(inner));
  }
}

/** of each user's own, or of the moment: no message tells of them */
const OWN = new Set(['DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'SEQUENCE', 'TRANSP', 'REQUEST-STATUS']);

/** Equal for components that say the same to all who are invited; alarms and answers do not count. */
export function contentKey(component: Component, times: CalendarTimes): string {
  return component.lines
    .filter(({ name }) => !OWN.has(name) && !name.startsWith('X-'))
    .map((line) => lineKey(line, times))
    .sort()
    .join('\n');
}

/**
 * Whether instances are at another time than before, or there are more of them: who had answered has to do so again.
 * An override that is new is compared with the instance that it replaces.
 */
export function isRescheduled(before: SchedulingObject, after: SchedulingObject, id: InstanceId): boolean {
  const now = after.parts.get(id);
  const old = before.parts.get(id);
  const series = before.parts.get(undefined);
  if (!now) return false;
  if (old) return when(now, after.times) !== when(old, before.times) || hasMoreInstances(old, now, before, after);
  if (!series || id === undefined) return true;
  const span = lengthIn(series, before.times);
  return after.times.momentOf(lineOf(now, 'DTSTART'))?.instant !== id || lengthIn(now, after.times) !== span;
}

/** Start and end as instants. */
function when(component: Component, times: CalendarTimes): string {
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  return `${start?.instant}${start?.isDay ? 'd' : ''}/${lengthIn(component, times)}`;
}

/** asked of a series for each of its overrides */
const lengths = new WeakMap<Component, { seconds: number | undefined }>();

/** Seconds; without DTSTART the instant when it is due. */
export function lengthIn(component: Component, times: CalendarTimes): number | undefined {
  const known = lengths.get(component);
  if (known) return known.seconds;
  const single = { ...component, lines: component.lines.filter(({ name }) => name !== 'RRULE' && name !== 'RDATE') };
  const [instance] = instancesIn({ masters: [single], overrides: [] }, times, EVER, { steps: 2 });
  const seconds = instance?.end === undefined ? undefined : instance.end - (instance.start?.instant ?? 0);
  lengths.set(component, { seconds });
  return seconds;
}

const EVER = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

function hasMoreInstances(old: Component, now: Component, before: SchedulingObject, after: SchedulingObject): boolean {
  if (!isRecurring(old) && !isRecurring(now)) return false;
  const rules = (one: Component) => one.lines.filter(({ name }) => name === 'RRULE').map(({ value }) => value);
  const [oldRules, newRules] = [rules(old), rules(now)];
  const isSameRule = newRules.every((rule, i) => isNoLonger(rule, oldRules[i]));
  if (!isSameRule) return true;
  const added = datesOf(now, 'RDATE', after.times).difference(datesOf(old, 'RDATE', before.times));
  const restored = datesOf(old, 'EXDATE', before.times).difference(datesOf(now, 'EXDATE', after.times));
  return added.size > 0 || restored.size > 0;
}

/** The same rule, or one that only ends earlier. */
function isNoLonger(rule: string, old: string | undefined): boolean {
  if (old === undefined) return false;
  const parts = (text: string) =>
    text
      .toUpperCase()
      .split(';')
      .filter((part) => !/^(COUNT|UNTIL)=/.test(part.trim()))
      .sort()
      .join(';');
  if (parts(rule) !== parts(old)) return false;
  const [now, then] = [parseRule(rule), parseRule(old)];
  if (!now || !then) return rule === old;
  const isUntilNoLater =
    then.until === undefined || (now.until !== undefined && now.until.seconds <= then.until.seconds);
  const isCountNoHigher = then.count === undefined || (now.count !== undefined && now.count <= then.count);
  return isUntilNoLater && isCountNoHigher;
}

/** The instants that all lines of that name give. */
export function datesOf(component: Component, name: string, times: CalendarTimes): Set<number> {
  const found = new Set<number>();
  for (const line of component.lines) {
    if (line.name !== name) continue;
    for (const { instant } of times.momentsOf(line)) found.add(instant);
  }
  return found;
}
