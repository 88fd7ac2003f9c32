// Changing an event: one of a series, all that follow, or all. What the change does not name stays as it was written,
// whatever program wrote it. Pure: the time and new UIDs are given, or taken from the browser.

import { MAX_RECURRENCE_STEPS } from '../../src/limits/mime.ts';
import { CalendarTimes } from '../../src/mime/objects/calendar-times.ts';
import { parseObject, writeComponent } from '../../src/mime/objects/components.ts';
import { ContentLine, lineOf } from '../../src/mime/objects/content-lines.ts';
import { componentSets, instancesIn, recurrenceIdOf, seriesStart } from '../../src/mime/objects/instances.ts';
import { localOf } from '../../src/mime/objects/offsets.ts';
import { isRecurring, startsOf } from '../../src/mime/objects/recurrence-set.ts';
import { withZones } from '../../src/mime/objects/zone-component.ts';
import { stamped, whenIn, withCommonTexts, withFields } from './calendar-fields.js';
import { addDays, daysBetween } from './days.js';
import { withLines, withoutLines } from './lines.js';
import { whenOfMoment, zoneCalled } from './moments.js';
import { rewritten } from './rewrite.js';
import { endedBefore, lessCount, shiftedRule } from './series.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/instances.ts').Instance} Instance */
/** @typedef {import('../../src/mime/objects/calendar-times.ts').Moment} Moment */
/** @typedef {import('./calendar.js').CalendarEvent} CalendarEvent */
/** @typedef {import('./calendar-fields.js').EventChange} EventChange */
/** @typedef {import('./moments.js').When} When */
/** @typedef {'this' | 'following' | 'all'} Scope */
/** @typedef {Pick<CalendarEvent, 'uid' | 'recurrenceId' | 'from' | 'to'>} Chosen as readEvents tells of it */
/** @typedef {{ zone: string, now?: number, uid?: string }} Surroundings the reader's zone; Unix seconds; a new UID */
/**
 * @typedef {object} World one object while it is changed
 * @property {string} source
 * @property {Component} calendar
 * @property {CalendarTimes} times
 * @property {Component | undefined} master
 * @property {Moment | undefined} begin of the series
 * @property {Component[]} overrides
 * @property {number} now
 */

/** what makes a series of a component */
const OF_SERIES = new Set(['RRULE', 'RDATE', 'EXDATE', 'EXRULE']);
const TIMES = new Set(['DTSTART', 'DTEND', 'DURATION', 'RECURRENCE-ID']);

/**
 * The object as it is to be stored; `added` is a second one, where a series was parted in two. Undefined for a text
 * that is no calendar object, or has no such event.
 * @param {string} text
 * @param {EventChange} fields
 * @param {Scope} scope all the same where nothing recurs
 * @param {Chosen} chosen
 * @param {Surroundings} surroundings
 * @returns {{ text: string, added?: string } | undefined}
 */
export function changeEvent(text, fields, scope, chosen, surroundings) {
  const change = withoutSameTime(fields, chosen);
  const world = worldOf(text, chosen, surroundings);
  if (!world) return undefined;
  const one = chosen.recurrenceId === undefined ? undefined : instanceAt(world, chosen.recurrenceId);
  if (scope === 'this' && one) return { text: written(world, changedOne(world, one, change)) };
  if (scope === 'following' && one && !isFirst(world, one)) {
    const added = writeComponent(followers(world, one, surroundings.uid ?? crypto.randomUUID()));
    const uid = lineOf(firstEvent(added), 'UID')?.value ?? '';
    const changed = changeEvent(added, change, 'all', { ...chosen, uid }, surroundings);
    return changed && { text: written(world, leaders(world, one)), added: changed.text };
  }
  return { text: written(world, changedAll(world, chosen, change)) };
}

/**
 * The object with one of a series changed, which becomes a component of its own. Undefined as for changeEvent, and
 * where nothing changes.
 * @param {string} text @param {Chosen} chosen @param {Surroundings} surroundings
 * @param {(component: Component) => Component} change
 */
