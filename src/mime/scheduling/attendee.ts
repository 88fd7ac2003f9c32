// An attendee's change of their copy of an event or task: what of it is stored, the reply to the organizer if the answer
// changed, and the changes that are forbidden (RFC 6638 sections 3.2.2 and 3.2.10.1, RFC 5546 section 3.2.3).

import { utcText } from '../objects/calendar-time.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf, zoneId } from '../objects/content-lines.ts';
import {
  attendeeLine,
  isCancelled,
  isServerScheduled,
  lineKey,
  NEEDS_ACTION,
  partstatOf,
  personAddress,
  personKey,
  withoutScheduling,
  withParameter,
} from './lines.ts';
import { datesOf, idLineAt, isAtSameTime, overrideAt } from './meaning.ts';
import {
  Amount,
  exceptionLine,
  type InstanceId,
  messageCalendar,
  type SchedulingMessage,
  type SchedulingObject,
  withParts,
} from './object.ts';
import type { Scheduled } from './organizer.ts';

const DECLINED = 'DECLINED';

/** Properties of the attendee's own, and those that programs rewrite on every save (RFC 6638 section 3.2.2.1). */
const OWN = new Set([
  'TRANSP',
  'PERCENT-COMPLETE',
  'COMPLETED',
  'CREATED',
  'LAST-MODIFIED',
  'CATEGORIES',
  'CLASS',
  'COMMENT',
  'REQUEST-STATUS',
]);
/** properties in which an override differs from its series */
const OF_INSTANCE = new Set(['DTSTART', 'DTEND', 'DUE', 'DURATION', 'RECURRENCE-ID', 'RRULE', 'RDATE']);

/**
 * `before`: the stored copy, undefined if new. `after`: the new copy, undefined if removed. `own`: the address keys of
 * the user. `isReplyWanted`: false if the client asks for no reply (RFC 6638 section 8.1). `now`: Unix seconds.
 */
export function scheduleAsAttendee(
  before: SchedulingObject | undefined,
  after: SchedulingObject | undefined,
  own: ReadonlySet<string>,
  now: number,
  isReplyWanted = true,
): Scheduled {
  const [known, given] = [before, after].map((object) => object && organizerLine(object));
  const organizer = known ?? given;
  const isServed = isServerScheduled(known) && isServerScheduled(given);
  const merged = before && after && isServed ? mergedCopy(before, after, own) : undefined;
  if (before && after && isServed && !merged) return FORBIDDEN;
  const stored = merged?.calendar ?? after?.calendar;
  const isForced = given?.params.get('SCHEDULE-FORCE-SEND')?.toUpperCase() === 'REPLY';
  if (!isServed || !organizer || !(isReplyWanted || isForced)) return { calendar: stored, messages: [] };
  const parts = merged?.parts ?? after?.parts;
  const answers = parts
    ? [...answersIn(before, parts, own, isForced), ...(merged?.declined ?? [])]
    : farewell(before!.parts.values(), own);
  const replies = new Replies(organizer, now);
  const amount = new Amount();
  const replied: Component[] = [];
  for (const answer of answers) {
    const part = replies.to(answer);
    if (!amount.holds(part)) return FORBIDDEN;
    replied.push(part);
  }
  const messages: SchedulingMessage[] =
    replied.length === 0
      ? []
      : [
          {
            method: 'REPLY',
            recipients: [personAddress(organizer)],
            calendar: messageCalendar(stored ?? before!.calendar, 'REPLY', replied),
          },
        ];
  return { calendar: stored, messages };
}

const FORBIDDEN: Scheduled = { fault: 'allowed-attendee-scheduling-object-change' };

function organizerLine({ parts }: SchedulingObject): ContentLine | undefined {
  for (const part of parts.values()) {
    const line = lineOf(part, 'ORGANIZER');
    if (line) return line;
  }
  return undefined;
}

interface Answer {
  part: Component;
  /** the attendee's ATTENDEE line */
  line: ContentLine;
  /** RECURRENCE-ID of an instance without a component */
  id?: ContentLine | undefined;
}

function* answersIn(
  before: SchedulingObject | undefined,
  parts: ReadonlyMap<InstanceId, Component>,
  own: ReadonlySet<string>,
  isForced: boolean,
): Generator<Answer> {
  const first = before?.parts.get(undefined);
  const ofSeries = first && attendeeLine(first, own);
  for (const [id, part] of parts) {
    const line = attendeeLine(part, own);
    if (!line) continue;
    const override = before?.parts.get(id);
    const old = override ? attendeeLine(override, own) : ofSeries;
    const was = old ? partstatOf(old) : NEEDS_ACTION;
    if (isForced || partstatOf(line) !== was) yield { part, line };
  }
}

