// Time zones defined inside a calendar (VTIMEZONE, RFC 5545 section 3.6.5).

import {
  MAX_KEPT_ZONE_CHARACTERS,
  MAX_KEPT_ZONES,
  MAX_ZONE_CHANGES,
  MAX_ZONE_RULES,
  MAX_ZONE_STEPS,
  MAX_ZONE_YEAR_CHANGES,
  MAX_ZONE_YEARS,
} from '../../limits/mime.ts';
import { DAY_SECONDS, dateTimeOf, parseDateTime } from './calendar-time.ts';
import { type Component, lineOf, zoneId } from './content-lines.ts';
import { occurrences, type Series } from './occurrences.ts';
import { type Budget, lastWhere, type OffsetChange, type OffsetChanges, type Zone } from './offsets.ts';
import { dateOfDay, dayNumber, parseRule } from './recurrence-rule.ts';
import { zoneCalled } from './zone-names.ts';

/** rules are evaluated from a year earlier, to include the change before the first day */
const YEAR_SECONDS = 366 * DAY_SECONDS;
const SLACK_SECONDS = 3 * DAY_SECONDS;

/** an unlimited rule of STANDARD or DAYLIGHT */
interface Endless {
  series: Series;
  before: number;
  after: number;
}

/** cache by TZID: the zone, and the component that it was read from */
const cache = new Map<string, { component: Component; zone: Zone }>();

/** undefined: the component is unusable. Caches the last zone of each name. Reading it costs budget. */
export function calendarZone(component: Component, budget?: Budget): Zone | undefined {
  const name = lineOf(component, 'TZID')?.value ?? '';
  const cached = cache.get(name);
  if (cached && isSame(cached.component, component)) return cached.zone;
  const zone = readZone(component, budget);
  if (!zone || charactersOf(component) > MAX_KEPT_ZONE_CHARACTERS) return zone;
  if (cache.size >= MAX_KEPT_ZONES) cache.clear();
  cache.set(name, { component, zone });
  return zone;
}

function isSame(one: Component, other: Component): boolean {
  return (
    one === other ||
    (one.name === other.name &&
      one.lines.length === other.lines.length &&
      one.components.length === other.components.length &&
      one.lines.every(({ text }, i) => text === other.lines[i]!.text) &&
      one.components.every((inner, i) => isSame(inner, other.components[i]!)))
  );
}

function charactersOf({ lines, components }: Component): number {
  let count = 0;
  for (const { text } of lines) count += text.length;
  for (const inner of components) count += charactersOf(inner);
  return count;
}

function readZone(component: Component, allowed?: Budget): Zone | undefined {
  const name = zoneId(lineOf(component, 'TZID')?.value ?? '');
  const endless: Endless[] = [];
  const listed: OffsetChange[] = [];
  const budget = { steps: 10 * MAX_ZONE_STEPS };
  for (const part of component.components) readObservance(part, listed, endless, budget);
  if (allowed) allowed.steps -= 10 * MAX_ZONE_STEPS - budget.steps + listed.length;
  if (listed.length === 0) return undefined;
  listed.sort((one, other) => one.at - other.at);
  const first = listed[0]!.at;
  const last = endless.length > 0 ? Number.POSITIVE_INFINITY : listed.at(-1)!.at;
  // Some programs write only the changes around an event. Outside these, use the zone of that name, if it is like this.
  const outside = zoneByNames(component);
  const offsets = new Set([...listed, ...endless].flatMap(({ before, after }) => [before, after]));
  const years = new Map<number, OffsetChanges>();
  const listedOnly = { first: listed[0]!.before, changes: listed };
  const near = (time: number, question?: Budget): OffsetChanges => {
    if (outside && (time < first || time > last)) {
      const found = outside.near(time, question);
      if ([found.first, ...found.changes.map(({ after }) => after)].some((one) => offsets.has(one))) return found;
    }
    if (endless.length === 0) return listedOnly;
    const { year } = dateOfDay(Math.floor(Math.min(Math.max(time, first), 253e9) / DAY_SECONDS));
    let found = years.get(year);
    if (!found) {
      if (question && question.steps <= 0) return listedOnly;
      if (years.size >= MAX_ZONE_YEARS) years.clear();
      found = changesOf(year, listed, endless, question);
      years.set(year, found);
    }
    return found;
  };
  return { name: name.replace(/^\//, ''), near };
}

/** The zone that it is called after. */
export function zoneByNames(component: Component): Zone | undefined {
  const location = lineOf(component, 'X-LIC-LOCATION')?.value.trim();
  return (location && zoneCalled(location)) || zoneCalled(zoneId(lineOf(component, 'TZID')?.value ?? ''));
}

function readObservance(part: Component, listed: OffsetChange[], endless: Endless[], budget: Budget): void {
  const start = dateTimeOf(lineOf(part, 'DTSTART'))?.seconds;
  const before = offsetIn(lineOf(part, 'TZOFFSETFROM')?.value);
  const after = offsetIn(lineOf(part, 'TZOFFSETTO')?.value);
  if (start === undefined || before === undefined || after === undefined) return;
  const add = (local: number): void => {
    if (listed.length < MAX_ZONE_CHANGES) listed.push({ at: local - before, before, after });
  };
  add(start);
  for (const { name, value } of part.lines) {
    if (name === 'RDATE') {
      for (const one of value.split(',', MAX_ZONE_CHANGES)) {
        const date = parseDateTime(one.split('/')[0]!);
        if (date) add(date.seconds);
      }
    }
    const rule = name === 'RRULE' ? parseRule(value) : undefined;
    if (!rule) continue;
    const until = rule.until ? rule.until.seconds + (rule.until.zone === 'UTC' ? before : 0) : Number.POSITIVE_INFINITY;
    const series = { rule, start, isDay: false, until };
    if (rule.count === undefined && until === Number.POSITIVE_INFINITY) {
      if (endless.length < MAX_ZONE_RULES) endless.push({ series, before, after });
      continue;
    }
    for (const local of occurrences(series, start + 1, Number.POSITIVE_INFINITY, budget)) {
      if (listed.length >= MAX_ZONE_CHANGES) break;
      add(local);
    }
  }
}

function changesOf(
  year: number,
  listed: readonly OffsetChange[],
  endless: readonly Endless[],
  question: Budget | undefined,
): OffsetChanges {
  const from = dayNumber(year, 1, 1) * DAY_SECONDS - YEAR_SECONDS - SLACK_SECONDS;
  const to = dayNumber(year + 1, 1, 1) * DAY_SECONDS + SLACK_SECONDS;
  const budget = { steps: MAX_ZONE_STEPS };
  // of the earlier changes, the last one applies
  const begin = Math.max(
    lastWhere(listed, ({ at }) => at < from),
    0,
  );
  const end = lastWhere(listed, ({ at }) => at <= to + DAY_SECONDS) + 1;
  const changes = listed.slice(begin, Math.max(end, begin + 1));
  const most = changes.length + MAX_ZONE_YEAR_CHANGES;
  for (const { series, before, after } of endless) {
    if (changes.length >= most) break;
    for (const local of occurrences(series, from, to, budget)) {
      if (changes.push({ at: local - before, before, after }) >= most) break;
    }
  }
  if (question) question.steps -= MAX_ZONE_STEPS - budget.steps + changes.length;
  changes.sort((one, other) => one.at - other.at);
  return { first: changes[0]!.before, changes };
}

/** `-0500`, `+013045` → seconds */
function offsetIn(text: string | undefined): number | undefined {
  const match = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  if (seconds >= DAY_SECONDS) return undefined;
  return match[1] === '-' ? -seconds : seconds;
}
