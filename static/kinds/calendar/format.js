// Times of events in words of the reader's language, in the zone of this device.

import { locale, t } from '../../core/i18n.js';
import { formatDay } from '../../formats/days.js';

/** @import { CalendarEvent } from '../../formats/calendar.js' */

/** where the reader is, of the IANA database */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
/** @type {Intl.DateTimeFormatOptions} */
const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };
/** @type {Intl.DateTimeFormatOptions} */
const TIME = { hour: 'numeric', minute: '2-digit' };

/** `10:30` as the language has it. @param {string} time */
export const clockText = (time) => clock.format(Date.parse(`2026-01-01T${time === '24:00' ? '00:00' : time}Z`));

/** `16 – 22 November 2026`. @param {string} first @param {string} last @param {Intl.DateTimeFormatOptions} [options] */
export function daysText(first, last, options = { day: 'numeric', month: 'long', year: 'numeric' }) {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return first === last ? format.format(Date.parse(first)) : format.formatRange(Date.parse(first), Date.parse(last));
}

/** When it is, whole. @param {Pick<CalendarEvent, 'isDay' | 'firstDay' | 'lastDay' | 'start' | 'end'>} event */
export function whenText({ isDay, firstDay, lastDay, start, end }) {
  if (isDay) return daysText(firstDay, lastDay, DAY);
  return new Intl.DateTimeFormat(locale, { ...DAY, ...TIME, timeZone: ZONE }).formatRange(start * 1000, end * 1000);
}

/** The same where it was written, for one from another zone; '' for one from here. @param {CalendarEvent} event */
export function elsewhereText({ isDay, from, start, end }) {
  const { zone = '' } = from;
  if (isDay || zone === '' || zone === ZONE) return '';
  try {
    const format = new Intl.DateTimeFormat(locale, { ...TIME, timeZone: zone });
    const here = new Intl.DateTimeFormat(locale, { ...TIME, timeZone: ZONE });
    if (format.format(start * 1000) === here.format(start * 1000)) return '';
    return t('calendar.elsewhere', { time: format.formatRange(start * 1000, end * 1000), zone });
  } catch {
    return '';
  }
}

/** `Sunday 22 November`. @param {string} day */
export const dayText = (day) => formatDay(day, locale, { weekday: 'long', day: 'numeric', month: 'long' });

/** How long before: `15 minutes before`. @param {number} seconds before the start, negative for later */
export function alarmText(seconds) {
  if (seconds <= 0) return t('calendar.alarm.start');
  const [count, unit] =
    seconds % 604_800 === 0
      ? [seconds / 604_800, 'week']
      : seconds % 86_400 === 0
        ? [seconds / 86_400, 'day']
        : seconds % 3600 === 0
          ? [seconds / 3600, 'hour']
          : [Math.round(seconds / 60), 'minute'];
  const time = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(count));
  return t('calendar.alarm.before', { time });
}
