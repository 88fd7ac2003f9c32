// Recurrence rules (RFC 5545 section 3.3.10) that end sooner, begin later or move to another day.

import { MAX_RECURRENCE_STEPS } from '../../src/limits/mime.ts';
import { utcText } from '../../src/mime/objects/calendar-time.ts';
import { occurrences } from '../../src/mime/objects/occurrences.ts';
import { DAY_CODES, parseRule, ruleParts } from '../../src/mime/objects/recurrence-rule.ts';
import { daysBetween } from './days.js';

/** @typedef {import('../../src/mime/objects/content-lines.ts').ContentLine} ContentLine */
/** @typedef {import('../../src/mime/objects/calendar-times.ts').Moment} Moment */

/** @param {ReadonlyMap<string, string>} parts */
export const ruleText = (parts) => [...parts].map(([name, value]) => `${name}=${value}`).join(';');

/** Its last before this one. @param {ContentLine | undefined} line @param {Moment} moment */
export function endedBefore(line, moment) {
  if (!line) return undefined;
  const parts = ruleParts(line.value);
  parts.delete('COUNT');
  const { isDay, zone, local, instant } = moment;
  const until = isDay
    ? utcText(local - 1).slice(0, 8)
    : zone.name === ''
      ? utcText(local - 1).slice(0, -1)
      : utcText(instant - 1);
  parts.set('UNTIL', until);
  return line.withValue(ruleText(parts));
}

/**
 * Where it says how many there are, so many less as came before this one.
 * @param {ContentLine | undefined} line @param {Moment | undefined} start @param {Moment} moment
 */
export function lessCount(line, start, moment) {
  const rule = line && parseRule(line.value);
  if (!line || !rule?.count || !start) return line;
  const series = { rule, start: start.local, isDay: start.isDay, until: Number.POSITIVE_INFINITY };
  let before = 0;
  const budget = { steps: MAX_RECURRENCE_STEPS };
  for (const local of occurrences(series, start.local, moment.local, budget)) if (local < moment.local) before++;
  const parts = ruleParts(line.value);
  parts.set('COUNT', String(Math.max(rule.count - before, 1)));
  return line.withValue(ruleText(parts));
}

/**
 * A weekly rule on the day that the series began on goes with it to another weekday, a monthly one to another date;
 * rules of several days move all of them. What cannot be moved stays as it is.
 * @param {string} rule @param {string} before the day that it began on @param {string} after
 */
export function shiftedRule(rule, before, after) {
  const days = daysBetween(before, after);
  if (rule === '' || days === 0) return rule;
  const parts = ruleParts(rule);
  const byDay = parts.get('BYDAY');
  if (byDay !== undefined && parts.get('FREQ') === 'WEEKLY') {
    parts.set(
      'BYDAY',
      byDay
        .split(',')
        .map((code) => movedDay(code, days))
        .join(','),
    );
  } else if (byDay !== undefined && /^-?\d[A-Z]{2}$/.test(byDay)) {
    const date = Number(after.slice(8));
    const ordinal = byDay.startsWith('-') ? -1 : Math.ceil(date / 7);
    parts.set('BYDAY', ordinal + DAY_CODES[new Date(`${after}T00:00:00Z`).getUTCDay()]);
  }
  if (parts.get('BYMONTHDAY') === String(Number(before.slice(8))))
    parts.set('BYMONTHDAY', String(Number(after.slice(8))));
  if (parts.get('BYMONTH') === String(Number(before.slice(5, 7))))
    parts.set('BYMONTH', String(Number(after.slice(5, 7))));
  return ruleText(parts);
}

/** @param {string} code @param {number} days */
function movedDay(code, days) {
  const at = DAY_CODES.indexOf(code);
  return at < 0 ? code : DAY_CODES[(((at + days) % 7) + 7) % 7];
}
