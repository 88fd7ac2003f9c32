// The local times of a recurrence rule, in order, starting anywhere (RFC 5545 section 3.3.10). Local times are in the
// seconds of offsets.ts.

import { withoutPauses } from '../../system/steps.ts';
import { DAY_SECONDS } from './calendar-time.ts';
import type { Budget } from './offsets.ts';
import {
  DAILY,
  type DayInYear,
  DayTest,
  dateOfDay,
  dayNumber,
  HOURLY,
  MINUTELY,
  MONTHLY,
  monthLength,
  type Rule,
  SECONDLY,
  WEEKLY,
  weekdayOf,
  YEARLY,
} from './recurrence-rule.ts';

export interface Series {
  rule: Rule;
  /** DTSTART: always the first occurrence */
  start: number;
  isDay: boolean;
  /** UNTIL as a local time; Infinity if missing */
  until: number;
}

/** steps between two pauses: a third of a millisecond */
export const PAUSE_STEPS = 1000;
/** the latest possible date */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
const UNIT_SECONDS = [1, 60, 3600];

/** From `from` to `to`, both inclusive, in order. COUNT counts from DTSTART. */
export function occurrences(series: Series, from: number, to: number, budget: Budget): Generator<number> {
  return withoutPauses(occurrencesAndPauses(series, from, to, budget));
}

/** The same; yields undefined where it may pause, as a long search may find nothing. */
export function* occurrencesAndPauses(
  series: Series,
  from: number,
  to: number,
  budget: Budget,
): Generator<number | undefined> {
  const { rule, start, isDay } = series;
  const last = Math.min(to, series.until, LAST);
  if (start >= from && start <= last) yield start;
  // a date cannot recur hourly
  if (isDay && rule.frequency < DAILY) return;
  const periods = new Periods(series, budget);
  let left = (rule.count ?? Number.POSITIVE_INFINITY) - 1;
  let index = periods.indexBefore(Math.max(from, start));
  if (rule.count !== undefined && index > 0) {
    if (periods.isEven) {
      for (const time of periods.times(0, start, start)) {
        if (budget.steps-- <= 0) return;
        if (time > start) left--;
      }
      left -= (index - 1) * periods.size;
    } else {
      index = 0;
    }
  }
  const skip = rule.count === undefined ? Math.max(from, start) : start;
  const pause = new StepPause(budget);
  for (; left > 0 && budget.steps > 0; index = periods.next) {
    if (periods.startOf(index) > last) return;
    for (const time of periods.times(index, skip, start)) {
      if (time > last || budget.steps-- <= 0) return;
      if (time <= start) continue;
      if (left-- <= 0) return;
      if (time >= from) {
        yield time;
        pause.begin();
      } else if (pause.comesDue()) yield undefined;
    }
    if (pause.comesDue()) yield undefined;
  }
}

/** Tells a long search when to pause. */
export class StepPause {
  readonly #budget: Budget;
  #at = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.begin();
  }

  /** True when PAUSE_STEPS have been spent since the last pause. */
  comesDue(): boolean {
    if (this.#budget.steps > this.#at) return false;
    this.begin();
    return true;
  }

  begin(): void {
    this.#at = this.#budget.steps - PAUSE_STEPS;
  }
}

/** The periods of a rule (years, hours …), numbered from the one of DTSTART, and the times in each. */
class Periods {
  /** number of times per period, if constant */
  readonly size: number;
  readonly isEven: boolean;
  /** the period to visit after the last one */
  next = 0;
  readonly #rule: Rule;
  readonly #budget: Budget;
  readonly #test: DayTest;
  readonly #first: DayInYear;
  readonly #start: number;
  /** seconds within a day, hour or minute: values of each list are added to those of the previous list */
  readonly #parts: readonly (readonly number[])[];
  readonly #count: number;

  constructor({ rule, start, isDay }: Series, budget: Budget) {
    this.#rule = rule;
    this.#budget = budget;
    this.#start = start;
    this.#first = dateOfDay(Math.floor(start / DAY_SECONDS));
    this.#test = new DayTest(rule, this.#first);
    const { BYHOUR: hours, BYMINUTE: minutes, BYSECOND: seconds, BYSETPOS: positions } = rule.lists;
    const inDay = start - this.#first.day * DAY_SECONDS;
    const parts = isDay
      ? []
      : [
          (hours ?? [Math.floor(inDay / 3600)]).map((hour) => hour * 3600),
          (minutes ?? [Math.floor(inDay / 60) % 60]).map((minute) => minute * 60),
          // a leap second counts as the preceding second
          [...new Set((seconds ?? [inDay % 60]).map((second) => Math.min(second, 59)))],
        ];
    this.#parts = parts.slice(Math.max(DAILY - rule.frequency, 0));
    this.#count = this.#parts.reduce((product, part) => product * part.length, 1);
    const isLimitedByTime =
      (hours && rule.frequency <= HOURLY) ||
      (minutes && rule.frequency <= MINUTELY) ||
      (seconds && rule.frequency === SECONDLY);
    this.isEven = rule.frequency <= WEEKLY && !this.#test.isLimited && !positions && !isLimitedByTime;
    this.size = this.#count * (rule.frequency === WEEKLY ? new Set(rule.days?.map((day) => day.weekday)).size || 1 : 1);
  }

