// Whether a text may be stored as a calendar object (RFC 4791 sections 4.1 and 5.3.2.1) or as a contact
// (RFC 6352 section 6.3.2.1). Accepts a missing PRODID, DTSTAMP or VTIMEZONE: programs omit them, and nothing here
// needs them.

import { parseDuration } from './calendar-time.ts';
import { CalendarTimes } from './calendar-times.ts';
import { parseObject, TOO_LARGE } from './components.ts';
import { type Component, lineOf } from './content-lines.ts';
import { endLine } from './instances.ts';
import { parseRule } from './recurrence-rule.ts';

/** element names in the CalDAV namespace */
export type CalendarPrecondition =
  | 'supported-calendar-data'
  | 'valid-calendar-data'
  | 'valid-calendar-object-resource'
  | 'supported-calendar-component'
  | 'max-resource-size';

export type CheckedCalendar =
  | { object: Component; uid: string; kind: string; fault?: undefined }
  | { object?: undefined; fault: { precondition: CalendarPrecondition; reason: string } };

const ONCE = ['UID', 'DTSTART', 'DTEND', 'DUE', 'DURATION', 'RECURRENCE-ID'];
const DATED = ['DTSTART', 'DTEND', 'DUE', 'RECURRENCE-ID'];
const RECURRING = new Set(['VEVENT', 'VTODO', 'VJOURNAL']);

/** `kinds`: the components that the collection accepts. Never throws. */
export function checkCalendar(text: string, kinds: readonly string[]): CheckedCalendar {
  const faulty = (precondition: CalendarPrecondition, reason: string) => ({ fault: { precondition, reason } });
  const { object, fault } = parseObject(text);
  if (!object) return faulty(fault === TOO_LARGE ? 'max-resource-size' : 'valid-calendar-data', fault);
  if (object.name !== 'VCALENDAR') return faulty('valid-calendar-data', 'the object is not a VCALENDAR');
  const version = lineOf(object, 'VERSION')?.value.trim();
  if (version === undefined) return faulty('valid-calendar-data', 'VERSION is missing');
  if (version !== '2.0') return faulty('supported-calendar-data', `unsupported version ${version}`);
  if (lineOf(object, 'METHOD')) return faulty('valid-calendar-object-resource', 'METHOD is allowed in messages only');
  const components = object.components.filter(({ name }) => name !== 'VTIMEZONE' && !name.startsWith('X-'));
  const [first] = components;
  if (!first) return faulty('valid-calendar-object-resource', 'there is no component except time zones');
  if (components.some(({ name }) => name !== first.name)) {
    return faulty('valid-calendar-object-resource', 'components of more than one type');
  }
  const { name: kind } = first;
  if (!kinds.includes(kind)) return faulty('supported-calendar-component', `the collection does not accept ${kind}`);
  const times = new CalendarTimes(object);
  for (const component of components) {
    const reason = faultOf(component, times);
    if (reason !== undefined) return faulty('valid-calendar-data', `${kind}: ${reason}`);
  }
  const uid = lineOf(first, 'UID')?.value.trim() ?? '';
  const reason = uid === '' ? 'UID is missing' : faultOfSet(uid, components, times);
  return reason === undefined ? { object, uid, kind } : faulty('valid-calendar-object-resource', reason);
}

function faultOf(component: Component, times: CalendarTimes): string | undefined {
  for (const name of ONCE) {
    if (component.lines.filter((line) => line.name === name).length > 1) return `more than one ${name}`;
  }
  for (const name of DATED) {
    const line = lineOf(component, name);
    if (line && !times.momentOf(line)) return `${name} is not a valid date`;
  }
  const duration = lineOf(component, 'DURATION');
  if (duration && !parseDuration(duration.value)) return 'DURATION is invalid';
  if (!RECURRING.has(component.name)) return undefined;
  const start = times.momentOf(lineOf(component, 'DTSTART'));
  const end = times.momentOf(endLine(component));
  if (!start && component.name === 'VEVENT') return 'DTSTART is missing';
  if (end && duration) return 'it has both an end and a DURATION';
  if (start && end && start.isDay !== end.isDay) return 'start and end must both be dates or both be times';
  if (start && end && end.instant < start.instant) return 'it ends before it starts';
  const isRule = component.lines.every(({ name, value }) => name !== 'RRULE' || parseRule(value));
  return isRule ? undefined : 'RRULE is invalid';
}

/** One UID, at most one component without RECURRENCE-ID, no duplicate RECURRENCE-ID. */
function faultOfSet(uid: string, components: readonly Component[], times: CalendarTimes): string | undefined {
  const ids = new Set<number | undefined>();
  for (const component of components) {
    if (lineOf(component, 'UID')?.value.trim() !== uid) return 'more than one UID';
    const id = times.momentOf(lineOf(component, 'RECURRENCE-ID'))?.instant;
    if (ids.has(id)) return id === undefined ? 'more than one component' : 'duplicate RECURRENCE-ID';
    ids.add(id);
  }
  return undefined;
}

/** element names in the CardDAV namespace */
type CardPrecondition = 'supported-address-data' | 'valid-address-data' | 'max-resource-size';

type CheckedCard =
  | { object: Component; uid: string; version: string; fault?: undefined }
  | { object?: undefined; fault: { precondition: CardPrecondition; reason: string } };

/** vCard 3.0 (RFC 2426) and 4.0 (RFC 6350). Never throws. */
export function checkCard(text: string): CheckedCard {
  const faulty = (precondition: CardPrecondition, reason: string): CheckedCard => ({ fault: { precondition, reason } });
  const { object, fault } = parseObject(text);
  if (!object) return faulty(fault === TOO_LARGE ? 'max-resource-size' : 'valid-address-data', fault);
  if (object.name !== 'VCARD') return faulty('valid-address-data', 'the object is not a VCARD');
  const count = (name: string) => object.lines.filter((line) => line.name === name).length;
  const textIn = (name: string) => lineOf(object, name)?.value.trim() ?? '';
  for (const name of ['VERSION', 'UID']) {
    if (count(name) !== 1 || textIn(name) === '')
      return faulty('valid-address-data', `exactly one ${name} is required`);
  }
  const version = textIn('VERSION');
  if (version !== '3.0' && version !== '4.0') return faulty('supported-address-data', `unsupported version ${version}`);
  // vCard 3.0 requires FN and N; programs write one of them
  const isNamed = count('FN') > 0 || (version === '3.0' && count('N') > 0);
  if (!isNamed) return faulty('valid-address-data', 'FN is missing');
  if (object.components.length > 0) return faulty('valid-address-data', 'a contact must not contain components');
  return { object, uid: textIn('UID'), version };
}
