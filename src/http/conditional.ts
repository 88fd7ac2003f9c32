// Conditional requests (RFC 9110 section 13): whether a request may go on, given what the resource is now.

import { MAX_FORMATTED_DATES } from '../limits/http.ts';
import { BoundedMap } from '../system/bounded-map.ts';
import { writtenTime } from '../system/clock.ts';
import type { Exchange } from './exchange.ts';
import { comparablePath, holds, parseIf, type ResourceState } from './if-header.ts';

export interface LastModified {
  /** Unix seconds */
  lastModified?: number | undefined;
  /** another version may have had the same second: it tells nothing until that has ended (RFC 9110 section 8.8.2.2) */
  isCoarse?: boolean | undefined;
}

export interface Validators extends LastModified {
  /** with its quotes: `"123"`, `W/"abc"` */
  etag?: string | undefined;
  /** false: there is no such resource yet; absent: there is one */
  exists?: boolean | undefined;
  /** of the locks that cover it */
  lockTokens?: readonly string[] | undefined;
  /** what an If header may name beside it, by path as ConditionList has it; of others nothing is known */
  others?: ReadonlyMap<string, ResourceState> | undefined;
}

export type Outcome = 'proceed' | 'not_modified' | 'precondition_failed';

/** an entity tag at this place of a list; group 1 is the weakness, group 2 the opaque tag with its quotes */
const ENTITY_TAG = /[ \t,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y;
const DATE_FORMS = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** A client would have changed something only as it was: not when it may have become something else. */
export function isConditional(exchange: Exchange): boolean {
  return ['if', 'if-match', 'if-none-match', 'if-unmodified-since'].some((name) => exchange.header(name) !== undefined);
}

/** Whether evaluate looks at when something was modified. */
export function needsLastModified(exchange: Exchange): boolean {
  if (exchange.header('if-match') !== undefined) return false;
  return parseHttpDate(exchange.header('if-unmodified-since')) !== undefined;
}

/**
 * Precedence of RFC 9110 section 13.2.2, behind WebDAV's If. `not_modified` comes only to GET and HEAD. Throws
 * bad_request.
 */
export function evaluate(exchange: Exchange, validators: Validators): Outcome {
  const exists = validators.exists !== false;
  const condition = exchange.header('if');
  if (condition !== undefined && !meets(exchange, condition, validators)) return 'precondition_failed';
  const ifMatch = exchange.header('if-match');
  if (ifMatch !== undefined) {
    if (!isListed(ifMatch, validators.etag, exists, 'strong')) return 'precondition_failed';
  } else {
    const since = parseHttpDate(exchange.header('if-unmodified-since'));
    if (since !== undefined && exists && validators.lastModified !== undefined && validators.lastModified > since) {
      return 'precondition_failed';
    }
  }
  const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
  const ifNoneMatch = exchange.header('if-none-match');
  if (ifNoneMatch !== undefined) {
    if (isListed(ifNoneMatch, validators.etag, exists, 'weak')) return isRead ? 'not_modified' : 'precondition_failed';
  } else if (isRead) {
    const since = parseHttpDate(exchange.header('if-modified-since'));
    const modified = toldLastModified(validators);
    if (since !== undefined && exists && modified !== undefined && modified <= since) return 'not_modified';
  }
  return 'proceed';
}

const UNKNOWN: ResourceState = { etag: undefined, tokens: [] };

function meets(exchange: Exchange, condition: string, validators: Validators): boolean {
  const { etag, exists, lockTokens = [], others } = validators;
  const own = { etag: exists === false ? undefined : etag, tokens: lockTokens };
  const path = comparablePath(exchange.rawPath);
  return holds(parseIf(condition), (named) =>
    named === undefined || named === path ? own : (others?.get(named) ?? UNKNOWN),
  );
}

/**
 * Whether a Range may be applied (RFC 9110 section 13.1.5): no If-Range, or one that names exactly this representation.
 */
export function allowsRange(exchange: Exchange, validators: Validators): boolean {
  const value = exchange.header('if-range');
  if (value === undefined) return true;
  if (value.startsWith('"')) return value === validators.etag;
  const date = parseHttpDate(value);
  return date !== undefined && date === toldLastModified(validators);
}

/** Unix seconds of an HTTP-date in any of the three forms of RFC 9110 section 5.6.7; undefined for anything else. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  for (const form of DATE_FORMS) {
    const { day, month, year, time } = form.exec(text)?.groups ?? {};
    if (day === undefined) continue;
    const date = new Date(`${day} ${month} ${year!.length === 2 ? wholeYear(Number(year)) : year} ${time} GMT`);
    // the 31st of February would be one of March
    return date.getUTCDate() === Number(day) ? date.getTime() / 1000 : undefined;
  }
  return undefined;
}

/** Of two digits: more than 50 years ahead it is one of the past (RFC 9110 section 5.6.7). */
function wholeYear(digits: number): number {
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + digits;
  return year > now + 50 ? year - 100 : year;
}

/** to make one costs as much as all other fields of a head together */
const formatted = new BoundedMap<number, string>(MAX_FORMATTED_DATES);

/** Unix seconds as IMF-fixdate. */
export function formatHttpDate(seconds: number): string {
  const whole = Math.floor(seconds);
  const known = formatted.get(whole);
  if (known !== undefined) return known;
  const text = writtenTime(whole).toUTCString();
  formatted.set(whole, text);
  return text;
}

/** What an answer gives as Last-Modified, unless that is ahead. */
export function toldLastModified({ lastModified, isCoarse }: LastModified): number | undefined {
  return lastModified === undefined || !isCoarse ? lastModified : lastModified + 1;
}

/** The same for Last-Modified, which is never later than now, whatever a message says (RFC 9110 section 8.8.2.1). */
export function formatLastModified(seconds: number): string {
  return formatHttpDate(Math.min(seconds, Date.now() / 1000));
}

// From the first thing that is no entity tag on, nothing matches: unquoted tags name nothing.
function isListed(list: string, etag: string | undefined, exists: boolean, comparison: 'strong' | 'weak'): boolean {
  if (!exists) return false;
  if (list.trim() === '*') return true;
  if (etag === undefined) return false;
  const isWeak = etag.startsWith('W/');
  if (isWeak && comparison === 'strong') return false;
  const opaque = isWeak ? etag.slice(2) : etag;
  ENTITY_TAG.lastIndex = 0;
  for (let tag = ENTITY_TAG.exec(list); tag; tag = ENTITY_TAG.exec(list)) {
    if (tag[2] === opaque && (comparison === 'weak' || tag[1] === undefined)) return true;
  }
  return false;
}
