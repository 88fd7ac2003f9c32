// The filters of calendar-query and addressbook-query as data (RFC 4791 section 9.7, RFC 6352 section 10.5), within
// bounds. Violations are the preconditions valid-filter, supported-filter and supported-collation.

import type { AppError } from '../../errors.ts';
import { MAX_FILTER_ELEMENTS, MAX_MATCH_TEXT_CHARACTERS } from '../../limits/dav.ts';
import type { CompFilter, PropFilter } from '../../mime/objects/calendar-filter.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import {
  type CardFilter,
  type CardPropFilter,
  collationNamed,
  type MatchType,
  type ParamFilter,
  type Test,
  type TextMatch,
} from '../../mime/objects/text-match.ts';
import { isTimeProperty } from '../../mime/objects/time-range.ts';
import { childrenNamed, NAMESPACES, type XmlElement } from '../xml-read.ts';
import { unmet } from '../xml-write.ts';
import { readTimeRange } from './wanted.ts';

const MATCH_TYPES: readonly MatchType[] = ['contains', 'equals', 'starts-with', 'ends-with'];

/** the elements of filters */
const PARTS: ReadonlySet<string> = new Set([
  'filter',
  'comp-filter',
  'prop-filter',
  'param-filter',
  'is-not-defined',
  'time-range',
  'text-match',
]);

/** Reads and counts the elements of one filter. Its methods throw forbidden. */
export class FilterXml {
  readonly #prefix: 'C' | 'CR';
  #left = MAX_FILTER_ELEMENTS;

  constructor(prefix: 'C' | 'CR') {
    this.#prefix = prefix;
  }

