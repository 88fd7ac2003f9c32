// What a calendar object means to its reader: events as they take place, tasks, invitations. Reads whatever programs
// write and never throws; calendar-change.js changes it. The engine is the server's (src/mime/objects/).

import { MAX_RECURRENCE_STEPS } from '../../src/limits/mime.ts';
import { parseDuration } from '../../src/mime/objects/calendar-time.ts';
import { CalendarTimes } from '../../src/mime/objects/calendar-times.ts';
import { lineOf, parseComponents, textOf, unescapeText } from '../../src/mime/objects/content-lines.ts';
import { componentSets, instancesIn } from '../../src/mime/objects/instances.ts';
import { localOf } from '../../src/mime/objects/offsets.ts';
import { instanceOverlaps } from '../../src/mime/objects/time-range.ts';
import { partstatOf } from '../../src/mime/scheduling/lines.ts';
import { itemsOf } from './lines.js';
import { DAY, dayOfLocal, timeOfLocal, whenOfMoment, zoneCalled } from './moments.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/content-lines.ts').ContentLine} ContentLine */
/** @typedef {import('../../src/mime/objects/instances.ts').Instance} Instance */
/** @typedef {import('../../src/mime/objects/calendar-times.ts').Moment} Moment */
/** @typedef {import('./moments.js').When} When */
/** @typedef {{ address: string, name: string, answer: string, role: string }} Attendee PARTSTAT and ROLE, upper case */
/**
 * @typedef {object} Entry what events and tasks have in common
 * @property {string} uid
 * @property {string} title
 * @property {string} place
 * @property {string} notes
 * @property {string} url
 * @property {string} status STATUS, upper case, '' where there is none
 * @property {string[]} categories
 * @property {boolean} isPrivate
 * @property {string} rule RRULE of the series, '' where it does not recur
 * @property {number[]} alarms seconds before the start
 * @property {Attendee | undefined} organizer
 * @property {Attendee[]} attendees
 */
/**
 * @typedef {object} EventTimes
 * @property {number | undefined} recurrenceId instant that this one of a series was to begin; undefined: no series
 * @property {boolean} isChanged one of a series that differs from the others
 * @property {boolean} isDay
 * @property {number} start instant, Unix seconds
 * @property {number} end instant; the start where it takes no time
 * @property {string} firstDay in the reader's zone
 * @property {string} lastDay the last on which it takes place
 * @property {string} startTime in the reader's zone, '' for whole days
 * @property {string} endTime
 * @property {When} from as it is written, in its own zone
 * @property {When} to the same of the end; of whole days the last one
 * @property {boolean} isFree others may ask for this time (TRANSP)
 */
/** @typedef {Entry & EventTimes} CalendarEvent */
/**
 * @typedef {object} TaskState
 * @property {When | undefined} start
 * @property {When | undefined} due
 * @property {number | undefined} dueAt instant; of a day its end
 * @property {boolean} isDone
 * @property {number | undefined} completedAt
 * @property {number} percent
 * @property {number} priority 1 is the highest, 9 the lowest, 0 none
 * @property {string} parent UID of the task that this one is a step of
 */
/** @typedef {Entry & TaskState} CalendarTask */

/**
 * The events of a calendar object that overlap a time, each of a series, in the order of their starts.
 * @param {string} text iCalendar
 * @param {number} from instant, Unix seconds
 * @param {number} to
 * @param {string} zone the reader's
 * @returns {CalendarEvent[]}
 */
export function readEvents(text, from, to, zone) {
  const calendar = calendarOf(text);
  const reader = zoneCalled(zone);
  const times = new CalendarTimes(calendar, reader);
  const range = { start: from, end: to };
  const budget = { steps: MAX_RECURRENCE_STEPS };
  /** @type {CalendarEvent[]} */
  const events = [];
  for (const set of componentSets(calendar, 'VEVENT')) {
    const master = set.masters[0];
    const rule = master ? (lineOf(master, 'RRULE')?.value ?? '') : '';
    for (const instance of instancesIn(set, times, range, budget)) {
      if (!instance.start || !instanceOverlaps(instance, times, range)) continue;
      const { component, recurrenceId } = instance;
      events.push({
        ...entryOf(component, times),
        rule,
        recurrenceId: recurrenceId?.instant,
        isChanged: component !== master && recurrenceId !== undefined,
        isFree: textOf(component, 'TRANSP').toUpperCase() === 'TRANSPARENT',
        ...placeInTime(instance.start, instance.end, reader, times),
      });
    }
  }
  return events.sort((one, other) => one.start - other.start || one.end - other.end);
}

/**
 * @param {Moment} start @param {number | undefined} ending
 * @param {import('./moments.js').Zone} reader @param {CalendarTimes} times
 */
