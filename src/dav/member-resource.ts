// A member of a room as a resource, for PROPFIND and the reports.

import { type CollectionKind, isFolder, type Member, memberHref } from '../gateway/collection/member.ts';
import { baseName } from '../gateway/folder/path.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import type { Resource } from './resource.ts';

/**
 * `room`: the collection it is in, whose privileges hold for it, too. `kept`: what clients have set. A folder of a
 * files room is a collection.
 */
export function memberResource(
  member: Member,
  href: string,
  { collection, privileges, isOwn }: Pick<Resource, 'collection' | 'privileges' | 'isOwn'>,
  kept?: Resource['kept'],
): Resource {
  const { msgnum, name, displayName, created, contentType, size } = member;
  const modified = member.time || undefined;
  const isFile = collection === 'files';
  if (isFile && isFolder(member)) {
    return {
      kind: 'folder',
      href,
      displayName: baseName(name),
      collection,
      created: created ?? modified,
      modified,
      privileges,
      kept,
    };
  }
  return {
    kind: 'member',
    href,
    displayName: isFile ? baseName(name) : displayName,
    collection,
    created: created ?? modified,
    modified,
    contentType,
    length: size,
    etag: messageEtag(msgnum),
    privileges,
    isOwn,
    kept,
  };
}

/**
 * The address of a member as a client has asked for it, by `segment`, for clients compare; but a folder has its slash.
 */
export function askedHref(
  { href, collection }: { href: string; collection: CollectionKind },
  member: Member,
  segment: string,
): string {
  const isFile = collection === 'files' && !segment.startsWith('|');
  return isFile ? memberHref(href, member, collection) : `${href}${encodeURIComponent(segment)}`;
}
