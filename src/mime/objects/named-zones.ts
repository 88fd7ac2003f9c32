// Time zones by IANA name, with the rules in Node or the browser (Intl).

import { MAX_ZONE_NAME_CHARACTERS, MAX_ZONE_TABLES, ZONE_TABLE_STEPS } from '../../limits/mime.ts';
import { DAY_SECONDS } from './calendar-time.ts';
import { type Budget, type OffsetChange, type OffsetChanges, UTC, type Zone } from './offsets.ts';
import { dayNumber, monthLength, weekdayOf } from './recurrence-rule.ts';

/** no zone changes twice within this time; Morocco's Ramadan changes are 29 days apart */
const SAMPLE_SECONDS = 14 * DAY_SECONDS;
/** more than the difference between an instant and its local time */
const SLACK_SECONDS = 3 * DAY_SECONDS;
/** before this year, zones use local mean time */
const FIRST_YEAR = 1800;
/** later years follow one rule; among 28 years there is one of each kind */
const LAST_YEAR = 2099;
const NAMES_OF_UTC = new Set(['UTC', 'Z', 'GMT', 'ETC/UTC', 'ETC/GMT']);

const zones = new Map<string, Zone>();
const tables = new Map<string, OffsetChanges>();

/**
 * `Europe/Berlin`, `/freeassociation.sourceforge.net/Europe/Berlin`; undefined for unknown names. The cache is bounded:
 * there are some 600 names, and MAX_ZONE_TABLES limits their tables.
 */
export function namedZone(name: string): Zone | undefined {
  if (name.length > MAX_ZONE_NAME_CHARACTERS) return undefined;
  const parts = name.toUpperCase().split('/');
  // Intl would accept an offset such as +01:00, which is not a name
  for (const count of [parts.length, 3, 2, 1]) {
    const short = parts.slice(-count).join('/');
    const found = count <= parts.length && /^[A-Z]/.test(short) ? zoneCalled(short) : undefined;
    if (found) return found;
  }
  return undefined;
}

function zoneCalled(name: string): Zone | undefined {
  if (NAMES_OF_UTC.has(name)) return UTC;
  const cached = zones.get(name);
  if (cached) return cached;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
  const zone: Zone = {
    name: format.resolvedOptions().timeZone,
    near: (time, budget) => tableOf(name, format, time, budget),
  };
  zones.set(name, zone);
  return zone;
}

function tableOf(name: string, format: Intl.DateTimeFormat, time: number, budget: Budget | undefined): OffsetChanges {
  const within = Math.min(Math.max(time, -62e9), 253e9);
  const year = new Date(within * 1000).getUTCFullYear();
  const like = year > LAST_YEAR ? yearLike(year) : Math.max(year, FIRST_YEAR - 1);
  const key = `${name} ${like}`;
  let table = tables.get(key);
  if (!table) {
    if (budget && budget.steps <= 0) return { first: offsetOf(format, within), changes: [] };
    if (budget) budget.steps -= ZONE_TABLE_STEPS;
    if (tables.size >= MAX_ZONE_TABLES) tables.clear();
    table = changesIn(format, yearStart(like) - SLACK_SECONDS, yearStart(like + 1) + SLACK_SECONDS);
    tables.set(key, table);
  }
  if (like === year) return table;
  const later = yearStart(year) - yearStart(like);
  return { first: table.first, changes: table.changes.map((change) => ({ ...change, at: change.at + later })) };
}

/** A year up to LAST_YEAR with the same first weekday and length. */
function yearLike(year: number): number {
  const kindOf = (one: number) => [weekdayOf(dayNumber(one, 1, 1)), monthLength(one, 2)].join();
  const kind = kindOf(year);
  let like = LAST_YEAR;
  while (kindOf(like) !== kind) like--;
  return like;
}

function yearStart(year: number): number {
  return dayNumber(year, 1, 1) * DAY_SECONDS;
}

function changesIn(format: Intl.DateTimeFormat, from: number, to: number): OffsetChanges {
  const first = offsetOf(format, from);
  const changes: OffsetChange[] = [];
  let before = first;
  for (let start = from; start < to; start += SAMPLE_SECONDS) {
    const after = offsetOf(format, start + SAMPLE_SECONDS);
    if (after === before) continue;
    let low = start;
    let high = start + SAMPLE_SECONDS;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetOf(format, middle) === before) low = middle;
      else high = middle;
    }
    changes.push({ at: high, before, after });
    before = after;
  }
  return { first, changes };
}

/** `1/1/2026, GMT+01:00` */
function offsetOf(format: Intl.DateTimeFormat, instant: number): number {
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(instant * 1000));
  if (!match) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return match[1] === '-' ? -seconds : seconds;
}
