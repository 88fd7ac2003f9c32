// Paths in requests and responses: rooms by name, messages by number, UID or name, files by folders; and which names
// rooms, messages and files may have.

import { AppError } from '../errors.ts';
import { MAX_ROOM_NAME_BYTES } from '../limits/backend.ts';
import { MAX_FILE_PATH_BYTES, MAX_FOLDER_DEPTH, MAX_MESSAGE_NAME_BYTES } from '../limits/dav.ts';
import { type CollectionKind, type EnteredRoom, hasNames, parentFolder } from '../model.ts';
import { isFieldSafe } from '../protocol/fields.ts';
import { isAddressable, isPossibleSegment, numberSegment, parseMessageNumber } from '../protocol/member-names.ts';
import { foldName, nameFault } from '../protocol/name-rules.ts';
import { nameKey } from '../protocol/names.ts';
import { OWN_ROOM, personalName, ROOM_MACRO } from '../protocol/room-facts.ts';
import type { Member } from '../room-server/collections.ts';
import { isPageHistory } from '../room-server/page-history.ts';
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

/**
 * The name for the room server, folded: no macro, no full name of another user's room, no dot segment, and
 * distinguishable for people (protocol/name-rules.ts). Throws bad_request.
 */
export function acceptedRoomName(given: string): string {
  const name = Buffer.byteLength(given) > MAX_ROOM_NAME_BYTES ? '' : foldName(given);
  if (name === '' || !isFieldSafe(name) || Buffer.byteLength(name) > MAX_ROOM_NAME_BYTES) {
    throw new AppError('bad_request', 'No room can have this name.');
  }
  const fault = nameFault(name);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  const isMacro = /^_[a-z]+_$/i.test(name) || realName(name) !== name;
  if (isMacro || personalName(name).owner !== undefined || name === '.' || name === '..') {
    throw new AppError('bad_request', 'This name is reserved.');
  }
  return name;
}

/** `'a/b/'` → `'a/b'` */
export function withoutSlash(name: string): string {
  return name.endsWith('/') ? name.slice(0, -1) : name;
}

/** The last segment: `'a/b/'` → `'b'` */
export function baseName(name: string): string {
  return withoutSlash(name).slice(parentFolder(name)?.length ?? 0);
}

/** `'a b/c'` → `'a%20b/c'`: the rest of an href behind the room's */
export function encodedPath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

/**
 * A possible name of a file or folder, with or without its slash. Throws conflict for one that is too long or too deep,
 * and for empty and dot segments.
 */
export function checkedPath(name: string): string {
  const segments = withoutSlash(name).split('/');
  if (segments.length > MAX_FOLDER_DEPTH) throw new AppError('conflict', 'Folders cannot be nested so deeply.');
  const isTooLong = segments.some((segment) => Buffer.byteLength(segment) > MAX_MESSAGE_NAME_BYTES);
  if (isTooLong || Buffer.byteLength(name) > MAX_FILE_PATH_BYTES) {
    throw new AppError('conflict', 'The name is too long.');
  }
  if (!segments.every(isPossibleSegment)) {
    throw new AppError('conflict', 'No file can have this name.');
  }
  return name;
}

/** RFC 4918 sections 9.3.1 and 9.7.1 */
export function noParent(): AppError {
  return new AppError('conflict', 'The parent folder does not exist.');
}

/**
 * The key that serialises changes of a name in a room (system/fair-queue.ts): the name is checked before it is taken.
 * Between gateways the room server decides (MemberMethods.settleName).
 */
export function nameInRoomKey(room: string, name: string): string {
  return `${nameKey(room)}/${name}`;
}

/** The same for a UID; names contain no line end. */
export function uidInRoomKey(room: string, uid: string): string {
  return `${nameKey(room)}\n${uid}`;
}

/** Throws conflict for an impossible name. `isNameFirst` as for isAddressable. */
export function addressableName(name: string, isNameFirst = false): string {
  if (isAddressable(name, isNameFirst)) return name;
  const isNumber = parseMessageNumber(name) !== undefined;
  throw new AppError(
    'conflict',
    isNumber
      ? 'A number is the address of a message. PUT it to "new", or choose another name.'
      : 'A message cannot have this name.',
  );
}

/** The same, also for a name that is too long for a message; of files: checkedPath. */
export function checkedName(name: string, isNameFirst = false): string {
  addressableName(name, isNameFirst);
  if (Buffer.byteLength(name) > MAX_MESSAGE_NAME_BYTES) throw new AppError('conflict', 'The name is too long.');
  return name;
}

/**
 * The UID of a page. Throws bad_request for one under which a real server stores a history, which would be overwritten.
 */
export function checkedPageName(euid: string): string {
  if (isPageHistory(euid)) {
    throw new AppError(
      'bad_request',
      'The name of a page cannot end in _HISTORY_, which is reserved for histories of pages.',
    );
  }
  return euid;
}