export function changeInstance(text, chosen, surroundings, change) {
  const world = worldOf(text, chosen, surroundings);
  const one = world && instanceAt(world, chosen.recurrenceId ?? Number.NaN);
  if (!world || !one) return undefined;
  const { master, overrides } = world;
  const base = ownOf(world, one);
  const changed = change(base);
  if (changed === base) return undefined;
  const others = overrides.filter((override) => override !== base);
  return written(world, [...(master ? [master] : []), ...others, changed]);
}

/**
 * A form that was sent with the times that it was filled with changes none: those of one of a series may look other
 * than those of the series, where clocks change.
 * @param {EventChange} change @param {Chosen} chosen
 */
function withoutSameTime({ from, to, ...others }, chosen) {
  const isSame = from && isSameWhen(from, chosen.from) && isSameWhen(to ?? from, chosen.to);
  return from && !isSame ? { ...others, from, to: to ?? from } : others;
}

/** @param {When} one @param {When} other */
const isSameWhen = (one, other) =>
  one.day === other.day && one.time === other.time && (one.zone ?? '') === (other.zone ?? '');

/**
 * The object without it; no text where nothing is left. Undefined as for changeEvent.
 * @param {string} text @param {Scope} scope @param {Chosen} chosen @param {Surroundings} surroundings
 * @returns {{ text?: string } | undefined}
 */
export function removeEvent(text, scope, chosen, surroundings) {
  const world = worldOf(text, chosen, surroundings);
  if (!world) return undefined;
  const { master } = world;
  const one = chosen.recurrenceId === undefined ? undefined : instanceAt(world, chosen.recurrenceId);
  if (scope === 'all' || !one || (scope === 'following' && isFirst(world, one))) return {};
  if (scope === 'following') return { text: written(world, leaders(world, one)) };
  const others = world.overrides.filter((override) => idOf(world, override) !== chosen.recurrenceId);
  if (!master) return others.length === 0 ? {} : { text: written(world, others) };
  const without = whenIn(world.calendar, 'EXDATE', whenOfMoment(/** @type {Moment} */ (one.recurrenceId)));
  const lines = [...master.lines.filter(({ name }) => name === 'EXDATE'), without];
  return { text: written(world, [stamped(withLines(master, 'EXDATE', ...lines), world.now), ...others]) };
}

/** @param {string} text @param {Chosen} chosen @param {Surroundings} surroundings @returns {World | undefined} */
function worldOf(text, chosen, { zone, now = Date.now() / 1000 }) {
  const calendar = parseObject(text).object;
  if (calendar?.name !== 'VCALENDAR') return undefined;
  const sets = componentSets(calendar, 'VEVENT');
  const set = sets.find(({ masters, overrides }) => {
    return lineOf(masters[0] ?? overrides[0], 'UID')?.value.trim() === chosen.uid;
  });
  if (!set) return undefined;
  const times = new CalendarTimes(calendar, zoneCalled(zone));
  const begin = seriesStart(set.masters, times);
  return { source: text, calendar, times, master: set.masters[0], begin, overrides: set.overrides, now };
}

/**
 * The calendar with these events in place of those that it had.
 * @param {World} world @param {Component[]} events
 */
function written({ source, calendar, master, overrides }, events) {
  const before = new Set([...overrides, ...(master ? [master] : [])]);
  const components = [...calendar.components.filter((one) => !before.has(one)), ...events];
  return rewritten(source, withZones({ ...calendar, components }));
}

/** @param {string} text */
const firstEvent = (text) =>
  /** @type {Component} */ (parseObject(text).object?.components.find(({ name }) => name === 'VEVENT'));

/** @param {World} world @param {number} id */
function instanceAt({ master, overrides, times }, id) {
  const set = { masters: master ? [master] : [], overrides };
  for (const one of instancesIn(set, times, { start: id, end: id }, { steps: MAX_RECURRENCE_STEPS })) {
    if (one.recurrenceId?.instant === id) return one;
  }
  return undefined;
}

/** @param {World} world @param {Component} override */
const idOf = ({ times, begin }, override) => recurrenceIdOf(override, begin, times)?.instant;

/** @param {World} world @param {Instance} one */
const isFirst = ({ begin }, one) => !begin || /** @type {Moment} */ (one.recurrenceId).instant <= begin.instant;

