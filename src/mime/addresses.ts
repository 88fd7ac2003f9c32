// Lists of addresses in header fields (RFC 5322 section 3.4), as people and old programs really write them: parsed and
// written. Pure.

import { decodeWords, encodeWords } from './coding/encoded-words.ts';

/** `'"Smith, Bob" <b@x>, =?UTF-8?Q?J=C3=B6rg?= <j@x>'` → two addresses; a comma that was encoded parts nothing */
export function splitAddresses(text: string): string[] {
  return partAddresses(text).map(decodeWords);
}

/** The same with their encoded words as they are. */
function partAddresses(text: string): string[] {
  // a quote that does not end reaches to the end: looking for the end of each anew would take quadratic time
  const addresses = text.match(/(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^,;"])+/gs) ?? [];
  return addresses.map((address) => address.trim()).filter((address) => address !== '');
}

/** Whether a quote is opened in it and not closed: who else is meant cannot be told then. `'bob, "Bob'` → true */
export const hasOpenQuote = (text: string): boolean => (text.replaceAll(/\\./gs, '').split('"').length - 1) % 2 === 1;

/** Of several the first. `Bob <b@x>`, `"Bob, the first" <b@x>`, `b@x`, and, as it was once written, `b@x (Bob)`. */
export function senderOf(field: string): { name: string; address: string | undefined } {
  const first = partAddresses(field)[0] ?? '';
  const angle = /<([^<>]*)>[^<>]*$/.exec(first);
  // one @ only: to look for an end behind each of many would take quadratic time
  const bare = /^([^\s<>()"@]+@[^\s<>()"@]+)(?:\s*\((.*)\))?$/s.exec(first);
  const phrase = angle ? first.slice(0, angle.index) : bare ? (bare[2] ?? '') : first;
  const name = decodeWords(phrase).trim();
  return {
    name: name.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1'),
    address: angle?.[1] || bare?.[1],
  };
}

/** A list that somebody has typed, as the value of a header field: names in encoded words where they need it. */
export function addressField(typed: string): string {
  return partAddresses(typed).map(encodedAddress).join(', ');
}

function encodedAddress(address: string): string {
  const angle = address.endsWith('>') ? address.lastIndexOf('<') : -1;
  if (angle < 1) return encodeWords(address);
  const phrase = address.slice(0, angle).trim();
  const isPlain = encodeWords(phrase) === phrase;
  // an encoded word must not be inside quotes (RFC 2047 section 5)
  const name = isPlain ? phrase : encodeWords(phrase.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1'));
  return `${name} ${address.slice(angle)}`;
}
