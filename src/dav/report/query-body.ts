// The bodies of calendar-query, addressbook-query and free-busy-query, read into what is asked for
// (RFC 4791 sections 7.8, 7.10 and 9.5, RFC 6352 section 8.6, RFC 7809 section 5.2).

import { AppError } from '../../errors.ts';
import type { CompFilter } from '../../mime/objects/calendar-filter.ts';
import type { CardFilter } from '../../mime/objects/card-filter.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import { namedZone } from '../../mime/objects/named-zones.ts';
import type { Zone } from '../../mime/objects/offsets.ts';
import { childNamed } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { CALDAV_NAMESPACE, CARDDAV_NAMESPACE } from '../xml-write.ts';
import { readCalendarFilter } from './calendar-filter-xml.ts';
import { readCardFilter } from './card-filter-xml.ts';
import { FailedCondition } from './condition.ts';
import { zoneInCalendar } from './floating-zone.ts';
import { readClosedRange } from './time-range-xml.ts';
import { type ReportProperties, readWanted } from './wanted.ts';

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
