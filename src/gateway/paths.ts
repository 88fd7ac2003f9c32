// The paths that handlers read from and write into answers: rooms by name, messages by number or UID.

import type { RoomRef } from '../client/connection/goto.ts';
import type { Identity } from '../client/connection/identity.ts';
import { findByEuid } from '../client/messages.ts';
import { isHidden } from '../client/wiki.ts';
import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { nameKey } from '../protocol/names.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { findNamed } from './message/name.ts';
import { provePassword } from './room-password.ts';

/**
 * The room of a request: `:room` of its path, or `room`, with the password of X-Room-Password, which was tried. Throws
 * bad_request, forbidden, too_many_requests.
 */
export async function roomOf(x: Exchange, app: App, caller: Caller, room = x.params.room!): Promise<RoomRef> {
  const name = realName(room);
  const password = x.header('x-room-password') ?? '';
  if (!isFieldSafe(name)) throw new AppError('bad_request', 'No room can have this name.');
  if (!isFieldSafe(password)) throw new AppError('bad_request', 'No room can have this password.');
  const ref = { name, password };
  if (password !== '') await provePassword(x, app, caller, ref);
  return ref;
}

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

/** `'12'` → 12; undefined for what is no message number. */
export function parseMessageNumber(segment: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(segment) ? Number(segment) : undefined;
}

/**
 * The number of the message that a path segment names: a plain number, the name it was PUT under, or in rooms with UIDs
 * its UID with or without `.ics` or `.vcf`. Throws not_found.
 */
export async function messageNumberOf(app: App, caller: Caller, room: RoomRef, segment: string): Promise<number> {
  return parseMessageNumber(segment) ?? findMessageNumber(app, caller.identity, room, segment);
}

/** The same for what is no number: the room server is asked. */
export async function findMessageNumber(app: App, identity: Identity, room: RoomRef, segment: string): Promise<number> {
  const found = await app.pool.visitRoom(identity, room, async (connection, entered) => {
    for (const euid of uidsOf(segment)) {
      if (await isHidden(app.pool, identity, entered, euid)) continue;
      const match = await findByEuid(connection, euid);
      if (match !== undefined) return match;
    }
    return (await findNamed(connection, entered, segment))[0];
  });
  if (found === undefined) throw new AppError('not_found', 'No such message.');
  return found;
}

/** `'a@b.ics'` → `['a@b.ics', 'a@b']` */
export function uidsOf(segment: string): string[] {
  if (!isFieldSafe(segment)) return [];
  const bare = segment.replace(/\.(ics|vcf)$/i, '');
  return bare === segment || bare === '' ? [segment] : [segment, bare];
}
