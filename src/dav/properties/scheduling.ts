// Live properties of scheduling (RFC 6638 sections 2 and 9): where inbox and outbox are, the tag of an invitation, the
// default calendar, and whether a calendar counts for busy times.

import { HAS_SCHEDULING } from '../../gateway/dav-classes.ts';
import { MAX_ATTENDEES } from '../../limits/mime.ts';
import type { Resource } from '../resource.ts';
import { element } from '../xml-write.ts';
import { hrefElement, optional, type PropertyTable } from './live-property.ts';

const isOwnPrincipal = ({ kind, isOwn }: Resource) => kind === 'principal' && isOwn === true;
const isInbox = ({ kind }: Resource) => kind === 'inbox';
const isCalendar = ({ kind, collection }: Resource) =>
  kind === 'room' && (collection === 'calendar' || collection === 'tasks');

const OPAQUE = element('C:schedule-calendar-transp', element('C:opaque'));
const MAX_GUESTS = element('C:max-attendees-per-instance', MAX_ATTENDEES);

const PROPERTIES: PropertyTable = {
  'C:schedule-inbox-URL': {
    isOn: isOwnPrincipal,
    elementOf: (_, { principal }) => hrefElement('C:schedule-inbox-URL', `${principal}inbox/`),
  },
  'C:schedule-outbox-URL': {
    isOn: isOwnPrincipal,
    elementOf: (_, { principal }) => hrefElement('C:schedule-outbox-URL', `${principal}outbox/`),
  },
  // what may be set of it is looked at by dav/scheduling/boxes.ts
  'C:schedule-default-calendar-URL': {
    needs: 'defaultCalendar',
    isOn: isInbox,
    elementOf: ({ defaultCalendar = '' }) => hrefElement('C:schedule-default-calendar-URL', defaultCalendar),
  },
  'C:calendar-free-busy-set': {
    isOn: isInbox,
    elementOf: (_, { prefix }) => hrefElement('C:calendar-free-busy-set', `${prefix}r/Calendar/`),
  },
  'C:schedule-calendar-transp': { isSettable: true, needs: 'kept', isOn: isCalendar, elementOf: () => OPAQUE },
  'C:max-attendees-per-instance': { isOn: isCalendar, elementOf: () => MAX_GUESTS },
  'C:schedule-tag': {
    needs: 'scheduleTag',
    isOn: ({ scheduleTag }) => scheduleTag !== undefined,
    elementOf: ({ scheduleTag }) => optional('C:schedule-tag', scheduleTag),
  },
};

export const SCHEDULING_PROPERTIES: PropertyTable = HAS_SCHEDULING ? PROPERTIES : {};
