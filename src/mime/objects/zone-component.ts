// Generates a VTIMEZONE (RFC 5545 section 3.6.5) from the rules in Node or the browser, for programs that do not know
// the zone's name.

import { DAY_SECONDS } from './calendar-time.ts';
import { makeLine } from './components.ts';
import type { Component } from './content-lines.ts';
import { namedZone } from './named-zones.ts';
import type { OffsetChange, Zone } from './offsets.ts';
import { DAY_CODES, type DayInYear, dateOfDay, dayNumber, monthLength, weekdayOf } from './recurrence-rule.ts';

/** weekdays and leap years repeat after 28 years, so a rule that fits these fits all */
const RULE_YEARS = 28;
/** irregular changes, such as those for Ramadan, are listed this far */
const LISTED_YEARS = 10;

/** Valid from this year on. undefined: unknown name. */
export function zoneComponent(name: string, year: number): Component | undefined {
  const zone = namedZone(name);
  if (!zone) return undefined;
  const years = Array.from({ length: RULE_YEARS }, (_, i) => changesIn(zone, year + i));
  return { name: 'VTIMEZONE', lines: [makeLine('TZID', name)], components: observances(zone, years, year) };
}

/** The changes of a year in local time, in order. */
function changesIn(zone: Zone, year: number): OffsetChange[] {
  const inYear = dayNumber(year, 7, 1) * DAY_SECONDS;
  return zone.near(inYear).changes.filter((change) => dayOf(change).year === year);
}

function observances(zone: Zone, years: readonly OffsetChange[][], year: number): Component[] {
  const all = years.flat();
  if (all.length === 0) {
    const { first, changes } = zone.near(dayNumber(year, 7, 1) * DAY_SECONDS);
    const offset = changes.at(-1)?.after ?? first;
    return [observance({ at: -offset, before: offset, after: offset }, 'STANDARD', [])];
  }
  const standard = Math.min(...all.map(({ after }) => after));
  const kindOf = ({ after }: OffsetChange) => (after > standard ? 'DAYLIGHT' : 'STANDARD');
  const rules = years[0]!.map((_, i) => ruleOf(years.map((changes) => changes[i])));
  const isYearly = rules.length > 0 && years.every(({ length }) => length === rules.length);
  if (isYearly && rules.every((rule) => rule !== undefined)) {
    return years[0]!.map((change, i) => observance(change, kindOf(change), [makeLine('RRULE', rules[i]!)]));
  }
  const listed = Map.groupBy(years.slice(0, LISTED_YEARS).flat(), ({ before, after }) => `${before} ${after}`);
  return [...listed.values()].map(([first, ...others]) => {
    const dates = others.length > 0 ? [makeLine('RDATE', others.map(localText).join(','))] : [];
    return observance(first!, kindOf(first!), dates);
  });
}

/** A yearly rule for these changes; undefined if there is none. */
function ruleOf(changes: readonly (OffsetChange | undefined)[]): string | undefined {
  const [first] = changes;
  if (!first) return undefined;
  const kindOf = (change: OffsetChange) => {
    const { month } = dayOf(change);
    const local = change.at + change.before;
    const weekday = weekdayOf(Math.floor(local / DAY_SECONDS));
    return [change.before, change.after, month, weekday, localText(change).slice(8)].join();
  };
  const kind = kindOf(first);
  if (changes.some((change) => !change || kindOf(change) !== kind)) return undefined;
  const days = changes.map((change) => dayOf(change!));
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

function observance(change: OffsetChange, name: string, lines: Component['lines']): Component {
  const { before, after } = change;
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
