// Filters of calendar queries as data, and whether an object passes one (RFC 4791 sections 7.8, 9.7 and 9.9).

import { CalendarTimes } from './calendar-times.ts';
import { type Component, lineOf } from './content-lines.ts';
import { LineTests, type ParamFilter } from './filter-parts.ts';
import { type ComponentSet, componentSets, instancesIn, type TimeRange } from './instances.ts';
import type { Budget } from './occurrences.ts';
import type { Zone } from './offsets.ts';
import type { TextMatch } from './text-match.ts';
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
const EVER: TimeRange = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/**
 * `filter`: the one of VCALENDAR. `floating`: the zone of floating times and days. Where the budget is spent, an object
 * that does not match may have been given up.
 */
export function matchesCalendar(calendar: Component, filter: CompFilter, floating: Zone, budget: Budget): boolean {
  if (calendar.name !== filter.name.toUpperCase()) return filter.isNotDefined === true;
  // a range says something of what is inside only
  if (filter.isNotDefined || filter.timeRange) return false;
  return new Matcher(calendar, floating, budget).matches(calendar, filter);
}

class Matcher {
  readonly #calendar: Component;
  readonly #times: CalendarTimes;
  readonly #budget: Budget;
  readonly #lines = new LineTests();

  constructor(calendar: Component, floating: Zone, budget: Budget) {
    this.#calendar = calendar;
    this.#times = new CalendarTimes(calendar, floating);
    this.#budget = budget;
  }

  /** But for time ranges of the component itself, and of alarms, which are those of an instance. */
  matches(component: Component, { props, comps }: CompFilter): boolean {
    return (
      props.every((one) => this.#matchesProp(component, one)) &&
      comps.every((one) => isOfInstance(component, one) || this.#matchesInner(component, one))
    );
  }

  #matchesInner(outer: Component, filter: CompFilter): boolean {
    const name = filter.name.toUpperCase();
    const inner = outer.components.filter((one) => one.name === name);
    if (inner.length === 0 || filter.isNotDefined) return (inner.length === 0) === (filter.isNotDefined === true);
    const passing = inner.filter((one) => this.matches(one, filter));
    const { timeRange } = filter;
    const ofInstance = filter.comps.filter((one) => isOfInstance(inner[0]!, one));
    if (passing.length === 0 || (!timeRange && ofInstance.length === 0)) return passing.length > 0;
    if (name === 'VFREEBUSY' && timeRange) {
      return passing.some((one) => freeBusyOverlaps(one, this.#times, timeRange, this.#budget));
    }
    if (outer !== this.#calendar || !RECURRING.has(name)) return false;
    const sets = componentSets(outer, name);
    return sets.some((set) => this.#hasInstance(set, new Set(passing), timeRange, ofInstance));
  }

  #hasInstance(
    set: ComponentSet,
    passing: ReadonlySet<Component>,
    timeRange: TimeRange | undefined,
    alarms: readonly CompFilter[],
  ): boolean {
    const { overrides } = set;
    const isLookedAt = set.masters.some((one) => passing.has(one)) || overrides.some((one) => passing.has(one));
    if (!isLookedAt) return false;
    const range = timeRange ?? this.#alarmRange(set, alarms[0]!);
    const known = new Map<Component, AlarmTimes[][]>();
    for (const instance of instancesIn(set, this.#times, range, this.#budget)) {
      if (!passing.has(instance.component)) continue;
      if (timeRange && !instanceOverlaps(instance, this.#times, timeRange)) continue;
      const wanted = known.getOrInsertComputed(instance.component, (one) => this.#passingAlarms(one, alarms));
      const hasAlarm = ({ timeRange: within }: CompFilter, i: number): boolean =>
        wanted[i]!.some((one) => {
          this.#budget.steps--;
          return alarmOverlaps(one, instance, this.#times, within!);
        });
      if (alarms.every(hasAlarm)) return true;
    }
    return false;
  }

  /** For each filter those of a component that pass it, but for their time. */
  #passingAlarms(component: Component, filters: readonly CompFilter[]): AlarmTimes[][] {
    const alarms = component.components.filter(({ name }) => name === 'VALARM');
    return filters.map((filter) =>
      alarms.filter((one) => this.matches(one, filter)).map((one) => alarmTimes(one, this.#times)),
    );
  }

  /** What instances may have an alarm in the range of the filter. */
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

/** An alarm is when its event or task is. */
function isOfInstance(outer: Component, filter: CompFilter): boolean {
  return RECURRING.has(outer.name) && filter.name.toUpperCase() === 'VALARM' && filter.timeRange !== undefined;
}
