// Calendar objects as reports return them: expanded to single instances in UTC, without overrides and busy times
// outside a range (RFC 4791 sections 9.6.5 to 9.6.7), or reduced to selected properties.

import { MAX_EXPANDED_CHARACTERS, MAX_OCCURRENCES } from '../../limits/mime.ts';
import { durationText, utcText } from './calendar-time.ts';
import { CalendarTimes, type Moment } from './calendar-times.ts';
import { makeLine } from './components.ts';
import { type Component, type ContentLine, lineOf } from './content-lines.ts';
import {
  componentSets,
  type Instance,
  instancesAndPauses,
  instancesIn,
  isForFuture,
  replacedInstances,
  type TimeRange,
} from './instances.ts';
import { type Budget, localOf, type Zone } from './offsets.ts';
import { isRecurring } from './recurrence-set.ts';
import { isNamed } from './text-match.ts';
import { instanceOverlaps } from './time-range.ts';

const KINDS = ['VEVENT', 'VTODO', 'VJOURNAL'];
/** properties of the recurrence, rewritten or removed */
const OF_SERIES = new Set(['RRULE', 'RDATE', 'EXDATE', 'EXRULE', 'RECURRENCE-ID']);
const LINE_END = 2;

export interface Expanded {
  calendar: Component;
  /** false: limited by MAX_OCCURRENCES, MAX_EXPANDED_CHARACTERS or the budget */
  isComplete: boolean;
}

/**
 * One component for each instance in the range. Zoned times become UTC; floating times and days stay. A non-recurring
 * component is always included, because a calendar without components is invalid. Works in steps.
 */
export function* expandCalendar(
  calendar: Component,
  range: TimeRange,
  floating: Zone,
  budget: Budget,
): Generator<undefined, Expanded> {
  const times = new CalendarTimes(calendar, floating, budget);
  const components = calendar.components.filter(({ name }) => name !== 'VTIMEZONE' && !KINDS.includes(name));
  let isComplete = true;
  let characters = 0;
  const shared = new Map<Component, Shared>();
  for (const kind of KINDS) {
    for (const set of componentSets(calendar, kind)) {
      const found: Instance[] = [];
      for (const instance of instancesAndPauses(set, times, range, budget)) {
        yield;
        if (!instance) continue;
        const isSingle = !instance.recurrenceId && !isRecurring(instance.component);
        if (!isSingle && !instanceOverlaps(instance, times, range)) continue;
        const { component } = instance;
        characters += shared.getOrInsertComputed(component, sharedBy).characters;
        if (components.length + found.length >= MAX_OCCURRENCES || characters > MAX_EXPANDED_CHARACTERS) {
          isComplete = false;
          break;
        }
        found.push(instance);
      }
      found.sort((one, other) => (one.start?.instant ?? 0) - (other.start?.instant ?? 0));
      for (const one of found) {
        components.push(singleComponent(one, shared.get(one.component)!.lines, times));
        yield;
      }
    }
  }
  return { calendar: { ...calendar, components }, isComplete: isComplete && budget.steps > 0 };
}

/** What all instances of a component have in common. */
interface Shared {
  lines: readonly ContentLine[];
  /** of an instance including its alarms */
  characters: number;
}

function sharedBy(component: Component): Shared {
  const lines = component.lines.filter(({ name }) => !OF_SERIES.has(name));
  return { lines, characters: charactersOf({ ...component, lines }) };
}

function charactersOf({ lines, components }: Component): number {
  const own = lines.reduce((sum, { text }) => sum + text.length + LINE_END, 0);
  return components.reduce((sum, inner) => sum + charactersOf(inner), own);
}

function singleComponent(instance: Instance, shared: readonly ContentLine[], times: CalendarTimes): Component {
  const { component, start, end, recurrenceId } = instance;
  const lines: ContentLine[] = [];
  for (const line of shared) {
    const { name } = line;
    if (name === 'DTSTART' && start) {
      lines.push(momentLine(name, start));
      if (recurrenceId) lines.push(momentLine('RECURRENCE-ID', recurrenceId));
    } else if (name === 'DTEND' || name === 'DUE') {
      const moment = times.momentOf(line);
      lines.push(moment && end !== undefined ? endLineAt(name, end, moment, instance, times) : line);
    } else if (name === 'DURATION' && start && end !== undefined) {
      // a day of 23 hours is not a day in UTC
      const isNominal = start.isDay || start.zone.name === '';
      lines.push(isNominal ? line : makeLine(name, durationText(end - start.instant)));
    } else {
      lines.push(line);
    }
  }
  if (recurrenceId && !start) lines.push(momentLine('RECURRENCE-ID', recurrenceId));
  return { ...component, lines };
}

