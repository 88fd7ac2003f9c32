// Renders events, tasks and journal entries (iCalendar, RFC 5545), also in invitations (iTIP, RFC 5546), as plain text.

import { MAX_DESCRIBED_OBJECTS, MAX_NAMED_EXCEPTIONS, MAX_RECURRENCE_CHARACTERS } from '../../limits/mime.ts';
import {
  DAYS,
  dateTimeOf,
  dayInWords,
  durationSeconds,
  MONTHS,
  parseDateTime,
  periodInWords,
} from './calendar-time.ts';
import { CalendarTimes } from './calendar-times.ts';
import { type Component, type ContentLine, lineOf, parseComponents, textOf } from './content-lines.ts';
import { DAY_CODES, ruleParts } from './recurrence-rule.ts';

const HEADINGS: Readonly<Record<string, string>> = {
  REQUEST: 'Invitation',
  CANCEL: 'Cancelled',
  REPLY: 'Reply',
  COUNTER: 'Other proposal',
  DECLINECOUNTER: 'Proposal declined',
  REFRESH: 'Update requested',
};
const KINDS: Readonly<Record<string, string>> = {
  VEVENT: 'Event',
  VTODO: 'Task',
  VJOURNAL: 'Journal entry',
  VFREEBUSY: 'Free and busy times',
};
/** RFC 5545 section 3.2.12 */
const ANSWERS: Readonly<Record<string, string>> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
  DELEGATED: 'delegated',
  COMPLETED: 'completed',
  'IN-PROCESS': 'in progress',
  'NEEDS-ACTION': 'no answer yet',
};

/** One paragraph per entry; '' if there is none. `components`: the parsed source. */
export function calendarText(source: string, components: readonly Component[] = parseComponents(source)): string {
  const paragraphs: string[] = [];
  let left = 0;
  for (const calendar of components) {
    const method = textOf(calendar, 'METHOD').toUpperCase();
    const times = new CalendarTimes(calendar);
    // some programs omit the enclosing VCALENDAR
    for (const entry of [calendar, ...calendar.components]) {
      if (KINDS[entry.name] === undefined) continue;
      if (paragraphs.length < MAX_DESCRIBED_OBJECTS) paragraphs.push(entryText(entry, method, times));
      else left++;
    }
  }
  if (left > 0) paragraphs.push(`and ${left} more\n`);
  return paragraphs.join('\n');
}

function entryText(entry: Component, method: string, times: CalendarTimes): string {
  const isCancelled = textOf(entry, 'STATUS').toUpperCase() === 'CANCELLED';
  const heading = isCancelled ? 'Cancelled' : (HEADINGS[method] ?? KINDS[entry.name]!);
  const facts: [label: string, text: string][] = [
    [heading, textOf(entry, 'SUMMARY').replaceAll('\n', ' ') || '(no title)'],
    ['When', whenOf(entry)],
    ['Due', momentOf(entry, 'DUE')],
    ['Completed', momentOf(entry, 'COMPLETED')],
    ['Only on', momentOf(entry, 'RECURRENCE-ID')],
    ['Repeats', repeatsOf(entry)],
    ['Except', exceptionsOf(entry, times)],
    ['Where', textOf(entry, 'LOCATION').replaceAll('\n', ', ')],
    ['Organiser', peopleIn(entry, 'ORGANIZER', personOf)],
    ['Attendees', peopleIn(entry, 'ATTENDEE', attendeeOf)],
    ['Link', textOf(entry, 'URL')],
    ['Comment', textOf(entry, 'COMMENT')],
  ];
  const lines = facts.filter(([, text]) => text !== '').map(([label, text]) => `${label}: ${text}\n`);
  const description = textOf(entry, 'DESCRIPTION');
  return lines.join('') + (description === '' ? '' : `\n${description}\n`);
}

function whenOf(entry: Component): string {
  const start = dateTimeOf(lineOf(entry, 'DTSTART'));
  if (!start) return '';
  const duration = durationSeconds(textOf(entry, 'DURATION'));
  const end = dateTimeOf(lineOf(entry, 'DTEND'));
  return periodInWords(start, end ?? (duration > 0 ? { ...start, seconds: start.seconds + duration } : undefined));
}

function momentOf(entry: Component, name: string): string {
  const moment = dateTimeOf(lineOf(entry, name));
  return moment ? periodInWords(moment, undefined) : '';
}

function repeatsOf(entry: Component): string {
  const rules = entry.lines.filter((line) => line.name === 'RRULE').map((line) => recurrenceInWords(line.value));
  return rules.join('; ') || (lineOf(entry, 'RDATE') ? 'on further dates' : '');
}

