// Conditional requests (RFC 9110 section 13) and byte ranges (RFC 9110 section 14.2).

import { AppError } from '../errors.ts';
import { MAX_FORMATTED_DATES } from '../limits/http.ts';
import { BoundedMap } from '../system/bounded-map.ts';
import { writtenTime } from '../system/clock.ts';
import type { Exchange } from './exchange.ts';
import { comparablePath, holds, parseIf, type ResourceState } from './if-header.ts';

export interface LastModified {
  /** Unix seconds */
  lastModified?: number | undefined;
  /** other versions may have the same second, so it is weak until the second is over (RFC 9110 section 8.8.2.2) */
  isCoarse?: boolean | undefined;
}

export interface Validators extends LastModified {
  /** including quotes: `"123"`, `W/"abc"` */
  etag?: string | undefined;
  /** false: the resource does not exist */
  exists?: boolean | undefined;
  /** tokens of the locks that cover it */
  lockTokens?: readonly string[] | undefined;
  /** states of other resources that an If header may name, by path as in ConditionList */
  others?: ReadonlyMap<string, ResourceState> | undefined;
}

export type Outcome = 'proceed' | 'not_modified' | 'precondition_failed';

/** an entity tag in a list; group 1: weak, group 2: the opaque tag with quotes */
const ENTITY_TAG = /[ \t,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y;
const DATE_FORMS = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Whether the client wants to change a certain version only. */
export function isConditional(exchange: Exchange): boolean {
  return ['if', 'if-match', 'if-none-match', 'if-unmodified-since'].some((name) => exchange.header(name) !== undefined);
}

/** Whether evaluate needs the modification time. */
export function needsLastModified(exchange: Exchange): boolean {
  if (exchange.header('if-match') !== undefined) return false;
  return parseHttpDate(exchange.header('if-unmodified-since')) !== undefined;
}

/** RFC 9110 section 13.2.2, after WebDAV's If. `not_modified` occurs for GET and HEAD only. Throws bad_request. */
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
    const modified = publishedLastModified(validators);
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

/** Whether a Range applies (RFC 9110 section 13.1.5): no If-Range, or one that matches this representation. */
export function allowsRange(exchange: Exchange, validators: Validators): boolean {
  const value = exchange.header('if-range');
  if (value === undefined) return true;
  if (value.startsWith('"')) return value === validators.etag;
  const date = parseHttpDate(value);
  return date !== undefined && date === publishedLastModified(validators);
}

/** Unix seconds of an HTTP-date in any form of RFC 9110 section 5.6.7; undefined if invalid. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  for (const form of DATE_FORMS) {
    const { day, month, year, time } = form.exec(text)?.groups ?? {};
    if (day === undefined) continue;
    const date = new Date(`${day} ${month} ${year!.length === 2 ? wholeYear(Number(year)) : year} ${time} GMT`);
    // rejects 31 February
    return date.getUTCDate() === Number(day) ? date.getTime() / 1000 : undefined;
  }
  return undefined;
}

/** A two-digit year more than 50 years ahead is in the past (RFC 9110 section 5.6.7). */
function wholeYear(digits: number): number {
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + digits;
  return year > now + 50 ? year - 100 : year;
}

/** cache: formatting a date costs as much as the rest of a head */
const formatted = new BoundedMap<number, string>(MAX_FORMATTED_DATES);

/** Unix seconds as IMF-fixdate. */
export function formatHttpDate(seconds: number): string {
  const whole = Math.floor(seconds);
  const cached = formatted.get(whole);
  if (cached !== undefined) return cached;
  const text = writtenTime(whole).toUTCString();
  formatted.set(whole, text);
  return text;
}

/** The value for Last-Modified, which may be in the future. */
export function publishedLastModified({ lastModified, isCoarse }: LastModified): number | undefined {
  return lastModified === undefined || !isCoarse ? lastModified : lastModified + 1;
}

/** For Last-Modified, which must not be in the future (RFC 9110 section 8.8.2.1). */
export function formatLastModified(seconds: number): string {
  return formatHttpDate(Math.min(seconds, Date.now() / 1000));
}

// stops at the first malformed entity tag
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

/** start inclusive, end exclusive */
interface ByteRange {
  start: number;
  end: number;
}

const SINGLE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * `bytes=0-99`, `bytes=100-`, `bytes=-5`. Malformed and multiple ranges and other units are ignored, which
 * RFC 9110 section 14.2 allows.
 */
export function parseRange(header: string, size: number): ByteRange | 'ignore' | 'unsatisfiable' {
  const match = SINGLE.exec(header);
  if (!match) return 'ignore';
  const [, first, last] = match as unknown as [string, string, string];
  if (first === '') {
    if (last === '') return 'ignore';
    const length = Number(last);
    if (length === 0) return 'unsatisfiable';
    // satisfiable by definition, but Content-Range cannot express it
    return size === 0 ? 'ignore' : { start: Math.max(0, size - length), end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Number(last) + 1;
  if (last !== '' && end <= start) return 'ignore';
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size) };
}

/** The requested range; undefined: everything. Throws range_not_satisfiable. */
export function wantedRange(exchange: Exchange, validators: Validators, size: number): ByteRange | undefined {
  const header = exchange.method === 'GET' ? exchange.header('range') : undefined;
  if (header === undefined || !allowsRange(exchange, validators)) return undefined;
  const range = parseRange(header, size);
  if (range === 'ignore') return undefined;
  if (range === 'unsatisfiable') {
    exchange.addHeader('Content-Range', `bytes */${size}`);
    throw new AppError('range_not_satisfiable', `The range is outside the ${size} bytes of the resource.`);
  }
  return range;
}
