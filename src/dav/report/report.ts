// REPORT (RFC 3253 section 3.6): finds the report that a body asks for. An unmet precondition is 403 with its element.

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import { type Caller, userOf } from '../../gateway/caller.ts';
import { findMembers } from '../../gateway/collection/collection.ts';
import { roomPath } from '../../gateway/paths.ts';
import { userInRoom } from '../../gateway/request-room.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import type { Exchange } from '../../http/exchange.ts';
import { resourceAt, rootResource } from '../discovery.ts';
import { askedHref, describedAlone, memberResource } from '../member-resource.ts';
import { supportedReports } from '../properties/webdav.ts';
import { type Need, propertyKey, type Resource, viewerOf } from '../resource.ts';
import { openRoom } from '../room-resource.ts';
import { expandedName, readXmlBody, type XmlElement } from '../xml-read.ts';
import { unmet } from '../xml-write.ts';
import type { ReportRequest, RoomReportRequest } from './answer.ts';
import { answerExpandProperty } from './expand-property.ts';
import {
  ADDRESS_BOOKS,
  answerHomeCalendarQuery,
  answerHomeCardQuery,
  answerHomeFreeBusy,
  answerHomeMultiget,
  answerHomeSync,
  CALENDARS,
} from './home.ts';
import { answerMultiget } from './multiget.ts';
import { answerPrincipalMatch, answerPrincipalSearch, answerSearchProperties } from './principal-search.ts';
import { answerCalendarQuery, answerCardQuery, answerFreeBusy } from './query.ts';
import { answerSync, changesAhead } from './sync.ts';

/** by propertyKey of the root element */
type Answers<T> = ReadonlyMap<string, (request: T) => Promise<void>>;

function answers<T>(byName: Readonly<Record<string, (request: T) => Promise<void>>>): Answers<T> {
  return new Map(Object.entries(byName).map(([name, answer]) => [propertyKey(expandedName(name)), answer]));
}

const EVERYWHERE = answers<ReportRequest>({
  'D:expand-property': answerExpandProperty,
  'D:principal-match': answerPrincipalMatch,
  'D:principal-property-search': answerPrincipalSearch,
  'D:principal-search-property-set': answerSearchProperties,
});
const ON_HOME = answers<ReportRequest>({
  'D:sync-collection': answerHomeSync,
  'C:calendar-query': answerHomeCalendarQuery,
  'C:calendar-multiget': (request) => answerHomeMultiget(request, CALENDARS),
  'C:free-busy-query': answerHomeFreeBusy,
  'CR:addressbook-query': answerHomeCardQuery,
  'CR:addressbook-multiget': (request) => answerHomeMultiget(request, ADDRESS_BOOKS),
});
const IN_ROOMS = answers<RoomReportRequest>({
  'D:sync-collection': answerSync,
  'C:calendar-query': answerCalendarQuery,
  'C:calendar-multiget': answerMultiget,
  'C:free-busy-query': answerFreeBusy,
  'CR:addressbook-query': answerCardQuery,
  'CR:addressbook-multiget': answerMultiget,
});

/** REPORT on `/` and on the prefix. Throws bad_request. */
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

async function reportPlace(exchange: Exchange, app: App, caller: Caller, find: ReportRequest['find']): Promise<void> {
  const root = await reportBody(exchange);
  const viewer = await viewerOf(app, caller);
  const resource = await find(NOTHING);
  const answer = answerOf(ON_HOME.has(propertyKey(root)) ? ON_HOME : EVERYWHERE, root, resource);
  return answer({ exchange, app, caller, viewer, root, find });
}

/** REPORT r/:room/; throws not_found, bad_request. */
export async function reportRoom(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  return reportIn(context, finderOf(context));
}

/** REPORT r/:room/:name; throws not_found, bad_request. */
export async function reportMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  return reportIn(context, finderOf(context), exchange.params.name!);
}

function finderOf(context: RoomContext): RoomReportRequest['find'] {
  // spelt as the client did, since clients compare: `_MAIL_` stays `_MAIL_`
  const href = roomPath(context.app, context.exchange.params.room!);
  return (needs) => openRoom(context, href, needs);
}

/** The root element of the body, which names the report. Throws bad_request. */
async function reportBody(exchange: Exchange): Promise<XmlElement> {
  const root = await readXmlBody(exchange);
  if (!root) throw new AppError('bad_request', 'Send a body that names a report.');
  return root;
}

/**
 * REPORT on a room or the scheduling inbox, or on the member of this name. Throws not_found, bad_request, forbidden.
 */
export async function reportIn(context: RoomContext, find: RoomReportRequest['find'], name?: string): Promise<void> {
  const { exchange, app, caller } = context;
  const root = await reportBody(exchange);
  // requests of one turn of the event loop go out in one write
  const changes = name === undefined ? changesAhead(context, root) : undefined;
  const [room, viewer, [member]] = await Promise.all([
    find(NOTHING),
    viewerOf(app, caller),
    name === undefined ? [] : findMembers(context, [name]),
  ]);
  if (name !== undefined && !member) throw new AppError('not_found', 'There is no such message.');
  const href = member ? askedHref(room, member, name!) : room.href;
  const resource = member ? memberResource(member, href, room) : room;
  if (!EVERYWHERE.has(propertyKey(root))) {
    return answerOf(IN_ROOMS, root, resource)({ context, root, room, find, viewer, changes, member, href });
  }
  const findThis = async (needs: ReadonlySet<Need>) =>
    member ? describedAlone(context, member, href, await find(needs), needs) : find(needs);
  return answerOf(EVERYWHERE, root, resource)({ exchange, app, caller, viewer, root, find: findThis });
}

const NOTHING: ReadonlySet<Need> = new Set();

function answerOf<T>(from: Answers<T>, root: XmlElement, resource: Resource): (request: T) => Promise<void> {
  const key = propertyKey(root);
  const answer = from.get(key);
  const isSupported = supportedReports(resource).some((one) => propertyKey(one) === key);
  if (!answer || !isSupported) throw unmet('D:supported-report', 'This resource does not support this report.');
  return answer;
}
