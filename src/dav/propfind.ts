// PROPFIND (RFC 4918 section 9.1) on the home, a room, a message. Depth: infinity is refused on collections, as the RFC
// allows.

import { listRooms, readRoomRow } from '../client/rooms.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { listMembers } from '../gateway/collection/collection.ts';
import { type Member, memberHref } from '../gateway/collection/member.ts';
import { openMember } from '../gateway/collection/one-member.ts';
import { roomLocks } from '../gateway/locking/room-locks.ts';
import { messagePath, parseMessageNumber, roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { ACCESS, type EnteredRoom } from '../model.ts';
import { homeResource } from './discovery.ts';
import { withLocks } from './locks/lock-discovery.ts';
import { memberResource } from './member-resource.ts';
import { answerPropfind, type Propfind, readPropfind, refuseInfinity } from './propfind-answer.ts';
import type { Resource } from './resource.ts';
import { roomResource } from './room-resource.ts';
import { viewerOf } from './viewer.ts';

/** PROPFIND r/: the rooms that the caller knows */
export async function propfindHome(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const propfind = await readPropfind(exchange);
  const { depth } = propfind;
  if (depth === 'infinity') return refuseInfinity(exchange);
  const rooms = depth === 0 ? [] : await listRooms(app.pool, caller.identity);
  const known = rooms.filter(({ access }) => (access & ACCESS.known) !== 0 && (access & ACCESS.forgotten) === 0);
  const members = known.map((row) => roomResource(roomPath(app, row.name), row, row));
  return answerPropfind(exchange, propfind, await viewerOf(app, caller), [homeResource(app), ...members]);
}

/** PROPFIND r/:room/ */
export async function propfindRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  const propfind = await readPropfind(exchange);
  const { depth, needs } = propfind;
  if (depth === 'infinity') return refuseInfinity(exchange);
  const viewer = await viewerOf(app, caller);
  // as the client spells it, for clients compare: `_MAIL_` stays `_MAIL_`
  const href = roomPath(app, exchange.params.room!);
  const row = needs.has('privileges') ? await readRoomRow(app.pool, caller.identity, room) : undefined;
  if (depth === 0) {
    const { entered } = row ?? (await app.pool.readInRoom(caller.identity, room, []));
    const locked = await lockDescriber(context, entered, propfind);
    return answerPropfind(exchange, propfind, viewer, [locked(roomResource(href, entered, row?.row), '')]);
  }
  const { entered, members } = await listMembers(context, { folder: '', isSizeWanted: needs.has('length') });
  const itself = roomResource(href, entered, row?.row);
  const locked = await lockDescriber(context, entered, propfind);
  return answerPropfind(exchange, propfind, viewer, [locked(itself, '')], resourcesOf(members, itself, locked));
}

/** PROPFIND r/:room/:name, and deeper; what is no folder has no members, so any Depth is 0. Throws not_found. */
export async function propfindMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  const propfind = await readPropfind(exchange);
  const { depth, needs } = propfind;
  const name = exchange.params.name!;
  const member = await openMember(context, name, needs.has('length'));
  const { entered, row } = await readRoomRow(app.pool, caller.identity, room);
  const itself = roomResource(roomPath(app, exchange.params.room!), entered, row);
  const viewer = await viewerOf(app, caller);
  const locked = await lockDescriber(context, entered, propfind);
  const isFile = itself.collection === 'files' && parseMessageNumber(name) === undefined;
  // as it was asked for, but a folder has its slash
  const href = isFile ? memberHref(itself.href, member, 'files') : messagePath(app, exchange.params.room!, name);
  const asked = locked(memberResource(member, href, itself), member.name);
  if (asked.kind !== 'folder' || depth === 0) return answerPropfind(exchange, propfind, viewer, [asked]);
  if (depth === 'infinity') return refuseInfinity(exchange);
  const { members } = await listMembers(context, { folder: member.name, isSizeWanted: needs.has('length') });
  return answerPropfind(exchange, propfind, viewer, [asked], resourcesOf(members, itself, locked));
}

type LockDescriber = (resource: Resource, name: string) => Resource;

/** What adds the locks to a resource, where they are wanted and there are some. */
async function lockDescriber(context: RoomContext, entered: EnteredRoom, { needs }: Propfind): Promise<LockDescriber> {
  const locks = needs.has('locks') ? await roomLocks(context, entered) : undefined;
  if (!locks || locks.isEmpty) return (resource) => resource;
  const roomHref = roomPath(context.app, context.exchange.params.room!);
  return (resource, name) => withLocks(resource, locks, name, roomHref);
}

/** `room`: as it is, whatever locks are on it. */
async function* resourcesOf(members: AsyncIterable<readonly Member[]>, room: Resource, locked: LockDescriber) {
  const kind = room.collection ?? 'messages';
  for await (const batch of members) {
    yield batch.map((member) => locked(memberResource(member, memberHref(room.href, member, kind), room), member.name));
  }
}
