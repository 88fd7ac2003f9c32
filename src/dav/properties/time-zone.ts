// The time zone of a calendar, for its floating times and days. A client sets it as a calendar with a VTIMEZONE
// (RFC 4791 section 5.2.2) or by its name (RFC 7809 section 5.2), and each is made of the other, so that they agree.

import { MAX_KEPT_ZONES } from '../../limits/mime.ts';
import { makeLine, parseObject, writeComponent } from '../../mime/objects/components.ts';
import { type Component, lineOf } from '../../mime/objects/content-lines.ts';
import { namedZone } from '../../mime/objects/named-zones.ts';
import { zoneComponent } from '../../mime/objects/zone-component.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import { propertyKey, type Resource } from '../resource.ts';
import { readXml } from '../xml-read.ts';
import { element, expandedName, type Markup, standalone } from '../xml-write.ts';

const ZONE_ID = propertyKey(expandedName('C:calendar-timezone-id'));
const ZONE_CALENDAR = propertyKey(expandedName('C:calendar-timezone'));

/** calendars by name of the zone and year: to find the rules takes some milliseconds */
const made = new BoundedMap<string, Markup>(MAX_KEPT_ZONES);

/** What a client has set: the name, and the text of the calendar. */
export function setZone({ kept }: Pick<Resource, 'kept'>): { id: string; calendar: string } {
  const textOf = (key: string) => {
    const set = kept?.get(key);
    return set ? readXml(Buffer.from(standalone(set))).text.trim() : '';
  };
  return { id: textOf(ZONE_ID), calendar: textOf(ZONE_CALENDAR) };
}

/** The one VTIMEZONE of a calendar; undefined where there is none or there are several. */
export function onlyZone(calendar: string): Component | undefined {
  const { object } = parseObject(calendar.trim());
  const zones = object?.name === 'VCALENDAR' ? object.components.filter(({ name }) => name === 'VTIMEZONE') : [];
  return zones.length === 1 ? zones[0] : undefined;
}

/** C:calendar-timezone of a calendar whose zone was set by its name: right from the last year on. */
export function madeZoneCalendar(resource: Resource, now = new Date()): Markup | undefined {
  const { id } = setZone(resource);
  if (id === '') return undefined;
  const year = now.getUTCFullYear() - 1;
  const key = `${year} ${id}`;
  const known = made.get(key);
  const zone = known ? undefined : zoneComponent(id, year);
  if (!zone) return known;
  const lines = [makeLine('VERSION', '2.0'), makeLine('PRODID', '-//Vestibule//Calendar//EN')];
  const markup = element('C:calendar-timezone', writeComponent({ name: 'VCALENDAR', lines, components: [zone] }));
  made.set(key, markup);
  return markup;
}

/** C:calendar-timezone-id of a calendar whose zone was set whole: its name, where everybody knows it. */
export function madeZoneId(resource: Resource): Markup | undefined {
  const { calendar } = setZone(resource);
  const zone = calendar === '' ? undefined : onlyZone(calendar);
  const name = (zone && lineOf(zone, 'TZID')?.value.trim()) ?? '';
  const known = namedZone(name);
  if (!known) return undefined;
  // programs put a path of their own before the name
  const isPlain = !name.startsWith('/') && name.toUpperCase() === known.name.toUpperCase();
  return element('C:calendar-timezone-id', isPlain ? name : known.name);
}
