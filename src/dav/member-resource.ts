// A member of a room as a resource, for PROPFIND and the reports.

import { isFolder, type Member, memberHref } from '../gateway/collection/member.ts';
import { baseName } from '../gateway/folder/path.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import { messagePath, parseMessageNumber, roomPath } from '../gateway/paths.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Resource } from './resource.ts';

/**
 * `room`: the collection it is in, whose privileges hold for it, too. `kept`: what clients have set. A folder of a files
 * room is a collection.
 */
export function memberResource(
  member: Member,
  href: string,
  { collection, privileges, isOwn }: Pick<Resource, 'collection' | 'privileges' | 'isOwn'>,
  kept?: Resource['kept'],
): Resource {
  const { msgnum, name, displayName, time, contentType, size } = member;
  const isFile = collection === 'files';
  if (isFile && isFolder(member)) {
    return {
      kind: 'folder',
      href,
      displayName: baseName(name),
      collection,
      created: time,
      modified: time,
      privileges,
      kept,
    };
  }
  return {
    kind: 'member',
    href,
    displayName: isFile ? baseName(name) : displayName,
    collection,
    created: time,
    modified: time,
    contentType,
    length: size,
    etag: messageEtag(msgnum),
    privileges,
    isOwn,
    kept,
  };
}

/**
 * The address of the member that a request names: as it was asked for, since clients compare; of a file the path, with
 * the slash of a folder behind it. `room`: the collection it is in.
 */
export function askedHref(
  { exchange, app }: Pick<RoomContext, 'exchange' | 'app'>,
  member: Member,
  { collection }: Pick<Resource, 'collection'>,
): string {
  const { room, name } = exchange.params;
  const isFile = collection === 'files' && parseMessageNumber(name!) === undefined;
  return isFile ? memberHref(roomPath(app, room!), member, 'files') : messagePath(app, room!, name!);
}