/** The days of the series that are left out. */
function exceptionsOf(entry: Component, times: CalendarTimes): string {
  const start = times.momentOf(lineOf(entry, 'DTSTART'));
  const named: string[] = [];
  let left = 0;
  for (const line of entry.lines) {
    if (line.name !== 'EXDATE') continue;
    for (const value of line.value.split(',')) {
      const date = named.length < MAX_NAMED_EXCEPTIONS ? times.dateIn(value, line) : undefined;
      if (date) named.push(dayInWords({ seconds: start ? times.clockInSeries(start, date) : date.local }));
      else if (named.length >= MAX_NAMED_EXCEPTIONS && /^\s*\d{8}/.test(value)) left++;
    }
  }
  return named.join('; ') + (left > 0 ? `; and ${left} more` : '');
}

function peopleIn(entry: Component, name: string, show: (line: ContentLine) => string): string {
  return entry.lines
    .filter((line) => line.name === name)
    .map(show)
    .join(', ');
}

/** `ORGANIZER;CN=Ann:mailto:ann@x` → `Ann <ann@x>` */
function personOf({ params, value }: ContentLine): string {
  const address = value.trim().replace(/^mailto:/i, '');
  const name = params.get('CN')?.trim() ?? '';
  return name === '' || name === address ? address : `${name} <${address}>`;
}

function attendeeOf(line: ContentLine): string {
  const answer = ANSWERS[line.params.get('PARTSTAT')?.toUpperCase() ?? ''];
  return personOf(line) + (answer === undefined ? '' : ` (${answer})`);
}

const UNITS: Readonly<Record<string, string>> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
const ORDINALS: Readonly<Record<string, string>> = {
  '1': 'first',
  '2': 'second',
  '3': 'third',
  '4': 'fourth',
  '5': 'fifth',
  '-1': 'last',
  '-2': 'last but one',
};
/** parts that the sentence covers; WKST rarely matters */
const SAID = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'WKST']);

const CUSTOM_RULE = 'by a custom rule';

/** `FREQ=WEEKLY;BYDAY=MO,FR;COUNT=10` → `every week on Monday and Friday, 10 times` */
export function recurrenceInWords(rule: string): string {
  if (rule.length > MAX_RECURRENCE_CHARACTERS) return CUSTOM_RULE;
  const parts = ruleParts(rule);
  const unit = UNITS[parts.get('FREQ') ?? ''];
  if (unit === undefined) return CUSTOM_RULE;
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const every = interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`;
  const days = daysInWords(parts);
  const isAllSaid = days !== undefined && [...parts.keys()].every((name) => SAID.has(name));
  return every + (isAllSaid ? days : '') + endInWords(parts) + (isAllSaid ? '' : ', by further rules');
}

/** '' for none; undefined if they are too complex. */
function daysInWords(parts: ReadonlyMap<string, string>): string | undefined {
  const weekdays = parts.get('BYDAY')?.split(',').map(weekdayInWords);
  const monthDay = parts.get('BYMONTHDAY');
  const month = parts.get('BYMONTH');
  const monthName = month === undefined ? undefined : MONTHS[Number(month) - 1];
  if (month !== undefined && (monthName === undefined || parts.get('FREQ') !== 'YEARLY')) return undefined;
  const inMonth = monthName === undefined ? '' : ` in ${monthName}`;
  if (weekdays) {
    if (monthDay !== undefined || weekdays.includes(undefined)) return undefined;
    return ` on ${joined(weekdays as string[])}${inMonth}`;
  }
  if (monthDay === undefined) return inMonth;
  if (monthDay === '-1') return ` on the last day${monthName === undefined ? ' of the month' : ` of ${monthName}`}`;
  if (!/^\d{1,2}$/.test(monthDay)) return undefined;
  return monthName === undefined ? ` on day ${monthDay}` : ` on ${monthDay} ${monthName}`;
}

/** `FR` → `Friday`, `-1FR` → `the last Friday` */
function weekdayInWords(code: string): string | undefined {
  const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(code);
  const day = DAYS[DAY_CODES.indexOf(match?.[2] ?? '')];
  if (day === undefined || match?.[1] === undefined) return day;
  const ordinal = ORDINALS[String(Number(match[1]))];
  return ordinal && `the ${ordinal} ${day}`;
}

function endInWords(parts: ReadonlyMap<string, string>): string {
  const count = Number(parts.get('COUNT'));
  if (count > 0) return count === 1 ? ', once' : `, ${count} times`;
  const until = parseDateTime(parts.get('UNTIL') ?? '');
  return until ? `, until ${dayInWords(until)}` : '';
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
