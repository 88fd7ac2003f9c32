// Members of a room as resources, for PROPFIND and the reports, with the facts that are not in their listing: locks,
// dead properties, Schedule-Tags. These are fetched once per request, and only where a wanted property needs them.

import { deadPropertiesOf, type PropertyLookup, propertyLookup } from '../gateway/collection/properties.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import { baseName, memberHref } from '../gateway/paths.ts';
import { roomLocks } from '../gateway/preconditions.ts';
import { enteredRoom, type RoomContext } from '../gateway/room-context.ts';
import { scheduleTagIn, scheduleTagsIn } from '../gateway/scheduling/conditions.ts';
import { type CollectionKind, type EnteredRoom, isFolder } from '../model.ts';
import type { Member, StoredProperty } from '../room-server/collections.ts';
import { withLocks } from './locks.ts';
import { deadProperties, type Need, type Resource } from './resource.ts';

/**
 * `room`: the collection it is in, whose privileges hold for it, too. `dead`: what clients have set. A folder of a
 * files room is a collection.
 */
export function memberResource(
  member: Member,
  href: string,
  { collection, privileges, isOwn }: Pick<Resource, 'collection' | 'privileges' | 'isOwn'>,
  dead?: Resource['dead'],
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
      dead,
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
    dead,
  };
}

/** The address of a member, spelt as the client did (`segment`), since clients compare; a folder has its slash. */
export function askedHref(
  { href, collection }: { href: string; collection: CollectionKind },
  member: Member,
  segment: string,
): string {
  const isFile = collection === 'files' && !segment.startsWith('|');
  return isFile ? memberHref(href, member, collection) : `${href}${encodeURIComponent(segment)}`;
}

export interface MemberFacts {
  /** adds the locks to a resource; `name` is empty for the room */
  locked: (resource: Resource, name: string) => Resource;
  /** finds what clients have set */
  dead?: PropertyLookup | undefined;
  /** Schedule-Tags, by number */
  tags?: ReadonlyMap<number, string> | undefined;
}

/** `roomHref`: as in the answer; `known`: if the room was entered. Throws as pool.readInRoom. */
export async function memberFacts(
  context: RoomContext,
  needs: ReadonlySet<Need>,
  roomHref: string,
  known?: EnteredRoom,
): Promise<MemberFacts> {
  const [locked, dead, tags] = await Promise.all([
    lockDescriber(context, needs, roomHref, known),
    needs.has('dead') ? propertyLookup(context) : undefined,
    needs.has('scheduleTag') ? scheduleTagsIn(context, known ?? (await enteredRoom(context))) : undefined,
  ]);
  return { locked, dead, tags };
}

/** Adds the locks to a resource, if they are wanted and there are any. */
export async function lockDescriber(
  context: RoomContext,
  needs: ReadonlySet<Need>,
  roomHref: string,
  known?: EnteredRoom,
): Promise<MemberFacts['locked']> {
  if (!needs.has('locks')) return (resource) => resource;
  const locks = await roomLocks(context, known ?? (await enteredRoom(context)));
  if (locks.isEmpty) return (resource) => resource;
  return (resource, name) => withLocks(resource, locks, name, roomHref);
}

/** Dead properties of some members, by name. */
export type DeadOfMembers = ReadonlyMap<string, readonly StoredProperty[]>;

/** The same items with their dead properties, in batches that are small enough to look these up. */
export async function* withDeadProperties<T>(
  batches: AsyncIterable<readonly T[]>,
  { dead }: Pick<MemberFacts, 'dead'>,
  nameOf: (item: T) => string,
): AsyncGenerator<{ items: readonly T[]; own: DeadOfMembers | undefined }> {
  const atOnce = dead?.namesAtOnce ?? Number.POSITIVE_INFINITY;
  for await (const batch of batches) {
    for (let at = 0; at < batch.length; at += atOnce) {
      const items = batch.length <= atOnce ? batch : batch.slice(at, at + atOnce);
      yield { items, own: await dead?.find(items.map(nameOf)) };
    }
  }
}

/** A member as a resource with these facts. `room`: as for memberResource; `properties`: its dead properties. */
export function describedMember(
  member: Member,
  href: string,
  room: Parameters<typeof memberResource>[2],
  { locked, tags }: Pick<MemberFacts, 'locked' | 'tags'>,
  properties?: readonly StoredProperty[],
): Resource {
  const resource = memberResource(member, href, room, properties && deadProperties(properties));
  return locked(tags ? { ...resource, scheduleTag: tags.get(member.msgnum) } : resource, member.name);
}

/** The same for one member, fetching only its facts. Throws as pool.readInRoom. */
export async function describedAlone(
  context: RoomContext,
  member: Member,
  href: string,
  room: Resource & Parameters<typeof memberResource>[2],
  needs: ReadonlySet<Need>,
): Promise<Resource> {
  const [locked, properties, tag] = await Promise.all([
    lockDescriber(context, needs, room.href),
    needs.has('dead') ? deadPropertiesOf(context, member.name) : undefined,
    needs.has('scheduleTag') ? scheduleTagIn(context, member.msgnum) : undefined,
  ]);
  const tags = tag === undefined ? undefined : new Map([[member.msgnum, tag]]);
  return describedMember(member, href, room, { locked, tags }, properties);
}
