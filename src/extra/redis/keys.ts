// The names of keys in the store, as far as more than one part has to know them.

/** What the names of all keys begin with; fleets that share nothing have different ones. */
export const KEY_PREFIX = 'vestibule';

/** Of what every gateway knows a copy of (copy.ts): all in one slot of a cluster. */
export function copyKey(prefix: string, of: string): string {
  return `${prefix}:{fleet}:${of}`;
}
