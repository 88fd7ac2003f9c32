// The bodies of calendar-query, addressbook-query and free-busy-query as data (RFC 4791 sections 7.8, 7.10, 9.5 and
// 9.7, RFC 6352 sections 8.6 and 10.5, RFC 7809 section 5.2), with the preconditions valid-filter, supported-filter and
// supported-collation.

import { AppError } from '../../errors.ts';
import type { CompFilter, PropFilter } from '../../mime/objects/calendar-filter.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import { namedZone } from '../../mime/objects/named-zones.ts';
import type { Zone } from '../../mime/objects/offsets.ts';
import type { CardFilter, CardPropFilter, Test } from '../../mime/objects/text-match.ts';
import { isTimeProperty } from '../../mime/objects/time-range.ts';
import { CALDAV_NAMESPACE, CARDDAV_NAMESPACE, childNamed, type XmlElement } from '../xml-read.ts';
import { zoneInCalendar } from './answer.ts';
import { FailedCondition } from './condition.ts';
import { FilterXml } from './filter-xml.ts';
import { type ReportProperties, readClosedRange, readTimeRange, readWanted } from './wanted.ts';

export interface CalendarQuery extends ReportProperties {
  filter: CompFilter;
  /** of floating times; undefined where the query names none */
  zone: Zone | undefined;
}

export interface CardQuery extends ReportProperties {
  filter: CardFilter;
  /** of contacts in the answer */
  limit: number;
}

/** `root`: C:calendar-query. Throws bad_request, FailedCondition. */
export function readCalendarQuery(root: XmlElement): CalendarQuery {
  const filter = childNamed(root, CALDAV_NAMESPACE, 'filter');
  if (!filter) throw FailedCondition.calendar('valid-filter');
  return { ...readWanted(root), filter: readCalendarFilter(filter), zone: zoneOf(root) };
}

/** `root`: CR:addressbook-query. Throws bad_request, FailedCondition. */
export function readCardQuery(root: XmlElement): CardQuery {
  const filter = childNamed(root, CARDDAV_NAMESPACE, 'filter');
  if (!filter) throw new AppError('bad_request', 'A query needs a filter.');
  return { ...readWanted(root), filter: readCardFilter(filter), limit: readLimit(root, CARDDAV_NAMESPACE) };
}

/** `root`: C:free-busy-query. Throws bad_request. */
export function readFreeBusyQuery(root: XmlElement): TimeRange {
  const range = childNamed(root, CALDAV_NAMESPACE, 'time-range');
  if (!range) throw new AppError('bad_request', 'A free-busy-query needs a time-range.');
  return readClosedRange(range);
}

/** The element `limit` of address books (RFC 6352 section 10.6) and of searches (RFC 5323 section 5.17). */
export function readLimit(root: XmlElement, namespace: string): number {
  const limit = childNamed(root, namespace, 'limit');
  const results = limit && childNamed(limit, namespace, 'nresults');
  if (!results) return Number.POSITIVE_INFINITY;
  const digits = results.text.trim();
  if (!/^[1-9]\d{0,8}$/.test(digits)) throw new AppError('bad_request', 'nresults takes a number above 0.');
  return Number(digits);
}

/** C:timezone is a calendar with one time zone, C:timezone-id a name. */
function zoneOf(root: XmlElement): Zone | undefined {
  const id = childNamed(root, CALDAV_NAMESPACE, 'timezone-id');
  if (id) {
    const named = namedZone(id.text.trim());
    if (!named) throw FailedCondition.calendar('valid-timezone');
    return named;
  }
  const text = childNamed(root, CALDAV_NAMESPACE, 'timezone');
  if (!text) return undefined;
  const zone = zoneInCalendar(text.text);
  if (!zone) throw FailedCondition.calendar('valid-calendar-data');
  return zone;
}

/** `filter`: the element CR:filter. Throws FailedCondition. */
export function readCardFilter(filter: XmlElement): CardFilter {
  const xml = new FilterXml(CARDDAV_NAMESPACE);
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

/** component → what it can only stand in; others may stand anywhere (RFC 5545 section 3.6, RFC 7953) */
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
/** of which RFC 4791 section 9.9 says what overlaps */
const TIMED = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VALARM']);

/** `filter`: the element C:filter. Throws FailedCondition. */
export function readCalendarFilter(filter: XmlElement): CompFilter {
  const xml = new FilterXml(CALDAV_NAMESPACE);
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
