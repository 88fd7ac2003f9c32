// REPORT (RFC 3253 section 3.6): which report a body asks for, and whether the resource has it. What a precondition
// forbids is answered 403 with its element.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { type Caller, userOf } from '../../gateway/caller.ts';
import { findMembers } from '../../gateway/collection/collection.ts';
import { collectionKind } from '../../gateway/collection/member.ts';
import { roomPath } from '../../gateway/paths.ts';
import { userInRoom } from '../../gateway/request-room.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import { scheduleTagsIn } from '../../gateway/scheduling/conditions.ts';
import type { Exchange } from '../../http/exchange.ts';
import { rootResource } from '../discovery.ts';
import { askedHref, memberResource } from '../member-resource.ts';
import { readXmlBody } from '../propfind-body.ts';
import { propertyKey, type Resource } from '../resource.ts';
import { resourceAt } from '../resource-at.ts';
import { type RoomResource, roomResource } from '../room-resource.ts';
import { supportedReports } from '../supported-reports.ts';
import { viewerOf } from '../viewer.ts';
import { childrenNamed } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { CALDAV_NAMESPACE, DAV_NAMESPACE, expandedName } from '../xml-write.ts';
import { FailedCondition } from './condition.ts';
import { answerExpandProperty } from './expand-property.ts';
import { answerFreeBusy } from './free-busy.ts';
import { answerMultiget } from './multiget.ts';
import { answerPrincipalMatch, answerPrincipalSearch, answerSearchProperties } from './principal-search.ts';
import { answerCalendarQuery, answerCardQuery } from './query.ts';
import type { Asked, Question } from './question.ts';
import { answerSync } from './sync.ts';

/** by propertyKey of the root of the body */
type Answers<T> = ReadonlyMap<string, (asked: T) => Promise<void>>;

function answers<T>(byName: Readonly<Record<string, (asked: T) => Promise<void>>>): Answers<T> {
  return new Map(Object.entries(byName).map(([name, answer]) => [propertyKey(expandedName(name)), answer]));
}

const EVERYWHERE = answers<Asked>({
  'D:expand-property': answerExpandProperty,
  'D:principal-match': answerPrincipalMatch,
  'D:principal-property-search': answerPrincipalSearch,
  'D:principal-search-property-set': answerSearchProperties,
});
const IN_ROOMS = answers<Question>({
  'D:sync-collection': answerSync,
  'C:calendar-query': answerCalendarQuery,
  'C:calendar-multiget': answerMultiget,
  'C:free-busy-query': answerFreeBusy,
  'CR:addressbook-query': answerCardQuery,
  'CR:addressbook-multiget': answerMultiget,
});

/** REPORT on `/` and on what all addresses begin with. Throws bad_request. */
export async function reportRoot(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  return reportPlace(exchange, app, caller, async () => rootResource(exchange.rawPath));
}

/** REPORT on the home, the principals, one of them. Throws not_found, bad_request. */
export async function reportAround(exchange: Exchange, app: App): Promise<void> {
  const caller = await userOf(exchange, app);
  return reportPlace(exchange, app, caller, async (needs) => {
    const resource = await resourceAt(exchange, app, caller, exchange.rawPath, needs);
    if (!resource) throw new AppError('not_found', 'There is nothing at this address.');
    return resource;
  });
}

async function reportPlace(exchange: Exchange, app: App, caller: Caller, find: Asked['find']): Promise<void> {
  const root = await reportBody(exchange);
  const viewer = await viewerOf(app, caller);
  const answer = answerOf(EVERYWHERE, root, await find(new Set()));
  return answer({ exchange, app, caller, viewer, root, find });
}

/** REPORT r/:room/; throws not_found, bad_request. */
export async function reportRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  return report(context, await reportBody(exchange), undefined);
}

/** REPORT on a collection that is not at a room's address: `open` finds it. Throws bad_request. */
export async function reportIn(context: RoomContext, open: () => Promise<RoomResource>): Promise<void> {
  const root = await reportBody(context.exchange);
  const { app, caller, exchange } = context;
  const [viewer, room] = await Promise.all([viewerOf(app, caller), open()]);
  if (!EVERYWHERE.has(propertyKey(root))) {
    return answerOf(IN_ROOMS, root, room)({ context, root, room, viewer, member: undefined, href: room.href });
  }
  return answerOf(EVERYWHERE, root, room)({ exchange, app, caller, viewer, root, find: async () => room });
}

/** REPORT r/:room/:name; throws not_found, bad_request. */
export async function reportMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  return report(context, await reportBody(exchange), exchange.params.name!);
}

/** A report is named by the root of its body. Throws bad_request. */
async function reportBody(exchange: Exchange): Promise<XmlElement> {
  const root = await readXmlBody(exchange);
  if (!root) throw new AppError('bad_request', 'A report is named by the body.');
  return root;
}

/** `name`: of a member; undefined for the room itself. */
async function report(context: RoomContext, root: XmlElement, name: string | undefined): Promise<void> {
  const { exchange, app, caller, room } = context;
  const [{ entered }, viewer, [member]] = await Promise.all([
    app.pool.readInRoom(caller.identity, room, []),
    viewerOf(app, caller),
    name === undefined ? [] : findMembers(context, [name]),
  ]);
  if (name !== undefined && !member) throw new AppError('not_found', 'There is no such message.');
  const roomNamed = exchange.params.room!;
  // as the client spells it, for clients compare: `_MAIL_` stays `_MAIL_`
  const itself = { ...roomResource(roomPath(app, roomNamed), entered), collection: collectionKind(entered) };
  const resource = member ? memberResource(member, askedHref(itself, member, name!), itself) : itself;
  if (!EVERYWHERE.has(propertyKey(root))) {
    const tags = isTagWanted(root) ? await scheduleTagsIn(context, entered) : undefined;
    const question = { context, root, room: itself, viewer, member, href: resource.href, tags };
    return answerOf(IN_ROOMS, root, resource)(question);
  }
  return answerOf(EVERYWHERE, root, resource)({ exchange, app, caller, viewer, root, find: async () => resource });
}

/** Of all members it is one question, which few programs ask. */
function isTagWanted(root: XmlElement): boolean {
  const props = childrenNamed(root, DAV_NAMESPACE, 'prop');
  return props.some((prop) => childrenNamed(prop, CALDAV_NAMESPACE, 'schedule-tag').length > 0);
}

function answerOf<T>(from: Answers<T>, root: XmlElement, resource: Resource): (asked: T) => Promise<void> {
  const key = propertyKey(root);
  const answer = from.get(key);
  const isSupported = supportedReports(resource).some((one) => propertyKey(one) === key);
  if (!answer || !isSupported) throw FailedCondition.dav('supported-report');
  return answer;
}