/** Removing an event or an instance declines it, unless it is cancelled or already declined. */
function* farewell(parts: Iterable<Component>, own: ReadonlySet<string>): Generator<Answer> {
  for (const part of parts) {
    const line = attendeeLine(part, own);
    if (!line || partstatOf(line) === DECLINED || isCancelled(part)) continue;
    yield { part, line: withParameter(line, 'PARTSTAT', DECLINED) };
  }
}

/** properties of a reply: for readers, and to identify the instance (RFC 5546 section 3.2.3) */
const REPLIED = new Set(['UID', 'SEQUENCE', 'SUMMARY', 'DTSTART', 'DTEND', 'DUE', 'DURATION', 'COMMENT']);

/** Builds the components of a reply. Reads a series once, however many of its instances are answered. */
class Replies {
  readonly #stamp: ContentLine;
  readonly #organizer: ContentLine;
  readonly #cache = new Map<Component, ReturnType<typeof repliedLines>>();

  constructor(organizer: ContentLine, now: number) {
    this.#stamp = makeLine('DTSTAMP', utcText(now));
    this.#organizer = withoutScheduling(organizer);
  }

  to({ part, line, id }: Answer): Component {
    const { id: ownId, shared, progress } = this.#cache.getOrInsertComputed(part, () => repliedLines(part));
    const lines = [this.#stamp, ...(id && !ownId ? shared.filter(({ name }) => !OF_INSTANCE.has(name)) : shared)];
    const idLine = id ?? ownId;
    if (idLine) lines.push(idLine);
    lines.push(this.#organizer, withoutScheduling(line), SUCCESS, ...progress);
    return { name: part.name, lines, components: [] };
  }
}

const SUCCESS = makeLine('REQUEST-STATUS', '2.0;Success');

function repliedLines(part: Component) {
  const shared = part.lines.filter(({ name }) => REPLIED.has(name));
  if (!shared.some(({ name }) => name === 'SEQUENCE')) shared.push(makeLine('SEQUENCE', '0'));
  const progress = part.lines.filter(({ name }) => name === 'PERCENT-COMPLETE' || name === 'COMPLETED');
  return { id: lineOf(part, 'RECURRENCE-ID'), shared, progress: part.name === 'VTODO' ? progress : [] };
}

interface MergedCopy {
  calendar: Component;
  parts: ReadonlyMap<InstanceId, Component>;
  /** for the instances that the attendee has removed */
  declined: Answer[];
}

/**
 * The attendee's new version of their copy: what is the attendee's own is taken from it, the rest stays as the organizer
 * wrote it. undefined: the attendee moved something or left the event, or it is too large.
 */
function mergedCopy(
  before: SchedulingObject,
  after: SchedulingObject,
  own: ReadonlySet<string>,
): MergedCopy | undefined {
  const given = partsById(before, after);
  if (after.uid !== before.uid || ![...given.values()].some((part) => attendeeLine(part, own))) return undefined;
  const series = before.parts.get(undefined);
  const whole = given.get(undefined);
  const removed = new Set<number>();
  if (series && whole) {
    const known = datesOf(series, 'EXDATE', before.times);
    for (const id of datesOf(whole, 'EXDATE', after.times)) if (!known.has(id)) removed.add(id);
  }
  const parts = new Map<InstanceId, Component>();
  const amount = new Amount();
  for (const id of new Set([...given.keys(), ...before.parts.keys()])) {
    const part = given.get(id);
    const old = before.parts.get(id) ?? (id === undefined ? undefined : overrideAt(before, id));
    if (!old || (part && part.name !== old.name)) return undefined;
    // some programs cancel an instance instead of excluding it
    const isOut = part ? isCancelled(part) && !isCancelled(old) : !series;
    if (id !== undefined && isOut) removed.add(id);
    if (id !== undefined && removed.has(id)) continue;
    if (part && !isAtSameTime(part, after, old, before)) return undefined;
    const made = part ? mergedPart(old, before, part, after, own) : old;
    if (!amount.holds(made)) return undefined;
    parts.set(id, made);
  }
  const declined: Answer[] = [];
  const excluded: ContentLine[] = [];
  const ofSeries = series ? [...farewell([series], own)] : [];
  for (const id of removed) {
    const override = before.parts.get(id);
    const idLine = override ? lineOf(override, 'RECURRENCE-ID') : idLineAt(before, id);
    const answers = override ? farewell([override], own) : ofSeries;
    for (const answer of answers) declined.push({ ...answer, id: idLine });
    if (idLine) excluded.push(exceptionLine(idLine));
  }
  const stored = parts.get(undefined);
  if (stored && excluded.length > 0) parts.set(undefined, { ...stored, lines: [...stored.lines, ...excluded] });
  if (parts.size === 0) return undefined;
  return { calendar: calendarWith(parts, before.calendar, after.calendar), parts, declined };
}

/** Some programs write the only instance that they know as an event of its own. */
function partsById(before: SchedulingObject, after: SchedulingObject): ReadonlyMap<InstanceId, Component> {
  const single = before.parts.has(undefined) ? undefined : after.parts.get(undefined);
  if (!single) return after.parts;
  const start = (part: Component, { times }: SchedulingObject) => times.momentOf(lineOf(part, 'DTSTART'))?.instant;
  const at = start(single, after);
  const id = [...before.parts.keys()].find((id) => start(before.parts.get(id)!, before) === at);
  return new Map([...after.parts].map(([each, part]) => [each ?? id, part]));
}

/** What is the attendee's own of `part`, and of `old` the rest, in the order of `part`. */
function mergedPart(
  old: Component,
  before: SchedulingObject,
  part: Component,
  after: SchedulingObject,
  own: ReadonlySet<string>,
): Component {
  const isOwn = ({ name }: ContentLine) =>
    // the status of a task is the assignee's answer
    OWN.has(name) || name.startsWith('X-') || (name === 'STATUS' && part.name === 'VTODO');
  const names = new Map<string, number>();
  for (const { name } of old.lines) names.set(name, (names.get(name) ?? 0) + 1);
  const keyOf = (line: ContentLine, { times }: SchedulingObject) => {
    if (line.name === 'ATTENDEE') return `ATTENDEE:${own.has(personKey(line)) ? '' : personKey(line)}`;
    return names.get(line.name) === 1 ? line.name : lineKey(line, times);
  };
  const left = new Map<string, ContentLine[]>();
  for (const line of old.lines) if (!isOwn(line)) left.getOrInsertComputed(keyOf(line, before), () => []).push(line);
  const lines: ContentLine[] = [];
  for (const line of part.lines) {
    const known = isOwn(line) ? line : left.get(keyOf(line, after))?.shift();
    if (known) lines.push(line.name === 'ATTENDEE' && own.has(personKey(line)) ? withAnswer(known, line) : known);
  }
  for (const rest of left.values()) lines.push(...rest);
  const isAlarm = ({ name }: Component) => name === 'VALARM';
  return {
    ...old,
    lines,
    components: [...old.components.filter((one) => !isAlarm(one)), ...part.components.filter(isAlarm)],
  };
}

/** parameters that attendees add to their lines */
const ADDED = new Set(['RSVP', 'SENT-BY', 'DELEGATED-TO']);

function withAnswer(line: ContentLine, given: ContentLine): ContentLine {
  let answered = line;
  if (partstatOf(line) !== partstatOf(given)) answered = withParameter(answered, 'PARTSTAT', partstatOf(given));
  if (!given.params.has('RSVP')) answered = withParameter(answered, 'RSVP', undefined);
  for (const [name, value] of given.params) {
    const isAdded = !line.params.has(name) && (ADDED.has(name) || name.startsWith('X-'));
    if (isAdded) answered = withParameter(answered, name, value);
  }
  return answered;
}

/** The time zones of the organizer's version, and those of the new one that it lacks and the parts name. */
function calendarWith(parts: ReadonlyMap<InstanceId, Component>, before: Component, after: Component): Component {
  const named = new Set<string>();
  for (const { lines } of parts.values()) {
    for (const { params } of lines) if (params.has('TZID')) named.add(zoneId(params.get('TZID')!));
  }
  const nameOf = (zone: Component) => zoneId(lineOf(zone, 'TZID')?.value ?? '');
  const others = before.components.filter(({ name }) => name !== 'VEVENT' && name !== 'VTODO');
  for (const zone of others) if (zone.name === 'VTIMEZONE') named.delete(nameOf(zone));
  const added = after.components.filter((one) => one.name === 'VTIMEZONE' && named.has(nameOf(one)));
  const lines = after.lines.filter(({ name }) => name !== 'METHOD');
  return withParts({ ...after, lines, components: [...others, ...added] }, parts.values());
}
