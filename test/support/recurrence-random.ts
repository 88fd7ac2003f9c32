// Random recurrences, as one seed makes them: rules of every frequency with parts that RFC 5545 section 3.3.10 allows
// together, in zones whose clocks change nearby, with dates added and left out.

import { parseDateTime, utcText } from '../../src/mime/objects/calendar-time.ts';
import { namedZone } from '../../src/mime/objects/named-zones.ts';
import { occurrences } from '../../src/mime/objects/occurrences.ts';
import { instantOf, UTC } from '../../src/mime/objects/offsets.ts';
import { parseRule } from '../../src/mime/objects/recurrence-rule.ts';
import type { Random } from './random.ts';

/** digits, and '' or the name of their zone */
export type WrittenDate = [digits: string, zone: string];

export interface RandomSeries {
  /** `20260328T023000` or `20260328` */
  start: string;
  /** '' for days and floating times, which are of UTC here */
  zone: string;
  rule: string;
  rdates: WrittenDate[];
  exdates: WrittenDate[];
  /** instants between which its starts are compared, both inclusive */
  from: number;
  to: number;
  /** DTSTART is a time of the rule */
  isInRule: boolean;
}

const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof FREQUENCIES)[number];
const HOUR = 3600;
const DAY = 24 * HOUR;
/** so far from its start each kind is looked at, and so much of that at most */
const REACH: Readonly<Record<Frequency, number>> = {
  SECONDLY: 1 * HOUR,
  MINUTELY: 1 * DAY,
  HOURLY: 20 * DAY,
  DAILY: 400 * DAY,
  WEEKLY: 1500 * DAY,
  MONTHLY: 5000 * DAY,
  YEARLY: 15_000 * DAY,
};
const LONGEST = 2 * HOUR;
/** days on which clocks change at some hour */
const CHANGES: readonly (readonly [zone: string, ...days: string[]])[] = [
  ['Europe/Berlin', '20260329', '20261025', '20250330', '20251026'],
  ['Europe/London', '20260329', '20261025'],
  ['America/New_York', '20260308', '20261101', '20070311'],
  ['America/St_Johns', '20260308', '20101107'],
  ['Australia/Lord_Howe', '20251005', '20260405'],
  ['Australia/Sydney', '20251005', '20260405'],
  // at midnight
  ['America/Sao_Paulo', '20181104', '20180218', '20171015'],
  ['America/Havana', '20250309', '20251102'],
  ['Asia/Beirut', '20240331', '20251026'],
  // the whole 30 December is skipped
  ['Pacific/Apia', '20111229', '20110402', '20110924'],
  ['Asia/Kolkata', '20260101'],
  ['America/Phoenix', '20260308'],
];
const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

class Generator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  chance(percent: number): boolean {
    return this.#random(100) < percent;
  }

  one<T>(items: readonly T[]): T {
    return items[this.#random(items.length)]!;
  }

  between(low: number, high: number): number {
    return low + this.#random(high - low + 1);
  }

  /** `1,3` or `-1`; no zero where numbers may be negative */
  list(low: number, high: number, most: number): string {
    const size = this.between(1, most);
    const values = new Set<number>();
    while (values.size < size) {
      const value = this.between(1, high);
      values.add(low < 0 && this.chance(35) ? -value : low === 0 ? value - 1 : value);
    }
    return [...values].join(',');
  }

  /** `MO,WE`, or with numbers `-1FR,2TU` */
  weekdays(most: number, ordinals: number): string {
    const size = this.between(1, most);
    const days = new Set<string>();
    while (days.size < size) days.add(this.one(CODES));
    const number = () => (ordinals === 0 || this.chance(30) ? '' : this.list(-1, ordinals, 1));
    return [...days].map((day) => number() + day).join(',');
  }

  rule(frequency: Frequency, isDay: boolean): string {
    const parts = [`FREQ=${frequency}`];
    const level = FREQUENCIES.indexOf(frequency);
    if (this.chance(40)) parts.push(`INTERVAL=${this.interval(frequency)}`);
    if (this.chance(20)) parts.push(`WKST=${this.one(CODES)}`);
    const by: string[] = [];
    const add = (percent: number, name: string, value: () => string): boolean => {
      const isIn = this.chance(percent);
      if (isIn) by.push(`${name}=${value()}`);
      return isIn;
    };
    // a fast rule that a day limits keeps the other programs busy for long
    const few = level < 3 ? 3 : 15;
    add(frequency === 'YEARLY' ? 40 : few, 'BYMONTH', () => this.list(1, 12, 4));
    const isByWeek = frequency === 'YEARLY' && add(15, 'BYWEEKNO', () => this.list(-1, 53, 3));
    if (frequency === 'YEARLY' || level <= 2) add(level < 3 ? 2 : 8, 'BYYEARDAY', () => this.list(-1, 366, 5));
    if (frequency !== 'WEEKLY') add(level >= 5 ? 35 : few, 'BYMONTHDAY', () => this.list(-1, 31, 4));
    const ordinals = isByWeek ? 0 : frequency === 'MONTHLY' ? 5 : frequency === 'YEARLY' ? 10 : 0;
    add(level >= 4 ? 45 : few, 'BYDAY', () => this.weekdays(3, ordinals));
    if (!isDay) {
      add(30, 'BYHOUR', () => (this.chance(60) ? this.list(0, 4, 3) : this.list(0, 24, 3)));
      add(25, 'BYMINUTE', () => this.list(0, 60, 3));
      add(12, 'BYSECOND', () => this.list(0, 59, 2));
    }
    if (by.length > 0) add(15, 'BYSETPOS', () => this.list(-1, 4, 2));
    return [...parts, ...by].join(';');
  }

  interval(frequency: Frequency): number {
    if (frequency === 'SECONDLY') return this.one([1, 7, 15, 30, 90, 600, 3600]);
    if (frequency === 'MINUTELY') return this.one([5, 10, 15, 20, 30, 45, 60, 90, 1440]);
    if (frequency === 'HOURLY') return this.one([2, 3, 4, 5, 6, 12, 24]);
    return this.between(2, frequency === 'YEARLY' ? 4 : 6);
  }
}

