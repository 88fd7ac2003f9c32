// Whether a component overlaps a time range (the tables of RFC 4791 section 9.9), and the extent of an object for an
// index.

import { MAX_DATES } from '../../limits/mime.ts';
import type { Steps } from '../../system/steps.ts';
import { DAY_SECONDS, type Duration, parseDuration } from './calendar-time.ts';
import { CalendarTimes, type Moment } from './calendar-times.ts';
import { type Component, lineOf } from './content-lines.ts';
import {
  type ComponentSet,
  componentSets,
  EVER,
  endLine,
  type Instance,
  instancesAndPauses,
  isForFuture,
  type TimeRange,
} from './instances.ts';
import { type Budget, localOf, UTC } from './offsets.ts';
import { parseRule } from './recurrence-rule.ts';

/** False for components other than events, tasks and journal entries. */
export function instanceOverlaps(instance: Instance, times: CalendarTimes, range: TimeRange): boolean {
  switch (instance.component.name) {
    case 'VEVENT':
      return eventOverlaps(instance, range);
    case 'VTODO':
      return taskOverlaps(instance, times, range);
    case 'VJOURNAL':
      return instance.start !== undefined && isAt(instance.start, range);
    default:
      return false;
  }
}

function eventOverlaps({ start, end, isEndGiven }: Instance, range: TimeRange): boolean {
  if (!start || end === undefined) return start !== undefined && isAt(start, range);
  const { instant, isDay } = start;
  if (end > instant) return range.start < end && range.end > instant;
  if (!isEndGiven) return range.start <= instant && range.end > instant;
  // a day that ends on itself is what some programs write for a day, and no more
  return isDay ? isAt(start, range) : range.start < end && range.end > instant;
}

/** A day lasts a day, and a time no time. */
function isAt({ instant, isDay }: Moment, range: TimeRange): boolean {
  if (isDay) return range.start < instant + DAY_SECONDS && range.end > instant;
  return range.start <= instant && range.end > instant;
}

function taskOverlaps(
  { component, start, end, isEndGiven: isDue }: Instance,
  times: CalendarTimes,
  range: TimeRange,
): boolean {
  if (start) {
    const { instant } = start;
    if (end === undefined) return range.start <= instant && range.end > instant;
    if (!isDue) return range.start <= end && (range.end > instant || range.end >= end);
    return (range.start < end || range.start <= instant) && (range.end > instant || range.end >= end);
  }
  if (isDue && end !== undefined) return range.start < end && range.end >= end;
  const completed = times.momentOf(lineOf(component, 'COMPLETED'))?.instant;
  const created = times.momentOf(lineOf(component, 'CREATED'))?.instant;
  if (completed !== undefined && created !== undefined) {
    return (range.start <= created || range.start <= completed) && (range.end >= created || range.end >= completed);
  }
  if (completed !== undefined) return range.start <= completed && range.end >= completed;
  return created === undefined || range.end > created;
}

export function freeBusyOverlaps(
  component: Component,
  times: CalendarTimes,
  range: TimeRange,
  budget: Budget,
): boolean {
  const start = times.momentOf(lineOf(component, 'DTSTART'))?.instant;
  const end = times.momentOf(lineOf(component, 'DTEND'))?.instant;
  if (start !== undefined && end !== undefined) return range.start <= end && range.end > start;
  for (const line of component.lines) {
    if (line.name !== 'FREEBUSY') continue;
    for (const period of times.momentsOf(line)) {
      budget.steps--;
      if (range.start < (period.end ?? period.instant) && range.end > period.instant) return true;
    }
  }
  return false;
}

/** Trigger times as written, the same for all instances. */
export interface AlarmTimes {
  /** from the start or end of an instance */
  trigger: Duration | undefined;
  isFromEnd: boolean;
  /** absolute trigger time, the same for every instance */
  at: number | undefined;
  /** number of repetitions, and seconds between them */
  count: number;
  pause: number;
}

