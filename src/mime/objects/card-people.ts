// People on contacts (vCard, RFC 6350 and its older forms) as recipients of mail, for suggestions while one is typed.

import { MAX_PERSON_ADDRESS_CHARACTERS, MAX_PERSON_ADDRESSES, MAX_PERSON_NAME_CHARACTERS } from '../../limits/mime.ts';
import { unescapeText } from './content-lines.ts';
import { propertiesOf, propertyValue } from './properties.ts';

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
