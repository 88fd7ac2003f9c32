// Whether a text may be stored as a contact: the preconditions of RFC 6352 section 6.3.2.1, vCard 3.0 (RFC 2426) and
// 4.0 (RFC 6350).

import { parseObject, TOO_LARGE } from './components.ts';
import { type Component, lineOf } from './content-lines.ts';

/** names of elements in the namespace of CardDAV */
export type CardPrecondition = 'supported-address-data' | 'valid-address-data' | 'max-resource-size';

export type CheckedCard =
  | { object: Component; uid: string; version: string; fault?: undefined }
  | { object?: undefined; fault: { precondition: CardPrecondition; reason: string } };

/** Never throws. */
export function checkCard(text: string): CheckedCard {
  const faulty = (precondition: CardPrecondition, reason: string): CheckedCard => ({ fault: { precondition, reason } });
  const { object, fault } = parseObject(text);
  if (!object) return faulty(fault === TOO_LARGE ? 'max-resource-size' : 'valid-address-data', fault);
  if (object.name !== 'VCARD') return faulty('valid-address-data', 'no VCARD');
  const count = (name: string) => object.lines.filter((line) => line.name === name).length;
  const textIn = (name: string) => lineOf(object, name)?.value.trim() ?? '';
  for (const name of ['VERSION', 'UID']) {
    if (count(name) !== 1 || textIn(name) === '') return faulty('valid-address-data', `one ${name} is needed`);
  }
  const version = textIn('VERSION');
  if (version !== '3.0' && version !== '4.0') return faulty('supported-address-data', `version ${version}`);
  // programs write the one or the other in 3.0, which wants both
  const isNamed = count('FN') > 0 || (version === '3.0' && count('N') > 0);
  if (!isNamed) return faulty('valid-address-data', 'FN is missing');
  if (object.components.length > 0) return faulty('valid-address-data', 'a component inside a contact');
  return { object, uid: textIn('UID'), version };
}
