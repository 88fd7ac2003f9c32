// Values of header fields that are lists of addresses, dates, or of a mailing list, as real programs write them.

import { MAX_DATE_CHARACTERS, MAX_UNSUBSCRIBE_ADDRESSES, MAX_UNSUBSCRIBE_CHARACTERS } from '../limits/mime.ts';
import { writtenTime } from '../system/clock.ts';
import { decodeWords, encodeWords } from './coding/encoded-words.ts';
import { decodeName } from './headers.ts';

/** the name of a group, which is quoted, encoded or plain (RFC 5322 section 3.4) */
const GROUP = /^(?:=\?[^?\s]+\?[bq]\?[^?\s]*\?=|"(?:[^"\\]|\\.)*"|[^<>"@:=])*:\s*/is;

/**
 * `'"Smith, Bob" <b@x>, =?UTF-8?Q?J=C3=B6rg?= <j@x>'` → two addresses. An encoded comma separates nothing. Groups become
 * their members.
 */
export function splitAddresses(text: string): string[] {
  const addresses = partAddresses(text);
  const members = text.includes(';') ? addresses.map((address) => address.replace(GROUP, '')) : addresses;
  return members.filter((address) => address !== '').map((address) => decodeWords(address));
}

function partAddresses(text: string): string[] {
  // An unterminated quote extends to the end of the text. Searching for the end of each would be quadratic.
  const addresses = text.match(/(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^,;"])+/gs) ?? [];
  return addresses.map((address) => address.trim()).filter((address) => address !== '');
}

/** Whether a quote is left open, so that it is unclear where the addresses end: `'bob, "Bob'` → true */
export const hasOpenQuote = (text: string): boolean => (text.replaceAll(/\\./gs, '').split('"').length - 1) % 2 === 1;

/** The first address: `Bob <b@x>`, `"Bob, the first" <b@x>`, `b@x` or the obsolete `b@x (Bob)`. */
export function senderOf(field: string): { name: string; address: string | undefined } {
  const first = partAddresses(field)[0] ?? '';
  const angle = /<([^<>]*)>[^<>]*$/.exec(first);
  // Exactly one @: backtracking over many would be quadratic.
  const bare = /^([^\s<>()"@]+@[^\s<>()"@]+)(?:\s*\((.*)\))?$/s.exec(first);
  const phrase = angle ? first.slice(0, angle.index) : bare ? (bare[2] ?? '') : first;
  const name = decodeName(phrase).trim();
  return {
    name: name.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1'),
    address: angle?.[1] || bare?.[1],
  };
}

/** The value of a header field for a list that a user typed. Names become encoded words where needed. */
export function addressField(typed: string): string {
  return partAddresses(typed).map(encodedAddress).join(', ');
}

function encodedAddress(address: string): string {
  const angle = address.endsWith('>') ? address.lastIndexOf('<') : -1;
  if (angle < 1) return encodeWords(address);
  const phrase = address.slice(0, angle).trim();
  const isPlain = encodeWords(phrase) === phrase;
  // RFC 2047 section 5: no encoded words inside quotes
  const name = isPlain ? phrase : encodeWords(phrase.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1'));
  return `${name} ${address.slice(angle)}`;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY = String.raw`(?:[a-z]{3,9}\s*(?:,\s*)?)?(\d{1,2})[\s-]+([a-z]{3})[a-z]*[\s-]+(\d{2,4})`;
const TIME = String.raw`(\d{1,2})\s*:\s*(\d{2})(?:\s*:\s*(\d{2}))?\s*([+-]\d{4}|[a-z]{1,5})?`;
const DATE = new RegExp(String.raw`^${DAY}\s+${TIME}`, 'i');
/** in hours; any other name or letter means -0000 (RFC 5322 section 4.3) */
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

/** A date of RFC 5322 section 3.3 or 4.3 in Unix seconds, or undefined. A missing zone means UTC. */
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
 * The mailto, http and https addresses of a List-Unsubscribe or List-Post field (RFC 2369, RFC 8058) in the sender's order of
 * preference, or undefined. White space in an address comes from folding and is removed.
 */
export function listAddresses(value: string | undefined): string[] | undefined {
  const found: string[] = [];
  for (const [, inner] of (value ?? '').matchAll(BRACKETED)) {
    const address = inner!.replaceAll(/\s/g, '');
    if (address.length > MAX_UNSUBSCRIBE_CHARACTERS || !USABLE.test(address)) continue;
    found.push(address);
    if (found.length === MAX_UNSUBSCRIBE_ADDRESSES) break;
  }
  return found.length > 0 ? found : undefined;
}
