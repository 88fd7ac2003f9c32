// What an attendee's change of his copy of an event or task sends to the organizer: a reply where his answer is another
// one; and what of the copy he may not change at all (RFC 6638 sections 3.2.2 and 3.2.10.1, RFC 5546 section 3.2.3).

import { MAX_MESSAGE_LINES } from '../../limits/mime.ts';
import { utcText } from '../objects/calendar-values.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf, textOf } from '../objects/content-lines.ts';
import { datesOf, lengthIn } from './changes.ts';
import {
  addressKey,
  attendeeLine,
  attendeesOf,
  isServerScheduled,
  lineKey,
  NEEDS_ACTION,
  partstatOf,
  withLine,
  withoutScheduling,
  withParameter,
} from './lines.ts';
import {
  type InstanceId,
  messageCalendar,
  type SchedulingMessage,
  type SchedulingObject,
  withParts,
} from './object.ts';
import type { Scheduled } from './organizer.ts';

const DECLINED = 'DECLINED';

/** Lines that are an attendee's own, or that programs write anew each time (RFC 6638 section 3.2.2.1). */
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
/** what an override says in another way than the series */
const OF_INSTANCE = new Set(['DTSTART', 'DTEND', 'DUE', 'DURATION', 'RECURRENCE-ID', 'RRULE', 'RDATE']);

/**
 * `before`: as it is stored, undefined for a new one; `after`: as it is to be, undefined for a removal. `own`: the keys
 * of the user's addresses. `isReplyWanted`: false where the client asks for silence (RFC 6638 section 8.1).
 * `now`: Unix seconds.
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
  if (before && after && isServed && !isAllowed(before, after, own)) {
    return { fault: 'allowed-attendee-scheduling-object-change' };
  }
  const stored = after && before ? withOthers(before, after, own) : after?.calendar;
  const isForced = organizer?.params.get('SCHEDULE-FORCE-SEND')?.toUpperCase() === 'REPLY';
  if (!isServed || !organizer || !(isReplyWanted || isForced)) return { calendar: stored, messages: [] };
  const answers = after ? answersIn(before, after, own, isForced) : farewell(before!, own);
  const from = (after ?? before)!.calendar;
  const parts: Component[] = [];
  let lines = 0;
  for (const answer of answers) {
    lines += answer.part.lines.length;
    if (lines > MAX_MESSAGE_LINES) return { fault: 'allowed-attendee-scheduling-object-change' };
    parts.push(replyPart(answer, organizer, now));
  }
  const messages: SchedulingMessage[] =
    parts.length === 0
      ? []
      : [{ method: 'REPLY', recipients: [organizer.value.trim()], calendar: messageCalendar(from, 'REPLY', parts) }];
  return { calendar: stored, messages };
}

function organizerLine({ parts }: SchedulingObject): ContentLine | undefined {
  for (const part of parts.values()) {
    const line = lineOf(part, 'ORGANIZER');
    if (line) return line;
  }
  return undefined;
}

interface Answer {
  part: Component;
  /** his ATTENDEE line */
  line: ContentLine;
  /** of an instance that has no component of its own */
  id?: ContentLine;
}

function answersIn(
  before: SchedulingObject | undefined,
  after: SchedulingObject,
  own: ReadonlySet<string>,
  isForced: boolean,
): Answer[] {
  const answers: Answer[] = [];
  const first = before?.parts.get(undefined);
  const ofSeries = first && attendeeLine(first, own);
  for (const [id, part] of after.parts) {
    const line = attendeeLine(part, own);
    if (!line) continue;
    const override = before?.parts.get(id);
    const old = override ? attendeeLine(override, own) : ofSeries;
    const was = old ? partstatOf(old) : NEEDS_ACTION;
    if (isForced || partstatOf(line) !== was) answers.push({ part, line });
  }
  const [series, old] = [after.parts.get(undefined), before?.parts.get(undefined)];
  const line = series && attendeeLine(series, own);
  if (!before || !series || !old || !line) return answers;
  const known = datesOf(old, 'EXDATE', before.times);
  for (const exception of series.lines) {
    if (exception.name !== 'EXDATE') continue;
    for (const value of exception.value.split(',')) {
      const instant = after.times.dateIn(value, exception)?.instant;
      if (instant === undefined || known.has(instant)) continue;
      known.add(instant);
      const id = exception.withValue(value);
      const part = before.parts.get(instant) ?? series;
      answers.push({ part, line: withParameter(line, 'PARTSTAT', DECLINED), id });
    }
  }
  return answers;
}

