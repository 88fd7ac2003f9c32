// What properties of the members of a room are made from beside the members themselves: locks, what clients have set,
// Schedule-Tags, privileges. Each is asked for once a request, and only where a property is wanted that needs it.

import { keptPropertiesOf, type PropertyLookup, propertyLookup } from '../gateway/collection/dead-properties.ts';
import type { Member } from '../gateway/collection/member.ts';
import { roomLocks } from '../gateway/locking/room-locks.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { scheduleTagIn, scheduleTagsIn } from '../gateway/scheduling/conditions.ts';
import type { EnteredRoom } from '../model.ts';
import type { KeptProperty } from '../room-server/collections.ts';
import { keptFrom } from './kept-properties.ts';
import { withLocks } from './locks/lock-discovery.ts';
import { memberResource } from './member-resource.ts';
import type { Need, Resource } from './resource.ts';

export interface MemberFacts {
  /** adds the locks to a resource; the name of the room is empty */
  locked: (resource: Resource, name: string) => Resource;
  /** finds what clients have set */
  kept?: PropertyLookup | undefined;
  /** Schedule-Tags, by number */
  tags?: ReadonlyMap<number, string> | undefined;
}

/** `roomHref`: as in the answer; `known`: what entering the room has told. Throws as pool.readInRoom. */
export async function memberFacts(
  context: RoomContext,
  needs: ReadonlySet<Need>,
  roomHref: string,
  known?: EnteredRoom,
): Promise<MemberFacts> {
  const [locked, kept, tags] = await Promise.all([
    lockDescriber(context, needs, roomHref, known),
    needs.has('kept') ? propertyLookup(context) : undefined,
    needs.has('scheduleTag') ? tagsIn(context, known) : undefined,
  ]);
  return { locked, kept, tags };
}

/** What adds the locks to a resource, where they are wanted and there are some. */
export async function lockDescriber(
  context: RoomContext,
  needs: ReadonlySet<Need>,
  roomHref: string,
  known?: EnteredRoom,
): Promise<MemberFacts['locked']> {
  if (!needs.has('locks')) return (resource) => resource;
  const locks = await roomLocks(context, known ?? (await entry(context)));
  if (locks.isEmpty) return (resource) => resource;
  return (resource, name) => withLocks(resource, locks, name, roomHref);
}

async function tagsIn(context: RoomContext, known?: EnteredRoom): Promise<ReadonlyMap<number, string>> {
  return scheduleTagsIn(context, known ?? (await entry(context)));
}

async function entry({ app, caller, room }: RoomContext): Promise<EnteredRoom> {
  return (await app.pool.readInRoom(caller.identity, room, [])).entered;
}

/** Of some members, by name: what clients have set. */
export type KeptOfMembers = ReadonlyMap<string, readonly KeptProperty[]>;

/** The same items in batches that are small enough to look up what clients have set, each with that. */
export async function* withKept<T>(
  batches: AsyncIterable<readonly T[]>,
  { kept }: Pick<MemberFacts, 'kept'>,
  nameOf: (item: T) => string,
): AsyncGenerator<{ items: readonly T[]; own: KeptOfMembers | undefined }> {
  const atOnce = kept?.namesAtOnce ?? Number.POSITIVE_INFINITY;
  for await (const batch of batches) {
    for (let at = 0; at < batch.length; at += atOnce) {
      const items = batch.length <= atOnce ? batch : batch.slice(at, at + atOnce);
      yield { items, own: await kept?.find(items.map(nameOf)) };
    }
  }
}

/** A member as a resource, with all of these. `room`: as memberResource; `properties`: what clients have set on it. */
export function describedMember(
  member: Member,
  href: string,
  room: Parameters<typeof memberResource>[2],
  { locked, tags }: Pick<MemberFacts, 'locked' | 'tags'>,
  properties?: readonly KeptProperty[],
): Resource {
  const resource = memberResource(member, href, room, properties && keptFrom(properties));
  return locked(tags ? { ...resource, scheduleTag: tags.get(member.msgnum) } : resource, member.name);
}

/** The same of one member, whose facts alone are asked for. Throws as pool.readInRoom. */
export async function describedAlone(
  context: RoomContext,
  member: Member,
  href: string,
  room: Resource & Parameters<typeof memberResource>[2],
  needs: ReadonlySet<Need>,
): Promise<Resource> {
  const [locked, properties, tag] = await Promise.all([
    lockDescriber(context, needs, room.href),
    needs.has('kept') ? keptPropertiesOf(context, member.name) : undefined,
    needs.has('scheduleTag') ? scheduleTagIn(context, member.msgnum) : undefined,
  ]);
  const tags = tag === undefined ? undefined : new Map([[member.msgnum, tag]]);
  return describedMember(member, href, room, { locked, tags }, properties);
}
