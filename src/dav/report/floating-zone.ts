// The zone of floating times and of days (RFC 4791 section 7.3): what the query says, else what the calendar does,
// calendar-timezone-id (RFC 7809) or calendar-timezone (RFC 4791 section 5.2.2), else UTC.

import { calendarZone } from '../../mime/objects/calendar-zone.ts';
import { parseObject } from '../../mime/objects/components.ts';
import { namedZone } from '../../mime/objects/named-zones.ts';
import { UTC, type Zone } from '../../mime/objects/offsets.ts';
import { type Need, propertyKey } from '../resource.ts';
import { readXml } from '../xml-read.ts';
import { expandedName, standalone } from '../xml-write.ts';
import type { Question } from './question.ts';

const KEPT: ReadonlySet<Need> = new Set<Need>(['kept']);
const ID = propertyKey(expandedName('C:calendar-timezone-id'));
const CALENDAR = propertyKey(expandedName('C:calendar-timezone'));

/** `named`: by the query. Throws as pool.readInRoom. */
export async function floatingZone(question: Question, named: Zone | undefined): Promise<Zone> {
  if (named) return named;
  const { kept } = await question.find(KEPT);
  const textOf = (key: string) => {
    const set = kept?.get(key);
    return set && readXml(Buffer.from(standalone(set))).text.trim();
  };
  const id = textOf(ID);
  const calendar = textOf(CALENDAR);
  return (id && namedZone(id)) || (calendar && zoneInCalendar(calendar)) || UTC;
}

/** The zone of a calendar that has exactly one. */
export function zoneInCalendar(text: string): Zone | undefined {
  const { object } = parseObject(text.trim());
  const zones = object?.name === 'VCALENDAR' ? object.components.filter(({ name }) => name === 'VTIMEZONE') : [];
  return zones.length === 1 ? calendarZone(zones[0]!) : undefined;
}
