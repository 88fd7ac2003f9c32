// The instances of the events, tasks and journal entries of a calendar object: recurrences and overrides, including
// RANGE=THISANDFUTURE (RFC 5545 sections 3.8.4.4, 3.8.5.3 and 3.2.13).

import { withoutPauses } from '../../system/steps.ts';
import { DAY_SECONDS, type Duration, parseDuration } from './calendar-time.ts';
import type { CalendarTimes, DatedMoment, Moment } from './calendar-times.ts';
import { type Component, lineOf } from './content-lines.ts';
import { StepPause } from './occurrences.ts';
import { type Budget, lastWhere, localOf } from './offsets.ts';
import { isRecurring, startsAndPauses } from './recurrence-set.ts';

/** In Unix seconds; -Infinity and Infinity for open ends. */
export interface TimeRange {
  start: number;
  end: number;
}

export const EVER: TimeRange = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

export interface Instance {
  /** the component that defines its properties */
  component: Component;
  /** undefined for a task without DTSTART */
  start: Moment | undefined;
  /** from DTEND, DUE or DURATION; undefined if it has none */
  end: number | undefined;
  /** the component has a DTEND or DUE */
  isEndGiven: boolean;
  /** the time without the override; undefined if nothing recurs */
  recurrenceId: Moment | undefined;
}

/** the components of one UID */
export interface ComponentSet {
  /** without RECURRENCE-ID; a valid object has one at most */
  masters: Component[];
  overrides: Component[];
}

/** The length, in the form the component gives it. */
type Span = { isEndGiven: boolean } & (
  | { kind: 'none' }
  | { kind: 'exact'; seconds: number }
  | { kind: 'nominal'; duration: Duration }
  /** by the clock, for times without a zone */
  | { kind: 'local'; seconds: number }
);

interface Override {
  component: Component;
  id: Moment;
  start: Moment | undefined;
  span: Span;
  /** for RANGE=THISANDFUTURE: the offset of all later instances */
  shift: number;
}

/** Grouped by UID, in the order of the calendar. */
export function componentSets(calendar: Component, kind: string): ComponentSet[] {
  const sets = new Map<string, ComponentSet>();
  let uid = '';
  for (const component of calendar.components) {
    if (component.name !== kind) continue;
    // an override without UID belongs to what it follows
    uid = lineOf(component, 'UID')?.value.trim() || uid;
    let set = sets.get(uid);
    if (!set) sets.set(uid, (set = { masters: [], overrides: [] }));
    (lineOf(component, 'RECURRENCE-ID') ? set.overrides : set.masters).push(component);
  }
  return [...sets.values()];
}

/** All instances that may overlap the range; time-range.ts decides. Incomplete when the budget is spent. */
export function instancesIn(
  set: ComponentSet,
  times: CalendarTimes,
  range: TimeRange,
  budget: Budget,
): Generator<Instance> {
  return withoutPauses(instancesAndPauses(set, times, range, budget));
}

/** The same; yields undefined where it may pause. */
export function* instancesAndPauses(
  { masters, overrides }: ComponentSet,
  times: CalendarTimes,
  range: TimeRange,
  budget: Budget,
): Generator<Instance | undefined> {
  const changed: Override[] = [];
  const pause = new StepPause(budget);
  const begin = seriesStart(masters, times);
  for (const one of overrides) {
    const override = overrideOf(one, begin, times);
    if (override) changed.push(override);
    if (pause.comesDue()) yield undefined;
  }
  for (const { component, start, id, span } of changed) {
    if (budget.steps-- <= 0) return;
    const { isEndGiven } = span;
    yield { component, start, end: endOf(start, span, component, times), isEndGiven, recurrenceId: id };
  }
  const ids = new Set(changed.map(({ id }) => id.instant));
  const following = changed.filter(({ component }) => isForFuture(component));
  following.sort((one, other) => one.id.instant - other.id.instant);
  for (const component of masters) {
    yield* masterInstances(component, ids, following, times, range, budget);
  }
}

/** The instance that each override replaces; undefined if the object has no master. */
export function replacedInstances(
  { masters }: ComponentSet,
  times: CalendarTimes,
): (override: Component) => Instance | undefined {
  const component = masters[0];
  if (!component) return () => undefined;
  const begin = seriesStart(masters, times);
  const span = spanOf(component, begin, times);
  const { isEndGiven } = span;
  return (override) => {
    const id = recurrenceIdOf(override, begin, times);
    return id && { component, start: id, end: endOf(id, span, component, times), isEndGiven, recurrenceId: id };
  };
}

