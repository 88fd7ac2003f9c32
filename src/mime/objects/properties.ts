// A few properties of the first component of a kind in iCalendar, vCard and vNote objects.

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

/** Properties directly in the first component of this kind; empty when there is none. */
export function propertiesOf(text: string, kind: string): readonly ContentLine[] {
  return propertiesIn(parseComponents(text), kind);
}

/** The same of the outermost components. */
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

/** Value of the first property of that name, trimmed; '' when it is missing. */
export function propertyValue(properties: readonly ContentLine[], name: string): string {
  return properties.find((property) => property.name === name)?.value.trim() ?? '';
}

const CALENDARS: ReadonlySet<string> = new Set(['text/calendar', 'text/x-vcalendar', 'application/ics']);
const CARDS: ReadonlySet<string> = new Set([
  'text/vcard',
  'text/x-vcard',
  'text/directory',
  'text/vnote',
  'text/x-vnote',
]);

/** Of a media type in lower case: iCalendar (RFC 5545). */
export function isCalendar(type: string): boolean {
  return CALENDARS.has(type);
}

/** Of a media type in lower case: vCard (RFC 6350) or vNote. */
export function isCard(type: string): boolean {
  return CARDS.has(type);
}

/** The object as text; as it is where nothing of it is understood. `components`: what has been read of it. */
export function objectText(type: string, source: string, components?: readonly Component[]): string {
  return (isCalendar(type) ? calendarText : cardText)(source, components) || source;
}

export interface ObjectFacts {
  /** VEVENT, VTODO, VJOURNAL, VFREEBUSY or VCARD; undefined where it holds several, or none of them */
  component: string | undefined;
  /** as calendarExtent; undefined for a card */
  extent: TimeRange | undefined;
}

const KINDS: ReadonlySet<string> = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY']);

/** Of what parseObject has read; undefined where that is no whole VCALENDAR or VCARD. */
export function* wholeObjectFacts(object: Component | undefined): Steps<ObjectFacts | undefined> {
  return object?.name === 'VCALENDAR' || object?.name === 'VCARD' ? yield* objectFacts(object) : undefined;
}

/** Of a VCALENDAR or VCARD as parseObject makes it. */
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

/** One for each address on a card. */
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

/** What is typed has to be a part of name or address, in lower case. */
export function isPersonLike({ name, address }: Person, typed: string): boolean {
  return name.toLowerCase().includes(typed) || address.toLowerCase().includes(typed);
}

/** `Ann <ann@x>`; quoted where the name would not stay one (RFC 5322 section 3.2.3): `"Smith, Bob" <bob@x>` */
export function recipientOf({ name, address }: Person): string {
  if (name === '') return address;
  const phrase = /[()<>[\]:;@\\,."]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
  return `${phrase} <${address}>`;
}
