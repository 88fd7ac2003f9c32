// Which reports a resource answers (RFC 3253 section 3.1.5): what supported-report-set lists, and what REPORT does not
// refuse.

import type { PropertyName, Resource } from './resource.ts';
import { expandedName } from './xml-write.ts';

const EVERYWHERE = ['D:expand-property', 'D:principal-property-search', 'D:principal-search-property-set'];
const ON_PRINCIPALS = [...EVERYWHERE, 'D:principal-match'];
/** RFC 4791 sections 7.8 and 7.9, RFC 6352 sections 8.6 and 8.7: on objects, too */
const ON_EVENTS = [...EVERYWHERE, 'C:calendar-query', 'C:calendar-multiget'];
/** RFC 6638 section 2.3 */
const ON_INBOX = [...ON_EVENTS, 'D:sync-collection'];
const ON_CARDS = [...EVERYWHERE, 'CR:addressbook-query', 'CR:addressbook-multiget'];
const ON_ROOMS = [...EVERYWHERE, 'D:sync-collection'];
const ON_CALENDARS = [...ON_ROOMS, 'C:calendar-query', 'C:calendar-multiget', 'C:free-busy-query'];
const ON_ADDRESS_BOOKS = [...ON_ROOMS, 'CR:addressbook-query', 'CR:addressbook-multiget'];
/** RFC 4791 sections 7.8 to 7.10 and RFC 6352 section 8.6: on what is in the calendars and address books below */
const ON_HOME = [...ON_CALENDARS, 'CR:addressbook-query', 'CR:addressbook-multiget'];

export function supportedReports({ kind, collection }: Pick<Resource, 'kind' | 'collection'>): PropertyName[] {
  return prefixedNames(kind, collection).map(expandedName);
}

function prefixedNames(kind: Resource['kind'], collection: Resource['collection']): readonly string[] {
  if (kind === 'principals') return ON_PRINCIPALS;
  if (kind === 'home') return ON_HOME;
  if (kind === 'inbox') return ON_INBOX;
  if (kind !== 'room' && kind !== 'member') return EVERYWHERE;
  const isRoom = kind === 'room';
  if (collection === 'calendar' || collection === 'tasks') return isRoom ? ON_CALENDARS : ON_EVENTS;
  if (collection === 'addressbook') return isRoom ? ON_ADDRESS_BOOKS : ON_CARDS;
  return isRoom ? ON_ROOMS : EVERYWHERE;
}
