// What a report asks for of each object: properties, and C:calendar-data or CR:address-data, which exist in reports
// only (RFC 4791 section 9.6, RFC 6352 section 10.4).

import { AppError } from '../../errors.ts';
import { MAX_PICKED_PARTS } from '../../limits/dav.ts';
import { MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { parseDateTime } from '../../mime/objects/calendar-time.ts';
import { writeComponent, writeInSteps } from '../../mime/objects/components.ts';
import type { Component } from '../../mime/objects/content-lines.ts';
import {
  type CompSelection,
  expandCalendar,
  limitFreeBusySet,
  limitRecurrenceSet,
  type PropSelection,
  selectCard,
  selectComponent,
} from '../../mime/objects/expand.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import type { Zone } from '../../mime/objects/offsets.ts';
import { parseWanted, type WantedProperties } from '../describer.ts';
import { childNamed, childrenNamed, type XmlElement } from '../xml-read.ts';
import { unmet } from '../xml-write.ts';

export interface ReportProperties {
  wanted: WantedProperties;
  /** undefined if it is not wanted */
  calendarData: CalendarData | undefined;
  addressData: AddressData | undefined;
}

/** A report that names no properties wants none. Throws bad_request, forbidden. */
export function readWanted(root: XmlElement): ReportProperties {
  const wanted = parseWanted(root) ?? { kind: 'some', properties: [] };
  const properties = wanted.kind === 'some' ? childNamed(root, 'D:prop') : undefined;
  const calendar = properties && childNamed(properties, 'C:calendar-data');
  const address = properties && childNamed(properties, 'CR:address-data');
  return {
    wanted,
    calendarData: calendar && readCalendarData(calendar),
    addressData: address && readAddressData(address),
  };
}

/** Undefined if both are missing, one is not a time in UTC, or the end is not after the start. */
export function readTimeRange({ attributes }: XmlElement): TimeRange | undefined {
  const [from, to] = [attributes.get('start'), attributes.get('end')];
  if (from === undefined && to === undefined) return undefined;
  const start = from === undefined ? Number.NEGATIVE_INFINITY : utcTime(from);
  const end = to === undefined ? Number.POSITIVE_INFINITY : utcTime(to);
  return start !== undefined && end !== undefined && start < end ? { start, end } : undefined;
}

/** A range with both times. Throws bad_request. */
export function readClosedRange(element: XmlElement): TimeRange {
  const range = readTimeRange(element);
  if (range && Number.isFinite(range.start) && Number.isFinite(range.end)) return range;
  throw new AppError('bad_request', `${element.name} needs a start and a later end, both in UTC.`);
}

/** `20260601T000000Z` → Unix seconds */
function utcTime(text: string): number | undefined {
  return /^\d{8}T\d{6}Z$/.test(text) ? parseDateTime(text)?.seconds : undefined;
}

interface CalendarData {
  /** undefined: all of the object */
  selection: CompSelection | undefined;
  expand: TimeRange | undefined;
  limitRecurrenceSet: TimeRange | undefined;
  limitFreeBusySet: TimeRange | undefined;
}

/** Throws bad_request, and forbidden for another format than iCalendar 2.0. */
function readCalendarData(element: XmlElement): CalendarData {
  const { attributes } = element;
  const type = attributes.get('content-type') ?? 'text/calendar';
  if (type.toLowerCase() !== 'text/calendar' || (attributes.get('version') ?? '2.0') !== '2.0') {
    throw unmet('C:supported-calendar-data', 'Calendar data is text/calendar, version 2.0, only.');
  }
  const rangeIn = (name: string) => {
    const found = childNamed(element, `C:${name}`);
    return found && readClosedRange(found);
  };
  const comp = childNamed(element, 'C:comp');
  const data: CalendarData = {
    selection: comp && compSelection(comp, { parts: MAX_PICKED_PARTS }),
    expand: rangeIn('expand'),
    limitRecurrenceSet: rangeIn('limit-recurrence-set'),
    limitFreeBusySet: rangeIn('limit-freebusy-set'),
  };
  if (data.selection && data.selection.name !== 'VCALENDAR') {
    throw new AppError('bad_request', 'The outermost comp must be VCALENDAR.');
  }
  if (data.expand && data.limitRecurrenceSet) {
    throw new AppError('bad_request', 'Use either expand or limit-recurrence-set, not both.');
  }
  return data;
}

function compSelection(comp: XmlElement, left: { parts: number }): CompSelection {
  const inner = (name: string) => childrenNamed(comp, `C:${name}`);
  const [props, comps] = [inner('prop'), inner('comp')];
  left.parts -= 1 + props.length;
  if (left.parts < 0) throw new AppError('bad_request', 'The report names too many components and properties.');
  return {
    name: comp.attributes.get('name')?.trim().toUpperCase() ?? '',
    props: inner('allprop').length > 0 ? undefined : props.map(propSelection),
    comps: inner('allcomp').length > 0 ? undefined : comps.map((one) => compSelection(one, left)),
  };
}

/** From a C:prop or CR:prop, which have the same form. */
export function propSelection({ attributes }: XmlElement): PropSelection {
  return { name: attributes.get('name')?.trim() ?? '', isWithoutValue: attributes.get('novalue') === 'yes' };
}

/** Whether the data is the stored text as it is. */
export function isWhole({ selection, expand, limitRecurrenceSet, limitFreeBusySet }: CalendarData): boolean {
  return !selection && !expand && !limitRecurrenceSet && !limitFreeBusySet;
}

/** The text of the object as `data` wants it. Undefined if it has more instances than may be expanded. */
export function* calendarDataText(
  object: Component,
  data: CalendarData,
  floating: Zone,
): Generator<undefined, string | undefined> {
  let calendar = object;
  if (data.expand) {
    const expanded = yield* expandCalendar(calendar, data.expand, floating, { steps: MAX_RECURRENCE_STEPS });
    if (!expanded.isComplete) return undefined;
    calendar = expanded.calendar;
  }
  if (data.limitRecurrenceSet) calendar = limitRecurrenceSet(calendar, data.limitRecurrenceSet, floating);
  if (data.limitFreeBusySet) calendar = limitFreeBusySet(calendar, data.limitFreeBusySet, floating);
  return yield* writeInSteps(data.selection ? selectComponent(calendar, data.selection) : calendar);
}

interface AddressData {
  /** none: all */
  props: readonly PropSelection[];
}

/** Throws bad_request, and forbidden for another format than vCard 3.0 and 4.0. */
function readAddressData(element: XmlElement): AddressData {
  const { attributes } = element;
  const type = attributes.get('content-type') ?? 'text/vcard';
  if (type.toLowerCase() !== 'text/vcard' || !['3.0', '4.0'].includes(attributes.get('version') ?? '3.0')) {
    throw unmet('CR:supported-address-data', 'Contacts are text/vcard, version 3.0 or 4.0, only.');
  }
  const props = childrenNamed(element, 'CR:prop');
  if (props.length > MAX_PICKED_PARTS) throw new AppError('bad_request', 'The report names too many properties.');
  const isAll = childrenNamed(element, 'CR:allprop').length > 0;
  return { props: isAll ? [] : props.map(propSelection) };
}

/** The text of the contact with the wanted properties, in the version of vCard in which it was stored. */
export function addressDataText(card: Component, { props }: AddressData): string {
  return writeComponent(selectCard(card, props));
}

/** The element `limit` of address books (RFC 6352 section 10.6) and of searches (RFC 5323 section 5.17). */
export function readLimit(root: XmlElement, prefix: 'CR' | 'D'): number {
  const limit = childNamed(root, `${prefix}:limit`);
  const results = limit && childNamed(limit, `${prefix}:nresults`);
  if (!results) return Number.POSITIVE_INFINITY;
  const digits = results.text.trim();
  if (!/^[1-9]\d{0,8}$/.test(digits)) throw new AppError('bad_request', 'nresults takes a number above 0.');
  return Number(digits);
}
