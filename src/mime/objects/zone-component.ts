// Generates a VTIMEZONE (RFC 5545 section 3.6.5) from the rules in Node or the browser, for programs that do not know
// the zone's name.

import { MAX_CALENDAR_ZONES, MAX_WRITTEN_ZONES } from '../../limits/mime.ts';
import { DAY_SECONDS, utcText } from './calendar-time.ts';
import { escapeText, makeLine } from './components.ts';
import { type Component, lineOf, unescapeText, zoneKey } from './content-lines.ts';
import type { OffsetChange, Zone } from './offsets.ts';
import { DAY_CODES, type DayInYear, dateOfDay, dayNumber, monthLength, weekdayOf } from './recurrence-rule.ts';
import { zoneCalled } from './zone-names.ts';

/** weekdays and leap years repeat after 28 years, so a rule that fits these fits all */
const RULE_YEARS = 28;
/** the rules of this year are those of all later ones */
const LAST_RULE_YEAR = 2037;
/** whose following years have four digits */
const LAST_YEAR = 9950;
/** fewer changes by one rule are listed */
const MIN_RULE_CHANGES = 3;

/**
 * With a VTIMEZONE for each zone that it names, known by that name, which begins before its first time in that zone.
 * Those that it has stay, unless they begin later and the known one has all their offsets.
 */
export function withZones(calendar: Component): Component {
  const days = new Map<string, { name: string; day: string }>();
  for (const { lines } of calendar.components) {
    for (const { params, value } of lines) {
      const name = unescapeText(params.get('TZID') ?? '').trim();
      const day = /^\s*(\d{8})/.exec(value)?.[1];
      if (name === '' || !day) continue;
      const known = days.get(zoneKey(name));
      if (!known && days.size >= MAX_CALENDAR_ZONES) continue;
      if (!known || day < known.day) days.set(zoneKey(name), { name, day });
    }
  }
  const keyOf = (one: Component) => (one.name === 'VTIMEZONE' ? zoneKey(lineOf(one, 'TZID')?.value ?? '') : '');
  for (const one of calendar.components) {
    const needed = days.get(keyOf(one));
    const begins = needed && valuesIn(one, 'DTSTART').some((start) => start.slice(0, 8) <= needed.day);
    if (needed && (begins || !isLike(one, needed))) days.delete(keyOf(one));
  }
  const zones = [...days.values()].slice(0, MAX_WRITTEN_ZONES).flatMap(({ name, day }) => zoneFrom(name, day) ?? []);
  const written = new Set(zones.map(keyOf));
  const others = calendar.components.filter((one) => !written.has(keyOf(one)));
  return zones.length === 0 ? calendar : { ...calendar, components: [...zones, ...others] };
}

function isLike(zone: Component, { name, day }: { name: string; day: string }): boolean {
  const known = zoneFrom(name, day);
  const offsets = known && new Set(valuesIn(known, 'TZOFFSETTO'));
  return offsets !== undefined && valuesIn(zone, 'TZOFFSETTO').every((offset) => offsets.has(offset));
}

const zoneFrom = (name: string, day: string) => zoneComponent(name, Number(day.slice(0, 4)));

function valuesIn({ components }: Component, name: string): string[] {
  return components.map((one) => lineOf(one, name)?.value.trim() ?? '');
}

/** Valid from the start of this year on. undefined: unknown name. */
export function zoneComponent(name: string, year: number): Component | undefined {
  const zone = zoneCalled(name);
  if (!zone) return undefined;
  const first = Math.min(year, LAST_YEAR) - 1;
  const count = Math.max(first, LAST_RULE_YEAR) + RULE_YEARS - first;
  const years = Array.from({ length: count }, (_, i) => changesIn(zone, first + i));
  return {
    name: 'VTIMEZONE',
    lines: [makeLine('TZID', escapeText(name))],
    components: observances(zone, years, first),
  };
}

/** The changes of a year in local time, in order. */
function changesIn(zone: Zone, year: number): OffsetChange[] {
  const inYear = dayNumber(year, 7, 1) * DAY_SECONDS;
  return zone.near(inYear).changes.filter((change) => dayOf(change).year === year);
}

