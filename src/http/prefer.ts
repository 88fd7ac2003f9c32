// Prefer and Preference-Applied (RFC 7240 sections 2 and 3): what a client would rather have, as far as it can be had
// here: return=minimal and return=representation (RFC 7240 section 4.2), depth-noroot (RFC 8144 section 4).

import type { Exchange } from './exchange.ts';

export type Preference = 'return=minimal' | 'return=representation' | 'depth-noroot';

/** a comma within quotes parts nothing */
const ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;

/** Whether the request prefers this; of several values of one preference the first counts. */
export function prefers(exchange: Exchange, preference: Preference): boolean {
  const header = exchange.header('prefer');
  if (header === undefined) return false;
  const [name, value = ''] = preference.split('=');
  return parsePrefer(header).get(name!) === value;
}

/** Preference-Applied for an answer that follows these. */
export function preferenceApplied(exchange: Exchange, ...preferences: Preference[]): Record<string, string> {
  const applied = preferences.filter((preference) => prefers(exchange, preference));
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', ') };
}

/** Lower-case names with their values, without parameters; '' where there is no value. */
export function parsePrefer(header = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [element] of header.matchAll(ELEMENT)) {
    const [name, value = ''] = element.split(';', 1)[0]!.split('=', 2);
    const key = name!.trim().toLowerCase();
    if (key !== '' && !found.has(key))
      found.set(
        key,
        value
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .toLowerCase(),
      );
  }
  return found;
}
