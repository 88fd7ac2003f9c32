// Recurrence rules (RFC 5545 section 3.3.10) in words, as far as a short sentence can say them.

import { MAX_RECURRENCE_CHARACTERS } from '../../limits/mime.ts';
import { DAYS, dayInWords, MONTHS, parseDateTime } from './calendar-time.ts';
import { DAY_CODES, ruleParts } from './recurrence-rule.ts';

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
/** parts that the sentence says; WKST changes what it means in rare cases only */
const SAID = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'WKST']);

const OWN_RULE = 'by a rule of its own';

/** `FREQ=WEEKLY;BYDAY=MO,FR;COUNT=10` → `every week on Monday and Friday, 10 times` */
export function recurrenceInWords(rule: string): string {
  if (rule.length > MAX_RECURRENCE_CHARACTERS) return OWN_RULE;
  const parts = ruleParts(rule);
  const unit = UNITS[parts.get('FREQ') ?? ''];
  if (unit === undefined) return OWN_RULE;
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const every = interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`;
  const days = daysInWords(parts);
  const isAllSaid = days !== undefined && [...parts.keys()].every((name) => SAID.has(name));
  return every + (isAllSaid ? days : '') + endInWords(parts) + (isAllSaid ? '' : ', by further rules');
}

/** '' where none are named, undefined where they cannot be said shortly. */
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