/** He who takes an event out of his calendar declines what he has not declined yet; a cancelled one needs no answer. */
function farewell({ parts }: SchedulingObject, own: ReadonlySet<string>): Answer[] {
  const answers: Answer[] = [];
  for (const part of parts.values()) {
    const line = attendeeLine(part, own);
    if (!line || partstatOf(line) === DECLINED || textOf(part, 'STATUS').toUpperCase() === 'CANCELLED') continue;
    answers.push({ part, line: withParameter(line, 'PARTSTAT', DECLINED) });
  }
  return answers;
}

/** of a reply; what a person wants to see of it, and what tells which instance is meant (RFC 5546 section 3.2.3) */
const REPLIED = new Set(['UID', 'SEQUENCE', 'SUMMARY', 'DTSTART', 'DTEND', 'DUE', 'DURATION', 'COMMENT']);

function replyPart({ part, line, id }: Answer, organizer: ContentLine, now: number): Component {
  const idLine = id ? ofInstance(id) : lineOf(part, 'RECURRENCE-ID');
  const isOther = id !== undefined && !lineOf(part, 'RECURRENCE-ID');
  const kept = part.lines.filter(({ name }) => REPLIED.has(name) && !(isOther && OF_INSTANCE.has(name)));
  if (!kept.some(({ name }) => name === 'SEQUENCE')) kept.push(makeLine('SEQUENCE', '0'));
  const lines = [makeLine('DTSTAMP', utcText(now)), ...kept];
  if (idLine) lines.push(idLine);
  lines.push(withoutScheduling(organizer), withoutScheduling(line), makeLine('REQUEST-STATUS', '2.0;Success'));
  const progress = part.lines.filter(({ name }) => name === 'PERCENT-COMPLETE' || name === 'COMPLETED');
  return { name: part.name, lines: part.name === 'VTODO' ? [...lines, ...progress] : lines, components: [] };
}

/** EXDATE → RECURRENCE-ID of the same instance */
function ofInstance(exception: ContentLine): ContentLine {
  const params = [...exception.params].filter(([name]) => name === 'TZID' || name === 'VALUE');
  return makeLine('RECURRENCE-ID', exception.value.trim(), Object.fromEntries(params));
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

/** What the organizer has decided, in one text. */
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
    // that a task has begun or is done is the answer of the one who does it
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

/** What others have answered is as stored: the client may not know it yet (RFC 6638 section 3.2.10.1). */
function withOthers(before: SchedulingObject, after: SchedulingObject, own: ReadonlySet<string>): Component {
  const known = new Map<Component, Kept>();
  const parts = [...after.parts].map(([id, part]) => {
    const old = before.parts.get(id) ?? before.parts.get(undefined);
    if (!old) return part;
    const { others, status, sequence } = known.getOrInsertComputed(old, () => keptOf(old));
    const lines = part.lines.map((line) => {
      if (line.name === 'ATTENDEE')
        return own.has(addressKey(line.value)) ? line : (others.get(addressKey(line.value)) ?? line);
      return line.name === 'ORGANIZER' ? withParameter(line, 'SCHEDULE-STATUS', status) : line;
    });
    return withLine({ ...part, lines }, 'SEQUENCE', sequence);
  });
  return withParts(after.calendar, parts);
}

interface Kept {
  others: ReadonlyMap<string, ContentLine>;
  /** of the last reply */
  status: string | undefined;
  sequence: ContentLine | undefined;
}

function keptOf(part: Component): Kept {
  return {
    others: new Map(attendeesOf(part).map((line) => [addressKey(line.value), line])),
    status: lineOf(part, 'ORGANIZER')?.params.get('SCHEDULE-STATUS'),
    sequence: lineOf(part, 'SEQUENCE'),
  };
}
