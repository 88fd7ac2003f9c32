// PROPPATCH (RFC 4918 section 9.2): all changes or none. A room's properties are for who may change the room, a
// message's for who may replace it.

import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { changeProperties } from '../gateway/collection/dead-properties.ts';
import { openMember } from '../gateway/collection/one-member.ts';
import { locate } from '../gateway/folder/located.ts';
import { readIfConditions, requirePreconditions } from '../gateway/locking/preconditions.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import { roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { PRIVILEGE } from '../gateway/rights.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { askedHref } from './member-resource.ts';
import { batchOf, type PropStat, propertiesResponse, sendCondition, sendMultistatus } from './multistatus.ts';
import { changesOf, type PropertyUpdate, parseProppatch, refusedUpdates, updatesWith } from './property-update.ts';
import { readXmlBody } from './propfind-body.ts';
import { openRoom } from './room-resource.ts';
import { element } from './xml-write.ts';

/** PROPPATCH r/:room/. Throws not_found, bad_request. */
export async function proppatchRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  return update(context, updates, roomPath(app, exchange.params.room!), '');
}

/** PROPPATCH r/:room/:name. Throws not_found, bad_request. */
export async function proppatchMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  const segment = exchange.params.name!;
  const member = await openMember(context, segment, false);
  const room = await openRoom(context, roomPath(app, exchange.params.room!), new Set());
  return update(context, updates, askedHref(context, member, room), member.name);
}

/** PROPPATCH on what holds no properties of clients: the home, principals. Throws bad_request. */
export async function refuseProppatch(exchange: Exchange, app: App): Promise<void> {
  await userOf(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  return answer(exchange, exchange.rawPath, updatesWith(403, updates));
}

/** `member`: as for changeProperties. */
async function update(
  context: RoomContext,
  updates: readonly PropertyUpdate[],
  href: string,
  member: string,
): Promise<void> {
  const { exchange } = context;
  const { privileges = 0 } = await openRoom(context, href, new Set(['privileges']));
  const refused = refusedUpdates(updates);
  if (refused) return answer(exchange, href, refused);
  const [needed, name] =
    member === ''
      ? ([PRIVILEGE.writeProperties, 'D:write-properties'] as const)
      : ([PRIVILEGE.writeContent, 'D:write-content'] as const);
  if ((privileges & needed) === 0) {
    // RFC 3744 section 7.1.1; clients take a bare 403 for the end of everything
    const lacking = element('D:resource', element('D:href', href), element('D:privilege', element(name)));
    return sendCondition(exchange, 403, element('D:need-privileges', lacking));
  }
  await requireUnlocked(context, member);
  const isKept = await changeProperties(context, member, changesOf(updates));
  return answer(exchange, href, updatesWith(isKept ? 200 : 403, updates));
}

/** A lock guards properties, too (RFC 4918 section 7). Throws precondition_failed, locked. */
async function requireUnlocked(context: RoomContext, member: string): Promise<void> {
  const located = await locate(context, member);
  const { entered, name } = located;
  const etag = located.member && messageEtag(located.member.msgnum);
  const change = { context, entered, name, isMembership: false };
  await requirePreconditions(context, await readIfConditions(context), { entered, name, etag }, [change]);
}

function answer(exchange: Exchange, href: string, propstats: readonly PropStat[]): Promise<void> {
  const response = propertiesResponse(href, propstats);
  return sendMultistatus(exchange, batchOf([response]));
}
