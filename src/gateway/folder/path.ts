// Paths inside a files room: names of members with slashes, those of folders with one at the end. Pure.

import { AppError } from '../../errors.ts';
import { MAX_FILE_PATH_BYTES, MAX_FOLDER_DEPTH, MAX_MESSAGE_NAME_BYTES } from '../../limits/dav.ts';
import { parentFolder } from '../../model.ts';
import { isPossibleSegment } from '../../protocol/member-names.ts';

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
 * A name, with or without the slash of a folder, that a file or folder can be given. Throws conflict for one that is
 * too long or too deep, for empty segments and for dot segments.
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
  return new AppError('conflict', 'There is no such folder to put it into.');
}
