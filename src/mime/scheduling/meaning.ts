// What an event or task means to its attendees, however programs write it: when its instances are, whether they have
// moved (RFC 5546 section 2.1.4, RFC 6638 section 3.2.8), and whether its content is the same.

import { MAX_EXTENT_STEPS, MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { DAY_SECONDS, utcText } from '../objects/calendar-time.ts';
import type { CalendarTimes, DatedMoment, Moment } from '../objects/calendar-times.ts';
import { makeLine } from '../objects/components.ts';
import { type Component, type ContentLine, lineOf } from '../objects/content-lines.ts';
import { EVER, instancesIn } from '../objects/instances.ts';
import { type Budget, localOf } from '../objects/offsets.ts';
import { parseRule } from '../objects/recurrence-rule.ts';
import { isRecurring, startsOf } from '../objects/recurrence-set.ts';
import { lineKey, ruleKey } from './lines.ts';
import type { InstanceId, SchedulingObject } from './object.ts';

/** private to each user, or volatile: irrelevant to others */
const OWN = new Set(['DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'SEQUENCE', 'TRANSP', 'REQUEST-STATUS']);
/** They mean the same as no line (RFC 5545 sections 3.8.1.3, 3.8.1.9 and 3.8.1.11); programs write `GEO:0;0` for none. */
const DEFAULT = /^(PRIORITY:0|CLASS:PUBLIC|STATUS:CONFIRMED|GEO:[-+]?0(\.0{1,20})?;[-+]?0(\.0{1,20})?|[A-Z-]{1,30}:)$/i;

/** Equal for components that tell the attendees the same. Ignores alarms and answers. */
export function contentKey(component: Component, times: CalendarTimes): string {
  const keys = [`END:${lengthIn(component, times)}`];
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  if (isRecurring(component)) keys.push(start?.zone.name ?? '');
  for (const line of component.lines) {
    const { name } = line;
    if (OWN.has(name) || ENDS.has(name) || name.startsWith('X-')) continue;
    const key = lineKey(line, times);
    // dates may be in one line or in several
    if (name === 'EXDATE' || name === 'RDATE')
      for (const { instant, end } of datesIn(line, start, times)) keys.push(`${name}:${instant}/${end}`);
    else if (!DEFAULT.test(key)) keys.push(key);
  }
  return keys.sort().join('\n');
}

const ENDS = new Set(['DTEND', 'DUE', 'DURATION']);

/**
 * Whether instances moved or were added, so that attendees must answer again. A new override is compared with the
 * instance that it replaces.
 */
export function isRescheduled(before: SchedulingObject, after: SchedulingObject, id: InstanceId): boolean {
  const now = after.parts.get(id);
  const old = before.parts.get(id);
  const series = before.parts.get(undefined);
  if (!now) return false;
  if (old) return when(now, after.times) !== when(old, before.times) || hasMoreInstances(old, now, before, after);
  if (!series || id === undefined) return true;
  const span = lengthIn(series, before.times);
  return after.times.momentOf(lineOf(now, 'DTSTART'))?.instant !== id || lengthIn(now, after.times) !== span;
}

/** Whether both are at the same instants: start, end, and the recurrence without its exceptions. */
export function isAtSameTime(
  one: Component,
  object: SchedulingObject,
  other: Component,
  otherObject: SchedulingObject,
): boolean {
  const { times } = object;
  const { times: otherTimes } = otherObject;
  if (when(one, times) !== when(other, otherTimes)) return false;
  const [start, otherStart] = [startOf(one, object), startOf(other, otherObject)];
  if (!start || !otherStart || (!isRecurring(one) && !isRecurring(other))) return true;
  const isPlain = start.zone.name === otherStart.zone.name && rulesOf(one) === rulesOf(other);
  if (isPlain && isSameSet(datesOf(one, 'RDATE', times), datesOf(other, 'RDATE', otherTimes))) return true;
  return startsIn(one, times, other, otherTimes) === 'same';
}

function startOf(component: Component, { times }: SchedulingObject): Moment | undefined {
  return times.momentOf(lineOf(component, 'DTSTART'));
}

function isSameSet(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && one.isSubsetOf(other);
}

function rulesOf(component: Component): string {
  const rules = component.lines.filter(({ name }) => name === 'RRULE');
  return rules
    .map(({ value }) => ruleKey(value))
    .sort()
    .join();
}

function when(component: Component, times: CalendarTimes): string {
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  const kind = start && (start.isDay ? 'd' : start.zone.name === '' ? 'floating' : '');
  return `${start?.instant}${kind}/${lengthIn(component, times)}`;
}

/** cache: each override needs that of its series */
const lengths = new WeakMap<Component, { seconds: number | undefined }>();

/** Length in seconds; for a component without DTSTART the instant when it is due. An event always has one. */
export function lengthIn(component: Component, times: CalendarTimes): number | undefined {
  const cached = lengths.get(component);
  if (cached) return cached.seconds;
  const single = { ...component, lines: component.lines.filter(({ name }) => name !== 'RRULE' && name !== 'RDATE') };
  const [instance] = instancesIn({ masters: [single], overrides: [] }, times, EVER, { steps: 2 });
  const { start, end } = instance ?? {};
  // RFC 5545 section 3.6.1
  const usual = component.name === 'VEVENT' && start ? (start.isDay ? DAY_SECONDS : 0) : undefined;
  const seconds = end === undefined ? usual : end - (start?.instant ?? 0);
  lengths.set(component, { seconds });
  return seconds;
}

function hasMoreInstances(old: Component, now: Component, before: SchedulingObject, after: SchedulingObject): boolean {
  if (!isRecurring(old) && !isRecurring(now)) return false;
  const rules = (one: Component) => one.lines.filter(({ name }) => name === 'RRULE').map(({ value }) => value);
  const oldRules = rules(old);
  const isLonger = rules(now).map((rule, i) => isLongerRule(rule, oldRules[i]));
  if (isLonger.includes(true)) return true;
  const added = datesOf(now, 'RDATE', after.times).difference(datesOf(old, 'RDATE', before.times));
  const [zone, oldZone] = [startOf(now, after), startOf(old, before)].map((start) => start?.zone.name);
  const isUnclear = isLonger.includes(undefined) || added.size > 0 || zone !== oldZone;
  if (isUnclear && startsIn(now, after.times, old, before.times) === 'more') return true;
  return datesOf(old, 'EXDATE', before.times).difference(datesOf(now, 'EXDATE', after.times)).size > 0;
}

/** Whether the rule ends later; undefined if the ends do not tell. */
function isLongerRule(rule: string, old: string | undefined): boolean | undefined {
  if (old === undefined || ruleKey(rule, true) !== ruleKey(old, true)) return undefined;
  const [now, then] = [parseRule(rule), parseRule(old)];
  if (!now || !then || (!then.until && !then.count)) return false;
  if (!now.until && !now.count) return true;
  if (now.count && then.count) return now.count > then.count;
  return now.until && then.until && now.until.seconds > then.until.seconds;
}

/**
 * How the starts of the first relate to those of the other, without exceptions: the same, only some of them, or more.
 * Of very many the first ones decide.
 */
function startsIn(
  one: Component,
  times: CalendarTimes,
  other: Component,
  otherTimes: CalendarTimes,
): 'same' | 'some' | 'more' {
  if (!isReadable(one) || !isReadable(other)) return rulesOf(one) === rulesOf(other) ? 'same' : 'more';
  const budget = { steps: MAX_EXTENT_STEPS };
  const [starts, otherStarts] = [plainStarts(one, times, budget), plainStarts(other, otherTimes, budget)];
  let isSame = true;
  let known = otherStarts.next();
  for (const { instant } of starts) {
    for (; !known.done && known.value.instant < instant; known = otherStarts.next()) isSame = false;
    if (budget.steps <= 0) return isSame ? 'same' : 'some';
    if (known.done || known.value.instant > instant) return 'more';
    known = otherStarts.next();
  }
  return isSame && (known.done || budget.steps <= 0) ? 'same' : 'some';
}

/** Without rules that are followed nowhere (RFC 7529). */
function isReadable(component: Component): boolean {
  return component.lines.every(({ name, value }) => name !== 'RRULE' || parseRule(value) !== undefined);
}

function plainStarts(component: Component, times: CalendarTimes, budget: Budget): Iterator<Moment> & Iterable<Moment> {
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  const plain = { ...component, lines: component.lines.filter(({ name }) => name !== 'EXDATE') };
  return start ? startsOf(plain, start, times, EVER.start, EVER.end, budget) : [].values();
}

/** The instants that all lines of that name mean. */
export function datesOf(component: Component, name: string, times: CalendarTimes): Set<number> {
  const found = new Set<number>();
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  for (const line of component.lines) {
    if (line.name !== name) continue;
    for (const { instant } of datesIn(line, start, times)) found.add(instant);
  }
  return found;
}

function* datesIn(line: ContentLine, start: Moment | undefined, times: CalendarTimes): Generator<DatedMoment> {
  for (const date of times.momentsOf(line)) yield start ? times.inSeries(start, date) : date;
}

/** Those of these instants at which the series has an instance, as far as that can be found out. */
export function startsAmong({ parts, times }: SchedulingObject, wanted: readonly number[]): Set<number> {
  const series = parts.get(undefined);
  const start = series && times.momentOf(lineOf(series, 'DTSTART'));
  const found = new Set<number>();
  if (!start) return found;
  const [from, to] = [
    wanted.reduce((one, other) => Math.min(one, other)),
    wanted.reduce((one, other) => Math.max(one, other)),
  ];
  for (const { instant } of startsOf(series, start, times, from, to, { steps: MAX_RECURRENCE_STEPS }))
    found.add(instant);
  return found;
}

const OF_SERIES = new Set(['RRULE', 'RDATE', 'EXDATE', 'EXRULE']);

/**
 * The instance of a series at that instant as a component of its own; undefined without a series. `end`: its end, if it
 * is not the usual one.
 */
export function overrideAt(object: SchedulingObject, id: number, end?: number): Component | undefined {
  const { parts, times } = object;
  const series = parts.get(undefined);
  const start = series && lineOf(series, 'DTSTART');
  if (!start) return undefined;
  const seconds = lengthIn(series, times);
  const idLine = idLineAt(object, id)!;
  const lines: ContentLine[] = [];
  for (const line of series.lines) {
    if (OF_SERIES.has(line.name)) continue;
    if (line.name === 'DTSTART') lines.push(line.withValue(idLine.value));
    else if ((line.name === 'DTEND' || line.name === 'DUE') && seconds !== undefined)
      lines.push(line.withValue(timeText(line, end ?? id + seconds, times)));
    else lines.push(line);
  }
  lines.push(idLine);
  return { ...series, lines };
}

/** The RECURRENCE-ID of an instance, in the form of its series. */
export function idLineAt({ parts, times }: SchedulingObject, id: number): ContentLine | undefined {
  const start = lineOf(parts.get(undefined) ?? NOTHING, 'DTSTART');
  const form = [...(start?.params ?? [])].filter(([name]) => name === 'VALUE' || name === 'TZID');
  return start && makeLine('RECURRENCE-ID', timeText(start, id, times), Object.fromEntries(form));
}

const NOTHING: Component = { name: '', lines: [], components: [] };

/** An instant in the form of that line. */
function timeText(line: ContentLine, instant: number, times: CalendarTimes): string {
  const old = times.momentOf(line);
  if (!old) return line.value;
  if (line.value.trim().toUpperCase().endsWith('Z')) return utcText(instant);
  const local = utcText(localOf(old.zone, instant));
  return old.isDay ? local.slice(0, 8) : local.slice(0, -1);
}
