// PROPFIND (RFC 4918 section 9.1) on the room list, a room, a message. Depth: infinity is refused on collections, as
// the RFC allows.

import { listRooms } from '../client/rooms.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { listMembers } from '../gateway/collection/collection.ts';
import { type CollectionKind, collectionKind, type Member, memberHref } from '../gateway/collection/member.ts';
import { openMember } from '../gateway/collection/one-member.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import { messagePath, roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import type { Sent } from '../http/answer-body.ts';
import type { Exchange } from '../http/exchange.ts';
import { ACCESS, type EnteredRoom } from '../model.ts';
import { propertiesResponse, sendCondition, sendMultistatus } from './multistatus.ts';
import { parsePropfind, readXmlBody, type WantedProperties } from './propfind-body.ts';
import { elementMaker, isLive, LIVE_PROPERTIES, type Resource } from './resource.ts';
import { element, emptyElement, type Markup } from './xml-write.ts';

/** PROPFIND r/: the rooms that the caller knows */
export async function propfindRoomList(exchange: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(exchange, app);
  const wanted = parsePropfind(await readXmlBody(exchange));
  const depth = depthOf(exchange);
  if (depth === 'infinity') return refuseInfinity(exchange);
  const href = `${app.prefix}r/`;
  const itself: Resource = { href, isCollection: true, displayName: 'Rooms' };
  const rooms = depth === 0 ? [] : await listRooms(app.pool, identity);
  const members = rooms
    .filter(({ access }) => (access & ACCESS.known) !== 0 && (access & ACCESS.forgotten) === 0)
    .map(({ name, mtime }) => roomResource(roomPath(app, name), name, mtime));
  return answer(exchange, wanted, [itself, ...members], href);
}

/** PROPFIND r/:room/ */
export async function propfindRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { caller, room } = context;
  const wanted = parsePropfind(await readXmlBody(exchange));
  const depth = depthOf(exchange);
  if (depth === 'infinity') return refuseInfinity(exchange);
  // as the client spells it, for clients compare: `_MAIL_` stays `_MAIL_`
  const href = roomPath(app, exchange.params.room!);
  const itself = ({ name, mtime }: EnteredRoom) => roomResource(href, name, mtime);
  if (depth === 0) {
    const { entered } = await app.pool.readInRoom(caller.identity, room, []);
    return answer(exchange, wanted, [itself(entered)], href);
  }
  const { entered, members } = await listMembers(context, { isSizeWanted: isLengthWanted(wanted) });
  return answer(exchange, wanted, [itself(entered)], href, resourcesOf(members, href, collectionKind(entered)));
}

/** PROPFIND r/:room/:name; has no members, so any Depth is 0. */
export async function propfindMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const wanted = parsePropfind(await readXmlBody(exchange));
  const name = exchange.params.name!;
  const href = messagePath(app, exchange.params.room!, name);
  const member = await openMember(context, name, isLengthWanted(wanted));
  return answer(exchange, wanted, [memberResource(member, href)]);
}

async function* resourcesOf(members: AsyncIterable<readonly Member[]>, collectionHref: string, kind: CollectionKind) {
  for await (const batch of members) {
    yield batch.map((member) => memberResource(member, memberHref(collectionHref, member, kind)));
  }
}

function memberResource({ msgnum, displayName, time, contentType, size }: Member, href: string): Resource {
  return {
    href,
    isCollection: false,
    displayName,
    created: time,
    modified: time,
    contentType,
    length: size,
    etag: messageEtag(msgnum),
  };
}

function roomResource(href: string, name: string, mtime: number): Resource {
  return { href, isCollection: true, displayName: name, modified: mtime > 0 ? mtime : undefined };
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

function isLengthWanted(wanted: WantedProperties): boolean {
  if (wanted.kind !== 'some') return wanted.kind === 'all';
  return wanted.properties.some(({ name }) => name === 'getcontentlength');
}

/** `collection`: its path with the slash, which the client may have left out (RFC 4918 section 5.2). */
function answer(
  exchange: Exchange,
  wanted: WantedProperties,
  resources: readonly Resource[],
  collection?: string,
  members?: AsyncIterable<readonly Resource[]>,
): Promise<void> {
  const headers = collection !== undefined && !exchange.rawPath.endsWith('/') ? { 'Content-Location': collection } : {};
  return sendMultistatus(exchange, responses(describer(wanted, isMinimal(exchange)), resources, members), headers);
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

/** RFC 8144 section 2.1 and its forerunner: what a resource does not have is left out. */
function isMinimal(exchange: Exchange): boolean {
  return (
    /\breturn=minimal\b/i.test(exchange.header('prefer') ?? '') ||
    exchange.header('brief')?.trim().toLowerCase() === 't'
  );
}

/** What makes the response of a resource: the properties that it has, and unless `isBrief` those that it has not. */
function describer(wanted: WantedProperties, isBrief: boolean): (resource: Resource) => Markup {
  const asked =
    wanted.kind === 'some'
      ? wanted.properties
      : [...LIVE_PROPERTIES, ...(wanted.kind === 'all' ? wanted.include.filter((name) => !isLive(name)) : [])];
  const properties = asked.map((property) => {
    const empty = emptyElement(property.namespace, property.name);
    const isMissingListed = !isBrief && !(wanted.kind !== 'some' && isLive(property));
    return { elementOf: elementMaker(property), empty, isMissingListed };
  });
  return (resource) => {
    const found: Markup[] = [];
    const missing: Markup[] = [];
    for (const { elementOf, empty, isMissingListed } of properties) {
      const own = elementOf?.(resource);
      if (own) found.push(wanted.kind === 'names' ? empty : own);
      else if (isMissingListed) missing.push(empty);
    }
    return propertiesResponse(resource.href, [
      { status: 200, properties: found },
      { status: 404, properties: missing },
    ]);
  };
}
