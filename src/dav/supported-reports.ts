// Which reports a resource answers (RFC 3253 section 3.1.5): what supported-report-set lists, and what REPORT does not
// refuse.

import type { PropertyName, Resource } from './resource.ts';
import { expandedName } from './xml-write.ts';

const EVERYWHERE = ['D:expand-property', 'D:principal-property-search', 'D:principal-search-property-set'];
const ON_ROOMS = [...EVERYWHERE, 'D:sync-collection'];
const ON_CALENDARS = [...ON_ROOMS, 'C:calendar-query', 'C:calendar-multiget', 'C:free-busy-query'];
const ON_ADDRESS_BOOKS = [...ON_ROOMS, 'CR:addressbook-query', 'CR:addressbook-multiget'];

/** On a member there is only what every resource has. */
export function supportedReports({ kind, collection }: Pick<Resource, 'kind' | 'collection'>): PropertyName[] {
  if (kind !== 'room') return EVERYWHERE.map(expandedName);
  if (collection === 'calendar' || collection === 'tasks') return ON_CALENDARS.map(expandedName);
  if (collection === 'addressbook') return ON_ADDRESS_BOOKS.map(expandedName);
  return ON_ROOMS.map(expandedName);
}
