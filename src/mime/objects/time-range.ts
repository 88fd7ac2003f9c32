// Whether a component overlaps a time range: the tables of RFC 4791 section 9.9, row by row.

import { MAX_DATES } from '../../limits/mime.ts';
import { DAY_SECONDS, type Duration, parseDuration } from './calendar-time.ts';
import type { CalendarTimes, Moment } from './calendar-times.ts';
import { type Component, lineOf } from './content-lines.ts';
import { endLine, type Instance, type TimeRange } from './instances.ts';
import type { Budget } from './occurrences.ts';
import { localOf } from './offsets.ts';

/** An instance of an event, task or journal entry; false for any other component. */
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

function eventOverlaps({ component, start, end }: Instance, range: TimeRange): boolean {
  if (!start || end === undefined) return start !== undefined && isAt(start, range);
  const { instant, isDay } = start;
  if (end > instant) return range.start < end && range.end > instant;
  if (!lineOf(component, 'DTEND')) return range.start <= instant && range.end > instant;
  // a day that ends on itself is what some programs write for a day, and no more
  return isDay ? isAt(start, range) : range.start < end && range.end > instant;
}

/** A day lasts a day, and a time no time. */
function isAt({ instant, isDay }: Moment, range: TimeRange): boolean {
  if (isDay) return range.start < instant + DAY_SECONDS && range.end > instant;
  return range.start <= instant && range.end > instant;
}

function taskOverlaps({ component, start, end }: Instance, times: CalendarTimes, range: TimeRange): boolean {
  const isDue = lineOf(component, 'DUE') !== undefined;
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

/** The alarm of one instance; one with a time of its own has it in every instance. */
export function alarmOverlaps(alarm: Component, instance: Instance, times: CalendarTimes, range: TimeRange): boolean {
  const first = triggerOf(alarm, instance, times);
  if (first === undefined) return false;
  const count = repetitions(alarm);
  const pause = parseDuration(lineOf(alarm, 'DURATION')?.value ?? '');
  const seconds = pause ? pause.days * DAY_SECONDS + pause.seconds : 0;
  const isIn = (time: number): boolean => range.start <= time && range.end > time;
  if (isIn(first) || count === 0 || seconds <= 0) return isIn(first);
  // the first one that is not before the range
  const index = Math.max(Math.ceil((range.start - first) / seconds), 0);
  return index <= count && isIn(first + index * seconds);
}

/** An instance that lies further from the range than this, in seconds, has no such alarm in it; Infinity: any may. */
export function alarmReach(alarm: Component, times: CalendarTimes, range: TimeRange): number {
  const line = lineOf(alarm, 'TRIGGER');
  const trigger = parseDuration(line?.value ?? '');
  if (!trigger) {
    const time = times.momentOf(line)?.instant;
    return time !== undefined && range.start <= time && range.end > time ? Number.POSITIVE_INFINITY : 0;
  }
  const pause = parseDuration(lineOf(alarm, 'DURATION')?.value ?? '');
  const seconds = (one: Duration | undefined) => (one ? Math.abs(one.days * DAY_SECONDS + one.seconds) : 0);
  return seconds(trigger) + repetitions(alarm) * seconds(pause) + DAY_SECONDS;
}

function repetitions(alarm: Component): number {
  return Math.min(Number(/^\s*(\d{1,9})\s*$/.exec(lineOf(alarm, 'REPEAT')?.value ?? '')?.[1] ?? 0), MAX_DATES);
}

function triggerOf(alarm: Component, { start, end, component }: Instance, times: CalendarTimes): number | undefined {
  const line = lineOf(alarm, 'TRIGGER');
  const duration = parseDuration(line?.value ?? '');
  if (!line || !duration) return times.momentOf(line)?.instant;
  // a task that has only a due time is reminded of from there (RFC 4791 section 7.8.5)
  const begin = start?.instant ?? end;
  const base = line.params.get('RELATED')?.toUpperCase() === 'END' ? (end ?? begin) : begin;
  if (base === undefined) return undefined;
  const zone = (start ?? times.momentOf(endLine(component)))?.zone ?? times.floating;
  return times.after({ local: localOf(zone, base), isDay: false, zone, instant: base }, duration);
}

const TIMES_OF_COMPONENTS = new Set(['COMPLETED', 'CREATED', 'DTEND', 'DTSTAMP', 'DTSTART', 'DUE', 'LAST-MODIFIED']);

/** One whose value a range of time can be compared with, whatever its case of letters. */
export function isTimeProperty(name: string): boolean {
  return TIMES_OF_COMPONENTS.has(name.toUpperCase());
}

/** A property of a component that is a time; what a DURATION says stands for a DTEND or DUE that is missing. */
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
