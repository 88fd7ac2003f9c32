// Recurrence rules (RFC 5545 section 3.3.10), read.

import { MAX_RULE_CHARACTERS } from '../../limits/mime.ts';
import { type DateTime, parseDateTime } from './calendar-time.ts';

/** in the order of their length, so that they can be compared */
const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
export const [SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY] = [0, 1, 2, 3, 4, 5, 6] as const;
export const DAY_CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
/** later than any date; a larger one makes no other rule */
const MAX_INTERVAL = 1_000_000_000;
const NAMES = ['BYSECOND', 'BYMINUTE', 'BYHOUR', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYMONTH', 'BYSETPOS'] as const;
type ListName = (typeof NAMES)[number];
const RANGES: Readonly<Record<ListName, readonly [low: number, high: number]>> = {
  BYSECOND: [0, 60],
  BYMINUTE: [0, 59],
  BYHOUR: [0, 23],
  BYMONTHDAY: [-31, 31],
  BYYEARDAY: [-366, 366],
  BYWEEKNO: [-53, 53],
  BYMONTH: [1, 12],
  BYSETPOS: [-366, 366],
};

export interface DayOfRule {
  /** 0 is Sunday */
  weekday: number;
  /** -1 the last, 0 every */
  ordinal: number;
}

export interface Rule {
  /** index in FREQUENCIES */
  frequency: number;
  interval: number;
  count: number | undefined;
  until: DateTime | undefined;
  /** sorted, each value once; missing where the rule has none */
  lists: Readonly<Partial<Record<ListName, readonly number[]>>>;
  days: readonly DayOfRule[] | undefined;
  /** first weekday of a week */
  weekStart: number;
}

/** `FREQ=DAILY;COUNT=2` → FREQ, COUNT, in upper case */
export function ruleParts(rule: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const piece of rule.trim().toUpperCase().split(';')) {
    const [name = '', value = ''] = piece.split('=');
    if (name !== '') parts.set(name, value);
  }
  return parts;
}

/** undefined for what is no rule, and for one of another calendar than ours (RSCALE, RFC 7529). */
export function parseRule(text: string): Rule | undefined {
  if (text.length > MAX_RULE_CHARACTERS) return undefined;
  const parts = ruleParts(text);
  const frequency = FREQUENCIES.indexOf(parts.get('FREQ') ?? '');
  const interval = wholeNumber(parts.get('INTERVAL') ?? '1');
  const count = parts.has('COUNT') ? wholeNumber(parts.get('COUNT')!) : undefined;
  const until = parts.has('UNTIL') ? parseDateTime(parts.get('UNTIL')!) : undefined;
  const weekStart = DAY_CODES.indexOf(parts.get('WKST') ?? 'MO');
  const days = daysIn(parts.get('BYDAY'));
  if (frequency < 0 || !interval || weekStart < 0 || days === null) return undefined;
  if ((parts.has('COUNT') && !count) || (parts.has('UNTIL') && !until)) return undefined;
  if ((parts.get('RSCALE') ?? 'GREGORIAN') !== 'GREGORIAN') return undefined;
  const lists: Partial<Record<ListName, readonly number[]>> = {};
  for (const name of NAMES) {
    const list = parts.has(name) ? listIn(parts.get(name)!, RANGES[name]) : [];
    if (!list) return undefined;
    if (list.length > 0) lists[name] = list;
  }
  return { frequency, interval: Math.min(interval, MAX_INTERVAL), count, until, lists, days, weekStart };
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** undefined for what is no list of numbers in the range; zero is none where negative numbers count from the end. */
function listIn(text: string, [low, high]: readonly [number, number]): readonly number[] | undefined {
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const value = /^[+-]?\d{1,3}$/.test(item) ? Number(item) : Number.NaN;
    if (!(value >= low && value <= high) || (value === 0 && low !== 0)) return undefined;
    values.add(value);
  }
  return [...values].sort((one, other) => one - other);
}

/** `MO,-1FR`; null for what is none */
function daysIn(text: string | undefined): readonly DayOfRule[] | undefined | null {
  if (text === undefined) return undefined;
  const days = new Map<string, DayOfRule>();
  for (const item of text.split(',')) {
    const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item);
    const weekday = DAY_CODES.indexOf(match?.[2] ?? '');
    const ordinal = Number(match?.[1] ?? 0);
    if (weekday < 0 || Math.abs(ordinal) > 53 || (match![1] !== undefined && ordinal === 0)) return null;
    days.set(`${ordinal} ${weekday}`, { weekday, ordinal });
  }
  return [...days.values()];
}
