// Lists of addresses in header fields (RFC 5322 section 3.4), as people and old programs really write them: parsed and
// written. Pure.

import { MAX_DATE_CHARACTERS, MAX_UNSUBSCRIBE_ADDRESSES, MAX_UNSUBSCRIBE_CHARACTERS } from '../limits/mime.ts';
import { writtenTime } from '../system/clock.ts';
import { decodeWords, encodeWords } from './coding/encoded-words.ts';

/** `'"Smith, Bob" <b@x>, =?UTF-8?Q?J=C3=B6rg?= <j@x>'` → two addresses; a comma that was encoded parts nothing */
export function splitAddresses(text: string): string[] {
  return partAddresses(text).map(decodeWords);
}

/** The same with their encoded words as they are. */
function partAddresses(text: string): string[] {
  // a quote that does not end reaches to the end: looking for the end of each anew would take quadratic time
  const addresses = text.match(/(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^,;"])+/gs) ?? [];
  return addresses.map((address) => address.trim()).filter((address) => address !== '');
}

/** Whether a quote is opened in it and not closed: who else is meant cannot be told then. `'bob, "Bob'` → true */
export const hasOpenQuote = (text: string): boolean => (text.replaceAll(/\\./gs, '').split('"').length - 1) % 2 === 1;

/** Of several the first. `Bob <b@x>`, `"Bob, the first" <b@x>`, `b@x`, and, as it was once written, `b@x (Bob)`. */
export function senderOf(field: string): { name: string; address: string | undefined } {
  const first = partAddresses(field)[0] ?? '';
  const angle = /<([^<>]*)>[^<>]*$/.exec(first);
  // one @ only: to look for an end behind each of many would take quadratic time
  const bare = /^([^\s<>()"@]+@[^\s<>()"@]+)(?:\s*\((.*)\))?$/s.exec(first);
  const phrase = angle ? first.slice(0, angle.index) : bare ? (bare[2] ?? '') : first;
  const name = decodeWords(phrase).trim();
  return {
    name: name.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1'),
    address: angle?.[1] || bare?.[1],
  };
}

/** A list that somebody has typed, as the value of a header field: names in encoded words where they need it. */
export function addressField(typed: string): string {
  return partAddresses(typed).map(encodedAddress).join(', ');
}

function encodedAddress(address: string): string {
  const angle = address.endsWith('>') ? address.lastIndexOf('<') : -1;
  if (angle < 1) return encodeWords(address);
  const phrase = address.slice(0, angle).trim();
  const isPlain = encodeWords(phrase) === phrase;
  // an encoded word must not be inside quotes (RFC 2047 section 5)
  const name = isPlain ? phrase : encodeWords(phrase.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1'));
  return `${name} ${address.slice(angle)}`;
}

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

const BRACKETED = /<([^<>]*)>/g;
const USABLE = /^(?:mailto|https?):[^\s]/i;

/**
 * Those of its addresses that a reader can use (mailto, https, http), in the order that the sender prefers: RFC 2369
 * asks for that. Blanks in them come from folding and do not count. undefined for none.
 */
export function unsubscribeAddresses(value: string | undefined): string[] | undefined {
  const found: string[] = [];
  for (const [, inner] of (value ?? '').matchAll(BRACKETED)) {
    const address = inner!.replaceAll(/\s/g, '');
    if (address.length > MAX_UNSUBSCRIBE_CHARACTERS || !USABLE.test(address)) continue;
    found.push(address);
    if (found.length === MAX_UNSUBSCRIBE_ADDRESSES) break;
  }
  return found.length > 0 ? found : undefined;
}