/** `given`: the end of the component, in whose form it is written. Clocks repeat hours, so that UTC alone is exact. */
function endLineAt(
  name: string,
  end: number,
  given: Moment,
  { start = given, component }: Instance,
  times: CalendarTimes,
): ContentLine {
  // one may be a day and the other a time
  const { zone } = start.isDay === given.isDay ? start : given;
  if (!given.isDay && zone.name !== '') return makeLine(name, utcText(end));
  const first = times.momentOf(lineOf(component, 'DTSTART')) ?? given;
  const asLong = times.at(start.local + given.local - first.local, zone, given.isDay);
  return momentLine(name, asLong.instant === end ? asLong : times.at(localOf(zone, end), zone, given.isDay));
}

function momentLine(name: string, moment: Moment): ContentLine {
  if (moment.isDay) return makeLine(name, utcText(moment.local).slice(0, 8), { VALUE: 'DATE' });
  if (moment.zone.name === '') return makeLine(name, utcText(moment.local).slice(0, -1));
  return makeLine(name, utcText(moment.instant));
}

/** Removes overrides that affect no instance in the range (RFC 4791 section 9.6.6). */
export function limitRecurrenceSet(calendar: Component, range: TimeRange, floating: Zone): Component {
  const times = new CalendarTimes(calendar, floating);
  const left = new Set<Component>();
  for (const kind of KINDS) {
    for (const set of componentSets(calendar, kind)) {
      const replaced = replacedInstances(set, times);
      for (const override of set.overrides) {
        const [now] = instancesIn({ masters: [], overrides: [override] }, times, range, { steps: 1 });
        // keeps unreadable ones
        if (!now?.recurrenceId) continue;
        const before = replaced(override);
        const isFirstOfMany = isForFuture(override) && (before ?? now).recurrenceId!.instant < range.end;
        const isIn = [now, before].some((one) => one && instanceOverlaps(one, times, range));
        if (!isIn && !isFirstOfMany) left.add(override);
      }
    }
  }
  return { ...calendar, components: calendar.components.filter((one) => !left.has(one)) };
}

/** Removes FREEBUSY periods outside the range (RFC 4791 section 9.6.7). */
export function limitFreeBusySet(calendar: Component, range: TimeRange, floating: Zone): Component {
  const times = new CalendarTimes(calendar, floating);
  const limited = (component: Component): Component => {
    if (component.name !== 'VFREEBUSY') return component;
    const lines = component.lines.flatMap((line) => {
      if (line.name !== 'FREEBUSY') return [line];
      const values = line.value.split(',');
      const inRange = values.filter((value) => {
        const period = times.dateIn(value, line);
        return period && range.start < (period.end ?? period.instant) && range.end > period.instant;
      });
      if (inRange.length === values.length) return [line];
      return inRange.length === 0 ? [] : [line.withValue(inRange.join(','))];
    });
    return { ...component, lines };
  };
  return { ...calendar, components: calendar.components.map(limited) };
}

export interface PropSelection {
  name: string;
  /** return the name without the value */
  isWithoutValue: boolean;
}

export interface CompSelection {
  name: string;
  /** undefined: all (`allprop`) */
  props: readonly PropSelection[] | undefined;
  /** undefined: all (`allcomp`) */
  comps: readonly CompSelection[] | undefined;
}

/** A selection without properties and components selects everything, as in RFC 4791 section 7.8.1. */
export function selectComponent(component: Component, selection: CompSelection): Component {
  return selector(selection)(component);
}

/** Prepared once: an object may have thousands of components of one name. */
function selector({ props, comps }: CompSelection): (component: Component) => Component {
  if (props?.length === 0 && comps?.length === 0) return (component) => component;
  const pick = props && linePicker(props);
  const selectors = comps && new Map(comps.map((one) => [one.name.toUpperCase(), selector(one)]));
  return ({ name, lines, components }) => ({
    name,
    lines: pick ? lines.flatMap(pick) : lines,
    components: selectors
      ? components.flatMap((one) => {
          const select = selectors.get(one.name);
          return select ? [select(one)] : [];
        })
      : components,
  });
}

/** A contact reduced to these properties; all if none are given. */
export function selectCard(card: Component, props: readonly PropSelection[]): Component {
  return props.length === 0 ? card : { ...card, lines: card.lines.flatMap(linePicker(props)) };
}

/** Maps a line to itself, to its name alone, or to nothing. */
function linePicker(props: readonly PropSelection[]): (line: ContentLine) => ContentLine[] {
  const byName = new Map<string, PropSelection[]>();
  for (const one of props) {
    const name = one.name.toUpperCase().split('.').at(-1)!;
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  return (line) => {
    const wanted = byName.get(line.name)?.find(({ name }) => isNamed(line, name));
    if (!wanted) return [];
    return wanted.isWithoutValue
      ? [makeLine(line.group === '' ? line.name : `${line.group}.${line.name}`, '')]
      : [line];
  };
}
