// PROPFIND (RFC 4918 section 9.1) on the room list, a room, a message. Depth: infinity is refused on collections, as the
// RFC allows.

import { listRooms } from '../client/rooms.ts';
import { listEuids } from '../client/stored-headers.ts';
import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { messagePath, roomOf, roomPath } from '../gateway/paths.ts';
import type { Sent } from '../http/answer-body.ts';
import type { Exchange } from '../http/exchange.ts';
import { STREAM_CHUNK_BYTES } from '../limits/protocol.ts';
import { ACCESS, type EnteredRoom } from '../model.ts';
import { memberResources, messageResourceOf } from './members.ts';
import { propertiesResponse, sendCondition, sendMultistatus } from './multistatus.ts';
import { parsePropfind, readXmlBody, type Wanted } from './propfind-body.ts';
import { isLive, LIVE_PROPERTIES, type Resource, tellerOf } from './resource.ts';
import { element, emptyElement, inLines, type Markup } from './xml-write.ts';

/** PROPFIND r/: the rooms that the caller knows */
export async function propfindRoomList(x: Exchange, app: App): Promise<void> {
  const { identity } = await userOf(x, app);
  const wanted = parsePropfind(await readXmlBody(x));
  const depth = depthOf(x);
  if (depth === 'infinity') return refuseInfinity(x);
  const href = `${app.prefix}r/`;
  const itself: Resource = { href, isCollection: true, displayName: 'Rooms' };
  const rooms = depth === 0 ? [] : await listRooms(app.pool, identity);
  const members = rooms
    .filter(({ access }) => (access & ACCESS.known) !== 0 && (access & ACCESS.forgotten) === 0)
    .map(({ name, mtime }) => roomResource(roomPath(app, name), name, mtime));
  return answer(x, wanted, each([itself, ...members]), href);
}

/** PROPFIND r/:room/ */
export async function propfindRoom(x: Exchange, app: App): Promise<void> {
  const caller = await userOf(x, app);
  const room = await roomOf(x, app, caller);
  const wanted = parsePropfind(await readXmlBody(x));
  const depth = depthOf(x);
  if (depth === 'infinity') return refuseInfinity(x);
  // as the client spells it, for clients compare: `_MAIL_` stays `_MAIL_`
  const href = roomPath(app, x.params.room!);
  const itself = ({ name, mtime }: EnteredRoom) => roomResource(href, name, mtime);
  if (depth === 0) {
    const { entered } = await app.pool.readInRoom(caller.identity, room, []);
    return answer(x, wanted, each([itself(entered)]), href);
  }
  const { entered, rows } = await listEuids(app.pool, caller.identity, room);
  const members = memberResources(app, caller, room, entered, rows, href, isLengthWanted(wanted));
  return answer(x, wanted, each([itself(entered)], members), href);
}

/** PROPFIND r/:room/:name; has no members, so any Depth is 0. */
export async function propfindMessage(x: Exchange, app: App): Promise<void> {
  const caller = await userOf(x, app);
  const room = await roomOf(x, app, caller);
  const wanted = parsePropfind(await readXmlBody(x));
  const name = x.params.name!;
  const href = messagePath(app, x.params.room!, name);
  const resource = await messageResourceOf(app, caller, room, name, href, isLengthWanted(wanted));
  return answer(x, wanted, each([resource]));
}

function roomResource(href: string, name: string, mtime: number): Resource {
  return { href, isCollection: true, displayName: name, modified: mtime > 0 ? mtime : undefined };
}

/** A missing header means infinity (RFC 4918 section 10.2). Throws bad_request. */
function depthOf(x: Exchange): 0 | 1 | 'infinity' {
  const depth = x.header('depth')?.trim().toLowerCase() ?? 'infinity';
  if (depth === '0') return 0;
  if (depth === '1') return 1;
  if (depth === 'infinity') return 'infinity';
  throw new AppError('bad_request', 'Depth takes 0, 1 or infinity.');
}

function refuseInfinity(x: Exchange): Sent {
  return sendCondition(x, 403, element('D:propfind-finite-depth'));
}

function isLengthWanted(wanted: Wanted): boolean {
  if (wanted.kind !== 'some') return wanted.kind === 'all';
  return wanted.properties.some(({ name }) => name === 'getcontentlength');
}

async function* each(
  first: readonly Resource[],
  rest?: AsyncIterable<readonly Resource[]>,
): AsyncGenerator<readonly Resource[]> {
  yield first;
  if (rest) yield* rest;
}

/** `collection`: its path with the slash, which the client may have left out (RFC 4918 section 5.2). */
function answer(
  x: Exchange,
  wanted: Wanted,
  resources: AsyncIterable<readonly Resource[]>,
  collection?: string,
): Promise<void> {
  const headers = collection !== undefined && !x.rawPath.endsWith('/') ? { 'Content-Location': collection } : {};
  return sendMultistatus(x, responses(wanted, isMinimal(x), resources), headers);
}

/** RFC 8144 section 2.1 and its forerunner: what a resource does not have is not told. */
function isMinimal(x: Exchange): boolean {
  return /\breturn=minimal\b/i.test(x.header('prefer') ?? '') || x.header('brief')?.trim().toLowerCase() === 't';
}

/** One Markup for as many resources as go out together. */
async function* responses(
  wanted: Wanted,
  isBrief: boolean,
  batches: AsyncIterable<readonly Resource[]>,
): AsyncGenerator<Markup> {
  const tell = telling(wanted, isBrief);
  for await (const batch of batches) {
    let lines: Markup[] = [];
    let length = 0;
    for (const resource of batch) {
      const line = tell(resource);
      lines.push(line);
      length += line.text.length;
      if (length < STREAM_CHUNK_BYTES) continue;
      yield inLines(lines);
      lines = [];
      length = 0;
    }
    if (lines.length > 0) yield inLines(lines);
  }
}

function telling(wanted: Wanted, isBrief: boolean): (resource: Resource) => Markup {
  const asked =
    wanted.kind === 'some'
      ? wanted.properties
      : [...LIVE_PROPERTIES, ...(wanted.kind === 'all' ? wanted.include.filter((name) => !isLive(name)) : [])];
  const properties = asked.map((property) => {
    const empty = emptyElement(property.namespace, property.name);
    const isMissingTold = !isBrief && !(wanted.kind !== 'some' && isLive(property));
    return { tell: tellerOf(property), empty, isMissingTold };
  });
  return (resource) => {
    const found: Markup[] = [];
    const missing: Markup[] = [];
    for (const { tell, empty, isMissingTold } of properties) {
      const told = tell?.(resource);
      if (told) found.push(wanted.kind === 'names' ? empty : told);
      else if (isMissingTold) missing.push(empty);
    }
    return propertiesResponse(resource.href, [
      { status: 200, properties: found },
      { status: 404, properties: missing },
    ]);
  };
}
