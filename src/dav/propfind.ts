// PROPFIND (RFC 4918 section 9.1) on the room list, a room, a message. Depth: infinity is refused on collections, as
// the RFC allows.

import { listRooms, readRoomRow } from '../client/rooms.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { listMembers } from '../gateway/collection/collection.ts';
import { type CollectionKind, collectionKind, type Member, memberHref } from '../gateway/collection/member.ts';
import { openMember } from '../gateway/collection/one-member.ts';
import { messagePath, roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { PRIVILEGE } from '../gateway/rights.ts';
import type { Sent } from '../http/answer-body.ts';
import type { Exchange } from '../http/exchange.ts';
import { ACCESS } from '../model.ts';
import { describer, isMinimalWanted, needsOf } from './describer.ts';
import { memberResource } from './member-resource.ts';
import { sendCondition, sendMultistatus } from './multistatus.ts';
import { parsePropfind, readXmlBody, type WantedProperties } from './propfind-body.ts';
import { isCollection, type Resource, type Viewer } from './resource.ts';
import { roomResource } from './room-resource.ts';
import { viewerOf } from './viewer.ts';
import { element, type Markup } from './xml-write.ts';

/** PROPFIND r/: the rooms that the caller knows */
export async function propfindHome(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const wanted = parsePropfind(await readXmlBody(exchange));
  const depth = depthOf(exchange);
  if (depth === 'infinity') return refuseInfinity(exchange);
  const rooms = depth === 0 ? [] : await listRooms(app.pool, caller.identity);
  const known = rooms.filter(({ access }) => (access & ACCESS.known) !== 0 && (access & ACCESS.forgotten) === 0);
  const members = known.map((row) => roomResource(roomPath(app, row.name), row, row));
  return answer(exchange, wanted, await viewerOf(app, caller), [homeResource(app), ...members]);
}

/** PROPFIND r/:room/ */
export async function propfindRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  const wanted = parsePropfind(await readXmlBody(exchange));
  const depth = depthOf(exchange);
  if (depth === 'infinity') return refuseInfinity(exchange);
  const viewer = await viewerOf(app, caller);
  const needs = needsOf(wanted);
  // as the client spells it, for clients compare: `_MAIL_` stays `_MAIL_`
  const href = roomPath(app, exchange.params.room!);
  const row = needs.has('privileges') ? await readRoomRow(app.pool, caller.identity, room) : undefined;
  if (depth === 0) {
    const { entered } = row ?? (await app.pool.readInRoom(caller.identity, room, []));
    return answer(exchange, wanted, viewer, [roomResource(href, entered, row?.row)]);
  }
  const { entered, members } = await listMembers(context, { folder: '', isSizeWanted: needs.has('length') });
  const itself = roomResource(href, entered, row?.row);
  return answer(exchange, wanted, viewer, [itself], resourcesOf(members, itself, collectionKind(entered)));
}

/** PROPFIND r/:room/:name; has no members, so any Depth is 0. */
export async function propfindMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const wanted = parsePropfind(await readXmlBody(exchange));
  const needs = needsOf(wanted);
  const name = exchange.params.name!;
  const href = messagePath(app, exchange.params.room!, name);
  const member = await openMember(context, name, needs.has('length'));
  const { entered, row } = await readRoomRow(app.pool, context.caller.identity, context.room);
  const resource = memberResource(member, href, roomResource(href, entered, row));
  return answer(exchange, wanted, await viewerOf(app, context.caller), [resource]);
}

async function* resourcesOf(members: AsyncIterable<readonly Member[]>, room: Resource, kind: CollectionKind) {
  for await (const batch of members) {
    yield batch.map((member) => memberResource(member, memberHref(room.href, member, kind), room));
  }
}

function homeResource({ prefix }: App): Resource {
  const privileges = PRIVILEGE.read | PRIVILEGE.bind | PRIVILEGE.unbind;
  return { kind: 'home', href: `${prefix}r/`, displayName: 'Rooms', privileges, isOwn: true };
}

/** A missing header means infinity (RFC 4918 section 10.2). Throws bad_request. */
function depthOf(exchange: Exchange): 0 | 1 | 'infinity' {
  const depth = exchange.header('depth')?.trim().toLowerCase() ?? 'infinity';
  if (depth === '0') return 0;
  if (depth === '1') return 1;
  if (depth === 'infinity') return 'infinity';
  throw new AppError('bad_request', 'Depth takes 0, 1 or infinity.');
}

function refuseInfinity(exchange: Exchange): Sent {
  return sendCondition(exchange, 403, element('D:propfind-finite-depth'));
}

/** The path of a collection has a slash, which the client may have left out (RFC 4918 section 5.2). */
function answer(
  exchange: Exchange,
  wanted: WantedProperties,
  viewer: Viewer,
  resources: readonly [Resource, ...Resource[]],
  members?: AsyncIterable<readonly Resource[]>,
): Promise<void> {
  const describe = describer(wanted, viewer, { isMinimal: isMinimalWanted(exchange) });
  const [asked] = resources;
  const isSlashMissing = isCollection(asked) && !exchange.rawPath.endsWith('/');
  const headers = isSlashMissing ? { 'Content-Location': asked.href } : {};
  return sendMultistatus(exchange, responses(describe, resources, members), headers);
}

/** A response for each resource, made when it is taken. */
async function* responses(
  describe: (resource: Resource) => Markup,
  resources: readonly Resource[],
  members: AsyncIterable<readonly Resource[]> | undefined,
): AsyncGenerator<Iterable<Markup>> {
  yield resources.values().map(describe);
  for await (const batch of members ?? []) yield batch.values().map(describe);
}
