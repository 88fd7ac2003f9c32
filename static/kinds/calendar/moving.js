// Events at other times: as far as they were moved, in the zone that they are written in. Pure.

import { addDays, daysBetween } from '../../formats/days.js';
import { instantOfWhen, whenIn } from '../../formats/moments.js';

/** @import { CalendarEvent } from '../../formats/calendar.js' */
/** @import { When } from '../../formats/moments.js' */

/** @typedef {Pick<CalendarEvent, 'isDay' | 'start' | 'end' | 'firstDay' | 'lastDay' | 'from' | 'to'>} Timed */

/** what is left of an event that is made shorter, in seconds */
const SHORTEST = 15 * 60;

/** @param {number} instant @param {Timed} event @param {string} zone the reader's @returns {When} */
function written(instant, { from }, zone) {
  const own = from.zone ?? '';
  // a time of no zone stays one
  return own === '' ? { ...whenIn(instant, zone), zone: '' } : whenIn(instant, own);
}

/**
 * So many days and minutes later on the reader's clock.
 * @param {Timed} event @param {{ days?: number, minutes?: number }} by @param {string} zone
 * @returns {{ from: When, to: When }}
 */
export function movedBy(event, { days = 0, minutes = 0 }, zone) {
  if (event.isDay) {
    return { from: { day: addDays(event.firstDay, days) }, to: { day: addDays(event.lastDay, days) } };
  }
  const here = whenIn(event.start, zone);
  const start = instantOfWhen({ ...here, day: addDays(here.day, days) }, zone) + minutes * 60;
  return { from: written(start, event, zone), to: written(start + event.end - event.start, event, zone) };
}

/** To this day and minute of the reader's clock. @param {Timed} event @param {string} day @param {number} minutes @param {string} zone */
export function movedTo(event, day, minutes, zone) {
  const here = whenIn(event.start, zone);
  const own = Number(here.time?.slice(0, 2)) * 60 + Number(here.time?.slice(3, 5));
  return movedBy(event, { days: daysBetween(here.day, day), minutes: minutes - own }, zone);
}

/**
 * Longer, or shorter by a negative number.
 * @param {Timed} event @param {{ days?: number, minutes?: number }} by @param {string} zone
 * @returns {{ from: When, to: When }}
 */
export function resizedBy(event, { days = 0, minutes = 0 }, zone) {
  if (event.isDay) {
    const last = addDays(event.lastDay, days);
    return { from: { day: event.firstDay }, to: { day: last < event.firstDay ? event.firstDay : last } };
  }
  const end = Math.max(event.start + SHORTEST, event.end + days * 86_400 + minutes * 60);
  return { from: event.from, to: written(end, event, zone) };
}
