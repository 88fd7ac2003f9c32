// The zone of floating times and of days (RFC 4791 section 7.3): what the query says, else what the calendar does,
// calendar-timezone-id (RFC 7809) or calendar-timezone (RFC 4791 section 5.2.2), else UTC.

import { calendarZone } from '../../mime/objects/calendar-zone.ts';
import { namedZone } from '../../mime/objects/named-zones.ts';
import { UTC, type Zone } from '../../mime/objects/offsets.ts';
import { onlyZone, setZone } from '../properties/time-zone.ts';
import type { Need } from '../resource.ts';
import type { Question } from './question.ts';

const KEPT: ReadonlySet<Need> = new Set<Need>(['kept']);

/** `named`: by the query. Throws as pool.readInRoom. */
export async function floatingZone(question: Question, named: Zone | undefined): Promise<Zone> {
  if (named) return named;
  const { id, calendar } = setZone(await question.find(KEPT));
  return namedZone(id) ?? zoneInCalendar(calendar) ?? UTC;
}

/** The zone of a calendar that has exactly one. */
export function zoneInCalendar(text: string): Zone | undefined {
  const zone = onlyZone(text);
  return zone && calendarZone(zone);
}