  get #isCalendar(): boolean {
    return this.#prefix === 'C';
  }

  /** `rule`: without its prefix, `'supported-filter'`. */
  #unmet(rule: string, message: string): AppError {
    return unmet(`${this.#prefix}:${rule}`, message);
  }

  /** For what is no filter. CardDAV has no precondition of its own for it. */
  invalid(): AppError {
    return this.#unmet(this.#isCalendar ? 'valid-filter' : 'supported-filter', 'The filter is not valid.');
  }

  #tooLarge(): AppError {
    return this.#unmet('supported-filter', 'The filter is too large.');
  }

  /** The children of that name; each counts. */
  all(parent: XmlElement, name: string): XmlElement[] {
    const found = childrenNamed(parent, `${this.#prefix}:${name}`);
    this.#left -= found.length;
    if (this.#left < 0) throw this.#tooLarge();
    return found;
  }

  /** The only child of that name, if there is one. */
  optional(parent: XmlElement, name: string): XmlElement | undefined {
    const found = this.all(parent, name);
    if (found.length > 1) throw this.invalid();
    return found[0];
  }

  /** Unknown elements are ignored (RFC 4918 section 17), but not a test where it has no meaning. */
  requireOnly({ children }: XmlElement, allowed: readonly string[]): void {
    const isMisplaced = ({ namespace, name }: XmlElement) =>
      namespace === NAMESPACES[this.#prefix] && PARTS.has(name) && !allowed.includes(name);
    if (children.some(isMisplaced)) throw this.invalid();
  }

  nameOf({ attributes }: XmlElement): string {
    const name = attributes.get('name')?.trim() ?? '';
    if (name === '') throw this.invalid();
    return name;
  }

  /** Whether it has is-not-defined, which excludes the others. */
  isNotDefined(parent: XmlElement, others: readonly string[]): boolean {
    if (!this.optional(parent, 'is-not-defined')) return false;
    if (others.some((name) => this.all(parent, name).length > 0)) throw this.invalid();
    return true;
  }

  paramFilters(parent: XmlElement): ParamFilter[] {
    return this.all(parent, 'param-filter').map((filter) => {
      const name = this.nameOf(filter);
      this.requireOnly(filter, ['is-not-defined', 'text-match']);
      if (this.isNotDefined(filter, ['text-match'])) return { name, isNotDefined: true };
      const textMatch = this.optional(filter, 'text-match');
      return { name, textMatch: textMatch && this.textMatch(textMatch) };
    });
  }

  textMatch({ attributes, text }: XmlElement): TextMatch {
    if (text.length > MAX_MATCH_TEXT_CHARACTERS) throw this.#tooLarge();
    // the defaults of RFC 4791 section 7.5.1 and RFC 6352 section 8.3.1 differ
    const named = attributes.get('collation') ?? (this.#isCalendar ? 'i;ascii-casemap' : 'i;unicode-casemap');
    const collation = collationNamed(named);
    if (collation === undefined) {
      throw this.#unmet('supported-collation', `The collation ${named} is not supported.`);
    }
    const wanted = attributes.get('match-type') ?? 'contains';
    const matchType = this.#isCalendar ? 'contains' : MATCH_TYPES.find((one) => one === wanted);
    const negate = attributes.get('negate-condition') ?? 'no';
    if (matchType === undefined || (negate !== 'yes' && negate !== 'no')) throw this.invalid();
    return { text, collation, matchType, isNegated: negate === 'yes' };
  }
}

/** `filter`: the element CR:filter. Throws forbidden. */
export function readCardFilter(filter: XmlElement): CardFilter {
  const xml = new FilterXml('CR');
  xml.requireOnly(filter, ['prop-filter']);
  return { test: testOf(xml, filter), props: xml.all(filter, 'prop-filter').map((one) => cardPropFilter(xml, one)) };
}

function cardPropFilter(xml: FilterXml, element: XmlElement): CardPropFilter {
  const [name, test] = [xml.nameOf(element), testOf(xml, element)];
  xml.requireOnly(element, ['is-not-defined', 'text-match', 'param-filter']);
  if (xml.isNotDefined(element, ['text-match', 'param-filter'])) {
    return { name, test, isNotDefined: true, textMatches: [], params: [] };
  }
  const textMatches = xml.all(element, 'text-match').map((one) => xml.textMatch(one));
  return { name, test, textMatches, params: xml.paramFilters(element) };
}

function testOf(xml: FilterXml, { attributes }: XmlElement): Test {
  const test = attributes.get('test') ?? 'anyof';
  if (test === 'anyof' || test === 'allof') return test;
  throw xml.invalid();
}

/** component → components that can contain it; others may be anywhere (RFC 5545 section 3.6, RFC 7953) */
const OUTER: ReadonlyMap<string, readonly string[]> = new Map([
  ['VCALENDAR', []],
  ['VEVENT', ['VCALENDAR']],
  ['VTODO', ['VCALENDAR']],
  ['VJOURNAL', ['VCALENDAR']],
  ['VFREEBUSY', ['VCALENDAR']],
  ['VTIMEZONE', ['VCALENDAR']],
  ['VAVAILABILITY', ['VCALENDAR']],
  ['VALARM', ['VEVENT', 'VTODO']],
  ['STANDARD', ['VTIMEZONE']],
  ['DAYLIGHT', ['VTIMEZONE']],
  ['AVAILABLE', ['VAVAILABILITY']],
]);
/** components for which RFC 4791 section 9.9 defines overlap */
const TIMED = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VALARM']);

/** `filter`: the element C:filter. Throws forbidden. */
export function readCalendarFilter(filter: XmlElement): CompFilter {
  const xml = new FilterXml('C');
  xml.requireOnly(filter, ['comp-filter']);
  const outermost = xml.optional(filter, 'comp-filter');
  if (!outermost || xml.nameOf(outermost).toUpperCase() !== 'VCALENDAR') throw xml.invalid();
  return compFilter(xml, outermost, undefined);
}

function compFilter(xml: FilterXml, element: XmlElement, outer: string | undefined): CompFilter {
  const name = xml.nameOf(element).toUpperCase();
  if (outer !== undefined && OUTER.get(name)?.includes(outer) === false) throw xml.invalid();
  xml.requireOnly(element, ['is-not-defined', 'time-range', 'prop-filter', 'comp-filter']);
  if (xml.isNotDefined(element, ['time-range', 'prop-filter', 'comp-filter'])) {
    return { name, isNotDefined: true, props: [], comps: [] };
  }
  const timeRange = timeRangeIn(xml, element);
  if (timeRange && !TIMED.has(name)) throw xml.invalid();
  const props = xml.all(element, 'prop-filter').map((one) => propFilter(xml, one));
  const comps = xml.all(element, 'comp-filter').map((one) => compFilter(xml, one, name));
  return { name, timeRange, props, comps };
}

function propFilter(xml: FilterXml, element: XmlElement): PropFilter {
  const name = xml.nameOf(element);
  xml.requireOnly(element, ['is-not-defined', 'time-range', 'text-match', 'param-filter']);
  if (xml.isNotDefined(element, ['time-range', 'text-match', 'param-filter'])) {
    return { name, isNotDefined: true, params: [] };
  }
  const timeRange = timeRangeIn(xml, element);
  const textMatch = xml.optional(element, 'text-match');
  if (timeRange && (textMatch || !isTimeProperty(name))) throw xml.invalid();
  return { name, timeRange, textMatch: textMatch && xml.textMatch(textMatch), params: xml.paramFilters(element) };
}

function timeRangeIn(xml: FilterXml, parent: XmlElement): TimeRange | undefined {
  const element = xml.optional(parent, 'time-range');
  const range = element && readTimeRange(element);
  if (element && !range) throw xml.invalid();
  return range;
}
