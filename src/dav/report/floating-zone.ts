// The zone of floating times and of days (RFC 4791 section 7.3): what the query says, else the calendar-timezone of the
// calendar (RFC 4791 section 5.2.2), else UTC.

import { calendarZone } from '../../mime/objects/calendar-zone.ts';
import { parseObject } from '../../mime/objects/components.ts';
import { UTC, type Zone } from '../../mime/objects/offsets.ts';
import { type Need, propertyKey } from '../resource.ts';
import { readXml } from '../xml-read.ts';
import { expandedName, standalone } from '../xml-write.ts';
import type { Question } from './question.ts';

const KEPT: ReadonlySet<Need> = new Set<Need>(['kept']);
const PROPERTY = propertyKey(expandedName('C:calendar-timezone'));

/** `named`: by the query. Throws as pool.readInRoom. */
export async function floatingZone(question: Question, named: Zone | undefined): Promise<Zone> {
  if (named) return named;
  const set = (await question.find(KEPT)).kept?.get(PROPERTY);
  return (set && zoneInCalendar(readXml(Buffer.from(standalone(set))).text)) ?? UTC;
}

/** The zone of a calendar that has exactly one. */
export function zoneInCalendar(text: string): Zone | undefined {
  const { object } = parseObject(text.trim());
  const zones = object?.name === 'VCALENDAR' ? object.components.filter(({ name }) => name === 'VTIMEZONE') : [];
  return zones.length === 1 ? calendarZone(zones[0]!) : undefined;
}