function placeInTime(start, ending, reader, times) {
  const { isDay, instant } = start;
  const whole = isDay ? Math.max(1, Math.round(((ending ?? 0) - instant) / DAY)) : 0;
  const end = isDay
    ? times.at(start.local + whole * DAY, start.zone, true).instant
    : Math.max(ending ?? instant, instant);
  const own = whenOfMoment(start);
  if (isDay) {
    const lastDay = dayOfLocal(start.local + (whole - 1) * DAY);
    const days = { firstDay: own.day, lastDay, startTime: '', endTime: '', from: own, to: { day: lastDay } };
    return { isDay, start: instant, end, ...days };
  }
  const [first, last] = [localOf(reader, instant), localOf(reader, end)];
  // what ends at midnight is over on the day before
  const lastDay = dayOfLocal(end > instant ? last - 1 : last);
  const to = whenOfMoment(times.at(localOf(start.zone, end), start.zone, false));
  const clocks = { startTime: timeOfLocal(first), endTime: timeOfLocal(last) };
  return { isDay, start: instant, end, firstDay: dayOfLocal(first), lastDay, ...clocks, from: own, to };
}

/** The tasks of a calendar object; of a series the one that is next to do. @param {string} text @param {string} zone */
export function readTasks(text, zone) {
  const calendar = calendarOf(text);
  const times = new CalendarTimes(calendar, zoneCalled(zone));
  return componentSets(calendar, 'VTODO').flatMap(({ masters, overrides }) => {
    const component = masters[0] ?? overrides[0];
    return component ? [taskOf(component, times)] : [];
  });
}

/** @param {Component} component @param {CalendarTimes} times @returns {CalendarTask} */
function taskOf(component, times) {
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  const due = times.momentOf(lineOf(component, 'DUE'));
  const status = textOf(component, 'STATUS').toUpperCase();
  const completedAt = times.momentOf(lineOf(component, 'COMPLETED'))?.instant;
  const percent = numberIn(component, 'PERCENT-COMPLETE', 100);
  return {
    ...entryOf(component, times),
    rule: lineOf(component, 'RRULE')?.value ?? '',
    start: start && whenOfMoment(start),
    due: due && whenOfMoment(due),
    dueAt: due && (due.isDay ? times.at(due.local + DAY, due.zone, true).instant : due.instant),
    isDone: status === 'COMPLETED' || completedAt !== undefined || percent === 100,
    completedAt,
    percent,
    priority: numberIn(component, 'PRIORITY', 9),
    parent: unescapeText(component.lines.find(isParent)?.value ?? '').trim(),
  };
}

/** Whether it names the task that this one is a step of. @param {ContentLine} line */
export const isParent = ({ name, params }) =>
  name === 'RELATED-TO' && (params.get('RELTYPE') ?? 'PARENT').toUpperCase() === 'PARENT';

/** What a message asks of its reader (METHOD, RFC 5546), upper case; '' for none. @param {string} text */
export const methodOf = (text) => textOf(calendarOf(text), 'METHOD').toUpperCase();

/** @param {Component} component @param {CalendarTimes} times @returns {Entry} */
function entryOf(component, times) {
  const organizer = lineOf(component, 'ORGANIZER');
  return {
    uid: lineOf(component, 'UID')?.value.trim() ?? '',
    title: textOf(component, 'SUMMARY').replaceAll('\n', ' '),
    place: textOf(component, 'LOCATION'),
    notes: textOf(component, 'DESCRIPTION'),
    url: lineOf(component, 'URL')?.value.trim() ?? '',
    status: textOf(component, 'STATUS').toUpperCase(),
    categories: itemsOf(component, 'CATEGORIES'),
    isPrivate: /^(?:PRIVATE|CONFIDENTIAL)$/i.test(textOf(component, 'CLASS')),
    rule: '',
    alarms: component.components.flatMap((alarm) => alarmBefore(alarm, component, times)),
    organizer: organizer && personOf(organizer),
    attendees: component.lines.filter(({ name }) => name === 'ATTENDEE').map(personOf),
  };
}

/** @param {ContentLine} line @returns {Attendee} */
function personOf(line) {
  const { params, value } = line;
  const address = value.trim().replace(/^mailto:/i, '');
  const role = (params.get('ROLE') ?? 'REQ-PARTICIPANT').toUpperCase();
  return { address, name: params.get('CN')?.trim() || address, answer: partstatOf(line), role };
}

/** @param {Component} alarm @param {Component} component @param {CalendarTimes} times @returns {number[]} */
export function alarmBefore(alarm, component, times) {
  const trigger = alarm.name === 'VALARM' ? lineOf(alarm, 'TRIGGER') : undefined;
  const duration = parseDuration(trigger?.value ?? '');
  if (duration) return [-(duration.days * DAY + duration.seconds)];
  const at = times.momentOf(trigger)?.instant;
  const start = times.momentOf(lineOf(component, 'DTSTART'))?.instant;
  return at === undefined || start === undefined ? [] : [start - at];
}

/** @param {Component} component @param {string} name @param {number} most */
function numberIn(component, name, most) {
  const figures = lineOf(component, name)?.value.trim() ?? '';
  return /^\d{1,3}$/.test(figures) ? Math.min(Number(figures), most) : 0;
}

/** The first calendar; components without one around them count as one. @param {string} text @returns {Component} */
function calendarOf(text) {
  const roots = parseComponents(text);
  return roots.find(({ name }) => name === 'VCALENDAR') ?? { name: 'VCALENDAR', lines: [], components: roots };
}
