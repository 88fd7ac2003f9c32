// PROPFIND (RFC 4918 section 9.1) on the home, a room, a message. Depth: infinity is refused on collections, as the RFC
// allows.

import { listRooms, readRoomRow } from '../client/rooms.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { listMembers } from '../gateway/collection/collection.ts';
import { type CollectionKind, collectionKind, type Member, memberHref } from '../gateway/collection/member.ts';
import { openMember } from '../gateway/collection/one-member.ts';
import { messagePath, roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { ACCESS } from '../model.ts';
import { homeResource } from './discovery.ts';
import { memberResource } from './member-resource.ts';
import { answerPropfind, readPropfind, refuseInfinity } from './propfind-answer.ts';
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
    return answerPropfind(exchange, propfind, viewer, [roomResource(href, entered, row?.row)]);
  }
  const { entered, members } = await listMembers(context, { folder: '', isSizeWanted: needs.has('length') });
  const itself = roomResource(href, entered, row?.row);
  const resources = resourcesOf(members, itself, collectionKind(entered));
  return answerPropfind(exchange, propfind, viewer, [itself], resources);
}

/** PROPFIND r/:room/:name; has no members, so any Depth is 0. */
export async function propfindMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const propfind = await readPropfind(exchange);
  const name = exchange.params.name!;
  const href = messagePath(app, exchange.params.room!, name);
  const member = await openMember(context, name, propfind.needs.has('length'));
  const { entered, row } = await readRoomRow(app.pool, context.caller.identity, context.room);
  const resource = memberResource(member, href, roomResource(href, entered, row));
  return answerPropfind(exchange, propfind, await viewerOf(app, context.caller), [resource]);
}

async function* resourcesOf(members: AsyncIterable<readonly Member[]>, room: Resource, kind: CollectionKind) {
  for await (const batch of members) {
    yield batch.map((member) => memberResource(member, memberHref(room.href, member, kind), room));
  }
}
