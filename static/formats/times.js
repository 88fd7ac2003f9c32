// Times and sizes as the reader's locale writes them: that of the language the page speaks. Times are Unix seconds,
// sizes bytes.

import { locale } from '../core/i18n.js';

const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
const wholeDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });

/**
 * As short as it stays clear: the clock today, else the day, with the year when it is another one.
 * @param {number} seconds @param {Date} [now]
 */
export function shortTime(seconds, now = new Date()) {
  const time = new Date(seconds * 1000);
  if (time.toDateString() === now.toDateString()) return clock.format(time);
  return (time.getFullYear() === now.getFullYear() ? dayOfYear : day).format(time);
}

/** The time of day. @param {Date} date */
export const shortClock = (date) => clock.format(date);

/** @param {Date} date */
export const fullTime = (date) => full.format(date);

/**
 * a date without a time of day, given as midnight UTC
 * @param {Date} date
 */
export const fullDay = (date) => wholeDay.format(date);

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/**
 * `15360` → `15 kB`
 * @param {number} bytes
 */
export function size(bytes) {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  const display = unit === 0 ? 'long' : 'short';
  /** @type {Intl.NumberFormatOptions} */
  const options = { style: 'unit', unit: UNITS[unit], unitDisplay: display, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, options).format(value);
}

/**
 * `"40"` seconds → `40 seconds`; above two minutes in minutes
 * @param {number} seconds
 */
export function duration(seconds) {
  const isLong = seconds > 120;
  /** @type {Intl.NumberFormatOptions} */
  const options = { style: 'unit', unit: isLong ? 'minute' : 'second', unitDisplay: 'long' };
  return new Intl.NumberFormat(locale, options).format(isLong ? Math.ceil(seconds / 60) : seconds);
}

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' });
const dayOfMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const DAY_MS = 86_400_000;

/** The same for all times of a day. @param {number} seconds */
export const dayOf = (seconds) => new Date(seconds * 1000).toDateString();

/** `today`, `yesterday`, the weekday within a week, else the date. @param {number} seconds @param {Date} [now] */
export function dayName(seconds, now = new Date()) {
  const time = new Date(seconds * 1000);
  const midnight = (/** @type {Date} */ date) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((midnight(now) - midnight(time)) / DAY_MS);
  if (days === 0 || days === 1) return capital(relative.format(-days, 'day'));
  if (days > 1 && days < 7) return capital(weekday.format(time));
  return (time.getFullYear() === now.getFullYear() ? dayOfMonth : day).format(time);
}

/** @param {Date} date */
export const longDay = (date) => ({ weekday: capital(weekday.format(date)), date: dayOfMonth.format(date) });

/** @param {string} word */
const capital = (word) => word.charAt(0).toLocaleUpperCase() + word.slice(1);
