// From when to when a calendar object may overlap a time range, for an index of them: what lies outside need not be
// read to answer a query.

import type { Steps } from '../../system/steps.ts';
import { DAY_SECONDS } from './calendar-time.ts';
import { CalendarTimes } from './calendar-times.ts';
import { type Component, lineOf } from './content-lines.ts';
import {
  type ComponentSet,
  componentSets,
  endLine,
  type Instance,
  instancesAndPauses,
  isForFuture,
  type TimeRange,
} from './instances.ts';
import { type Budget, UTC } from './offsets.ts';
import { parseRule } from './recurrence-rule.ts';

const EVER: TimeRange = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
const NEVER: TimeRange = { start: Number.POSITIVE_INFINITY, end: Number.NEGATIVE_INFINITY };

const DATED = new Set(['DTSTART', 'DTEND', 'DUE', 'RDATE', 'RECURRENCE-ID']);

/**
 * No event, task, journal entry or free-busy time of it overlaps a range with `range.end < start || range.start > end`,
 * in whatever zone floating times are; alarms may. Infinity where it has no end, both sides where the budget is spent;
 * an object that never takes place has a start behind its end.
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
  // which ones exceptions and overrides take out may hang on the zone of floating times: none
  const whole = masters.map((one) => ({ ...one, lines: one.lines.filter(({ name }) => name !== 'EXDATE') }));
  const isMoved = overrides.some(isForFuture);
  const { floating, fixed } = kindsOf([...masters, ...overrides], times);
  // what follows a change may lie anywhere before it; which dates are the same hangs on the zone of floating ones
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
      extent = joined(extent, instanceExtent(instance, times));
      // the first of a series is its earliest
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

/** Of the dates that say when: whether some are floating, and whether some are not. */
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

function instanceExtent({ component, start, end }: Instance, times: CalendarTimes): TimeRange {
  if (start) {
    const last = Math.max(start.instant + (start.isDay ? DAY_SECONDS : 0), end ?? start.instant);
    return { start: Math.min(start.instant, end ?? start.instant), end: last };
  }
  if (component.name !== 'VTODO') return NEVER;
  const due = times.momentOf(endLine(component))?.instant;
  // a task without any time overlaps every range
  return due === undefined ? EVER : { start: due, end: due };
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

/** No zone is further than that from UTC. */
function widened({ start, end }: TimeRange, isFloating: boolean): TimeRange {
  return isFloating ? { start: start - DAY_SECONDS, end: end + DAY_SECONDS } : { start, end };
}

function joined(one: TimeRange, other: TimeRange): TimeRange {
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
}
