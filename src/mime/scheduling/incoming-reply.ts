// An attendee's reply, applied to the organizer's copy: his answer, also to one instance that had no component of its
// own (RFC 5546 section 3.2.3, RFC 6638 section 4.2).

import { utcText } from '../objects/calendar-values.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf } from '../objects/content-lines.ts';
import { componentSets, instancesIn } from '../objects/instances.ts';
import { type Budget, localOf } from '../objects/offsets.ts';
import { Amount } from './amount.ts';
import { lengthIn } from './changes.ts';
import { addressKey, attendeeLine, partstatOf, sequenceOf, withParameter } from './lines.ts';
import { type SchedulingObject, withParts } from './object.ts';

/** How a copy changes; undefined: it does not. */
export interface Applied {
  calendar: Component;
  /** more than what others have answered: the Schedule-Tag changes (RFC 6638 section 3.2.10) */
  isConsequential: boolean;
}

/** `news`: a message with METHOD REPLY from the user with the address keys `sender`. */
export function withReply(
  copy: SchedulingObject,
  news: SchedulingObject,
  sender: ReadonlySet<string>,
  budget: Budget,
): Applied | undefined {
  const parts = new Map(copy.parts);
  const amount = new Amount();
  let isAny = false;
  for (const [id, part] of news.parts) {
    const answer = attendeeLine(part, sender);
    if (!answer) continue;
    const known = parts.get(id);
    const made = known ?? (id === undefined ? undefined : instanceOf(copy, lineOf(part, 'RECURRENCE-ID')!, budget));
    // a reply to a version that is no more is one to another question; who was not invited does not answer
    if (!made || sequenceOf(part) < sequenceOf(made) || !attendeeLine(made, sender)) continue;
    if (!known && !amount.holds(made)) return undefined;
    parts.set(id, withAnswer(made, sender, answer, statusOf(part)));
    isAny = true;
  }
  return isAny ? { calendar: withParts(copy.calendar, parts.values()), isConsequential: false } : undefined;
}

/** `2.0`, or the codes of all REQUEST-STATUS (RFC 6638 section 4.2). */
function statusOf(part: Component): string {
  const codes = part.lines
    .filter(({ name }) => name === 'REQUEST-STATUS')
    .map(({ value }) => value.split(';', 1)[0]!.trim())
    .filter((code) => /^\d(\.\d{1,3}){1,2}$/.test(code));
  return codes.slice(0, MAX_STATUS_CODES).join(',') || '2.0';
}

const MAX_STATUS_CODES = 10;

function withAnswer(part: Component, sender: ReadonlySet<string>, answer: ContentLine, status: string): Component {
  const lines = part.lines.map((line) => {
    if (line.name !== 'ATTENDEE' || !sender.has(addressKey(line.value))) return line;
    const answered = withParameter(line, 'PARTSTAT', partstatOf(answer));
    return withParameter(withParameter(answered, 'SCHEDULE-STATUS', status), 'RSVP', undefined);
  });
  return { ...part, lines };
}

const OF_SERIES = new Set(['RRULE', 'RDATE', 'EXDATE', 'EXRULE']);

/** An override that says what the series says; undefined where the series has no such instance. */
export function instanceOf(copy: SchedulingObject, idLine: ContentLine, budget: Budget): Component | undefined {
  const series = copy.parts.get(undefined);
  const start = series && lineOf(series, 'DTSTART');
  const id = copy.times.momentOf(idLine)?.instant;
  if (!series || id === undefined) return undefined;
  const [set] = componentSets({ ...copy.calendar, components: [series] }, series.name);
  const range = { start: id, end: id + 1 };
  const found = set && [...instancesIn(set, copy.times, range, budget)].find((one) => one.start?.instant === id);
  if (!start || !found || found.recurrenceId === undefined) return undefined;
  const seconds = lengthIn(series, copy.times);
  const lines: ContentLine[] = [];
  for (const line of series.lines) {
    if (OF_SERIES.has(line.name)) continue;
    if (line.name === 'DTSTART') lines.push(makeLine('DTSTART', idLine.value.trim(), valueForm(idLine)));
    else if ((line.name === 'DTEND' || line.name === 'DUE') && seconds !== undefined)
      lines.push(endAfter(found.end, line, copy) ?? line);
    else lines.push(line);
  }
  lines.push(makeLine('RECURRENCE-ID', idLine.value.trim(), valueForm(idLine)));
  return { ...series, lines };
}

function valueForm(line: ContentLine): Record<string, string> {
  return Object.fromEntries([...line.params].filter(([name]) => name === 'VALUE' || name === 'TZID'));
}

function endAfter(end: number | undefined, line: ContentLine, { times }: SchedulingObject): ContentLine | undefined {
  const old = times.momentOf(line);
  if (end === undefined || !old) return undefined;
  const local = utcText(localOf(old.zone, end));
  if (old.isDay) return line.withValue(local.slice(0, 8));
  return line.withValue(line.value.trim().endsWith('Z') ? utcText(end) : local.slice(0, -1));
}
