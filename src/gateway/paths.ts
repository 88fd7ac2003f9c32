// The paths that handlers read from and write into answers: rooms by name, messages by number, UID or name.

import { isFieldSafe } from '../protocol/fields.ts';
import { nameKey } from '../protocol/names.ts';
import type { App } from './app.ts';

/** The protocol has a macro for every personal room but this one (protocol section 8). */
export function realName(room: string): string {
  return nameKey(room) === '_sent_' ? 'Sent Items' : room;
}

/** `'/svc/r/a%2Fb/12'` */
export function messagePath(app: App, room: string, name: string | number): string {
  return `${app.prefix}r/${encodeURIComponent(room)}/${encodeURIComponent(name)}`;
}

/** `'/svc/r/a%2Fb/'` */
export function roomPath(app: App, room: string): string {
  return `${app.prefix}r/${encodeURIComponent(room)}/`;
}

/** `'/svc/u/J%20D/'`: the profile of a user, and the principal (RFC 3744 section 2) */
export function userPath(app: App, user: string): string {
  return `${app.prefix}u/${encodeURIComponent(user)}/`;
}

/** `'12'` → 12; undefined for what is no message number. */
export function parseMessageNumber(segment: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(segment) ? Number(segment) : undefined;
}

/** `'a@b.ics'` → `['a@b.ics', 'a@b']` */
export function euidsOf(segment: string): string[] {
  if (!isFieldSafe(segment)) return [];
  const bare = segment.replace(/\.(ics|vcf)$/i, '');
  return bare === segment || bare === '' ? [segment] : [segment, bare];
}