  /** A period no later than the one that contains this time. */
  indexBefore(time: number): number {
    if (time <= this.#start) return 0;
    const { frequency, interval } = this.#rule;
    if (frequency < DAILY) return this.#steps(Math.floor(time / UNIT_SECONDS[frequency]!));
    const { year, month, day } = dateOfDay(Math.floor(Math.min(time, LAST) / DAY_SECONDS));
    const { year: firstYear, month: firstMonth } = this.#first;
    if (frequency === YEARLY) return Math.floor((year - firstYear) / interval);
    if (frequency === MONTHLY) return Math.floor(((year - firstYear) * 12 + month - firstMonth) / interval);
    if (frequency === WEEKLY) return Math.floor((day - this.#firstWeek) / 7 / interval);
    return Math.floor((day - this.#first.day) / interval);
  }

  startOf(index: number): number {
    const { frequency, interval } = this.#rule;
    const { year, month, day } = this.#first;
    const first =
      frequency === YEARLY
        ? dayNumber(year + index * interval, 1, 1)
        : frequency === MONTHLY
          ? dayNumber(year, month + index * interval, 1)
          : frequency === WEEKLY
            ? this.#firstWeek + 7 * index * interval
            : day + index * interval;
    // dates beyond the calendar sort after everything
    if (frequency >= DAILY) return Number.isNaN(first) ? Number.POSITIVE_INFINITY : first * DAY_SECONDS;
    return (this.#firstUnit + index * interval) * UNIT_SECONDS[frequency]!;
  }

  /** In order. Skips whole days before `skip`, unless BYSETPOS counts them. */
  *times(index: number, skip: number, start: number): Generator<number> {
    this.next = index + 1;
    const bases = this.#rule.frequency < DAILY ? this.#unit(index) : this.#days(index);
    const total = bases.length * this.#count;
    const at = (position: number) => bases[Math.floor(position / this.#count)]! + this.#offset(position % this.#count);
    const positions = this.#rule.lists.BYSETPOS;
    if (positions) {
      this.#budget.steps -= positions.length;
      const wanted = new Set(positions.map((one) => (one > 0 ? one - 1 : total + one)));
      for (const one of [...wanted].sort((a, b) => a - b)) if (one >= 0 && one < total) yield at(one);
      return;
    }
    const day = Math.floor(Math.max(skip, start) / DAY_SECONDS) * DAY_SECONDS;
    const before = bases.findIndex((base) => base >= day);
    if (before < 0 && this.#rule.frequency >= DAILY) return;
    for (let position = Math.max(before, 0) * this.#count; position < total; position++) yield at(position);
  }

  #offset(position: number): number {
    let rest = position;
    let seconds = 0;
    for (let i = this.#parts.length - 1; i >= 0; i--) {
      const part = this.#parts[i]!;
      seconds += part[rest % part.length]!;
      rest = Math.floor(rest / part.length);
    }
    return seconds;
  }

  /** The start of each matching day in a period. */
  #days(index: number): number[] {
    const { frequency, interval } = this.#rule;
    const { year, month, day } = this.#first;
    const found: number[] = [];
    const test = (one: DayInYear): void => {
      this.#budget.steps--;
      if (this.#test.holds(one)) found.push(one.day * DAY_SECONDS);
    };
    const testMonth = (inYear: number, inMonth: number): void => {
      const first = dayNumber(inYear, inMonth, 1);
      for (let date = 1; date <= monthLength(inYear, inMonth); date++) {
        test({ year: inYear, month: inMonth, date, day: first + date - 1 });
      }
    };
    if (frequency === YEARLY) {
      for (const one of this.#test.months) testMonth(year + index * interval, one);
    } else if (frequency === MONTHLY) {
      const months = year * 12 + month - 1 + index * interval;
      testMonth(Math.floor(months / 12), (months % 12) + 1);
    } else {
      const first = frequency === WEEKLY ? this.#firstWeek + 7 * index * interval : day + index * interval;
      for (let i = 0; i < (frequency === WEEKLY ? 7 : 1); i++) test(dateOfDay(first + i));
    }
    return found;
  }

  /** The start of a matching hour, minute or second; otherwise sets `next` after what cannot match. */
  #unit(index: number): number[] {
    this.#budget.steps--;
    const { frequency, interval, lists } = this.#rule;
    const unit = UNIT_SECONDS[frequency]!;
    const time = (this.#firstUnit + index * interval) * unit;
    const goTo = (later: number): number[] => {
      this.next = Math.max(index + 1, Math.ceil((Math.ceil(later / unit) - this.#firstUnit) / interval));
      return [];
    };
    const day = Math.floor(time / DAY_SECONDS);
    const inDay = time - day * DAY_SECONDS;
    if (!this.#test.holds(dateOfDay(day))) return goTo((day + 1) * DAY_SECONDS);
    if (lists.BYHOUR && !lists.BYHOUR.includes(Math.floor(inDay / 3600))) {
      return goTo((Math.floor(time / 3600) + 1) * 3600);
    }
    if (frequency < HOURLY && lists.BYMINUTE && !lists.BYMINUTE.includes(Math.floor(inDay / 60) % 60)) {
      return goTo((Math.floor(time / 60) + 1) * 60);
    }
    if (frequency === SECONDLY && lists.BYSECOND && !lists.BYSECOND.includes(inDay % 60)) return [];
    return [time];
  }

  get #firstUnit(): number {
    return Math.floor(this.#start / UNIT_SECONDS[this.#rule.frequency]!);
  }

  get #firstWeek(): number {
    const { day } = this.#first;
    return day - ((weekdayOf(day) - this.#rule.weekStart + 7) % 7);
  }

  /** Number of intervals between the unit of DTSTART and this one. */
  #steps(unit: number): number {
    return Math.floor((unit - this.#firstUnit) / this.#rule.interval);
  }
}
