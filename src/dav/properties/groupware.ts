// Live properties of calendars (RFC 4791 section 5.2) and address books (RFC 6352 section 6.2), and the colour and
// order that calendar clients keep with them.

import { COLLATIONS } from '../../mime/objects/text-match.ts';
import type { Resource } from '../resource.ts';
import { element, elementWith } from '../xml-write.ts';
import type { LiveProperty, PropertyTable } from './live-property.ts';
import { madeZoneCalendar, madeZoneId } from './time-zone.ts';

const isRoom = ({ kind }: Resource) => kind === 'room';
const isCalendar = ({ kind, collection }: Resource) =>
  kind === 'room' && (collection === 'calendar' || collection === 'tasks');
const isAddressBook = ({ kind, collection }: Resource) => kind === 'room' && collection === 'addressbook';

const EVENTS = element('C:supported-calendar-component-set', elementWith('C:comp', { name: 'VEVENT' }));
const TASKS = element('C:supported-calendar-component-set', elementWith('C:comp', { name: 'VTODO' }));
const CALENDAR_DATA = element(
  'C:supported-calendar-data',
  elementWith('C:calendar-data', { 'content-type': 'text/calendar', version: '2.0' }),
);
const ADDRESS_DATA = element(
  'CR:supported-address-data',
  elementWith('CR:address-data-type', { 'content-type': 'text/vcard', version: '3.0' }),
  elementWith('CR:address-data-type', { 'content-type': 'text/vcard', version: '4.0' }),
);
const CALENDAR_COLLATIONS = element(
  'C:supported-collation-set',
  ...COLLATIONS.map((collation) => element('C:supported-collation', collation)),
);
const CARD_COLLATIONS = element(
  'CR:supported-collation-set',
  ...COLLATIONS.map((collation) => element('CR:supported-collation', collation)),
);

export const GROUPWARE_PROPERTIES: PropertyTable = {
  'C:supported-calendar-component-set': {
    isOn: isCalendar,
    elementOf: ({ collection }) => (collection === 'tasks' ? TASKS : EVENTS),
  },
  'C:supported-calendar-data': { isOn: isCalendar, elementOf: () => CALENDAR_DATA },
  'C:supported-collation-set': { isOn: isCalendar, elementOf: () => CALENDAR_COLLATIONS },
  'C:max-resource-size': {
    isOn: isCalendar,
    elementOf: (_, { maxResourceSize }) => element('C:max-resource-size', maxResourceSize),
  },
  'C:calendar-description': setByClients(isCalendar),
  'C:calendar-timezone': { ...setByClients(isCalendar), elementOf: (resource) => madeZoneCalendar(resource) },
  'C:calendar-timezone-id': { ...setByClients(isCalendar), elementOf: madeZoneId },
  'I:calendar-color': setByClients(isRoom),
  'I:calendar-order': setByClients(isRoom),
  'CR:supported-address-data': { isOn: isAddressBook, elementOf: () => ADDRESS_DATA },
  'CR:supported-collation-set': { isOn: isAddressBook, elementOf: () => CARD_COLLATIONS },
  'CR:max-resource-size': {
    isOn: isAddressBook,
    elementOf: (_, { maxResourceSize }) => element('CR:max-resource-size', maxResourceSize),
  },
  'CR:addressbook-description': setByClients(isAddressBook),
};

/** There is none until a client sets it. */
function setByClients(isOn: (resource: Resource) => boolean): LiveProperty {
  return { isSettable: true, needs: 'kept', isOn, elementOf: () => undefined };
}
