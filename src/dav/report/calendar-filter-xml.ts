// The filter of a calendar query as data (RFC 4791 section 9.7), with its preconditions valid-filter, supported-filter
// and supported-collation (RFC 4791 section 7.8).

import type { CompFilter, PropFilter } from '../../mime/objects/calendar-filter.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import { isTimeProperty } from '../../mime/objects/time-range.ts';
import type { XmlElement } from '../xml-read.ts';
import { CALDAV_NAMESPACE } from '../xml-write.ts';
import { FilterXml } from './filter-xml.ts';
import { readTimeRange } from './time-range-xml.ts';

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
