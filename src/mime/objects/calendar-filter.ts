// CalDAV query filters, and whether an object matches one (RFC 4791 sections 7.8, 9.7 and 9.9).

import type { Steps } from '../../system/steps.ts';
import { CalendarTimes } from './calendar-times.ts';
import { type Component, lineOf } from './content-lines.ts';
import { type ComponentSet, componentSets, EVER, instancesAndPauses, type TimeRange } from './instances.ts';
import type { Budget, Zone } from './offsets.ts';
import { LineTests, type ParamFilter, type TextMatch } from './text-match.ts';
import {
  type AlarmTimes,
  alarmOverlaps,
  alarmReach,
  alarmTimes,
  freeBusyOverlaps,
  instanceOverlaps,
  propertyOverlaps,
} from './time-range.ts';

export interface PropFilter {
  name: string;
  isNotDefined?: boolean | undefined;
  timeRange?: TimeRange | undefined;
  textMatch?: TextMatch | undefined;
  params: readonly ParamFilter[];
}

export interface CompFilter {
  name: string;
  isNotDefined?: boolean | undefined;
  timeRange?: TimeRange | undefined;
  props: readonly PropFilter[];
  comps: readonly CompFilter[];
}

const RECURRING = new Set(['VEVENT', 'VTODO', 'VJOURNAL']);

/**
 * `filter`: for VCALENDAR. `floating`: the zone of floating times and all-day events. Without budget left, a match may
 * be missed.
 */
export function* matchesCalendar(
  calendar: Component,
  filter: CompFilter,
  floating: Zone,
  budget: Budget,
): Steps<boolean> {
  if (calendar.name !== filter.name.toUpperCase()) return filter.isNotDefined === true;
  // a time range applies to inner components only
  if (filter.isNotDefined || filter.timeRange) return false;
  return yield* new Matcher(calendar, floating, budget).matches(calendar, filter);
}

class Matcher {
  readonly #calendar: Component;
  readonly #times: CalendarTimes;
  readonly #budget: Budget;
  readonly #lines = new LineTests();

  constructor(calendar: Component, floating: Zone, budget: Budget) {
    this.#calendar = calendar;
    this.#times = new CalendarTimes(calendar, floating, budget);
    this.#budget = budget;
  }

  /** Without time ranges of the component itself, and of alarms, which depend on the instance. */
  *matches(component: Component, { props, comps }: CompFilter): Steps<boolean> {
    yield;
    if (!props.every((one) => this.#matchesProp(component, one))) return false;
    for (const one of comps) {
      if (!isOfInstance(component, one) && !(yield* this.#matchesInner(component, one))) return false;
    }
    return true;
  }

  *#matchesInner(outer: Component, filter: CompFilter): Steps<boolean> {
    const name = filter.name.toUpperCase();
    const inner = outer.components.filter((one) => one.name === name);
    if (inner.length === 0 || filter.isNotDefined) return (inner.length === 0) === (filter.isNotDefined === true);
    const passing: Component[] = [];
    for (const one of inner) if (yield* this.matches(one, filter)) passing.push(one);
    const { timeRange } = filter;
    const ofInstance = filter.comps.filter((one) => isOfInstance(inner[0]!, one));
    if (passing.length === 0 || (!timeRange && ofInstance.length === 0)) return passing.length > 0;
    if (name === 'VFREEBUSY' && timeRange) {
      return passing.some((one) => freeBusyOverlaps(one, this.#times, timeRange, this.#budget));
    }
    if (outer !== this.#calendar || !RECURRING.has(name)) return false;
    const isPassing = new Set(passing);
    for (const set of componentSets(outer, name)) {
      if (yield* this.#hasInstance(set, isPassing, timeRange, ofInstance)) return true;
    }
    return false;
  }

  *#hasInstance(
    set: ComponentSet,
    passing: ReadonlySet<Component>,
    timeRange: TimeRange | undefined,
    alarms: readonly CompFilter[],
  ): Steps<boolean> {
    const isRelevant = [...set.masters, ...set.overrides].some((one) => passing.has(one));
    if (!isRelevant) return false;
    const range = timeRange ?? this.#alarmRange(set, alarms[0]!);
    const cache = new Map<Component, AlarmTimes[][]>();
    for (const instance of instancesAndPauses(set, this.#times, range, this.#budget)) {
      yield;
      if (!instance || !passing.has(instance.component)) continue;
      if (timeRange && !instanceOverlaps(instance, this.#times, timeRange)) continue;
      const wanted = cache.get(instance.component) ?? (yield* this.#passingAlarms(instance.component, alarms));
      cache.set(instance.component, wanted);
      const hasAlarm = ({ timeRange: within }: CompFilter, i: number): boolean =>
        wanted[i]!.some((one) => {
          this.#budget.steps--;
          return alarmOverlaps(one, instance, this.#times, within!);
        });
      if (alarms.every(hasAlarm)) return true;
    }
    return false;
  }

  /** For each filter, the alarms that match apart from the time range. */
  *#passingAlarms(component: Component, filters: readonly CompFilter[]): Steps<AlarmTimes[][]> {
    const passing = filters.map((): AlarmTimes[] => []);
    for (const alarm of component.components) {
      if (alarm.name !== 'VALARM') continue;
      for (const [i, filter] of filters.entries()) {
        if (yield* this.matches(alarm, filter)) passing[i]!.push(alarmTimes(alarm, this.#times));
      }
    }
    return passing;
  }

  /** The range of instances that may have an alarm in the filter's range. */
  #alarmRange({ masters, overrides }: ComponentSet, { timeRange }: CompFilter): TimeRange {
    const wanted = timeRange!;
    let reach = 0;
    for (const component of [...masters, ...overrides]) {
      for (const alarm of component.components) {
        if (alarm.name === 'VALARM') reach = Math.max(reach, alarmReach(alarmTimes(alarm, this.#times), wanted));
      }
    }
    return reach === Number.POSITIVE_INFINITY ? EVER : { start: wanted.start - reach, end: wanted.end + reach };
  }

  #matchesProp(component: Component, filter: PropFilter): boolean {
    const name = filter.name.toUpperCase();
    if (filter.isNotDefined) return lineOf(component, name) === undefined;
    if (filter.timeRange && !propertyOverlaps(component, name, this.#times, filter.timeRange)) return false;
    if (filter.timeRange && filter.params.length === 0) return true;
    return component.lines.some(
      (line) =>
        line.name === name &&
        (!filter.textMatch || this.#lines.matchesValue(line, filter.textMatch)) &&
        filter.params.every((one) => this.#lines.matchesParam(line, one)),
    );
  }
}

/** The time of an alarm depends on the instance of its event or task. */
function isOfInstance(outer: Component, filter: CompFilter): boolean {
  return RECURRING.has(outer.name) && filter.name.toUpperCase() === 'VALARM' && filter.timeRange !== undefined;
}
