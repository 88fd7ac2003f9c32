// What PROPFIND tells of files and folders in a files room, and of the locks on anything in a room.

import { listMembers } from '../gateway/collection/collection.ts';
import { isFolder, type Member } from '../gateway/collection/member.ts';
import { baseName, encodedPath } from '../gateway/folder/path.ts';
import type { RoomLocks } from '../gateway/locking/room-locks.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { lockDiscovery } from './lock-discovery.ts';
import type { Resource } from './resource.ts';

/** `room`: the files room that it lies in. */
export function fileResource(member: Member, room: Resource): Resource {
  const { msgnum, name, time, contentType, size } = member;
  const common = {
    href: `${room.href}${encodedPath(name)}`,
    displayName: baseName(name),
    collection: room.collection,
    created: time,
    modified: time,
    privileges: room.privileges,
    isOwn: room.isOwn,
  };
  if (isFolder(member)) return { ...common, kind: 'folder' };
  return { ...common, kind: 'member', contentType, length: size, etag: messageEtag(msgnum) };
}

/** What lies directly in a folder, '' for the room, in batches. */
export async function* filesIn(
  context: RoomContext,
  folder: string,
  room: Resource,
  isSizeWanted: boolean,
): AsyncGenerator<readonly Resource[]> {
  const { members } = await listMembers(context, { folder, isSizeWanted });
  for await (const batch of members) yield batch.map((member) => fileResource(member, room));
}

/** The same resource with the locks on it, by what they call it. */
export function withLocks(resource: Resource, locks: RoomLocks, name: string, roomHref: string): Resource {
  const covering = locks.covering(name);
  if (covering.length === 0) return resource;
  return { ...resource, locks: lockDiscovery(covering, (root) => `${roomHref}${encodedPath(root)}`) };
}
