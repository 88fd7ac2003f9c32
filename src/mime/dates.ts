// Dates as header fields of messages write them: RFC 5322 section 3.3, with the obsolete forms of 4.3. Times are Unix
// seconds, output is UTC.

import { MAX_DATE_CHARACTERS } from '../limits/mime.ts';
import { writtenTime } from '../system/clock.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY = String.raw`(?:[a-z]{3,9}\s*(?:,\s*)?)?(\d{1,2})[\s-]+([a-z]{3})[a-z]*[\s-]+(\d{2,4})`;
const TIME = String.raw`(\d{1,2})\s*:\s*(\d{2})(?:\s*:\s*(\d{2}))?\s*([+-]\d{4}|[a-z]{1,5})?`;
const DATE = new RegExp(String.raw`^${DAY}\s+${TIME}`, 'i');
/** hours; other names and single letters mean no more than -0000 (RFC 5322 section 4.3) */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
};

/** `'Sat, 21 Nov 2026 00:38:08 +0000'` */
export function formatDate(unixSeconds: number): string {
  return writtenTime(unixSeconds).toUTCString().replace('GMT', '+0000');
}

/** Unix seconds, undefined if the text is no date. Comments and a missing zone (read as UTC) are tolerated. */
export function parseDate(text: string): number | undefined {
  if (text.length > MAX_DATE_CHARACTERS) return undefined;
  const match = DATE.exec(text.replace(/\([^()]*\)/g, ' ').trim());
  if (!match) return undefined;
  const [, day, monthName, yearText, hour, minute, second = '0', zone = ''] = match;
  const month = MONTHS.indexOf(monthName!.toLowerCase());
  const time = Date.UTC(fullYear(yearText!), month, Number(day), Number(hour), Number(minute), Number(second)) / 1000;
  const isInRange = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60; // 60: a leap second
  if (month < 0 || !isInRange || Number(day) < 1 || Number(day) > daysIn(fullYear(yearText!), month)) return undefined;
  const offset = zoneSeconds(zone.toLowerCase());
  return offset === undefined ? undefined : time - offset;
}

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return text.length === 2 && year < 50 ? 2000 + year : 1900 + year;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

function zoneSeconds(zone: string): number | undefined {
  const numeric = /^([+-])(\d\d)(\d\d)$/.exec(zone);
  if (!numeric) return (ZONE_HOURS[zone] ?? 0) * 3600;
  if (Number(numeric[3]) > 59) return undefined;
  return (numeric[1] === '-' ? -60 : 60) * (Number(numeric[2]) * 60 + Number(numeric[3]));
}
