// Repeat rules as a form has them, and in the words of the reader's language.

import { utcText } from '../../src/mime/objects/calendar-time.ts';
import { DAY_CODES, parseRule, ruleParts } from '../../src/mime/objects/recurrence-rule.ts';
import { dayOfLocal, instantOfWhen } from './moments.js';
import { ruleText } from './series.js';

/** @typedef {'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'} Frequency */
/**
 * @typedef {object} Repeat
 * @property {Frequency} frequency
 * @property {number} interval
 * @property {string[]} days `MO`, or `-1FR` for the last Friday of a month
 * @property {number | undefined} monthDay -1 is the last
 * @property {number | undefined} month of a yearly rule, 1 to 12
 * @property {number | undefined} count
 * @property {string | undefined} until the last day on which it may begin
 */
/** @typedef {(name: string, values?: Record<string, string | number>) => string} Translate */

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
/** what a form can hold; a rule with more than these is left as it is written */
const SAID = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'WKST']);

/** Undefined for a rule that says more than a form does. @param {string} rule @returns {Repeat | undefined} */
export function readRepeat(rule) {
  const read = parseRule(rule);
  const parts = ruleParts(rule);
  const frequency = parts.get('FREQ') ?? '';
  if (!read || !FREQUENCIES.includes(frequency) || [...parts.keys()].some((name) => !SAID.has(name))) return undefined;
  const { BYMONTHDAY: dates = [], BYMONTH: months = [] } = read.lists;
  if (dates.length > 1 || months.length > 1 || (months.length > 0 && frequency !== 'YEARLY')) return undefined;
  const days = (read.days ?? []).map(({ weekday, ordinal }) => `${ordinal === 0 ? '' : ordinal}${DAY_CODES[weekday]}`);
  if (days.length > 0 && (dates.length > 0 || (frequency === 'YEARLY' && months.length === 0))) return undefined;
  return {
    frequency: /** @type {Frequency} */ (frequency),
    interval: read.interval,
    days,
    monthDay: dates[0],
    month: months[0],
    count: read.count,
    until: read.until && dayOfLocal(read.until.seconds),
  };
}

/**
 * @param {Partial<Repeat> & { frequency: Frequency }} repeat
 * @param {import('./moments.js').When} start of the event: the end is written in the same way (RFC 5545 section 3.3.10)
 * @param {string} zone the reader's
 */
export function writeRepeat({ frequency, interval = 1, days = [], monthDay, month, count, until }, start, zone) {
  const parts = new Map([['FREQ', String(frequency)]]);
  if (interval > 1) parts.set('INTERVAL', String(interval));
  if (month !== undefined) parts.set('BYMONTH', String(month));
  if (days.length > 0) parts.set('BYDAY', days.join(','));
  if (monthDay !== undefined) parts.set('BYMONTHDAY', String(monthDay));
  if (count !== undefined) parts.set('COUNT', String(count));
  else if (until !== undefined) parts.set('UNTIL', untilText(until, start, zone));
  return ruleText(parts);
}

/** @param {string} until @param {import('./moments.js').When} start @param {string} zone */
function untilText(until, start, zone) {
  const day = until.replaceAll('-', '');
  if (start.time === undefined) return day;
  if (!start.zone) return `${day}T235959`;
  return utcText(instantOfWhen({ ...start, day: until, time: '23:59' }, zone) + 59);
}

/**
 * `every week on Monday and Friday, 10 times`. The words are `repeat.…` of the catalogues.
 * @param {string} rule
 * @param {{ t: Translate, locale: string }} language
 */
export function repeatText(rule, { t, locale }) {
  const repeat = readRepeat(rule);
  if (!repeat) return t('repeat.other');
  const { frequency, interval, count, until } = repeat;
  const every = t(`repeat.${frequency.toLowerCase()}`, { count: interval });
  const said = daysText(repeat, every, t, locale);
  if (count !== undefined) return t('repeat.times', { rule: said, count });
  return until === undefined
    ? said
    : t('repeat.until', { rule: said, date: dateText(until, locale, { dateStyle: 'long' }) });
}

/** @param {Repeat} repeat @param {string} every @param {Translate} t @param {string} locale */
function daysText({ days, monthDay, month, frequency }, every, t, locale) {
  if (days.length > 0) {
    const names = days.map((code) => dayName(code, t, locale));
    const list = new Intl.ListFormat(locale).format(names);
    const isNth = days.some((code) => code.length > 2);
    const onDays = t(isNth ? 'repeat.onNth' : 'repeat.onDays', { every, days: list });
    return month === undefined ? onDays : t('repeat.inMonth', { rule: onDays, month: monthName(month, locale) });
  }
  if (monthDay === undefined)
    return month === undefined ? every : t('repeat.inMonth', { rule: every, month: monthName(month, locale) });
  if (frequency === 'YEARLY' && month !== undefined && monthDay > 0) {
    const day = `2024-${String(month).padStart(2, '0')}-${String(monthDay).padStart(2, '0')}`;
    return t('repeat.onDate', { every, date: dateText(day, locale, { day: 'numeric', month: 'long' }) });
  }
  return monthDay === -1
    ? t('repeat.onLastDay', { every })
    : t('repeat.onDayOfMonth', { every, date: String(monthDay) });
}

/** `-1FR` → `last Friday`. @param {string} code @param {Translate} t @param {string} locale */
function dayName(code, t, locale) {
  const weekday = DAY_CODES.indexOf(code.slice(-2));
  // 4 January 2026 is a Sunday
  const name = dateText(`2026-01-${String(4 + weekday).padStart(2, '0')}`, locale, { weekday: 'long' });
  const ordinal = code.slice(0, -2);
  return ordinal === '' ? name : t(`repeat.nth.${ordinal.replace('-', 'last')}`, { day: name });
}

/** @param {number} month @param {string} locale */
const monthName = (month, locale) => dateText(`2026-${String(month).padStart(2, '0')}-01`, locale, { month: 'long' });

/** @param {string} day @param {string} locale @param {Intl.DateTimeFormatOptions} options */
const dateText = (day, locale, options) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));
