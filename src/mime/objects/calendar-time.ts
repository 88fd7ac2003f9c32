// Dates, times and durations of iCalendar (RFC 5545 sections 3.3.4 to 3.3.6): parsed, formatted and in words. Text
// shows a time as written with its zone name, because the reader's zone is unknown.

import { writtenTime } from '../../system/clock.ts';
import { type ContentLine, zoneId } from './content-lines.ts';

export interface DateTime {
  /** the digits read as UTC, in Unix seconds */
  seconds: number;
  isDay: boolean;
  /** '' for a floating time */
  zone: string;
}

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
export const DAY_SECONDS = 86_400;
const DAY_LENGTH = '20260603'.length;
const TIME_LENGTH = '20260603T100000'.length;

/** `DTSTART;TZID=Europe/Berlin:20260603T100000`; undefined if there is no valid date */
export function dateTimeOf(line: ContentLine | undefined): DateTime | undefined {
  return line && parseDateTime(line.value, line.params.get('TZID') ?? '');
}

/** `20260603`, `20260603T100000`, `20260603T080000Z` */
export function parseDateTime(value: string, zone = ''): DateTime | undefined {
  if (value.length < DAY_LENGTH) return undefined;
  const text = value.trim();
  const isDay = text.length === DAY_LENGTH;
  const [year, month, day] = [digits(text, 0, 4), digits(text, 4, 2), digits(text, 6, 2)];
  if (!(month >= 1 && month <= 12 && day >= 1)) return undefined;
  const date = new Date(0).setUTCFullYear(year, month - 1, day);
  if (!(new Date(date).getUTCDate() === day)) return undefined;
  if (isDay) return { seconds: date / 1000, isDay, zone: '' };
  const hasSeconds = text.length >= TIME_LENGTH;
  const [hour, minute] = [digits(text, 9, 2), digits(text, 11, 2)];
  const second = hasSeconds ? digits(text, 13, 2) : 0;
  const rest = text.slice(hasSeconds ? TIME_LENGTH : TIME_LENGTH - 2).toUpperCase();
  const isTime = hour < 24 && minute < 60 && second <= 60 && (rest === '' || rest === 'Z');
  if (!isTime || (text[DAY_LENGTH] !== 'T' && text[DAY_LENGTH] !== 't')) return undefined;
  // a leap second counts as the preceding second (RFC 5545 section 3.3.12)
  const seconds = date / 1000 + hour * 3600 + minute * 60 + Math.min(second, 59);
  return { seconds, isDay, zone: rest === 'Z' ? 'UTC' : zoneId(zone) };
}

/** The first second of the day, in seconds of local time. */
export function dayStart(local: number): number {
  return Math.floor(local / DAY_SECONDS) * DAY_SECONDS;
}

function digits(text: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

export interface Duration {
  /** calendar days of 23 to 25 hours; same sign as `seconds` */
  days: number;
  seconds: number;
}

/** `P1DT2H30M`, `-PT15M`; also what programs write for them: `P1DT`, `PT1D`, `P15M`, `-15M`, `PT`, `PT1.5S` */
export function parseDuration(value: string): Duration | undefined {
  const match =
    /^([+-])?(?=[P\d])P?T?(?:(\d{1,6})W)?(?:(\d{1,6})D)?T?(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})(?:[.,]\d{1,9})?S)?$/i.exec(
      value.trim(),
    );
  if (!match) return undefined;
  const sign = match[1] === '-' ? -1 : 1;
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((digits) => sign * Number(digits ?? 0));
  return { days: weeks! * 7 + days!, seconds: hours! * 3600 + minutes! * 60 + seconds! };
}

/** `P1DT2H30M` → seconds; 0 if invalid or negative */
export function durationSeconds(value: string): number {
  const duration = parseDuration(value);
  return duration ? Math.max(duration.days * DAY_SECONDS + duration.seconds, 0) : 0;
}

/** `Wednesday, 3 June 2026, 10:00 – 11:00 (Europe/Berlin)`. The end of an all-day period is exclusive (RFC 5545). */
export function periodInWords(start: DateTime, end: DateTime | undefined): string {
  const last = end?.isDay && start.isDay ? { ...end, seconds: end.seconds - DAY_SECONDS } : end;
  if (!last || last.seconds <= start.seconds) return momentInWords(start) + zoneNote(start);
  const isOneZone = start.zone === last.zone;
  const isOneDay = isOneZone && dayInWords(start) === dayInWords(last);
  const to = isOneDay ? timeInWords(last) : momentInWords(last);
  return `${momentInWords(start)}${isOneZone ? '' : zoneNote(start)} – ${to}${zoneNote(last)}`;
}

/** `Wednesday, 3 June 2026` */
export function dayInWords({ seconds }: Pick<DateTime, 'seconds'>): string {
  const date = new Date(seconds * 1000);
  return `${DAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function timeInWords({ seconds }: DateTime): string {
  return new Date(seconds * 1000).toISOString().slice(11, 16);
}

function momentInWords(moment: DateTime): string {
  return moment.isDay ? dayInWords(moment) : `${dayInWords(moment)}, ${timeInWords(moment)}`;
}

function zoneNote({ zone }: DateTime): string {
  return zone === '' ? '' : ` (${zone})`;
}

/** `20060104T150000Z`; clamps years that iCalendar cannot express */
export function utcText(seconds: number): string {
  const iso = writtenTime(seconds).toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`;
}

/** Seconds → `PT1H`, `P1DT2H`, `-PT15M`, `PT0S`, with days of 24 hours. */
export function durationText(seconds: number): string {
  const size = Math.abs(Math.trunc(seconds));
  const days = Math.floor(size / DAY_SECONDS);
  const parts: [number, string][] = [
    [Math.floor(size / 3600) % 24, 'H'],
    [Math.floor(size / 60) % 60, 'M'],
    [size % 60, 'S'],
  ];
  const time = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
  const date = days === 0 ? '' : `${days}D`;
  if (date === '' && time === '') return 'PT0S';
  return `${seconds < 0 ? '-' : ''}P${date}${time === '' ? '' : `T${time}`}`;
}
