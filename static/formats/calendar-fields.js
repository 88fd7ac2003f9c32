// What a form of an event or task says, written into its component: only what is named changes. New zones are brought
// along in the calendar.

import { utcText } from '../../src/mime/objects/calendar-time.ts';
import { makeLine } from '../../src/mime/objects/components.ts';
import { lineOf, textOf, zoneId } from '../../src/mime/objects/content-lines.ts';
import { addressKey, sequenceOf } from '../../src/mime/scheduling/lines.ts';
import { alarmBefore, isParent } from './calendar.js';
import { addDays } from './days.js';
import { withItems, withLineAt, withLines, withoutLines, withText, withValue } from './lines.js';
import { whenLine } from './moments.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/content-lines.ts').ContentLine} ContentLine */
/** @typedef {import('../../src/mime/objects/calendar-times.ts').CalendarTimes} CalendarTimes */
/** @typedef {import('./moments.js').When} When */
/**
 * @typedef {object} EventChange what is missing stays as it is
 * @property {string} [title]
 * @property {string} [place]
 * @property {string} [notes]
 * @property {string} [url]
 * @property {string} [status] '' for none
 * @property {string[]} [categories]
 * @property {boolean} [isFree]
 * @property {boolean} [isPrivate]
 * @property {When} [from] with `to`
 * @property {When} [to] of whole days the last one
 * @property {string} [rule] RRULE, '' for none
 * @property {number[]} [alarms] seconds before the start
 * @property {{ address: string, name?: string }[]} [attendees]
 * @property {{ address: string, name?: string }} [organizer] who invites, where nobody is named yet
 */
/**
 * @typedef {object} TaskChange
 * @property {When | null} [start] null takes it away
 * @property {When | null} [due]
 * @property {number} [priority] 0 for none
 * @property {number} [percent]
 * @property {string} [parent]
 */

/** Those without which a change is no change of time. */
const TEXTS = /** @type {const} */ ([
  ['title', 'SUMMARY'],
  ['place', 'LOCATION'],
  ['notes', 'DESCRIPTION'],
]);

/** @param {number} now Unix seconds @param {Component} component */
export function stamped(component, now) {
  const changed = withLines(component, 'DTSTAMP', makeLine('DTSTAMP', utcText(now)));
  return withLines(changed, 'LAST-MODIFIED', makeLine('LAST-MODIFIED', utcText(now)));
}

/**
 * @param {Component} component
 * @param {EventChange & TaskChange} change
 * @param {{ calendar: Component, times: CalendarTimes, now: number }} context
 * @returns {Component}
 */
export function withFields(component, change, { calendar, times, now }) {
  let changed = withTexts(component, change);
  if (change.url !== undefined) changed = withValue(changed, 'URL', change.url);
  if (change.status !== undefined) changed = withValue(changed, 'STATUS', change.status);
  if (change.categories) changed = withItems(changed, 'CATEGORIES', change.categories);
  if (change.isFree !== undefined) {
    changed = withValue(changed, 'TRANSP', change.isFree ? 'TRANSPARENT' : '');
  }
  if (change.isPrivate !== undefined) {
    changed = withValue(changed, 'CLASS', change.isPrivate ? 'PRIVATE' : '');
  }
  if (change.rule !== undefined) changed = withValue(changed, 'RRULE', change.rule);
  if (change.from) changed = withTimes(changed, change.from, change.to ?? change.from, calendar, times);
  if (change.start !== undefined)
    changed = withWhen(changed, 'DTSTART', whenIn(calendar, 'DTSTART', change.start), times);
  if (change.due !== undefined) {
    changed = withoutLines(changed, new Set(['DURATION']));
    changed = withWhen(changed, 'DUE', whenIn(calendar, 'DUE', change.due), times);
  }
  if (change.priority !== undefined) {
    changed = withValue(changed, 'PRIORITY', change.priority > 0 ? `${change.priority}` : '');
  }
  if (change.percent !== undefined) {
    changed = withLines(changed, 'PERCENT-COMPLETE', makeLine('PERCENT-COMPLETE', `${change.percent}`));
  }
  if (change.parent !== undefined) {
    const line = change.parent === '' ? undefined : makeLine('RELATED-TO', change.parent);
    changed = withLineAt(changed, changed.lines.find(isParent), line);
  }
  if (change.alarms) changed = withAlarms(changed, change.alarms, times);
  if (change.attendees) changed = withAttendees(changed, change);
  const isMoved = change.from !== undefined || change.rule !== undefined;
  if (isMoved) changed = withLines(changed, 'SEQUENCE', makeLine('SEQUENCE', `${sequenceOf(component) + 1}`));
  return stamped(changed, now);
}

/** @param {Component} component @param {EventChange} change */
function withTexts(component, change) {
  let changed = component;
  for (const [key, name] of TEXTS) {
    const text = change[key];
    if (text !== undefined) changed = withText(changed, name, text);
  }
  return changed;
}