export function alarmTimes(alarm: Component, times: CalendarTimes): AlarmTimes {
  const line = lineOf(alarm, 'TRIGGER');
  const trigger = parseDuration(line?.value ?? '');
  const count = Number(/^\s*(\d{1,9})\s*$/.exec(lineOf(alarm, 'REPEAT')?.value ?? '')?.[1] ?? 0);
  const pause = parseDuration(lineOf(alarm, 'DURATION')?.value ?? '');
  return {
    trigger,
    isFromEnd: line?.params.get('RELATED')?.toUpperCase() === 'END',
    at: trigger ? undefined : times.momentOf(line)?.instant,
    count: Math.min(count, MAX_DATES),
    pause: pause ? secondsOf(pause) : 0,
  };
}

const secondsOf = ({ days, seconds }: Duration): number => days * DAY_SECONDS + seconds;

export function alarmOverlaps(alarm: AlarmTimes, instance: Instance, times: CalendarTimes, range: TimeRange): boolean {
  const { trigger, at, count, pause } = alarm;
  const first = trigger ? triggered(alarm, trigger, instance, times) : at;
  if (first === undefined) return false;
  const isIn = (time: number): boolean => range.start <= time && range.end > time;
  if (isIn(first) || count === 0 || pause <= 0) return isIn(first);
  // the first repetition in or after the range start
  const index = Math.max(Math.ceil((range.start - first) / pause), 0);
  return index <= count && isIn(first + index * pause);
}

/** Instances further than this many seconds from the range have no alarm in it. Infinity: any may. */
export function alarmReach({ trigger, at, count, pause }: AlarmTimes, range: TimeRange): number {
  if (trigger) return Math.abs(secondsOf(trigger)) + count * Math.abs(pause) + DAY_SECONDS;
  return at !== undefined && range.start <= at && range.end > at ? Number.POSITIVE_INFINITY : 0;
}

function triggered(
  { isFromEnd }: AlarmTimes,
  trigger: Duration,
  { start, end, component }: Instance,
  times: CalendarTimes,
): number | undefined {
  // an alarm of a task without start refers to the due time (RFC 4791 section 7.8.5)
  const begin = start?.instant ?? end;
  const base = isFromEnd ? (end ?? begin) : begin;
  if (base === undefined) return undefined;
  const zone = (start ?? times.momentOf(endLine(component)))?.zone ?? times.floating;
  return times.after({ local: localOf(zone, base), isDay: false, zone, instant: base }, trigger);
}

const TIMES_OF_COMPONENTS = new Set(['COMPLETED', 'CREATED', 'DTEND', 'DTSTAMP', 'DTSTART', 'DUE', 'LAST-MODIFIED']);

/** A property that a time range can be compared with. */
export function isTimeProperty(name: string): boolean {
  return TIMES_OF_COMPONENTS.has(name.toUpperCase());
}

/** A missing DTEND or DUE is derived from DURATION. */
export function propertyOverlaps(component: Component, name: string, times: CalendarTimes, range: TimeRange): boolean {
  if (!TIMES_OF_COMPONENTS.has(name)) return false;
  let instant = times.momentOf(lineOf(component, name))?.instant;
  if (instant === undefined && name === (component.name === 'VTODO' ? 'DUE' : 'DTEND')) {
    const start = times.momentOf(lineOf(component, 'DTSTART'));
    const duration = parseDuration(lineOf(component, 'DURATION')?.value ?? '');
    instant = start && duration && times.after(start, duration);
  }
  return instant !== undefined && range.start <= instant && range.end > instant;
}

const NEVER: TimeRange = { start: Number.POSITIVE_INFINITY, end: Number.NEGATIVE_INFINITY };

const DATED = new Set(['DTSTART', 'DTEND', 'DUE', 'RDATE', 'RECURRENCE-ID']);

/**
 * The time range outside which nothing in the object takes place, whatever the zone of floating times; alarms excepted.
 * Infinity if it never ends, EVER if the budget is spent. start > end: it never takes place.
 */
