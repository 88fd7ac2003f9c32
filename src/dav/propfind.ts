// PROPFIND (RFC 4918 section 9.1) on the home, a room, a message. Depth: infinity is refused on collections, as the RFC
// allows.

import { listRooms } from '../client/rooms.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { listMembers } from '../gateway/collection/collection.ts';
import { type PropertyTexts, readAllProperties, readProperties } from '../gateway/collection/dead-properties.ts';
import { type Member, memberHref } from '../gateway/collection/member.ts';
import { openMember } from '../gateway/collection/one-member.ts';
import { messagePath, roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { ACCESS } from '../model.ts';
import { homeResource } from './discovery.ts';
import { keptFrom } from './kept-properties.ts';
import { memberResource } from './member-resource.ts';
import { answerPropfind, readPropfind, refuseInfinity } from './propfind-answer.ts';
import type { Resource } from './resource.ts';
import { listedRooms, openRoom, type RoomResource } from './room-resource.ts';
import { viewerOf } from './viewer.ts';

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
  if (depth === 0) return answerPropfind(exchange, propfind, viewer, [await openRoom(context, href, needs)]);
  // of the same moment as the list is its token
  const { token, members } = await listMembers(context, { folder: '', isSizeWanted: needs.has('length') });
  const itself = await openRoom(context, href, needs.difference(new Set(['token'])));
  itself.token = token;
  const kept = needs.has('kept') ? await readAllProperties(context) : undefined;
  return answerPropfind(exchange, propfind, viewer, [itself], resourcesOf(members, itself, kept));
}

/** PROPFIND r/:room/:name; has no members, so any Depth is 0. */
export async function propfindMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const propfind = await readPropfind(exchange);
  const { needs } = propfind;
  const name = exchange.params.name!;
  const member = await openMember(context, name, needs.has('length'));
  const room = await openRoom(
    context,
    roomPath(app, exchange.params.room!),
    needs.intersection(new Set(['privileges'])),
  );
  const kept = needs.has('kept') ? await readProperties(context, member.name) : undefined;
  const href = messagePath(app, exchange.params.room!, name);
  const resource = memberResource(member, href, room, kept && keptFrom(kept));
  return answerPropfind(exchange, propfind, await viewerOf(app, context.caller), [resource]);
}

async function* resourcesOf(
  members: AsyncIterable<readonly Member[]>,
  room: RoomResource,
  kept: ReadonlyMap<string, PropertyTexts> | undefined,
): AsyncGenerator<readonly Resource[]> {
  for await (const batch of members) {
    yield batch.map((member) => {
      const texts = kept?.get(member.name);
      const href = memberHref(room.href, member, room.collection);
      return memberResource(member, href, room, texts && keptFrom(texts));
    });
  }
}
