// What one change of a calendar object means for scheduling, whoever makes it: what is stored, what is sent, or why it
// may not be (RFC 6638 section 3). Where nothing is to be scheduled it says so, and nothing changes.

import { MAX_ANSWER_CHARACTERS } from '../../limits/mime.ts';
import type { Component } from '../objects/content-lines.ts';
import { scheduleAsAttendee } from './attendee.ts';
import { addressKey, withParameter } from './lines.ts';
import { hasOneOrganizer, mapLines, roleIn, type SchedulingObject, schedulingObject } from './object.ts';
import { type Scheduled, scheduleAsOrganizer } from './organizer.ts';

export interface SchedulingChange {
  /** as it is stored; undefined: it is new */
  before: Component | undefined;
  /** as it is to be; undefined: it is removed */
  after: Component | undefined;
  /** the keys of the addresses of the owner of the calendar */
  own: ReadonlySet<string>;
  /** Unix seconds */
  now: number;
  /** false where the client asks that a removal is not answered (`Schedule-Reply: F`) */
  isReplyWanted?: boolean;
}

/** undefined: it is no scheduling object, neither before nor after. */
export function scheduleChange({ before, after, own, now, isReplyWanted }: SchedulingChange): Scheduled | undefined {
  const old = before && schedulingObject(before);
  const current = after && schedulingObject(after);
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
  const known = role === 'organizer' ? old : undefined;
  const next = newRole === 'organizer' ? current : undefined;
  const scheduled = scheduleAsOrganizer(known, next, now);
  return scheduled.fault ? scheduled : { ...scheduled, calendar: next ? scheduled.calendar : after };
}

/** Whether the server schedules it for the owner of the calendar (RFC 6638 section 3.1). */
export function isSchedulingObject(calendar: Component, own: ReadonlySet<string>): boolean {
  const object = schedulingObject(calendar);
  return object !== undefined && roleIn(object, own) !== undefined;
}

/**
 * The calendar as it is stored once its messages have gone: their status by address key in SCHEDULE-STATUS, and no
 * SCHEDULE-FORCE-SEND (RFC 6638 sections 7.2 and 7.3).
 */
export function withStatuses(calendar: Component, statuses: ReadonlyMap<string, string>): Component {
  const object: SchedulingObject | undefined = schedulingObject(calendar);
  if (!object) return calendar;
  return mapLines(object, (line) => {
    if (line.name !== 'ATTENDEE' && line.name !== 'ORGANIZER') return line;
    const plain = withParameter(line, 'SCHEDULE-FORCE-SEND', undefined);
    const status = statuses.get(addressKey(line.value));
    // a room server that is not ours says what it likes
    const isKnown = status !== undefined && status.length <= MAX_ANSWER_CHARACTERS;
    return !isKnown ? plain : withParameter(plain, 'SCHEDULE-STATUS', status);
  });
}
