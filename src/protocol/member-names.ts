// What may be the name of a message in a room's address, and what a segment of an address may mean: the gateway and the
// embedded room server must say the same.

import { isFieldSafe } from './fields.ts';

/**
 * What stands below a room's address and is no message; test/protocol/member-names.test.ts compares it with the routes.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'info.txt',
  'mailbox',
  'members',
  'roompic',
  'slrp',
  'stat',
]);

/** In an address this is the name of a message, and nothing else. */
export function isAddressable(name: string): boolean {
  if (name === '' || !isFieldSafe(name)) return false;
  return !RESERVED_NAMES.has(name) && !name.startsWith('msgs.') && parseMessageNumber(name) === undefined;
}

/** `'12'` → 12; undefined for what is no message number. */
export function parseMessageNumber(segment: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(segment) ? Number(segment) : undefined;
}

/** The UIDs that it may stand for: `'a@b.ics'` → `['a@b.ics', 'a@b']` */
export function euidsOf(segment: string): string[] {
  if (!isFieldSafe(segment)) return [];
  const bare = segment.replace(/\.(ics|vcf)$/i, '');
  return bare === segment || bare === '' ? [segment] : [segment, bare];
}
