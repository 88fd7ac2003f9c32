// C:calendar-data as a report asks for it: the components and properties of an object, expanded or limited to a range
// (RFC 4791 section 9.6).

import { AppError } from '../../errors.ts';
import { MAX_PICKED_PARTS } from '../../limits/dav.ts';
import { MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { writeInSteps } from '../../mime/objects/components.ts';
import type { Component } from '../../mime/objects/content-lines.ts';
import {
  type CompSelection,
  expandCalendar,
  limitFreeBusySet,
  limitRecurrenceSet,
  type PropSelection,
  selectComponent,
} from '../../mime/objects/expand.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import type { Zone } from '../../mime/objects/offsets.ts';
import { childNamed, childrenNamed } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { CALDAV_NAMESPACE } from '../xml-write.ts';
import { FailedCondition } from './condition.ts';
import { readClosedRange } from './time-range-xml.ts';

export interface CalendarData {
  /** undefined: all of the object */
  selection: CompSelection | undefined;
  expand: TimeRange | undefined;
  limitRecurrenceSet: TimeRange | undefined;
  limitFreeBusySet: TimeRange | undefined;
}

/** Throws bad_request, and FailedCondition for another format than iCalendar 2.0. */
export function readCalendarData(element: XmlElement): CalendarData {
  const { attributes } = element;
  const type = attributes.get('content-type') ?? 'text/calendar';
  if (type.toLowerCase() !== 'text/calendar' || (attributes.get('version') ?? '2.0') !== '2.0') {
    throw FailedCondition.calendar('supported-calendar-data');
  }
  const rangeIn = (name: string) => {
    const found = childNamed(element, CALDAV_NAMESPACE, name);
    return found && readClosedRange(found);
  };
  const comp = childNamed(element, CALDAV_NAMESPACE, 'comp');
  const data: CalendarData = {
    selection: comp && compSelection(comp, { parts: MAX_PICKED_PARTS }),
    expand: rangeIn('expand'),
    limitRecurrenceSet: rangeIn('limit-recurrence-set'),
    limitFreeBusySet: rangeIn('limit-freebusy-set'),
  };
  if (data.selection && data.selection.name !== 'VCALENDAR') {
    throw new AppError('bad_request', 'The outermost comp is VCALENDAR.');
  }
  if (data.expand && data.limitRecurrenceSet) {
    throw new AppError('bad_request', 'Recurrences are either expanded or limited.');
  }
  return data;
}

function compSelection(comp: XmlElement, left: { parts: number }): CompSelection {
  const inner = (name: string) => childrenNamed(comp, CALDAV_NAMESPACE, name);
  const [props, comps] = [inner('prop'), inner('comp')];
  left.parts -= 1 + props.length;
  if (left.parts < 0) throw new AppError('bad_request', 'Too many components and properties are named.');
  return {
    name: comp.attributes.get('name')?.trim().toUpperCase() ?? '',
    props: inner('allprop').length > 0 ? undefined : props.map(propSelection),
    comps: inner('allcomp').length > 0 ? undefined : comps.map((one) => compSelection(one, left)),
  };
}

/** Of C:prop and CR:prop, which are written alike. */
export function propSelection({ attributes }: XmlElement): PropSelection {
  return { name: attributes.get('name')?.trim() ?? '', isWithoutValue: attributes.get('novalue') === 'yes' };
}

/** The data is the stored text as it is. */
export function isWhole({ selection, expand, limitRecurrenceSet, limitFreeBusySet }: CalendarData): boolean {
  return !selection && !expand && !limitRecurrenceSet && !limitFreeBusySet;
}

/** The text of the object as `data` wants it, for inTurns; undefined: it has more instances than may be expanded. */
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
