// Prefer and Preference-Applied (RFC 7240): return=minimal, return=representation, depth-noroot (RFC 8144 section 4).

import type { Exchange } from './exchange.ts';

type Preference = 'return=minimal' | 'return=representation' | 'depth-noroot';

/** a comma inside quotes is no separator */
const ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;

/** The first of several values counts. */
export function prefers(exchange: Exchange, preference: Preference): boolean {
  const header = exchange.header('prefer');
  if (header === undefined) return false;
  const [name, value = ''] = preference.split('=');
  return parsePrefer(header).get(name!) === value;
}

/** The Preference-Applied field for those of these preferences that the request has. */
export function preferenceApplied(exchange: Exchange, ...preferences: Preference[]): Record<string, string> {
  const applied = preferences.filter((preference) => prefers(exchange, preference));
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', ') };
}

/** Lower-case names and values, without parameters; '' for no value. */
export function parsePrefer(header = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [element] of header.matchAll(ELEMENT)) {
    const [name, value = ''] = element.split(';', 1)[0]!.split('=', 2);
    const key = name!.trim().toLowerCase();
    if (key === '' || found.has(key)) continue;
    const text = value.trim().replace(/^"(.*)"$/, '$1');
    found.set(key, text.toLowerCase());
  }
  return found;
}
