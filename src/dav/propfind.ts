// PROPFIND (RFC 4918 section 9.1) on the home, a room, a message. Depth: infinity is refused on collections, as the RFC
// allows.

import { listRooms } from '../client/rooms.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { listMembers } from '../gateway/collection/collection.ts';
import { keptPropertiesOf, type PropertyLookup, propertyLookup } from '../gateway/collection/dead-properties.ts';
import { type Member, memberHref } from '../gateway/collection/member.ts';
import { openMember } from '../gateway/collection/one-member.ts';
import { roomLocks } from '../gateway/locking/room-locks.ts';
import { roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import { scheduleTagIn, scheduleTagsIn } from '../gateway/scheduling/conditions.ts';
import type { Exchange } from '../http/exchange.ts';
import { ACCESS } from '../model.ts';
import { homeResource } from './discovery.ts';
import { keptFrom } from './kept-properties.ts';
import { withLocks } from './locks/lock-discovery.ts';
import { askedHref, memberResource } from './member-resource.ts';
import { answerPropfind, type Propfind, readPropfind, refuseInfinity } from './propfind-answer.ts';
import type { Need, Resource } from './resource.ts';
import { listedRooms, openRoom, type RoomResource } from './room-resource.ts';
import { viewerOf } from './viewer.ts';

const TOKEN: ReadonlySet<Need> = new Set<Need>(['token']);
const PRIVILEGES: ReadonlySet<Need> = new Set<Need>(['privileges']);

/** PROPFIND r/: the rooms that the caller knows */
export async function propfindHome(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const propfind = await readPropfind(exchange);
  const { depth, needs } = propfind;
  if (depth === 'infinity') return refuseInfinity(exchange);
  const rooms = depth === 0 ? [] : await listRooms(app.pool, caller.identity);
  const known = rooms.filter(({ access }) => (access & ACCESS.known) !== 0 && (access & ACCESS.forgotten) === 0);
  const members = await listedRooms(exchange, app, caller, known, needs);
  return answerPropfind(exchange, propfind, await viewerOf(app, caller), [homeResource(app), ...members]);
}

/** PROPFIND r/:room/ */
export async function propfindRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const propfind = await readPropfind(exchange);
  const { depth, needs } = propfind;
  if (depth === 'infinity') return refuseInfinity(exchange);
  const viewer = await viewerOf(app, context.caller);
  // as the client spells it, for clients compare: `_MAIL_` stays `_MAIL_`
  const href = roomPath(app, exchange.params.room!);
  const locked = await lockDescriber(context, propfind);
  if (depth === 0) {
    return answerPropfind(exchange, propfind, viewer, [locked(await openRoom(context, href, needs), '')]);
  }
  // of the same moment as the list is its token
  const { entered, token, members } = await listMembers(context, { folder: '', isSizeWanted: needs.has('length') });
  const itself = { ...(await openRoom(context, href, needs.difference(TOKEN), entered)), token };
  const kept = needs.has('kept') ? await propertyLookup(context) : undefined;
  const tags = needs.has('scheduleTag') ? await scheduleTagsIn(context, entered) : undefined;
  const resources = resourcesOf(members, itself, { locked, kept, tags });
  return answerPropfind(exchange, propfind, viewer, [locked(itself, '')], resources);
}

/** PROPFIND r/:room/:name, and deeper; what is no folder has no members, so any Depth is 0. Throws not_found. */
export async function propfindMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const propfind = await readPropfind(exchange);
  const { depth, needs } = propfind;
  const member = await openMember(context, exchange.params.name!, needs.has('length'));
  const itself = await openRoom(context, roomPath(app, exchange.params.room!), needs.intersection(PRIVILEGES));
  const viewer = await viewerOf(app, context.caller);
  const locked = await lockDescriber(context, propfind);
  const href = askedHref(itself, member, exchange.params.name!);
  const texts = needs.has('kept') ? await keptPropertiesOf(context, member.name) : undefined;
  const tag = needs.has('scheduleTag') ? await scheduleTagIn(context, member.msgnum) : undefined;
  const resource = { ...memberResource(member, href, itself, texts && keptFrom(texts)), scheduleTag: tag };
  const asked = locked(resource, member.name);
  if (asked.kind !== 'folder' || depth === 0) return answerPropfind(exchange, propfind, viewer, [asked]);
  if (depth === 'infinity') return refuseInfinity(exchange);
  const { members } = await listMembers(context, { folder: member.name, isSizeWanted: needs.has('length') });
  const kept = needs.has('kept') ? await propertyLookup(context) : undefined;
  return answerPropfind(exchange, propfind, viewer, [asked], resourcesOf(members, itself, { locked, kept }));
}

/** What is added to the resources of a room. */
interface Additions {
  /** adds the locks to a resource */
  locked: (resource: Resource, name: string) => Resource;
  /** finds what clients have set, where that is wanted */
  kept: PropertyLookup | undefined;
  /** Schedule-Tags, by number */
  tags?: ReadonlyMap<number, string> | undefined;
}

/** What adds the locks to a resource, where they are wanted and there are some. */
async function lockDescriber(context: RoomContext, { needs }: Propfind): Promise<Additions['locked']> {
  if (!needs.has('locks')) return (resource) => resource;
  const { exchange, app, caller, room } = context;
  const { entered } = await app.pool.readInRoom(caller.identity, room, []);
  const locks = await roomLocks(context, entered);
  if (locks.isEmpty) return (resource) => resource;
  const roomHref = roomPath(app, exchange.params.room!);
  return (resource, name) => withLocks(resource, locks, name, roomHref);
}

/** `room`: as it is, whatever locks are on it. */
async function* resourcesOf(
  members: AsyncIterable<readonly Member[]>,
  room: RoomResource,
  { locked, kept, tags }: Additions,
): AsyncGenerator<readonly Resource[]> {
  const atOnce = kept?.namesAtOnce ?? Number.POSITIVE_INFINITY;
  for await (const batch of members) {
    for (let at = 0; at < batch.length; at += atOnce) {
      const some = batch.length <= atOnce ? batch : batch.slice(at, at + atOnce);
      const properties = await kept?.find(some.map(({ name }) => name));
      yield some.map((member) => {
        const own = properties?.get(member.name);
        const href = memberHref(room.href, member, room.collection);
        const resource = memberResource(member, href, room, own && keptFrom(own));
        return locked(tags ? { ...resource, scheduleTag: tags.get(member.msgnum) } : resource, member.name);
      });
    }
  }
}
