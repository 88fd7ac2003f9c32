// An attendee's change of their copy of an event or task: the reply to the organizer if the answer changed, and the
// changes that are forbidden (RFC 6638 sections 3.2.2 and 3.2.10.1, RFC 5546 section 3.2.3).

import { utcText } from '../objects/calendar-time.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf, textOf } from '../objects/content-lines.ts';
import {
  addressKey,
  attendeeLine,
  attendeesOf,
  isServerScheduled,
  lineKey,
  NEEDS_ACTION,
  partstatOf,
  scheduleStatusOf,
  withLine,
  withoutScheduling,
  withParameter,
} from './lines.ts';
import {
  Amount,
  datesOf,
  type InstanceId,
  lengthIn,
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
  'DTSTAMP',
  'LAST-MODIFIED',
  'SEQUENCE',
  'EXDATE',
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
  const organizer = organizerLine(after ?? before!);
  const isServed = isServerScheduled(organizer) && isServerScheduled(before && organizerLine(before));
  if (before && after && isServed && !isAllowed(before, after, own)) return FORBIDDEN;
  const stored = after && before ? withOthers(before, after, own) : after?.calendar;
  if (after && !stored) return FORBIDDEN;
  const isForced = organizer?.params.get('SCHEDULE-FORCE-SEND')?.toUpperCase() === 'REPLY';
  if (!isServed || !organizer || !(isReplyWanted || isForced)) return { calendar: stored, messages: [] };
  const answers = after ? answersIn(before, after, own, isForced) : farewell(before!, own);
  const from = (after ?? before)!.calendar;
  const replies = new Replies(organizer, now);
  const amount = new Amount();
  const parts: Component[] = [];
  for (const answer of answers) {
    const part = replies.to(answer);
    if (!amount.holds(part)) return FORBIDDEN;
    parts.push(part);
  }
  const messages: SchedulingMessage[] =
    parts.length === 0
      ? []
      : [{ method: 'REPLY', recipients: [organizer.value.trim()], calendar: messageCalendar(from, 'REPLY', parts) }];
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
  id?: ContentLine;
}

function* answersIn(
  before: SchedulingObject | undefined,
  after: SchedulingObject,
  own: ReadonlySet<string>,
  isForced: boolean,
): Generator<Answer> {
  const first = before?.parts.get(undefined);
  const ofSeries = first && attendeeLine(first, own);
  for (const [id, part] of after.parts) {
    const line = attendeeLine(part, own);
    if (!line) continue;
    const override = before?.parts.get(id);
    const old = override ? attendeeLine(override, own) : ofSeries;
    const was = old ? partstatOf(old) : NEEDS_ACTION;
    if (isForced || partstatOf(line) !== was) yield { part, line };
  }
  const [series, old] = [after.parts.get(undefined), before?.parts.get(undefined)];
  const line = series && attendeeLine(series, own);
  if (!before || !series || !old || !line) return;
  const known = datesOf(old, 'EXDATE', before.times);
  const declined = withParameter(line, 'PARTSTAT', DECLINED);
  for (const exception of series.lines) {
    if (exception.name !== 'EXDATE') continue;
    const form = Object.fromEntries([...exception.params].filter(([name]) => name === 'TZID' || name === 'VALUE'));
    for (const value of exception.value.split(',')) {
      const instant = after.times.dateIn(value, exception)?.instant;
      if (instant === undefined || known.has(instant)) continue;
      known.add(instant);
      const part = before.parts.get(instant) ?? series;
      yield { part, line: declined, id: makeLine('RECURRENCE-ID', value.trim(), form) };
    }
  }
}

/** Removing an event declines it, unless it is cancelled or already declined. */
function* farewell({ parts }: SchedulingObject, own: ReadonlySet<string>): Generator<Answer> {
  for (const part of parts.values()) {
    const line = attendeeLine(part, own);
    if (!line || partstatOf(line) === DECLINED || textOf(part, 'STATUS').toUpperCase() === 'CANCELLED') continue;
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

function isAllowed(before: SchedulingObject, after: SchedulingObject, own: ReadonlySet<string>): boolean {
  if (after.uid !== before.uid) return false;
  const series = before.parts.get(undefined);
  const now = after.parts.get(undefined);
  const without = now ? datesOf(now, 'EXDATE', after.times) : new Set<number>();
  if (series && now && !datesOf(series, 'EXDATE', before.times).isSubsetOf(without)) return false;
  for (const id of before.parts.keys()) {
    if (after.parts.has(id)) continue;
    if (id === undefined || !without.has(id)) return false;
  }
  const ofSeries = series && fixedLines(series, before, own, true);
  for (const [id, part] of after.parts) {
    const old = before.parts.get(id);
    if (old) {
      if (fixedLines(old, before, own) !== fixedLines(part, after, own)) return false;
    } else if (
      !series ||
      fixedLines(part, after, own, true) !== ofSeries ||
      !isUnmoved(part, id, after, series, before)
    ) {
      return false;
    }
  }
  return true;
}

/** What only the organizer may change, as one text. */
function fixedLines(
  part: Component,
  { times }: SchedulingObject,
  own: ReadonlySet<string>,
  isForInstance = false,
): string {
  const keys: string[] = [];
  for (const line of part.lines) {
    const { name } = line;
    if (OWN.has(name) || name.startsWith('X-') || (isForInstance && OF_INSTANCE.has(name))) continue;
    if (name === 'ATTENDEE' && own.has(addressKey(line.value))) continue;
    // the status of a task is the assignee's answer
    if (name === 'STATUS' && part.name === 'VTODO') continue;
    keys.push(lineKey(line, times));
  }
  return `${attendeeLine(part, own) !== undefined}\n${keys.sort().join('\n')}`;
}

function isUnmoved(
  part: Component,
  id: InstanceId,
  after: SchedulingObject,
  series: Component,
  before: SchedulingObject,
): boolean {
  if (after.times.momentOf(lineOf(part, 'DTSTART'))?.instant !== id) return false;
  return lengthIn(part, after.times) === lengthIn(series, before.times);
}

/** With the stored answers of the other attendees, which the client may not know yet. undefined: too large. */
function withOthers(
  before: SchedulingObject,
  after: SchedulingObject,
  own: ReadonlySet<string>,
): Component | undefined {
  const cache = new Map<Component, ReturnType<typeof storedLines>>();
  const amount = new Amount();
  const parts: Component[] = [];
  for (const [id, part] of after.parts) {
    const old = before.parts.get(id) ?? before.parts.get(undefined);
    if (!old) {
      parts.push(part);
      continue;
    }
    const { others, status, sequence } = cache.getOrInsertComputed(old, () => storedLines(old));
    const lines = part.lines.map((line) => {
      if (line.name === 'ATTENDEE')
        return own.has(addressKey(line.value)) ? line : (others.get(addressKey(line.value)) ?? line);
      return line.name === 'ORGANIZER' ? withParameter(line, 'SCHEDULE-STATUS', status) : line;
    });
    const made = withLine({ ...part, lines }, 'SEQUENCE', sequence);
    if (!amount.holds(made)) return undefined;
    parts.push(made);
  }
  return withParts(after.calendar, parts);
}

function storedLines(part: Component) {
  return {
    others: new Map(attendeesOf(part).map((line) => [addressKey(line.value), line])),
    /** of the last reply */
    status: scheduleStatusOf(lineOf(part, 'ORGANIZER')),
    sequence: lineOf(part, 'SEQUENCE'),
  };
}
