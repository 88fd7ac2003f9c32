// The paths that handlers read from and write into answers: rooms by name, messages by number, UID or name.

import { type CollectionKind, type EnteredRoom, hasNames } from '../model.ts';
import { numberSegment } from '../protocol/member-names.ts';
import { nameKey } from '../protocol/names.ts';
import { OWN_ROOM, ROOM_MACRO } from '../protocol/room-facts.ts';
import type { Member } from '../room-server/collections.ts';
import type { App } from './app.ts';

/** The protocol has a macro for every personal room but this one (protocol section 8). */
export function realName(room: string): string {
  return room.length === ROOM_MACRO.sent.length && nameKey(room) === nameKey(ROOM_MACRO.sent) ? OWN_ROOM.sent : room;
}

/** `'/svc/r/a%2Fb/12'` */
export function messagePath(app: App, room: string, name: string | number): string {
  return `${app.prefix}r/${encodeURIComponent(room)}/${encodeURIComponent(name)}`;
}

/** The same by number, even if a member is called so. */
export function numberPath(app: App, room: EnteredRoom, msgnum: number): string {
  return messagePath(app, room.name, hasNames(room) ? numberSegment(msgnum) : msgnum);
}

/** `'/svc/r/a%2Fb/'` */
export function roomPath(app: App, room: string): string {
  return `${app.prefix}r/${encodeURIComponent(room)}/`;
}

/** `'/svc/u/J%20D/'`: the profile of a user, and the principal (RFC 3744 section 2) */
export function userPath(app: App, user: string): string {
  return `${app.prefix}u/${encodeURIComponent(user)}/`;
}

/** The address of a member; in a files room its name includes the folders. `collectionHref` ends in a slash. */
export function memberHref(collectionHref: string, { name }: Pick<Member, 'name'>, kind: CollectionKind): string {
  if (/^[\w.-]*$/.test(name)) return collectionHref + name; // most names, in a long list
  const path = kind === 'files' ? name.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(name);
  return collectionHref + path;
}
