// What one change of a calendar object means for scheduling, whoever makes it: what to store and send, or why it is
// refused (RFC 6638 section 3).

import { MAX_ANSWER_CHARACTERS } from '../../limits/mime.ts';
import type { Component } from '../objects/content-lines.ts';
import { scheduleAsAttendee } from './attendee.ts';
import { personKey, withParameter } from './lines.ts';
import { hasOneOrganizer, mapLines, roleIn, schedulingObject } from './object.ts';
import { type Scheduled, scheduleAsOrganizer } from './organizer.ts';

export interface SchedulingChange {
  /** stored version; undefined: new */
  before: Component | undefined;
  /** new version; undefined: removed */
  after: Component | undefined;
  /** address keys of the calendar's owner */
  own: ReadonlySet<string>;
  /** Unix seconds */
  now: number;
  /** false: the client wants no reply to a removal (`Schedule-Reply: F`) */
  isReplyWanted?: boolean;
}

/** undefined: neither version is a scheduling object. */
export function scheduleChange({ before, after, own, now, isReplyWanted }: SchedulingChange): Scheduled | undefined {
  const old = before && schedulingObject(before);
  const current = after && schedulingObject(after, old);
  const role = old && roleIn(old, own);
  const newRole = current && roleIn(current, own);
  if (role === undefined && newRole === undefined) return undefined;
  if (current && newRole && !hasOneOrganizer(current)) return { fault: 'same-organizer-in-all-components' };
  if (role === 'attendee') {
    if (after && (!current || current.organizer !== old!.organizer)) {
      return { fault: 'allowed-attendee-scheduling-object-change' };
    }
    return scheduleAsAttendee(old, current, own, now, isReplyWanted);
  }
  if (role === 'organizer' && newRole === 'attendee') return { fault: 'allowed-organizer-scheduling-object-change' };
  if (newRole === 'attendee') return scheduleAsAttendee(undefined, current, own, now, isReplyWanted);
  const previous = role === 'organizer' ? old : undefined;
  const next = newRole === 'organizer' ? current : undefined;
  const scheduled = scheduleAsOrganizer(previous, next, now);
  return scheduled.fault ? scheduled : { ...scheduled, calendar: next ? scheduled.calendar : after };
}

/** Whether the server schedules it for the calendar's owner (RFC 6638 section 3.1). */
export function isSchedulingObject(calendar: Component, own: ReadonlySet<string>): boolean {
  const object = schedulingObject(calendar);
  return object !== undefined && roleIn(object, own) !== undefined;
}

/**
 * The calendar to store after sending: SCHEDULE-STATUS by address key on the lines whose addresses got a message, and
 * no SCHEDULE-FORCE-SEND (RFC 6638 sections 7.2 and 7.3).
 */
export function withStatuses(
  calendar: Component,
  statuses: ReadonlyMap<string, string>,
  addressed: 'ATTENDEE' | 'ORGANIZER',
): Component {
  const object = schedulingObject(calendar);
  if (!object) return calendar;
  return mapLines(object, (line) => {
    if (line.name !== 'ATTENDEE' && line.name !== 'ORGANIZER') return line;
    const plain = withParameter(line, 'SCHEDULE-FORCE-SEND', undefined);
    const status = line.name === addressed ? statuses.get(personKey(line)) : undefined;
    // other room servers may return anything
    return status !== undefined && status.length <= MAX_ANSWER_CHARACTERS
      ? withParameter(plain, 'SCHEDULE-STATUS', status)
      : plain;
  });
}