export function randomSeries(random: Random): RandomSeries {
  const { one, chance, between, ...rest } = bound(new Generator(random));
  const kind = one(['zoned', 'zoned', 'zoned', 'zoned', 'day', 'day', 'floating', 'utc'] as const);
  const isDay = kind === 'day';
  const frequency = one(isDay ? FREQUENCIES.slice(3) : FREQUENCIES);
  const [name, ...days] = one(CHANGES);
  const zone = kind === 'zoned' ? name : kind === 'utc' ? 'UTC' : '';
  const day = parseDateTime(one(days))!.seconds + between(-3, 3) * DAY;
  const time = between(0, 4) * HOUR + one([0, 0, 0, 15 * 60, 30 * 60, 45 * 60, 59 * 60 + 59]);
  const written = (local: number) => utcText(local).slice(0, isDay ? 8 : -1);
  const rule = rest.rule(frequency, isDay);
  let start = day + (isDay ? 0 : time);
  // a start that is not of the rule is undefined (RFC 5545 section 3.8.5.3), so that few are
  const isInRule = chance(90);
  if (isInRule) start = firstOf(rule, start, isDay) ?? start;
  const of = namedZone(zone) ?? UTC;
  const begin = instantOf(of, start);
  const reach = REACH[frequency];
  const from = chance(60) ? begin : begin + between(0, reach);
  const to = Math.min(begin + reach, from + Math.max(LONGEST, reach / 4));
  const date = (): WrittenDate => {
    const near = [...occurrences(seriesOf(rule, start, isDay), start, start + reach, { steps: 400 })].slice(0, 12);
    const local = near.length > 0 && chance(80) ? one(near) : start + between(-2, 40) * (isDay ? DAY : 1800);
    // the same instant in other words
    return zone !== '' && chance(30) ? [utcText(instantOf(of, local)).slice(0, -1), 'UTC'] : [written(local), zone];
  };
  const dates = (percent: number) => Array.from({ length: chance(percent) ? between(1, 4) : 0 }, date);
  const isLimited = isInRule && chance(45);
  const limit = !isLimited
    ? ''
    : chance(50)
      ? `;COUNT=${between(1, 40)}`
      : `;UNTIL=${untilText(begin, start, between(0, reach), kind)}`;
  return { start: written(start), zone, rule: rule + limit, rdates: dates(25), exdates: dates(35), from, to, isInRule };
}

const bound = (made: Generator) => ({
  one: made.one.bind(made),
  chance: made.chance.bind(made),
  between: made.between.bind(made),
  rule: made.rule.bind(made),
});

function untilText(begin: number, start: number, after: number, kind: string): string {
  if (kind === 'day') return utcText(start + after).slice(0, 8);
  return kind === 'floating' ? utcText(start + after).slice(0, -1) : utcText(begin + after);
}

function seriesOf(rule: string, start: number, isDay: boolean) {
  return { rule: parseRule(rule)!, start, isDay, until: Number.POSITIVE_INFINITY };
}

/** The first time of the rule after this one, which has all that the rule takes from its start. */
function firstOf(rule: string, start: number, isDay: boolean): number | undefined {
  for (const local of occurrences(seriesOf(rule, start, isDay), start + 1, Number.POSITIVE_INFINITY, {
    steps: 10_000,
  })) {
    return local;
  }
  return undefined;
}
