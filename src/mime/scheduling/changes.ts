// What a change of an event or task means to those who are invited: whether it is worth a message, and whether they
// have to answer anew (RFC 5546 section 2.1.4, RFC 6638 section 3.2.8).

import type { CalendarTimes } from '../objects/calendar-times.ts';
import { type Component, lineOf } from '../objects/content-lines.ts';
import { instancesIn } from '../objects/instances.ts';
import { parseRule } from '../objects/recurrence-rule.ts';
import { isRecurring } from '../objects/recurrence-set.ts';
import { lineKey } from './lines.ts';
import type { InstanceId, SchedulingObject } from './object.ts';

/** of each user's own, or of the moment: no message tells of them */
const OWN = new Set(['DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'SEQUENCE', 'TRANSP', 'REQUEST-STATUS']);

/** Equal for components that say the same to all who are invited; alarms and answers do not count. */
export function contentKey(component: Component, times: CalendarTimes): string {
  return component.lines
    .filter(({ name }) => !OWN.has(name) && !name.startsWith('X-'))
    .map((line) => lineKey(line, times))
    .sort()
    .join('\n');
}

/**
 * Whether instances are at another time than before, or there are more of them: who had answered has to do so again.
 * An override that is new is compared with the instance that it replaces.
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

/** Start and end as instants. */
function when(component: Component, times: CalendarTimes): string {
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  return `${start?.instant}${start?.isDay ? 'd' : ''}/${lengthIn(component, times)}`;
}

/** asked of a series for each of its overrides */
const lengths = new WeakMap<Component, { seconds: number | undefined }>();

/** Seconds; without DTSTART the instant when it is due. */
export function lengthIn(component: Component, times: CalendarTimes): number | undefined {
  const known = lengths.get(component);
  if (known) return known.seconds;
  const single = { ...component, lines: component.lines.filter(({ name }) => name !== 'RRULE' && name !== 'RDATE') };
  const [instance] = instancesIn({ masters: [single], overrides: [] }, times, EVER, { steps: 2 });
  const seconds = instance?.end === undefined ? undefined : instance.end - (instance.start?.instant ?? 0);
  lengths.set(component, { seconds });
  return seconds;
}

const EVER = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

function hasMoreInstances(old: Component, now: Component, before: SchedulingObject, after: SchedulingObject): boolean {
  if (!isRecurring(old) && !isRecurring(now)) return false;
  const rules = (one: Component) => one.lines.filter(({ name }) => name === 'RRULE').map(({ value }) => value);
  const [oldRules, newRules] = [rules(old), rules(now)];
  const isSameRule = newRules.every((rule, i) => isNoLonger(rule, oldRules[i]));
  if (!isSameRule) return true;
  const added = datesOf(now, 'RDATE', after.times).difference(datesOf(old, 'RDATE', before.times));
  const restored = datesOf(old, 'EXDATE', before.times).difference(datesOf(now, 'EXDATE', after.times));
  return added.size > 0 || restored.size > 0;
}

/** The same rule, or one that only ends earlier. */
function isNoLonger(rule: string, old: string | undefined): boolean {
  if (old === undefined) return false;
  const parts = (text: string) =>
    text
      .toUpperCase()
      .split(';')
      .filter((part) => !/^(COUNT|UNTIL)=/.test(part.trim()))
      .sort()
      .join(';');
  if (parts(rule) !== parts(old)) return false;
  const [now, then] = [parseRule(rule), parseRule(old)];
  if (!now || !then) return rule === old;
  const isUntilNoLater =
    then.until === undefined || (now.until !== undefined && now.until.seconds <= then.until.seconds);
  const isCountNoHigher = then.count === undefined || (now.count !== undefined && now.count <= then.count);
  return isUntilNoLater && isCountNoHigher;
}

/** The instants that all lines of that name give. */
export function datesOf(component: Component, name: string, times: CalendarTimes): Set<number> {
  const found = new Set<number>();
  for (const line of component.lines) {
    if (line.name !== name) continue;
    for (const { instant } of times.momentsOf(line)) found.add(instant);
  }
  return found;
}
