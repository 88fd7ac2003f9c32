// New events and tasks, tasks that are ticked off, and answers to invitations.

import { MAX_RECURRENCE_STEPS } from '../../src/limits/mime.ts';
import { utcText } from '../../src/mime/objects/calendar-time.ts';
import { CalendarTimes } from '../../src/mime/objects/calendar-times.ts';
import { makeLine, parseObject, writeComponent } from '../../src/mime/objects/components.ts';
import { lineOf } from '../../src/mime/objects/content-lines.ts';
import { startsOf } from '../../src/mime/objects/recurrence-set.ts';
import { withZones } from '../../src/mime/objects/zone-component.ts';
import { addressKey, withParameter } from '../../src/mime/scheduling/lines.ts';
import { changeInstance } from './calendar-change.js';
import { stamped, whenIn, withFields } from './calendar-fields.js';
import { addDays, daysBetween } from './days.js';
import { withLines, withoutLines } from './lines.js';
import { whenOfMoment, zoneCalled } from './moments.js';
import { rewritten } from './rewrite.js';
import { lessCount } from './series.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/calendar-times.ts').Moment} Moment */
/** @typedef {import('./calendar-fields.js').EventChange} EventChange */
/** @typedef {import('./calendar-fields.js').TaskChange} TaskChange */
/** @typedef {import('./calendar-change.js').Chosen} Chosen */
/** @typedef {import('./calendar-change.js').Surroundings} Surroundings */

const PRODUCT = '-//Vestibule//Web client//EN';

/** @param {EventChange} fields with `from` and `to` @param {Surroundings} surroundings */
export const newEvent = (fields, surroundings) => newObject('VEVENT', fields, surroundings);

/** @param {EventChange & TaskChange} fields @param {Surroundings} surroundings */
export const newTask = (fields, surroundings) =>
  newObject('VTODO', { status: 'NEEDS-ACTION', ...fields }, surroundings);

/**
 * @param {string} kind @param {EventChange & TaskChange} fields @param {Surroundings} surroundings
 * @returns {{ uid: string, text: string }}
 */
function newObject(kind, fields, { zone, now = Date.now() / 1000, uid = crypto.randomUUID() }) {
  const head = [makeLine('VERSION', '2.0'), makeLine('PRODID', PRODUCT)];
  const calendar = { name: 'VCALENDAR', lines: head, components: [] };
  const times = new CalendarTimes(calendar, zoneCalled(zone));
  const lines = [makeLine('UID', uid), makeLine('CREATED', utcText(now))];
  const filled = withFields({ name: kind, lines, components: [] }, fields, { calendar, times, now });
  const object = withZones({ ...calendar, components: [withLines(filled, 'SEQUENCE')] });
  return { uid, text: writeComponent(object) };
}

/** @typedef {(task: Component, world: { calendar: Component, times: CalendarTimes, now: number }) => Component} Step */

/**
 * Undefined for a text that has no such task.
 * @param {string} text @param {string} uid @param {Surroundings} surroundings @param {Step} step
 */
function changedTask(text, uid, { zone, now = Date.now() / 1000 }, step) {
  const calendar = parseObject(text).object;
  const isWanted = (/** @type {Component} */ one) => one.name === 'VTODO' && lineOf(one, 'UID')?.value.trim() === uid;
  const task = calendar?.components.find((one) => isWanted(one) && !lineOf(one, 'RECURRENCE-ID'));
  if (!calendar || !task) return undefined;
  const times = new CalendarTimes(calendar, zoneCalled(zone));
  const changed = step(task, { calendar, times, now });
  return { ...calendar, components: calendar.components.map((one) => (one === task ? changed : one)) };
}

/**
 * @param {string} text @param {EventChange & TaskChange} change @param {string} uid @param {Surroundings} surroundings
 * @returns {string | undefined} undefined for a text that has no such task
 */
export function changeTask(text, change, uid, surroundings) {
  const changed = changedTask(text, uid, surroundings, (task, world) => withFields(task, change, world));
  return changed && rewritten(text, withZones(changed));
}

