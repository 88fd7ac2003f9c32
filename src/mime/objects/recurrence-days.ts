// Which days a recurrence rule means: the table of expansions and limits in RFC 5545 section 3.3.10 as one test of a
// day. Days are counted from 1970-01-01.

import { DAILY, MONTHLY, type Rule, WEEKLY, YEARLY } from './recurrence-rule.ts';

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

/** What the rule leaves open about the day is as on the day of DTSTART. */
export class DayTest {
  /** the only ones to look at, for a yearly rule */
  readonly months: readonly number[];
  /** whether a period of the rule may have fewer days than others */
  readonly isLimited: boolean;
  readonly #rule: Rule;
  readonly #months: ReadonlySet<number> | undefined;
  readonly #dates: ReadonlySet<number> | undefined;
  readonly #yearDays: ReadonlySet<number> | undefined;
  readonly #weeks: ReadonlySet<number> | undefined;
  /** weekday → ordinals, 0 among them for every one */
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

/** An index from 1, or the same from the end. */
function isIn(set: ReadonlySet<number>, index: number, length: number): boolean {
  return set.has(index) || set.has(index - length - 1);
}

function inYear({ year, day }: DayInYear): [index: number, length: number] {
  return [day - dayNumber(year, 1, 1) + 1, 337 + monthLength(year, 2)];
}

/** Its number in the year that most of the week is in. */
function weekOf({ year, day }: DayInYear, weekStart: number): [index: number, length: number] {
  const first = [year - 1, year, year + 1, year + 2].map((one) => firstWeek(one, weekStart));
  const index = day >= first[2]! ? 2 : day >= first[1]! ? 1 : 0;
  return [Math.floor((day - first[index]!) / 7) + 1, (first[index + 1]! - first[index]!) / 7];
}

/** The first day of the first week that has at least four days in the year. */
function firstWeek(year: number, weekStart: number): number {
  const fourth = dayNumber(year, 1, 4);
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7);
}
