// What the address says behind a calendar: 'month/2026-11', 'week/2026-11-22', 'day/…', 'agenda/…', '38' the event of
// that message; without a day it is today, without a view the last one chosen on this device.

import { routeTo } from '../../core/router.js';
import { addDays, addMonths, isDay, startOfWeek, weeksOfMonth } from '../../formats/days.js';

/** @typedef {'month' | 'week' | 'day' | 'agenda'} ViewName */
/** @typedef {{ view: ViewName, day: string, msgnum?: number, isNew?: boolean }} CalendarRoute */

/** @type {ViewName[]} */
export const VIEWS = ['day', 'week', 'month', 'agenda'];

/** months before and after this one that are there without a connection */
const KEPT_MONTHS = { before: 1, after: 3 };

/** how many days a list shows */
export const AGENDA_DAYS = 30;

/**
 * @param {string[]} rest @param {{ view: ViewName, today: string }} usual
 * @returns {CalendarRoute | undefined}
 */
export function parseCalendarRoute([view, day], usual) {
  if (view === undefined || view === '') return { view: usual.view, day: usual.today };
  if (/^[1-9]\d*$/.test(view)) return { view: usual.view, day: usual.today, msgnum: Number(view) };
  if (view === 'new') return { view: usual.view, day: isDay(day ?? '') ? day : usual.today, isNew: true };
  const known = VIEWS.find((each) => each === view);
  if (known === undefined) return undefined;
  if (day === undefined || day === '') return { view: known, day: usual.today };
  const isMonth = /^\d{4}-\d\d$/.test(day);
  const whole = !isMonth ? day : usual.today.startsWith(day) ? usual.today : `${day}-01`;
  return isDay(whole) ? { view: known, day: whole } : undefined;
}

/** @param {string} room @param {ViewName} view @param {string} day */
export const addressOf = (room, view, day) => routeTo(room, view, day);

/**
 * The days in sight, the first and the last.
 * @param {ViewName} view
 * @param {string} day
 * @param {number} firstDay of the week
 */
export function daysInSight(view, day, firstDay) {
  if (view === 'day') return { first: day, last: day };
  if (view === 'agenda') return { first: day, last: addDays(day, AGENDA_DAYS - 1) };
  if (view === 'month') {
    const weeks = weeksOfMonth(day, firstDay);
    return { first: weeks[0][0], last: addDays(weeks[weeks.length - 1][0], 6) };
  }
  const first = startOfWeek(day, firstDay);
  return { first, last: addDays(first, 6) };
}

/**
 * The days that are there without a connection, whatever was looked at: the same in every view and all month long, as
 * it is kept by what is asked. Behind them those that were kept in each of the months before.
 * @param {string} today
 */
export function daysKept(today) {
  const month = (/** @type {number} */ count) => addMonths(`${today.slice(0, 7)}-01`, count);
  return Array.from({ length: KEPT_MONTHS.after + 1 }, (_, ago) => ({
    // with the other days of the weeks that a month is shown in
    first: addDays(month(-KEPT_MONTHS.before - ago), -6),
    last: addDays(month(KEPT_MONTHS.after + 1 - ago), 5),
  }));
}

/** The same day of the view before or after. @param {ViewName} view @param {string} day @param {number} count */
export function stepped(view, day, count) {
  if (view === 'month') return addMonths(day, count);
  return addDays(day, count * (view === 'day' ? 1 : view === 'week' ? 7 : AGENDA_DAYS));
}