/**
 * Done, or to do again. One of a series that is done leads to the next one; done with the last one is done.
 * @param {string} text @param {boolean} isDone @param {string} uid @param {Surroundings} surroundings
 * @returns {string | undefined} undefined for a text that has no such task
 */
export function tickTask(text, isDone, uid, surroundings) {
  const changed = changedTask(text, uid, surroundings, (task, { calendar, times, now }) => {
    const next = isDone ? nextOf(task, calendar, times) : undefined;
    return stamped(next ?? marked(task, isDone, now), now);
  });
  return changed && rewritten(text, changed);
}

/** @param {Component} task @param {boolean} isDone @param {number} now */
function marked(task, isDone, now) {
  const status = withLines(task, 'STATUS', makeLine('STATUS', isDone ? 'COMPLETED' : 'NEEDS-ACTION'));
  const percent = withLines(status, 'PERCENT-COMPLETE', isDone ? makeLine('PERCENT-COMPLETE', '100') : undefined);
  return withLines(percent, 'COMPLETED', isDone ? makeLine('COMPLETED', utcText(now)) : undefined);
}

/** The task at its next time. @param {Component} task @param {Component} calendar @param {CalendarTimes} times */
function nextOf(task, calendar, times) {
  const rule = lineOf(task, 'RRULE');
  const [start, due] = ['DTSTART', 'DUE'].map((name) => times.momentOf(lineOf(task, name)));
  const first = start ?? due;
  if (!rule || !first) return undefined;
  const budget = { steps: MAX_RECURRENCE_STEPS };
  /** @type {Moment | undefined} */
  let next;
  for (const moment of startsOf(task, first, times, first.instant + 1, Number.POSITIVE_INFINITY, budget)) {
    if (moment.instant <= first.instant) continue;
    next = moment;
    break;
  }
  if (!next) return undefined;
  const days = daysBetween(whenOfMoment(first).day, whenOfMoment(next).day);
  let moved = withLines(task, 'RRULE', lessCount(rule, first, next));
  for (const [name, moment] of /** @type {const} */ ([
    ['DTSTART', start],
    ['DUE', due],
  ])) {
    if (!moment) continue;
    const when = whenOfMoment(moment);
    const time = moment === first ? whenOfMoment(next).time : when.time;
    moved = withLines(moved, name, whenIn(calendar, name, { ...when, time, day: addDays(when.day, days) }));
  }
  return withoutLines(moved, new Set(['COMPLETED', 'PERCENT-COMPLETE']));
}

/**
 * One's own answer to an invitation: to the one of a series that is `chosen`, as a component of its own
 * (RFC 5546 section 3.2.3), else in all of its events. What the organizer asks is left out, so that it can be stored.
 * Undefined where nobody of these addresses is invited.
 * @param {string} text
 * @param {readonly string[]} addresses one's own
 * @param {'ACCEPTED' | 'TENTATIVE' | 'DECLINED'} answer
 * @param {{ now?: number, zone?: string, chosen?: Chosen }} [options] `now`: Unix seconds
 */
export function answerEvent(text, addresses, answer, { now = Date.now() / 1000, zone = 'UTC', chosen } = {}) {
  const calendar = parseObject(text).object;
  const own = new Set(addresses.map((address) => addressKey(`mailto:${address}`)));
  const answered = (/** @type {Component} */ component) => {
    const lines = component.lines.map((line) =>
      line.name === 'ATTENDEE' && own.has(addressKey(line.value))
        ? withParameter(withParameter(line, 'PARTSTAT', answer), 'RSVP', undefined)
        : line,
    );
    return lines.some((line, i) => line !== component.lines[i]) ? stamped({ ...component, lines }, now) : component;
  };
  if (!calendar) return undefined;
  if (chosen) return changeInstance(text, chosen, { zone, now }, answered);
  const components = calendar.components.map(answered);
  if (!components.some((component, i) => component !== calendar.components[i])) return undefined;
  return rewritten(text, { ...withoutLines(calendar, new Set(['METHOD'])), components });
}