/** @param {World} world @param {Instance} one @param {EventChange} change */
function changedOne(world, one, change) {
  const { calendar, times, master, overrides } = world;
  const base = ownOf(world, one);
  // a rule is of the series
  const changed = withFields(base, { ...change, rule: undefined }, { calendar, times, now: world.now });
  const others = overrides.filter((override) => override !== base);
  return [...(master ? [master] : []), ...others, changed];
}

/** The component that it has, or is to have. @param {World} world @param {Instance} one */
function ownOf(world, one) {
  const isOwn = world.overrides.includes(one.component) && idOf(world, one.component) === one.recurrenceId?.instant;
  return isOwn ? one.component : single(world, one);
}

/** One of a series as a component of its own. @param {World} world @param {Instance} one */
function single({ calendar, times }, { component, start, end, recurrenceId }) {
  const from = /** @type {Moment} */ (start);
  const { lines } = withoutLines(component, OF_SERIES);
  const at = (/** @type {string} */ name, /** @type {Moment} */ moment) => whenIn(calendar, name, whenOfMoment(moment));
  const ends =
    end === undefined || !lineOf(component, 'DTEND')
      ? undefined
      : times.at(localOf(from.zone, end), from.zone, from.isDay);
  const kept = lines.filter(({ name }) => !TIMES.has(name) || (name === 'DURATION' && !ends));
  const own = [
    at('RECURRENCE-ID', /** @type {Moment} */ (recurrenceId)),
    at('DTSTART', from),
    ends && at('DTEND', ends),
  ];
  return { ...component, lines: [...kept, ...own.filter((line) => line !== undefined)] };
}

/**
 * The series and its overrides; a new time of the one that was chosen moves them all as far.
 * @param {World} world @param {Chosen} chosen @param {EventChange} change
 * @returns {Component[]}
 */
function changedAll(world, chosen, change) {
  const { calendar, times, master, begin, overrides, now } = world;
  if (!master) return overrides.map((one) => withFields(one, change, { calendar, times, now }));
  if (!change.from || !begin || chosen.recurrenceId === undefined) {
    const changed = withFields(master, change, { calendar, times, now });
    const others = overrides.map((one) => withCommonTexts(one, master, change));
    return [changed, ...stillThere(world, changed, others)];
  }
  const days = daysBetween(chosen.from.day, change.from.day);
  const before = whenOfMoment(begin);
  const from = { ...change.from, day: addDays(before.day, days) };
  const length = daysBetween(change.from.day, (change.to ?? change.from).day);
  const to = { ...(change.to ?? change.from), day: addDays(from.day, length) };
  const rule = change.rule ?? shiftedRule(lineOf(master, 'RRULE')?.value ?? '', before.day, from.day);
  const moved = { ...change, from, to, rule };
  const isMoved = !isSameWhen(change.from, chosen.from);
  const shift = (/** @type {ContentLine} */ line) => (isMoved ? shiftedLine(world, line, begin, from) : line);
  const changed = withFields(shiftLines(master, shift), moved, { calendar, times, now });
  const others = overrides.map((one) => withCommonTexts(shiftLines(one, shift), master, change));
  return [changed, ...stillThere(world, changed, others)];
}

/** @param {Component} component @param {(line: ContentLine) => ContentLine} shift */
function shiftLines(component, shift) {
  const names = new Set(['EXDATE', 'RDATE', 'RECURRENCE-ID']);
  return { ...component, lines: component.lines.map((line) => (names.has(line.name) ? shift(line) : line)) };
}

/** The dates of a line, as many days later as the series, and at its new time. */
function shiftedLine(
  /** @type {World} */ { calendar, times },
  /** @type {ContentLine} */ line,
  /** @type {Moment} */ begin,
  /** @type {When} */ after,
) {
  const moments = [...times.momentsOf(line)];
  if (moments.length === 0 || line.value.includes('/')) return line;
  const before = whenOfMoment(begin);
  const days = daysBetween(before.day, after.day);
  const written = moments.map((moment) => {
    // a day without any of the series stays one
    if (moment.isDay && !begin.isDay && line.name === 'EXDATE') {
      return whenIn(calendar, line.name, { day: addDays(whenOfMoment(moment).day, days) });
    }
    const when = whenOfMoment(times.at(times.clockInSeries(begin, moment), begin.zone, begin.isDay));
    const time = when.time === before.time || after.time === undefined ? after.time : (when.time ?? after.time);
    return whenIn(calendar, line.name, { day: addDays(when.day, days), time, zone: after.zone });
  });
  const [first, ...others] = written.filter((one) => one !== undefined);
  const range = line.params.get('RANGE');
  const head = range === undefined ? first.text : first.text.replace(first.name, `${first.name};RANGE=${range}`);
  return ContentLine.read([head, ...others.map(({ value }) => value)].join(',')) ?? line;
}