/** Of one of a series that says the same as the series did, what the series says now. */
export function withCommonTexts(
  /** @type {Component} */ override,
  /** @type {Component} */ before,
  /** @type {EventChange} */ change,
) {
  let changed = override;
  for (const [key, name] of TEXTS) {
    const text = change[key];
    const isCommon = lineOf(override, name)?.value === lineOf(before, name)?.value;
    if (text !== undefined && isCommon) changed = withText(changed, name, text);
  }
  return changed;
}

/**
 * @param {Component} component @param {When} from @param {When} to @param {Component} calendar
 * @param {CalendarTimes} times
 */
function withTimes(component, from, to, calendar, times) {
  const end = to.time === undefined ? { day: addDays(to.day, 1) } : to;
  const started = withWhen(
    withoutLines(component, new Set(['DURATION'])),
    'DTSTART',
    whenIn(calendar, 'DTSTART', from),
    times,
  );
  const isMoment = from.time !== undefined && to.day === from.day && to.time === from.time && to.zone === from.zone;
  return withWhen(started, 'DTEND', isMoment ? undefined : whenIn(calendar, 'DTEND', end), times);
}

/**
 * With this time; a line that says the same stays as it is written.
 * @param {Component} component @param {string} name @param {ContentLine | undefined} line @param {CalendarTimes} times
 */
function withWhen(component, name, line, times) {
  const old = lineOf(component, name);
  const [now, before] = [line, old].map((each) => times.momentOf(each));
  const isSame =
    now && before && now.instant === before.instant && now.isDay === before.isDay && zoneOf(line) === zoneOf(old);
  return isSame ? component : withLineAt(component, old, line);
}

/** @param {ContentLine | undefined} line */
const zoneOf = (line) =>
  (line?.params.has('TZID') && zoneId(line.params.get('TZID') ?? '')) ||
  (/Z\s*$/i.test(line?.value ?? '') ? 'UTC' : '');

/**
 * A date in the words of the calendar, whose zones may have names that begin with a slash (RFC 5545 section 3.2.19).
 * @param {Component} calendar @param {string} name @param {When | null} when
 */
export function whenIn(calendar, name, when) {
  if (when === null) return undefined;
  return whenLine(name, { ...when, zone: when.zone && (zoneIds(calendar).get(when.zone) ?? when.zone) });
}

/** As the engine names them → as they are written. @param {Component} calendar */
function zoneIds(calendar) {
  const zones = calendar.components.filter(({ name }) => name === 'VTIMEZONE');
  // as the parameter of a time has it: nothing is escaped there
  const ids = zones.map((zone) => textOf(zone, 'TZID'));
  return new Map(ids.map((id) => [zoneId(id), id]));
}

/**
 * Alarms that are wanted stay as they are written.
 * @param {Component} component @param {number[]} wanted @param {CalendarTimes} times
 */
function withAlarms(component, wanted, times) {
  const missing = new Set(wanted);
  const kept = component.components.filter((one) => {
    const [before] = alarmBefore(one, component, times);
    if (before !== undefined) missing.delete(before);
    return before === undefined || wanted.includes(before);
  });
  const title = lineOf(component, 'SUMMARY')?.value ?? '';
  const added = [...missing].map((before) => {
    const trigger = `${before > 0 ? '-' : ''}PT${Math.abs(Math.round(before / 60))}M`;
    const lines = [makeLine('ACTION', 'DISPLAY'), makeLine('DESCRIPTION', title), makeLine('TRIGGER', trigger)];
    return { name: 'VALARM', lines, components: [] };
  });
  return { ...component, components: [...kept, ...added] };
}

/** Those who are invited already keep their answers. @param {Component} component @param {EventChange} change */
function withAttendees(component, { attendees = [], organizer }) {
  const known = new Map(
    component.lines.filter(({ name }) => name === 'ATTENDEE').map((one) => [addressKey(one.value), one]),
  );
  const lines = attendees.map(({ address, name }) => {
    const params = { ROLE: 'REQ-PARTICIPANT', PARTSTAT: 'NEEDS-ACTION', RSVP: 'TRUE' };
    const uri = `mailto:${address}`;
    const old = known.get(addressKey(uri)) ?? known.get(addressKey(address));
    return old ?? makeLine('ATTENDEE', uri, name ? { CN: name, ...params } : params);
  });
  const changed = withLines(component, 'ATTENDEE', ...lines);
  if (lines.length === 0) return withLines(changed, 'ORGANIZER');
  if (!organizer || lineOf(component, 'ORGANIZER')) return changed;
  const params = organizer.name ? { CN: organizer.name } : undefined;
  return withLines(changed, 'ORGANIZER', makeLine('ORGANIZER', `mailto:${organizer.address}`, params));
}
