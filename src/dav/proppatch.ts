// PROPPATCH (RFC 4918 section 9.2): all changes or none. A room's properties are for who may change the room, a
// message's for who may replace it.

import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { keepProperties } from '../gateway/collection/dead-properties.ts';
import type { Member } from '../gateway/collection/member.ts';
import { openMember } from '../gateway/collection/one-member.ts';
import { readIfConditions, requirePreconditions } from '../gateway/locking/preconditions.ts';
import { messageEtag } from '../gateway/message/representation.ts';
import { roomPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { PRIVILEGE } from '../gateway/rights.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { preferenceApplied } from '../http/prefer.ts';
import { send, sendEmpty } from '../http/respond.ts';
import { isMinimalWanted } from './describer.ts';
import { askedHref } from './member-resource.ts';
import { asXml, batchOf, type PropStat, propertiesResponse, sendMultistatus } from './multistatus.ts';
import { checkUpdates, type PropertyUpdate, parseProppatch, updatesWith } from './property-update.ts';
import { paced, readXmlBody } from './propfind-body.ts';
import { openRoom, type RoomResource } from './room-resource.ts';
import { element } from './xml-write.ts';

/** PROPPATCH r/:room/. Throws not_found, bad_request. */
export async function proppatchRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  return update(context, updates, undefined);
}

/** PROPPATCH r/:room/:name. Throws not_found, bad_request. */
export async function proppatchMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  return update(context, updates, await openMember(context, exchange.params.name!, false));
}

/** PROPPATCH on what holds no properties of clients: the home, principals. Throws bad_request. */
export async function refuseProppatch(exchange: Exchange, app: App): Promise<void> {
  await userOf(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  return answer(exchange, exchange.rawPath, updatesWith(403, updates));
}

/** `member`: as for keepProperties. */
async function update(
  context: RoomContext,
  updates: readonly PropertyUpdate[],
  member: Member | undefined,
): Promise<void> {
  const { exchange, app } = context;
  const room = await openRoom(context, roomPath(app, exchange.params.room!), new Set(['privileges']));
  const href = member ? askedHref(room, member, exchange.params.name!) : room.href;
  const { refused, changes } = await paced(checkUpdates(updates), exchange.gone);
  if (refused) return answer(exchange, href, refused);
  const lacking = lackingPrivilege(room, member);
  if (lacking !== undefined) {
    // RFC 3744 section 7.1.1; clients take a bare 403 for the end of everything
    const resource = element('D:resource', element('D:href', href), element('D:privilege', element(lacking)));
    return send(exchange, 403, asXml('D:error', element('D:need-privileges', resource)));
  }
  await requireUnlocked(context, member);
  const isKept = await keepProperties(context, member?.name ?? '', changes);
  return isKept ? answerChanged(exchange, href, updates) : answer(exchange, href, updatesWith(403, updates));
}

/** All were made: who wants no more than that gets nothing else (RFC 8144 section 2.2; 200 as other servers do). */
export async function answerChanged(
  exchange: Exchange,
  href: string,
  updates: readonly PropertyUpdate[],
): Promise<void> {
  if (isMinimalWanted(exchange)) return sendEmpty(exchange, 200, preferenceApplied(exchange, 'return=minimal'));
  return answer(exchange, href, updatesWith(200, updates));
}

function lackingPrivilege({ privileges = 0 }: RoomResource, member: Member | undefined): string | undefined {
  if (!member) return (privileges & PRIVILEGE.writeProperties) === 0 ? 'D:write-properties' : undefined;
  return (privileges & PRIVILEGE.writeContent) === 0 ? 'D:write-content' : undefined;
}

/** Throws locked, precondition_failed. */
async function requireUnlocked(context: RoomContext, member: Member | undefined): Promise<void> {
  const { app, caller, room } = context;
  const { entered } = await app.pool.readInRoom(caller.identity, room, []);
  const name = member?.name ?? '';
  const target = { entered, name, exists: true, etag: member && messageEtag(member.msgnum) };
  await requirePreconditions(context, await readIfConditions(context), target, [
    { context, entered, name, isMembership: false },
  ]);
}

function answer(exchange: Exchange, href: string, propstats: readonly PropStat[]): Promise<void> {
  const response = propertiesResponse(href, propstats);
  return sendMultistatus(exchange, batchOf([response]));
}