export function* calendarExtent(calendar: Component, budget: Budget): Steps<TimeRange> {
  const times = new CalendarTimes(calendar, UTC);
  let extent = NEVER;
  for (const kind of ['VEVENT', 'VTODO', 'VJOURNAL']) {
    for (const set of componentSets(calendar, kind)) extent = joined(extent, yield* setExtent(set, times, budget));
  }
  for (const component of calendar.components) {
    if (component.name === 'VFREEBUSY') extent = joined(extent, freeBusyExtent(component, times));
  }
  return budget.steps > 0 ? extent : EVER;
}

function* setExtent({ masters, overrides }: ComponentSet, times: CalendarTimes, budget: Budget): Steps<TimeRange> {
  // EXDATE is ignored: what it matches may depend on the zone of floating times
  const whole = masters.map((one) => ({ ...one, lines: one.lines.filter(({ name }) => name !== 'EXDATE') }));
  const isMoved = overrides.some(isForFuture);
  const { floating, fixed } = kindsOf([...masters, ...overrides], times);
  // Instances after a THISANDFUTURE override may precede it; equality of dates may depend on the floating zone.
  if ((isMoved && whole.some(isEndless)) || (floating && fixed)) return EVER;
  const sets: ComponentSet[] = [{ masters: [], overrides }, ...whole.map((one) => ({ masters: [one], overrides: [] }))];
  if (isMoved) sets.push({ masters: whole, overrides });
  let extent = NEVER;
  for (const set of sets) {
    const hasNoEnd = set.masters.some(isEndless);
    for (const instance of instancesAndPauses(set, times, EVER, budget)) {
      if (!instance) {
        yield;
        continue;
      }
      extent = joined(extent, instanceExtent(instance));
      // a series starts with its earliest instance
      if (hasNoEnd) break;
    }
    if (hasNoEnd) extent = { start: extent.start, end: EVER.end };
  }
  return widened(extent, floating);
}

function isEndless({ lines }: Component): boolean {
  return lines.some(({ name, value }) => {
    const rule = name === 'RRULE' ? parseRule(value) : undefined;
    return rule !== undefined && rule.count === undefined && rule.until === undefined;
  });
}

/** Whether some dates are floating, and whether some are not. */
function kindsOf(components: readonly Component[], times: CalendarTimes): { floating: boolean; fixed: boolean } {
  const kinds = { floating: false, fixed: false };
  for (const { lines } of components) {
    for (const line of lines) {
      if (!DATED.has(line.name)) continue;
      for (const { zone } of times.momentsOf(line)) kinds[zone.name === '' ? 'floating' : 'fixed'] = true;
    }
  }
  return kinds;
}

function instanceExtent({ component, start, end }: Instance): TimeRange {
  if (start) {
    const last = Math.max(start.instant + (start.isDay ? DAY_SECONDS : 0), end ?? start.instant);
    return { start: Math.min(start.instant, end ?? start.instant), end: last };
  }
  if (component.name !== 'VTODO') return NEVER;
  // a task without any time overlaps every range
  return end === undefined ? EVER : { start: end, end };
}

function freeBusyExtent(component: Component, times: CalendarTimes): TimeRange {
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  const end = times.momentOf(lineOf(component, 'DTEND'));
  if (start && end) return widened({ start: start.instant, end: end.instant }, true);
  let extent = NEVER;
  for (const line of component.lines) {
    if (line.name !== 'FREEBUSY') continue;
    for (const period of times.momentsOf(line)) {
      const one = { start: period.instant, end: period.end ?? period.instant };
      extent = joined(extent, widened(one, period.zone.name === ''));
    }
  }
  return extent;
}

/** No zone is further from UTC than a day. */
function widened({ start, end }: TimeRange, isFloating: boolean): TimeRange {
  return isFloating ? { start: start - DAY_SECONDS, end: end + DAY_SECONDS } : { start, end };
}

function joined(one: TimeRange, other: TimeRange): TimeRange {
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
}
