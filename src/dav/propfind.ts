// PROPFIND (RFC 4918 section 9.1) on the home, a room, a message. Depth: infinity is refused on collections that may
// hold others, as the RFC allows.

import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { listMembers, openMember } from '../gateway/collection/collection.ts';
import { homeRows, quotaOf } from '../gateway/collection/properties.ts';
import { memberHref, roomPath, userPath } from '../gateway/paths.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { enteredRoom, type RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { collectionKind, holdsObjects } from '../model.ts';
import type { Member } from '../room-server/collections.ts';
import { findUsers, ownAddresses } from '../room-server/users.ts';
import {
  answerPropfind,
  type Propfind,
  type ResourceBatch,
  readFinitePropfind,
  readPropfind,
  requireFiniteDepth,
} from './describer.ts';
import {
  findHome,
  findPrincipal,
  homeResource,
  principalResource,
  principalsResource,
  rootResource,
} from './discovery.ts';
import {
  askedHref,
  describedAlone,
  describedMember,
  lockDescriber,
  type MemberFacts,
  memberFacts,
  withDeadProperties,
} from './member-resource.ts';
import { type Need, viewerOf } from './resource.ts';
import { listedRooms, openRoom, type RoomResource } from './room-resource.ts';

const TOKEN: ReadonlySet<Need> = new Set<Need>(['token']);
/** facts that change only with the room; locks are the gateway's, the rest belongs to the account */
const OF_THE_ROOM: ReadonlySet<Need> = new Set<Need>(['length', 'token', 'dead', 'kept', 'scheduleTag']);
const OF_ITS_ROOM: ReadonlySet<Need> = new Set<Need>(['privileges', 'quota']);

/** PROPFIND / and PROPFIND on the prefix: never redirected to a page, since clients take that for a wrong address. */
export async function propfindRoot(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const propfind = await readFinitePropfind(exchange);
  const quota = await quotaOf(app, caller, propfind.needs.has('quota'));
  const root = { ...rootResource(exchange.rawPath), quota };
  const members = propfind.depth === 0 ? [] : [homeResource(app), principalsResource(app)];
  return answerPropfind(exchange, propfind, await viewerOf(app, caller), [root, ...members]);
}

/** PROPFIND u/: all users, as principals */
export async function propfindPrincipals(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const propfind = await readFinitePropfind(exchange);
  const viewer = await viewerOf(app, caller);
  const users = propfind.depth === 0 ? [] : await findUsers(app.pool, caller.identity, '');
  const addresses = propfind.needs.has('addresses') ? await ownAddresses(app.pool, caller.identity) : undefined;
  const principals = users.map(({ name }) => principalResource(userPath(app, name), name, viewer.principal, addresses));
  return answerPropfind(exchange, propfind, viewer, [principalsResource(app), ...principals]);
}

/** PROPFIND u/:user/, which lists no members. Throws not_found. */
export async function propfindPrincipal(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const propfind = await readFinitePropfind(exchange);
  const viewer = await viewerOf(app, caller);
  const principal = await findPrincipal(app, caller, exchange.params.user!, propfind.needs);
  return answerPropfind(exchange, propfind, viewer, [principal]);
}

/** PROPFIND r/: the rooms that the caller knows */
export async function propfindHome(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  const propfind = await readPropfind(exchange);
  const { depth, needs } = propfind;
  requireFiniteDepth(propfind);
  // the token first: what changes meanwhile is reported again with the next one
  const home = await findHome(app, caller, needs);
  const rooms = depth === 0 ? [] : await homeRows(app, caller.identity);
  const members = await listedRooms(exchange, app, caller, rooms, needs);
  return answerPropfind(exchange, propfind, await viewerOf(app, caller), [home, ...members]);
}

/** PROPFIND r/:room/ */
export async function propfindRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const asked = await readPropfind(exchange);
  if (!asked.needs.isSubsetOf(OF_THE_ROOM)) return answerRoom(context, asked);
  // max-resource-size is a property
  const variant = `${app.messageLimit.bytes} ${asked.variant}`;
  return app.replyCache.send(context, variant, () => answerRoom(context, asked));
}

async function answerRoom(context: RoomContext, asked: Propfind): Promise<void> {
  const { exchange, app } = context;
  const { needs } = asked;
  const isDeep = asked.depth === 'infinity';
  // no collection is in a calendar, task list or address book (RFC 4791 section 4.2, RFC 6352 section 5.2)
  if (isDeep && !holdsObjects(collectionKind(await enteredRoom(context)))) requireFiniteDepth(asked);
  const propfind = isDeep ? { ...asked, depth: 1 as const } : asked;
  const { depth } = propfind;
  const viewer = await viewerOf(app, context.caller);
  // spelt as the client did, since clients compare: `_MAIL_` stays `_MAIL_`
  const href = roomPath(app, exchange.params.room!);
  if (depth === 0) {
    const locked = await lockDescriber(context, needs, href);
    return answerPropfind(exchange, propfind, viewer, [locked(await openRoom(context, href, needs), '')]);
  }
  // the token belongs to the same moment as the list
  const { entered, token, members } = await listMembers(context, { folder: '', isSizeWanted: needs.has('length') });
  const itself = { ...(await openRoom(context, href, needs.difference(TOKEN), entered)), token };
  const facts = await memberFacts(context, needs, href, entered);
  return answerPropfind(exchange, propfind, viewer, [facts.locked(itself, '')], resourcesOf(members, itself, facts));
}

/** PROPFIND r/:room/:name, and deeper. Only a folder has members; for anything else Depth is 0. Throws not_found. */
export async function propfindMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const propfind = await readPropfind(exchange);
  const { depth, needs } = propfind;
  const name = exchange.params.name!;
  const member = await openMember(context, name, needs.has('length'));
  const itself = await openRoom(context, roomPath(app, exchange.params.room!), needs.intersection(OF_ITS_ROOM));
  const viewer = await viewerOf(app, context.caller);
  const href = askedHref(itself, member, name);
  const asked = { ...(await describedAlone(context, member, href, itself, needs)), quota: itself.quota };
  if (asked.kind !== 'folder' || depth === 0) return answerPropfind(exchange, propfind, viewer, [asked]);
  requireFiniteDepth(propfind);
  const { members } = await listMembers(context, { folder: member.name, isSizeWanted: needs.has('length') });
  const facts = await memberFacts(context, needs, itself.href);
  return answerPropfind(exchange, propfind, viewer, [asked], resourcesOf(members, itself, facts));
}

/** `room`: without its locks. */
export async function* resourcesOf(
  members: AsyncIterable<readonly Member[]>,
  room: RoomResource,
  facts: MemberFacts,
): AsyncGenerator<ResourceBatch> {
  for await (const { items, own } of withDeadProperties(members, facts, ({ name }) => name)) {
    const resources = items
      .values()
      .map((member) =>
        describedMember(member, memberHref(room.href, member, room.collection), room, facts, own?.get(member.name)),
      );
    yield { resources, members: items };
  }
}
