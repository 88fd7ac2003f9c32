// Live properties of calendars (RFC 4791 section 5.2, RFC 7809 section 5.2), address books (RFC 6352 section 6.2) and
// scheduling (RFC 6638 sections 2 and 9), and the colour and order that calendar clients set.

import { MAX_ATTENDEES, MAX_KEPT_ZONES } from '../../limits/mime.ts';
import { parseDateTime } from '../../mime/objects/calendar-time.ts';
import { makeLine, parseObject, writeComponent } from '../../mime/objects/components.ts';
import { type Component, lineOf } from '../../mime/objects/content-lines.ts';
import { namedZone } from '../../mime/objects/named-zones.ts';
import { COLLATIONS } from '../../mime/objects/text-match.ts';
import { zoneComponent } from '../../mime/objects/zone-component.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import {
  hrefElement,
  isOwnPrincipal,
  type LiveProperty,
  optional,
  type PropertyTable,
  propertyKey,
  type Resource,
} from '../resource.ts';
import { expandedName, readXml } from '../xml-read.ts';
import { element, elementWith, type Markup, standalone } from '../xml-write.ts';

const isRoom = ({ kind }: Resource) => kind === 'room';
const isCalendar = ({ kind, collection }: Resource) =>
  kind === 'room' && (collection === 'calendar' || collection === 'tasks');
const isAddressBook = ({ kind, collection }: Resource) => kind === 'room' && collection === 'addressbook';
const isInbox = ({ kind }: Resource) => kind === 'inbox';

const COMPONENT_SET = propertyKey(expandedName('C:supported-calendar-component-set'));
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
const OPAQUE = element('C:schedule-calendar-transp', element('C:opaque'));
const MAX_GUESTS = element('C:max-attendees-per-instance', MAX_ATTENDEES);

const SCHEDULING_PROPERTIES: PropertyTable = {
  'C:schedule-inbox-URL': {
    isOn: isOwnPrincipal,
    elementOf: (_, { principal }) => hrefElement('C:schedule-inbox-URL', `${principal}inbox/`),
  },
  'C:schedule-outbox-URL': {
    isOn: isOwnPrincipal,
    elementOf: (_, { principal }) => hrefElement('C:schedule-outbox-URL', `${principal}outbox/`),
  },
  // set by proppatchInbox of scheduling.ts
  'C:schedule-default-calendar-URL': {
    needs: 'defaultCalendar',
    isOn: isInbox,
    elementOf: ({ defaultCalendar = '' }) => hrefElement('C:schedule-default-calendar-URL', defaultCalendar),
  },
  'C:calendar-free-busy-set': {
    ...setByClients(isInbox),
    elementOf: (_, { prefix }) => hrefElement('C:calendar-free-busy-set', `${prefix}r/Calendar/`),
  },
  'C:schedule-calendar-transp': { ...setByClients(isCalendar), elementOf: () => OPAQUE },
  'C:max-attendees-per-instance': { isOn: isCalendar, elementOf: () => MAX_GUESTS },
  'C:schedule-tag': {
    isServers: true,
    needs: 'scheduleTag',
    isOn: ({ scheduleTag }) => scheduleTag !== undefined,
    elementOf: ({ scheduleTag }) => optional('C:schedule-tag', scheduleTag),
  },
};

export const GROUPWARE_PROPERTIES: PropertyTable = {
  // set when a calendar is made: mkcol.ts
  'C:supported-calendar-component-set': {
    isOn: isCalendar,
    needs: 'dead',
    elementOf: ({ collection, dead }) => dead?.get(COMPONENT_SET) ?? (collection === 'tasks' ? TASKS : EVENTS),
  },
  'C:supported-calendar-data': { isOn: isCalendar, elementOf: () => CALENDAR_DATA },
  'C:supported-collation-set': { isOn: isCalendar, elementOf: () => CALENDAR_COLLATIONS },
  'C:max-resource-size': {
    isOn: isCalendar,
    elementOf: (_, { maxResourceSize }) => element('C:max-resource-size', maxResourceSize),
  },
  'C:calendar-description': setByClients(isCalendar),
  'C:calendar-timezone': { ...setByClients(isCalendar), elementOf: (resource) => zoneCalendarOf(resource) },
  'C:calendar-timezone-id': { ...setByClients(isCalendar), elementOf: zoneIdOf },
  'I:calendar-color': setByClients(isRoom),
  'I:calendar-order': setByClients(isRoom),
  'CR:supported-address-data': { isOn: isAddressBook, elementOf: () => ADDRESS_DATA },
  'CR:supported-collation-set': { isOn: isAddressBook, elementOf: () => CARD_COLLATIONS },
  'CR:max-resource-size': {
    isOn: isAddressBook,
    elementOf: (_, { maxResourceSize }) => element('CR:max-resource-size', maxResourceSize),
  },
  'CR:addressbook-description': setByClients(isAddressBook),
  ...SCHEDULING_PROPERTIES,
};

