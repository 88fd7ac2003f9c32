// A time zone for a calendar object (RFC 5545 section 3.6.5), made of what the browser knows: programs that do not know
// its name find there when its clocks change.

import { makeLine } from '../../src/mime/objects/components.ts';
import { namedZone } from '../../src/mime/objects/named-zones.ts';

/** @typedef {import('../../src/mime/objects/content-lines.ts').Component} Component */
/** @typedef {import('../../src/mime/objects/offsets.ts').OffsetChange} OffsetChange */

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const DAY = 86_400;

/**
 * By the rule of that year: each change on the same weekday of its month each year. Undefined for a name that nobody
 * knows, and for UTC, which needs none.
 * @param {string} name
 * @param {number} year
 * @returns {Component | undefined}
 */
export function timezoneComponent(name, year) {
  const zone = namedZone(name);
  if (!zone || zone.name === 'UTC') return undefined;
  const start = Date.UTC(year, 0, 1) / 1000;
  const { first, changes } = zone.near(start + 180 * DAY);
  const inYear = changes.filter(({ at }) => at >= start && at < Date.UTC(year + 1, 0, 1) / 1000);
  const lines = [makeLine('TZID', name)];
  if (inYear.length === 0) {
    const offset = changes.findLast(({ at }) => at < start)?.after ?? first;
    const fixed = { at: Date.UTC(1970, 0, 1) / 1000 - offset, before: offset, after: offset };
    return { name: 'VTIMEZONE', lines, components: [observance(fixed, false, false)] };
  }
  const standard = Math.min(...inYear.map(({ after }) => after));
  // a year with other than two changes follows no rule that could be said of it
  const isYearly = inYear.length === 2;
  const components = inYear.map((change) => observance(change, change.after > standard, isYearly));
  return { name: 'VTIMEZONE', lines, components };
}

/** @param {OffsetChange} change @param {boolean} isSummer @param {boolean} isYearly @returns {Component} */
function observance({ at, before, after }, isSummer, isYearly) {
  const local = new Date((at + before) * 1000);
  const value = local.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const lines = [
    makeLine('TZOFFSETFROM', offsetText(before)),
    makeLine('TZOFFSETTO', offsetText(after)),
    makeLine('DTSTART', value),
  ];
  if (isYearly) {
    const date = local.getUTCDate();
    const length = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
    const ordinal = date + 7 > length ? -1 : Math.ceil(date / 7);
    const byDay = `${ordinal}${WEEKDAYS[local.getUTCDay()]}`;
    lines.push(makeLine('RRULE', `FREQ=YEARLY;BYMONTH=${local.getUTCMonth() + 1};BYDAY=${byDay}`));
  }
  return { name: isSummer ? 'DAYLIGHT' : 'STANDARD', lines, components: [] };
}

/** 3600 → `+0100`. @param {number} seconds */
function offsetText(seconds) {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const figures = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${seconds < 0 ? '-' : '+'}${figures.join('')}`;
}