/**
 * Overrides of what the series no longer has would be left over; those that were so before stay.
 * @param {World} world @param {Component} changed the series as it is then
 * @param {Component[]} others what becomes of each of the overrides
 */
function stillThere({ times, master, overrides }, changed, others) {
  const isIn = (/** @type {Component} */ series, /** @type {Component} */ override) => {
    const start = times.momentOf(lineOf(series, 'DTSTART'));
    const id = recurrenceIdOf(override, start, times)?.instant;
    if (!start || id === undefined || !isRecurring(series)) return false;
    const all = withoutLines(series, new Set(['EXDATE']));
    const starts = startsOf(all, start, times, id, id, { steps: MAX_RECURRENCE_STEPS });
    return [...starts].some(({ instant }) => instant === id);
  };
  return others.filter((one, i) => isIn(changed, one) || !master || !isIn(master, overrides[i]));
}

/** The series up to the one that is meant. @param {World} world @param {Instance} one */
function leaders(world, one) {
  const { master, overrides, now } = world;
  const id = /** @type {Moment} */ (one.recurrenceId);
  const series = /** @type {Component} */ (master);
  const ended = withLines(
    datesWhere(world, series, (at) => at < id.instant),
    'RRULE',
    endedBefore(lineOf(series, 'RRULE'), id),
  );
  return [stamped(ended, now), ...overrides.filter((override) => (idOf(world, override) ?? id.instant) < id.instant)];
}

/** The series from there on, as an object of its own. @param {World} world @param {Instance} one @param {string} uid */
function followers(world, one, uid) {
  const { calendar, master, begin, overrides } = world;
  const id = /** @type {Moment} */ (one.recurrenceId);
  const series = /** @type {Component} */ (master);
  const first = single(world, { ...one, component: series, start: id, end: endOf(world, series, id) });
  const rule = lessCount(lineOf(series, 'RRULE'), begin, id);
  const dates = datesWhere(world, series, (at) => at >= id.instant).lines.filter(({ name }) =>
    /^(?:EX|R)DATE$/.test(name),
  );
  const renamed = (/** @type {Component} */ component) => withLines(component, 'UID', ContentLine.read(`UID:${uid}`));
  const begun = withoutLines(first, new Set(['RECURRENCE-ID']));
  const lines = [...begun.lines, ...(rule ? [rule] : []), ...dates];
  const later = overrides.filter((override) => (idOf(world, override) ?? 0) > id.instant);
  const components = [renamed({ ...begun, lines }), ...later.map(renamed)];
  return {
    ...calendar,
    components: [...calendar.components.filter(({ name }) => name === 'VTIMEZONE'), ...components],
  };
}

/**
 * When one of the series ends that no override changes.
 * @param {World} world @param {Component} series @param {Moment} id
 */
function endOf({ times }, series, id) {
  const [start, end] = ['DTSTART', 'DTEND'].map((name) => times.momentOf(lineOf(series, name)));
  if (!start || !end) return undefined;
  // days are those of the calendar, of 23 to 25 hours
  const last = times.at(id.local + end.local - start.local, id.zone, true);
  return id.isDay ? last.instant : id.instant + end.instant - start.instant;
}

/**
 * With those dates of EXDATE and RDATE alone.
 * @param {World} world @param {Component} component @param {(at: number) => boolean} holds
 */
function datesWhere({ times, begin }, component, holds) {
  const lines = component.lines.flatMap((line) => {
    if (line.name !== 'EXDATE' && line.name !== 'RDATE') return [line];
    const values = line.value.split(',').filter((value) => {
      const date = times.dateIn(value, line);
      return holds((date && begin ? times.inSeries(begin, date) : date)?.instant ?? 0);
    });
    return values.length === 0 ? [] : [line.withValue(values.join(','))];
  });
  return { ...component, lines };
}