/** A property without a default. */
function setByClients(isOn: (resource: Resource) => boolean): LiveProperty {
  return { isSettable: true, needs: 'dead', isOn, elementOf: () => undefined };
}

const ZONE_ID = propertyKey(expandedName('C:calendar-timezone-id'));
const ZONE_CALENDAR = propertyKey(expandedName('C:calendar-timezone'));

/** C:calendar-timezone by year and zone name: finding the rules of a zone takes some milliseconds */
const zoneCalendars = new BoundedMap<string, Markup>(MAX_KEPT_ZONES);

/**
 * The zone that a client has set on a calendar for floating times and days: its name (RFC 7809 section 5.2), or a
 * calendar with a VTIMEZONE (RFC 4791 section 5.2.2). Each of the two properties is derived from the other.
 */
export function setZone({ dead }: Pick<Resource, 'dead'>): { id: string; calendar: string } {
  const textOf = (key: string) => {
    const set = dead?.get(key);
    return set ? readXml(Buffer.from(standalone(set))).text.trim() : '';
  };
  return { id: textOf(ZONE_ID), calendar: textOf(ZONE_CALENDAR) };
}

/** The VTIMEZONE of a calendar with that and nothing else (RFC 4791 section 5.2.2), if it says what time it is. */
export function onlyZone(calendar: string): Component | undefined {
  const { object } = parseObject(calendar.trim());
  const [zone, ...others] = object?.name === 'VCALENDAR' ? object.components : [];
  if (zone?.name !== 'VTIMEZONE' || others.length > 0 || !lineOf(zone, 'TZID')?.value.trim()) return undefined;
  const hasRule = zone.components.some(
    (rule) =>
      parseDateTime(lineOf(rule, 'DTSTART')?.value ?? '') && OFFSET.test(lineOf(rule, 'TZOFFSETTO')?.value ?? ''),
  );
  return hasRule ? zone : undefined;
}

const OFFSET = /^\s*[+-]\d{4}(?:\d\d)?\s*$/;

/** C:calendar-timezone of a calendar whose zone was set by name, with the rules from last year on. */
export function zoneCalendarOf(resource: Resource, now = new Date()): Markup | undefined {
  const { id } = setZone(resource);
  if (id === '') return undefined;
  const year = now.getUTCFullYear() - 1;
  const key = `${year} ${id}`;
  const cached = zoneCalendars.get(key);
  const zone = cached ? undefined : zoneComponent(id, year);
  if (!zone) return cached;
  const lines = [makeLine('VERSION', '2.0'), makeLine('PRODID', '-//Vestibule//Calendar//EN')];
  const markup = element('C:calendar-timezone', writeComponent({ name: 'VCALENDAR', lines, components: [zone] }));
  zoneCalendars.set(key, markup);
  return markup;
}

/** C:calendar-timezone-id of a calendar whose zone was set as a calendar: its name, if that is a well-known one. */
export function zoneIdOf(resource: Resource): Markup | undefined {
  const { calendar } = setZone(resource);
  const zone = calendar === '' ? undefined : onlyZone(calendar);
  const name = (zone && lineOf(zone, 'TZID')?.value.trim()) ?? '';
  const known = namedZone(name);
  if (!known) return undefined;
  // programs put a path of their own before the name
  const isPlain = !name.startsWith('/') && name.toUpperCase() === known.name.toUpperCase();
  return element('C:calendar-timezone-id', isPlain ? name : known.name);
}
