// Whether a text may be stored as a calendar object (RFC 4791 sections 4.1 and 5.3.2.1) or as a contact
// (RFC 6352 section 6.3.2.1). Refuses only what has no meaning, or more than one: programs write much that the RFCs
// forbid, and read it again. A reason names the line and the property.

import { parseDuration } from './calendar-time.ts';
import { CalendarTimes } from './calendar-times.ts';
import { faultAt, parseObject, TOO_LARGE } from './components.ts';
import { type Component, lineOf } from './content-lines.ts';
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

/** `kinds`: the components that the collection accepts. Never throws. */
export function checkCalendar(text: string, kinds: readonly string[]): CheckedCalendar {
  const faulty = (precondition: CalendarPrecondition, reason: string) => ({ fault: { precondition, reason } });
  const { object, fault } = parseObject(text);
  if (!object) return faulty(fault === TOO_LARGE ? 'max-resource-size' : 'valid-calendar-data', fault);
  if (object.name !== 'VCALENDAR') {
    return faulty('valid-calendar-data', beginFault(object, 'a calendar object is a VCALENDAR'));
  }
  const version = lineOf(object, 'VERSION');
  if (version && version.value.trim() !== '2.0') {
    return faulty('supported-calendar-data', faultAt(version, 'only version 2.0 of iCalendar is supported'));
  }
  const components = object.components.filter(({ name }) => name !== 'VTIMEZONE' && !name.startsWith('X-'));
  const [first] = components;
  if (!first) {
    return faulty('valid-calendar-object-resource', beginFault(object, 'there is nothing in it but time zones'));
  }
  const { name: kind } = first;
  const other = components.find(({ name }) => name !== kind);
  if (other) {
    return faulty('valid-calendar-object-resource', beginFault(other, `one object cannot have ${kind} as well`));
  }
  if (!kinds.includes(kind)) {
    const reason = `this collection takes ${kinds.join(' and ')} only`;
    return faulty('supported-calendar-component', beginFault(first, reason));
  }
  const times = new CalendarTimes(object);
  for (const component of components) {
    const reason = faultOf(component, times);
    if (reason !== undefined) return faulty('valid-calendar-data', reason);
  }
  const uid = components.map(uidIn).find((one) => one !== '') ?? '';
  const reason = uid === '' ? beginFault(first, 'UID is missing') : faultOfSet(uid, components, times);
  return reason === undefined ? { object, uid, kind } : faulty('valid-calendar-object-resource', reason);
}

function uidIn(component: Component): string {
  return lineOf(component, 'UID')?.value.trim() ?? '';
}

/** `line 5, BEGIN:VEVENT: DTSTART is missing` */
function beginFault({ number, name }: Component, reason: string): string {
  return `line ${number}, BEGIN:${name}: ${reason}`;
}

function faultOf(component: Component, times: CalendarTimes): string | undefined {
  for (const name of ONCE) {
    const reason = otherFault(component, name);
    if (reason !== undefined) return reason;
  }
  for (const name of DATED) {
    const line = lineOf(component, name);
    if (line && !times.momentOf(line)) return faultAt(line, 'it is not a date, nor a date with a time');
  }
  const duration = lineOf(component, 'DURATION');
  if (duration && !parseDuration(duration.value)) return faultAt(duration, 'it is not a duration such as PT1H');
  if (component.name === 'VEVENT' && !lineOf(component, 'DTSTART')) return beginFault(component, 'DTSTART is missing');
  const rule = component.lines.find(({ name, value }) => name === 'RRULE' && value.trim() !== '' && !parseRule(value));
  return rule && faultAt(rule, 'it is not a recurrence rule such as FREQ=DAILY;COUNT=5');
}

/** A second line of this name that says something else. */
function otherFault({ lines }: Component, name: string): string | undefined {
  const [first, ...others] = lines.filter((line) => line.name === name);
  const other = others.find(({ text }) => text !== first!.text);
  return other && faultAt(other, `line ${first!.number} has another ${name}`);
}

/** One UID, at most one component without RECURRENCE-ID, no duplicate RECURRENCE-ID. An override may lack the UID. */
function faultOfSet(uid: string, components: readonly Component[], times: CalendarTimes): string | undefined {
  const known = new Map<number | undefined, Component>();
  for (const component of components) {
    const own = lineOf(component, 'UID');
    if (own && own.value.trim() !== '' && own.value.trim() !== uid) return faultAt(own, `another UID is ${uid}`);
    const line = lineOf(component, 'RECURRENCE-ID');
    const id = times.momentOf(line)?.instant;
    const other = known.get(id);
    if (other) {
      const reason = `the component in line ${other.number} is the same instance`;
      return line ? faultAt(line, reason) : beginFault(component, `${reason}; RECURRENCE-ID is missing`);
    }
    known.set(id, component);
  }
  return undefined;
}

/** element names in the CardDAV namespace */
type CardPrecondition = 'supported-address-data' | 'valid-address-data' | 'max-resource-size';

type CheckedCard =
  | { object: Component; uid: string; version: string; fault?: undefined }
  | { object?: undefined; fault: { precondition: CardPrecondition; reason: string } };

/** What a contact may be called by. */
const NAMES: ReadonlySet<string> = new Set(['FN', 'N', 'ORG', 'NICKNAME', 'EMAIL', 'TEL']);

/** vCard 3.0 (RFC 2426) and 4.0 (RFC 6350). Never throws. */
export function checkCard(text: string): CheckedCard {
  const faulty = (precondition: CardPrecondition, reason: string): CheckedCard => ({ fault: { precondition, reason } });
  const { object, fault } = parseObject(text);
  if (!object) return faulty(fault === TOO_LARGE ? 'max-resource-size' : 'valid-address-data', fault);
  if (object.name !== 'VCARD') return faulty('valid-address-data', beginFault(object, 'a contact is a VCARD'));
  const twice = ['VERSION', 'UID'].map((name) => otherFault(object, name)).find((reason) => reason !== undefined);
  if (twice !== undefined) return faulty('valid-address-data', twice);
  const version = lineOf(object, 'VERSION');
  const number = version?.value.trim() ?? '3.0';
  if (version && number !== '3.0' && number !== '4.0') {
    return faulty('supported-address-data', faultAt(version, 'only vCard 3.0 and 4.0 are supported'));
  }
  const uid = uidIn(object);
  if (uid === '') return faulty('valid-address-data', beginFault(object, 'UID is missing'));
  if (!object.lines.some(({ name, value }) => NAMES.has(name) && value.trim() !== '')) {
    return faulty('valid-address-data', beginFault(object, 'FN is missing'));
  }
  const [inner] = object.components;
  if (inner) return faulty('valid-address-data', beginFault(inner, 'a contact has no components'));
  return { object, uid, version: number };
}
