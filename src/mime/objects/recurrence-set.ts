// The start times of a calendar component from DTSTART, RRULE, RDATE and EXDATE (RFC 5545 section 3.8.5).

import { MAX_DATES, MAX_RULES } from '../../limits/mime.ts';
import { withoutPauses } from '../../system/steps.ts';
import { DAY_SECONDS, dayStart } from './calendar-time.ts';
import type { CalendarTimes, DatedMoment, Moment } from './calendar-times.ts';
import type { Component } from './content-lines.ts';
import { occurrencesAndPauses, StepPause } from './occurrences.ts';
import { type Budget, localOf } from './offsets.ts';
import { parseRule, type Rule } from './recurrence-rule.ts';

/** the largest clock change, apart from skipped days in the Pacific */
const CHANGE_SECONDS = 3 * 3600;

export function isRecurring(component: Component): boolean {
  return component.lines.some(({ name }) => name === 'RRULE' || name === 'RDATE');
}

/**
 * Starts from `from` to `to` (inclusive instants; a few more may be included), in order, without duplicates. `start`:
 * DTSTART of the component.
 */
export function startsOf(
  component: Component,
  start: Moment,
  times: CalendarTimes,
  from: number,
  to: number,
  budget: Budget,
): Generator<DatedMoment> {
  return withoutPauses(startsAndPauses(component, start, times, from, to, budget));
}

/** The same; yields undefined where it may pause. */
export function* startsAndPauses(
  component: Component,
  start: Moment,
  times: CalendarTimes,
  from: number,
  to: number,
  budget: Budget,
): Generator<DatedMoment | undefined> {
  const dates: DatedMoment[] = [];
  const without = new Set<number>();
  const daysWithout = new Set<number>();
  const rules: Rule[] = [];
  const pause = new StepPause(budget);
  for (const line of component.lines) {
    if (line.name === 'RRULE' && rules.length < MAX_RULES) {
      const rule = parseRule(line.value);
      if (rule) rules.push(rule);
    } else if (line.name === 'RDATE') {
      for (const date of times.momentsOf(line)) {
        budget.steps--;
        if (dates.length < MAX_DATES) dates.push(times.inSeries(start, date));
        if (pause.comesDue()) yield undefined;
      }
    } else if (line.name === 'EXDATE') {
      for (const date of times.momentsOf(line)) {
        budget.steps--;
        // An EXDATE that is a date excludes all starts on that day: programs write it for timed events.
        if (date.isDay && !start.isDay) daysWithout.add(date.local);
        else if (without.size < MAX_DATES) without.add(times.inSeries(start, date).instant);
        if (pause.comesDue()) yield undefined;
      }
    }
  }
  const isOut = ({ instant }: Moment) =>
    without.has(instant) || (daysWithout.size > 0 && daysWithout.has(dayStart(localOf(start.zone, instant))));
  const within = dates.filter((date) => date.instant >= from && date.instant <= to);
  within.sort((one, other) => one.instant - other.instant);
  const sources: Iterator<DatedMoment | undefined>[] = [within.values()];
  for (const rule of rules) sources.push(ruleStarts(rule, start, times, from, to, budget));
  if (rules.length === 0 && start.instant >= from && start.instant <= to) sources.push([start].values());
  let previous = Number.NaN;
  for (const moment of merged(sources)) {
    if (moment && (moment.instant === previous || isOut(moment))) continue;
    previous = moment?.instant ?? previous;
    yield moment;
  }
}

function* ruleStarts(
  rule: Rule,
  start: Moment,
  times: CalendarTimes,
  from: number,
  to: number,
  budget: Budget,
): Generator<Moment | undefined> {
  const { zone, isDay } = start;
  const { until } = rule;
  const series = { rule, start: start.local, isDay, until: untilOf(rule, start) };
  const end = until && !isDay && until.zone === 'UTC' ? Math.min(to, until.seconds) : to;
  const first = localOf(zone, from) - CHANGE_SECONDS;
  const last = localOf(zone, end) + CHANGE_SECONDS;
  // skipped times, as late as the clock goes forward: the times that follow may come before them
  const late: Moment[] = [];
  let sent = 0;
  for (const local of occurrencesAndPauses(series, first, last, budget)) {
    const moment = local === undefined ? undefined : times.at(local, zone, isDay);
    if (!moment || moment.instant > end) {
      yield undefined;
    } else if (!isDay && localOf(zone, moment.instant) > moment.local) {
      late.push(moment);
      yield undefined;
    } else {
      while (sent < late.length && late[sent]!.instant <= moment.instant) yield late[sent++];
      yield moment;
    }
  }
  while (sent < late.length) yield late[sent++];
}

/** UNTIL as a local time, or a later one where it is an instant. A date includes the whole day. */
function untilOf({ until }: Rule, { zone, isDay }: Moment): number {
  if (!until) return Number.POSITIVE_INFINITY;
  if (until.isDay) return until.seconds + DAY_SECONDS - 1;
  if (isDay) return dayStart(until.seconds);
  return until.zone === 'UTC' ? localOf(zone, until.seconds) + CHANGE_SECONDS : until.seconds;
}

/** Merges a few sorted sources, and their pauses. */
function* merged(sources: readonly Iterator<DatedMoment | undefined>[]): Generator<DatedMoment | undefined> {
  const heads = sources.map((source) => source.next());
  for (;;) {
    let best = -1;
    for (const [i, head] of heads.entries()) {
      if (head.done) continue;
      if (head.value === undefined) {
        best = i;
        break;
      }
      const other = best < 0 ? undefined : (heads[best]!.value as DatedMoment);
      if (!other || head.value.instant < other.instant) best = i;
    }
    if (best < 0) return;
    yield heads[best]!.value as DatedMoment | undefined;
    heads[best] = sources[best]!.next();
  }
}
