// Parses recurrence rules and tests days against them (RFC 5545 section 3.3.10). Days are counted from 1970-01-01.

import { MAX_RULE_CHARACTERS } from '../../limits/mime.ts';
import { type DateTime, parseDateTime } from './calendar-time.ts';

/** by length, for comparison */
const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
export const [SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY] = [0, 1, 2, 3, 4, 5, 6] as const;
export const DAY_CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
/** beyond any date: a larger interval makes no difference */
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
  /** -1: the last; 0: every */
  ordinal: number;
}

export interface Rule {
  /** index in FREQUENCIES */
  frequency: number;
  interval: number;
  count: number | undefined;
  until: DateTime | undefined;
  /** sorted, no duplicates; missing if not given */
  lists: Readonly<Partial<Record<ListName, readonly number[]>>>;
  days: readonly DayOfRule[] | undefined;
  /** first weekday of a week */
  weekStart: number;
}

/** `FREQ=DAILY;COUNT=2` → FREQ and COUNT, in upper case */
export function ruleParts(rule: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const piece of rule.trim().toUpperCase().split(';')) {
    const [name = '', value = ''] = piece.split('=');
    if (name !== '') parts.set(name, value);
  }
  return parts;
}

/** undefined: invalid, or of another calendar system (RSCALE, RFC 7529). */
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

/** undefined: not a list of numbers in the range. Zero is invalid where negative numbers count from the end. */
function listIn(text: string, [low, high]: readonly [number, number]): readonly number[] | undefined {
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const value = /^[+-]?\d{1,3}$/.test(item) ? Number(item) : Number.NaN;
    if (!(value >= low && value <= high) || (value === 0 && low !== 0)) return undefined;
    values.add(value);
  }
  return [...values].sort((one, other) => one - other);
}

/** `MO,-1FR`; null: invalid */
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

const DAY_MS = 86_400_000;

export interface DayInYear {
  year: number;
  /** 1 to 12 */
  month: number;
  /** of the month, from 1 */
  date: number;
  day: number;
}

export function dayNumber(year: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, date) / DAY_MS;
}

export function dateOfDay(day: number): DayInYear {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, date: date.getUTCDate(), day };
}

/** 0 is Sunday */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

export function monthLength(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** The table of expansions and limits in RFC 5545 section 3.3.10 as a test of one day. Defaults come from DTSTART. */
export class DayTest {
  /** months to visit, for a yearly rule */
  readonly months: readonly number[];
  /** whether periods may differ in their number of days */
  readonly isLimited: boolean;
  readonly #rule: Rule;
  readonly #months: ReadonlySet<number> | undefined;
  readonly #dates: ReadonlySet<number> | undefined;
  readonly #yearDays: ReadonlySet<number> | undefined;
  readonly #weeks: ReadonlySet<number> | undefined;
  /** weekday → ordinals; 0 means every one */
  readonly #weekdays: ReadonlyMap<number, ReadonlySet<number>> | undefined;

  constructor(rule: Rule, start: DayInYear) {
    this.#rule = rule;
    const { frequency, days } = rule;
    let { BYMONTH: months, BYMONTHDAY: dates, BYYEARDAY: yearDays, BYWEEKNO: weeks } = rule.lists;
    if (frequency !== YEARLY) weeks = undefined;
    this.isLimited = months !== undefined || dates !== undefined || yearDays !== undefined;
    let weekdays = days?.map(({ weekday, ordinal }) => ({ weekday, ordinal: this.#hasOrdinals ? ordinal : 0 }));
    if (!weekdays && !dates && !yearDays) {
      if (frequency === WEEKLY || weeks) weekdays = [{ weekday: weekdayOf(start.day), ordinal: 0 }];
      else if (frequency === MONTHLY || frequency === YEARLY) dates = [start.date];
      if (frequency === YEARLY && !weeks) months ??= [start.month];
    }
    if (weekdays && frequency <= DAILY) this.isLimited = true;
    this.months = months ?? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    this.#months = months && new Set(months);
    this.#dates = dates && new Set(dates);
    this.#yearDays = yearDays && new Set(yearDays);
    this.#weeks = weeks && new Set(weeks);
    this.#weekdays =
      weekdays &&
      new Map(
        [0, 1, 2, 3, 4, 5, 6]
          .map((day) => [day, new Set(weekdays.filter(({ weekday }) => weekday === day).map(({ ordinal }) => ordinal))])
          .filter((entry): entry is [number, Set<number>] => (entry[1] as Set<number>).size > 0),
      );
  }

  get #hasOrdinals(): boolean {
    const { frequency, lists } = this.#rule;
    return frequency === MONTHLY || (frequency === YEARLY && !lists.BYWEEKNO);
  }

  holds(one: DayInYear): boolean {
    if (this.#months && !this.#months.has(one.month)) return false;
    if (this.#dates && !isIn(this.#dates, one.date, monthLength(one.year, one.month))) return false;
    if (this.#weekdays && !this.#isWeekday(this.#weekdays, one)) return false;
    if (this.#yearDays && !isIn(this.#yearDays, ...inYear(one))) return false;
    return !this.#weeks || isIn(this.#weeks, ...weekOf(one, this.#rule.weekStart));
  }

  #isWeekday(weekdays: ReadonlyMap<number, ReadonlySet<number>>, one: DayInYear): boolean {
    const ordinals = weekdays.get(weekdayOf(one.day));
    if (!ordinals || ordinals.has(0)) return ordinals !== undefined;
    const isInMonth = this.#rule.frequency === MONTHLY || this.#rule.lists.BYMONTH !== undefined;
    const [index, length] = isInMonth ? [one.date, monthLength(one.year, one.month)] : inYear(one);
    return ordinals.has(Math.ceil(index / 7)) || ordinals.has(-Math.ceil((length - index + 1) / 7));
  }
}

/** `index` counts from 1; the set may count from the end. */
function isIn(set: ReadonlySet<number>, index: number, length: number): boolean {
  return set.has(index) || set.has(index - length - 1);
}

function inYear({ year, day }: DayInYear): [index: number, length: number] {
  return [day - dayNumber(year, 1, 1) + 1, 337 + monthLength(year, 2)];
}

/** The week number, in the year that contains most of the week. */
function weekOf({ year, day }: DayInYear, weekStart: number): [index: number, length: number] {
  const first = [year - 1, year, year + 1, year + 2].map((one) => firstWeek(one, weekStart));
  const index = day >= first[2]! ? 2 : day >= first[1]! ? 1 : 0;
  return [Math.floor((day - first[index]!) / 7) + 1, (first[index + 1]! - first[index]!) / 7];
}

/** The first day of the first week with at least four days in the year. */
function firstWeek(year: number, weekStart: number): number {
  const fourth = dayNumber(year, 1, 4);
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7);
}