function observances(zone: Zone, years: readonly OffsetChange[][], firstYear: number): Component[] {
  const last = firstYear + years.length - 1;
  const found: Component[] = [];
  const listed: OffsetChange[] = [];
  if (years[0]!.length === 0) {
    const begin = dayNumber(firstYear, 1, 1) * DAY_SECONDS;
    const { first: offset } = zone.near(begin + DAY_SECONDS);
    found.push(observance({ at: begin - offset, before: offset, after: offset }, []));
  }
  for (const run of runs(years.flat())) {
    for (let at = 0; at < run.length; ) {
      let end = run.length;
      while (end > at + 1 && !ruleOf(run.slice(at, end))) end--;
      const part = run.slice(at, end);
      at = end;
      if (part.length < MIN_RULE_CHANGES) {
        listed.push(...part);
        continue;
      }
      const isEndless = dayOf(part.at(-1)!).year === last;
      const until = isEndless ? '' : `;UNTIL=${utcText(part.at(-1)!.at)}`;
      found.push(observance(part[0]!, [makeLine('RRULE', ruleOf(part) + until)]));
    }
  }
  for (const [first, ...others] of Map.groupBy(listed, ({ before, after }) => `${before} ${after}`).values()) {
    found.push(observance(first!, others.length > 0 ? [makeLine('RDATE', others.map(localText).join(','))] : []));
  }
  return found.sort((one, other) => (startText(one) < startText(other) ? -1 : 1));
}

const startText = (one: Component): string => lineOf(one, 'DTSTART')!.value;

/** Changes of one kind in successive years. */
function runs(changes: readonly OffsetChange[]): OffsetChange[][] {
  return [...Map.groupBy(changes, kindOf).values()].flatMap((same) => {
    const found: OffsetChange[][] = [];
    let year = Number.NaN;
    for (const change of same) {
      const now = dayOf(change).year;
      if (now === year + 1) found.at(-1)!.push(change);
      else found.push([change]);
      year = now;
    }
    return found;
  });
}

/** Changes that a yearly rule may have in common. */
function kindOf(change: OffsetChange): string {
  const { month } = dayOf(change);
  const weekday = weekdayOf(Math.floor((change.at + change.before) / DAY_SECONDS));
  return [change.before, change.after, month, weekday, localText(change).slice(8)].join();
}

/** A yearly rule for these changes of one kind; undefined if there is none. */
function ruleOf(changes: readonly OffsetChange[]): string | undefined {
  const first = changes[0]!;
  const days = changes.map(dayOf);
  const dates = days.map(({ date }) => date);
  const [lowest, highest] = [Math.min(...dates), Math.max(...dates)];
  const { month } = days[0]!;
  const weekday = DAY_CODES[weekdayOf(Math.floor((first.at + first.before) / DAY_SECONDS))]!;
  const start = `FREQ=YEARLY;BYMONTH=${month};BYDAY=`;
  if (days.every(({ year, date }) => date + 7 > monthLength(year, month))) return `${start}-1${weekday}`;
  if (highest - lowest > 6) return undefined;
  const week = Math.ceil(highest / 7);
  if (lowest > (week - 1) * 7) return `${start}${week}${weekday}`;
  // such as the first Sunday on or after the 2nd
  const inWeek = Array.from({ length: 7 }, (_, i) => lowest + i);
  return highest - lowest === 6 ? `${start}${weekday};BYMONTHDAY=${inWeek.join()}` : undefined;
}

/** The local date before the change. */
function dayOf({ at, before }: OffsetChange): DayInYear {
  return dateOfDay(Math.floor((at + before) / DAY_SECONDS));
}

function observance(change: OffsetChange, lines: Component['lines']): Component {
  const { before, after } = change;
  const name = after > before ? 'DAYLIGHT' : 'STANDARD';
  const offsets = [makeLine('TZOFFSETFROM', offsetText(before)), makeLine('TZOFFSETTO', offsetText(after))];
  return { name, lines: [...offsets, makeLine('DTSTART', localText(change)), ...lines], components: [] };
}

/** `20260329T020000` */
function localText({ at, before }: OffsetChange): string {
  return new Date((at + before) * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}

/** 3600 → `+0100`; includes seconds for historical offsets */
function offsetText(seconds: number): string {
  const size = Math.abs(seconds);
  const figures = [Math.floor(size / 3600), Math.floor(size / 60) % 60, ...(size % 60 === 0 ? [] : [size % 60])];
  return `${seconds < 0 ? '-' : '+'}${figures.map((part) => String(part).padStart(2, '0')).join('')}`;
}
