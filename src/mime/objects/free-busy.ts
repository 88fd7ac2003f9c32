// The busy times of calendar objects as one VFREEBUSY (RFC 4791 section 7.10, RFC 5545 section 3.6.4).

import { MAX_OCCURRENCES, MAX_TYPE_CHARACTERS } from '../../limits/mime.ts';
import type { Steps } from '../../system/steps.ts';
import { durationText, utcText } from './calendar-time.ts';
import { CalendarTimes } from './calendar-times.ts';
import { makeLine } from './components.ts';
import { type Component, textOf } from './content-lines.ts';
import { componentSets, type Instance, instancesAndPauses, type TimeRange } from './instances.ts';
import type { Budget, Zone } from './offsets.ts';
import { instanceOverlaps } from './time-range.ts';

export interface BusyPeriod {
  /** `BUSY`, `BUSY-TENTATIVE`, `BUSY-UNAVAILABLE`, or a custom type */
  type: string;
  /** instants */
  start: number;
  end: number;
}

/** Busy periods clipped to the range, not merged; at most MAX_OCCURRENCES. */
export function* busyPeriods(
  calendar: Component,
  range: TimeRange,
  floating: Zone,
  budget: Budget,
): Steps<BusyPeriod[]> {
  const busy: BusyPeriod[] = [];
  for (const found of allPeriods(calendar, range, floating, budget)) {
    yield;
    if (!found) continue;
    const start = Math.max(found.start, range.start);
    const end = Math.min(found.end, range.end);
    if (start < end) busy.push({ type: found.type, start, end });
    if (busy.length >= MAX_OCCURRENCES) break;
  }
  return busy;
}

function* allPeriods(
  calendar: Component,
  range: TimeRange,
  floating: Zone,
  budget: Budget,
): Generator<BusyPeriod | undefined> {
  const times = new CalendarTimes(calendar, floating, budget);
  const types = new Map<Component, string | undefined>();
  for (const set of componentSets(calendar, 'VEVENT')) {
    for (const instance of instancesAndPauses(set, times, range, budget)) {
      const type = instance && types.getOrInsertComputed(instance.component, typeOf);
      yield type === undefined ? undefined : periodOf(instance!, type, times, range);
    }
  }
  for (const component of calendar.components) {
    if (component.name !== 'VFREEBUSY') continue;
    for (const line of component.lines) {
      const type = (line.params.get('FBTYPE') ?? 'BUSY').toUpperCase();
      if (line.name !== 'FREEBUSY' || type === 'FREE') continue;
      for (const { instant, end } of times.momentsOf(line)) {
        budget.steps--;
        yield { type: isType(type) ? type : 'BUSY', start: instant, end: end ?? instant };
      }
    }
  }
}

function periodOf(instance: Instance, type: string, times: CalendarTimes, range: TimeRange): BusyPeriod | undefined {
  if (!instanceOverlaps(instance, times, range)) return undefined;
  const start = instance.start!;
  const least = start.isDay ? times.after(start, { days: 1, seconds: 0 }) : start.instant;
  const end = instance.end !== undefined && instance.end > start.instant ? instance.end : least;
  return { type, start: start.instant, end };
}

/** undefined: not busy */
function typeOf(event: Component): string | undefined {
  const status = textOf(event, 'STATUS').toUpperCase();
  if (status === 'CANCELLED' || textOf(event, 'TRANSP').toUpperCase() === 'TRANSPARENT') return undefined;
  return status === 'TENTATIVE' ? 'BUSY-TENTATIVE' : 'BUSY';
}

/** Merges touching periods of the same type; sorted by start. */
export function mergedPeriods(periods: Iterable<BusyPeriod>): BusyPeriod[] {
  const sorted = [...periods].sort((one, other) => one.start - other.start || one.end - other.end);
  const merged: BusyPeriod[] = [];
  const lastOf = new Map<string, BusyPeriod>();
  for (const period of sorted) {
    const last = lastOf.get(period.type);
    if (last && period.start <= last.end) {
      last.end = Math.max(last.end, period.end);
      continue;
    }
    const copy = { ...period };
    merged.push(copy);
    lastOf.set(period.type, copy);
  }
  return merged;
}

/** A calendar with one VFREEBUSY. `now`: Unix seconds. */
export function freeBusyCalendar(periods: Iterable<BusyPeriod>, range: TimeRange, now: number): Component {
  const lines = [
    makeLine('DTSTAMP', utcText(now)),
    makeLine('DTSTART', utcText(range.start)),
    makeLine('DTEND', utcText(range.end)),
    ...mergedPeriods(periods).map(({ type, start, end }) =>
      makeLine('FREEBUSY', `${utcText(start)}/${durationText(end - start)}`, type === 'BUSY' ? {} : { FBTYPE: type }),
    ),
  ];
  return {
    name: 'VCALENDAR',
    lines: [makeLine('VERSION', '2.0'), makeLine('PRODID', '-//Vestibule//Calendar//EN')],
    components: [{ name: 'VFREEBUSY', lines, components: [] }],
  };
}

function isType(text: string): boolean {
  return text.length <= MAX_TYPE_CHARACTERS && /^[A-Z0-9-]+$/.test(text);
}