function* masterInstances(
  component: Component,
  ids: ReadonlySet<number>,
  following: readonly Override[],
  times: CalendarTimes,
  range: TimeRange,
  budget: Budget,
): Generator<Instance | undefined> {
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  const span = spanOf(component, start, times);
  const { isEndGiven } = span;
  // programs let a task recur by DUE alone
  const first = start ?? times.momentOf(component.name === 'VTODO' ? lineOf(component, 'DUE') : undefined);
  if (!first || !isRecurring(component)) {
    if (budget.steps-- <= 0 || (start && ids.has(start.instant))) return;
    yield { component, start, end: endOf(start, span, component, times), isEndGiven, recurrenceId: undefined };
    return;
  }
  let [earlier, later] = [lengthOf(span), 0];
  for (const one of following) {
    earlier = Math.max(earlier, lengthOf(one.span) + Math.max(one.shift, 0));
    later = Math.max(later, -one.shift);
  }
  const periods = periodsLength(component, times, budget);
  const from = range.start - Math.max(earlier, periods) - DAY_SECONDS * (first.isDay ? 1 : 0);
  for (const moment of startsAndPauses(component, first, times, from, range.end + later, budget)) {
    if (budget.steps-- <= 0) return;
    if (moment && ids.has(moment.instant)) continue;
    if (start || !moment) yield moment && instanceAt(component, moment, span, following, times);
    else yield { component, start, end: moment.instant, isEndGiven, recurrenceId: moment };
  }
}

function instanceAt(
  component: Component,
  moment: DatedMoment,
  span: Span,
  following: readonly Override[],
  times: CalendarTimes,
): Instance {
  const index = lastWhere(following, ({ id }) => id.instant <= moment.instant);
  if (index < 0) {
    const end = moment.end ?? endOf(moment, span, component, times);
    return { component, start: moment, end, isEndGiven: span.isEndGiven, recurrenceId: moment };
  }
  const by = following[index]!;
  const { zone, isDay } = by.start ?? moment;
  const start = times.at(localOf(zone, moment.instant) + by.shift, zone, isDay);
  const end = endOf(start, by.span, by.component, times);
  return { component: by.component, start, end, isEndGiven: by.span.isEndGiven, recurrenceId: moment };
}

/** DTSTART of the series that overrides belong to */
export function seriesStart([master]: readonly Component[], times: CalendarTimes): Moment | undefined {
  return master && times.momentOf(lineOf(master, 'DTSTART'));
}

/** The start of the instance that an override replaces. `begin`: of the series, if it is known. */
export function recurrenceIdOf(
  override: Component,
  begin: Moment | undefined,
  times: CalendarTimes,
): Moment | undefined {
  const id = times.momentOf(lineOf(override, 'RECURRENCE-ID'));
  return id && begin ? times.inSeries(begin, id) : id;
}

function overrideOf(component: Component, begin: Moment | undefined, times: CalendarTimes): Override | undefined {
  const id = recurrenceIdOf(component, begin, times);
  if (!id) return undefined;
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  const shift = start ? start.local - localOf(start.zone, id.instant) : 0;
  return { component, id, start, span: spanOf(component, start, times), shift };
}

/** RANGE=THISANDFUTURE */
export function isForFuture(component: Component): boolean {
  return lineOf(component, 'RECURRENCE-ID')?.params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE';
}

/**
 * DTEND repeats with the same length in seconds, DURATION with the same days and seconds (RFC 5545 section 3.8.5.3).
 */
function spanOf(component: Component, start: Moment | undefined, times: CalendarTimes): Span {
  const duration = parseDuration(lineOf(component, 'DURATION')?.value ?? '');
  const line = endLine(component);
  const isEndGiven = line !== undefined;
  const end = times.momentOf(line);
  if (end && start) {
    const isLocal = start.isDay === end.isDay && start.zone.name === '' && end.zone.name === '';
    return isLocal
      ? { kind: 'local', seconds: end.local - start.local, isEndGiven }
      : { kind: 'exact', seconds: end.instant - start.instant, isEndGiven };
  }
  return duration && start ? { kind: 'nominal', duration, isEndGiven } : { kind: 'none', isEndGiven };
}

/** DTEND of events, DUE of tasks */
export function endLine(component: Component) {
  return lineOf(component, component.name === 'VTODO' ? 'DUE' : 'DTEND');
}

function endOf(start: Moment | undefined, span: Span, component: Component, times: CalendarTimes): number | undefined {
  if (!start) return times.momentOf(endLine(component))?.instant;
  if (span.kind === 'none') return undefined;
  const end = endAfter(start, span, times);
  // what programs write for an event without length; a task may be due before it starts
  return component.name === 'VEVENT' ? Math.max(end, start.instant) : end;
}

function endAfter(start: Moment, span: Exclude<Span, { kind: 'none' }>, times: CalendarTimes): number {
  if (span.kind === 'nominal') return times.after(start, span.duration);
  return span.kind === 'exact'
    ? start.instant + span.seconds
    : times.at(start.local + span.seconds, start.zone, start.isDay).instant;
}

/** An upper bound: a day may have 25 hours, and an event without end lasts a day at most. */
function lengthOf(span: Span): number {
  if (span.kind === 'none') return DAY_SECONDS;
  if (span.kind === 'exact') return Math.max(span.seconds, 0);
  if (span.kind === 'local') return Math.max(span.seconds, 0) + 3600;
  return Math.max(span.duration.days * DAY_SECONDS + span.duration.seconds, 0) + 3600;
}

function periodsLength(component: Component, times: CalendarTimes, budget: Budget): number {
  let longest = 0;
  for (const line of component.lines) {
    if (line.name !== 'RDATE' || !line.value.includes('/')) continue;
    for (const { instant, end } of times.momentsOf(line)) {
      budget.steps--;
      longest = Math.max(longest, (end ?? instant) - instant);
    }
  }
  return longest;
}
