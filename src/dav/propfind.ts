// PROPFIND (RFC 4918 section 9.1) on the home, a room, a message. Depth: infinity is refused on collections, as the RFC
// allows.

import { listRooms, readRoomRow } from '../client/rooms.ts';
import { listEuids } from '../client/stored-headers.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { messagePath, roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { ACCESS } from '../model.ts';
import { homeResource } from './discovery.ts';
import { memberResources, messageResourceOf } from './members.ts';
import { answerPropfind, readPropfind, refuseInfinity } from './propfind-answer.ts';
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
  const { entered, rows } = await listEuids(app.pool, caller.identity, room);
  const itself = roomResource(href, entered, row?.row);
  const members = memberResources(context, entered, rows, itself, needs.has('length'));
  return answerPropfind(exchange, propfind, viewer, [itself], members);
}

/** PROPFIND r/:room/:name; has no members, so any Depth is 0. */
export async function propfindMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const propfind = await readPropfind(exchange);
  const { needs } = propfind;
  const href = messagePath(app, exchange.params.room!, exchange.params.name!);
  const resource = await messageResourceOf(context, exchange.params.name!, href, needs.has('length'));
  if (needs.has('privileges')) {
    const { entered, row } = await readRoomRow(app.pool, context.caller.identity, context.room);
    resource.privileges = roomResource(href, entered, row).privileges;
  }
  return answerPropfind(exchange, propfind, await viewerOf(app, context.caller), [resource]);
}
