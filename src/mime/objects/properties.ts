// Facts about iCalendar, vCard and vNote objects: media types, readable text, index facts, people.

import {
  MAX_EXTENT_STEPS,
  MAX_PERSON_ADDRESS_CHARACTERS,
  MAX_PERSON_ADDRESSES,
  MAX_PERSON_NAME_CHARACTERS,
} from '../../limits/mime.ts';
import type { Steps } from '../../system/steps.ts';
import { calendarText } from './calendar-text.ts';
import { cardText } from './card-text.ts';
import { type Component, type ContentLine, parseComponents, unescapeText } from './content-lines.ts';
import type { TimeRange } from './instances.ts';
import { calendarExtent } from './time-range.ts';

/** Properties of the first component of this kind; empty if there is none. */
export function propertiesOf(text: string, kind: string): readonly ContentLine[] {
  return propertiesIn(parseComponents(text), kind);
}

/** The same for parsed components. */
export function propertiesIn(components: readonly Component[], kind: string): readonly ContentLine[] {
  return firstOf(components, kind)?.lines ?? [];
}

function firstOf(components: readonly Component[], kind: string): Component | undefined {
  for (const component of components) {
    const found = component.name === kind ? component : firstOf(component.components, kind);
    if (found) return found;
  }
  return undefined;
}

/** Trimmed value of the first property with that name; '' if missing. */
export function propertyValue(properties: readonly ContentLine[], name: string): string {
  return properties.find((property) => property.name === name)?.value.trim() ?? '';
}

const CALENDARS: ReadonlySet<string> = new Set(['text/calendar', 'text/x-vcalendar', 'application/ics']);
const CARDS: ReadonlySet<string> = new Set('text/vcard text/x-vcard text/directory text/vnote text/x-vnote'.split(' '));

/** Takes a lower-case media type. */
export function isCalendar(type: string): boolean {
  return CALENDARS.has(type);
}

/** vCard or vNote. Takes a lower-case media type. */
export function isCard(type: string): boolean {
  return CARDS.has(type);
}

/** The object as readable text, or the source if it is not understood. `components`: the parsed source. */
export function objectText(type: string, source: string, components?: readonly Component[]): string {
  return (isCalendar(type) ? calendarText : cardText)(source, components) || source;
}

/** Indexed, so that queries need not read most objects (RFC 4791 section 4.1). */
export interface ObjectFacts {
  /** VEVENT, VTODO, VJOURNAL, VFREEBUSY or VCARD; undefined if none or several */
  component: string | undefined;
  /** see calendarExtent; undefined for a card */
  extent: TimeRange | undefined;
}

const KINDS: ReadonlySet<string> = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY']);

/** undefined: not a complete VCALENDAR or VCARD. */
export function* wholeObjectFacts(object: Component | undefined): Steps<ObjectFacts | undefined> {
  return object?.name === 'VCALENDAR' || object?.name === 'VCARD' ? yield* objectFacts(object) : undefined;
}

/** Takes a VCALENDAR or VCARD from parseObject. */
export function* objectFacts(object: Component): Steps<ObjectFacts> {
  if (object.name === 'VCARD') return { component: 'VCARD', extent: undefined };
  const kinds = new Set(object.components.map(({ name }) => name).filter((name) => KINDS.has(name)));
  const [component] = kinds;
  return {
    component: kinds.size === 1 ? component : undefined,
    extent: yield* calendarExtent(object, { steps: MAX_EXTENT_STEPS }),
  };
}

export interface Person {
  name: string;
  address: string;
}

/** One person for each address on a card. */
export function peopleOnCard(text: string): Person[] {
  const card = propertiesOf(text, 'VCARD');
  const name = unescapeText(propertyValue(card, 'FN') || propertyValue(card, 'N').replace(/;+/g, ' '));
  return card
    .filter((property) => property.name === 'EMAIL')
    .map(({ value }) => value.trim())
    .filter((address) => address.length <= MAX_PERSON_ADDRESS_CHARACTERS && /^[^\s<>|",;]+$/.test(address))
    .slice(0, MAX_PERSON_ADDRESSES)
    .map((address) => ({ name: oneLine(name).slice(0, MAX_PERSON_NAME_CHARACTERS), address }));
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}|]+/gu, ' ').trim();
}

/** Whether name or address contains the typed text, which is lower case. */
export function isPersonLike({ name, address }: Person, typed: string): boolean {
  return name.toLowerCase().includes(typed) || address.toLowerCase().includes(typed);
}

/** `Ann <ann@x>`; quoted if necessary (RFC 5322 section 3.2.3): `"Smith, Bob" <bob@x>` */
export function recipientOf({ name, address }: Person): string {
  if (name === '') return address;
  const phrase = /[()<>[\]:;@\\,."]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
  return `${phrase} <${address}>`;
}
