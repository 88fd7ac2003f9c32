// PROPFIND and REPORT on the scheduling inbox and outbox of a caller (RFC 6638 sections 2.1 to 2.3).

import { AppError } from '../../errors.ts';
import type { App } from '../../gateway/app.ts';
import type { Caller } from '../../gateway/caller.ts';
import { listMembers } from '../../gateway/collection/collection.ts';
import { collectionKind, type Member, memberHref } from '../../gateway/collection/member.ts';
import { openMember } from '../../gateway/collection/one-member.ts';
import { realName, roomPath, userPath } from '../../gateway/paths.ts';
import { PRIVILEGE } from '../../gateway/rights.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import { hasInbox, openInbox, openInboxForMessage, ownerOfBox } from '../../gateway/scheduling/boxes.ts';
import { isOwnCalendar } from '../../gateway/scheduling/own-calendar.ts';
import type { Exchange } from '../../http/exchange.ts';
import { OWN_ROOM } from '../../protocol/room-facts.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { ResourceBatch } from '../describer.ts';
import { parseRoomHref } from '../href.ts';
import { memberResource } from '../member-resource.ts';
import { batchOf, propertiesResponse, sendMultistatus } from '../multistatus.ts';
import { checkUpdates, type PropertyUpdate, parseProppatch, type UpdateRefusal } from '../property-update.ts';
import { answerPropfind, readPropfind, refuseInfinity } from '../propfind-answer.ts';
import { paced, readXmlBody } from '../propfind-body.ts';
import { answerChanged } from '../proppatch.ts';
import { reportIn } from '../report/report.ts';
import { type Need, propertyKey, type Resource } from '../resource.ts';
import { openRoom, type RoomResource } from '../room-resource.ts';
import { viewerOf } from '../viewer.ts';
import { childrenNamed } from '../xml-find.ts';
import { DAV_NAMESPACE, element, expandedName } from '../xml-write.ts';

/** PROPFIND u/:user/inbox/ */
export async function propfindInbox(exchange: Exchange, app: App): Promise<void> {
  const caller = await ownerOfBox(exchange, app);
  const propfind = await readPropfind(exchange, 0);
  if (propfind.depth === 'infinity') return refuseInfinity(exchange);
  const viewer = await viewerOf(app, caller);
  if (!(await hasInbox(app, caller))) return answerPropfind(exchange, propfind, viewer, [box(exchange, app, 'inbox')]);
  const context = await openInbox(exchange, app);
  const inbox = await inboxResource(context, propfind.needs);
  if (propfind.depth === 0) return answerPropfind(exchange, propfind, viewer, [inbox]);
  const { members } = await listMembers(context, { isSizeWanted: propfind.needs.has('length') });
  return answerPropfind(exchange, propfind, viewer, [inbox], membersOf(inbox, members));
}

async function* membersOf(
  inbox: RoomResource,
  batches: Awaited<ReturnType<typeof listMembers>>['members'],
): AsyncGenerator<ResourceBatch> {
  for await (const batch of batches) {
    const hrefOf = (member: Member) => memberHref(inbox.href, member, inbox.collection);
    yield { resources: batch.values().map((member) => memberResource(member, hrefOf(member), inbox)) };
  }
}

/** PROPPATCH u/:user/inbox/: what can be set is the calendar for new events (RFC 6638 section 9.2) */
export async function proppatchInbox(exchange: Exchange, app: App): Promise<void> {
  const caller = await ownerOfBox(exchange, app);
  const updates = parseProppatch(await readXmlBody(exchange));
  const href = `${userPath(app, exchange.params.user!)}inbox/`;
  const isKept = await hasInbox(app, caller);
  const update = updates.find(({ name }) => propertyKey(name) === DEFAULT_CALENDAR);
  const decided = new Map<string, UpdateRefusal | undefined>();
  for (const { name } of updates) decided.set(propertyKey(name), { status: 403 });
  const room = isKept && update ? await calendarOf(exchange, app, caller, update) : undefined;
  if (isKept && update) decided.set(DEFAULT_CALENDAR, room === undefined ? NO_CALENDAR : undefined);
  const { refused } = await paced(checkUpdates(updates, decided), exchange.gone);
  if (refused) return sendMultistatus(exchange, batchOf([propertiesResponse(href, refused)]));
  const { scheduling } = await serverOf(app.pool, caller.identity);
  await scheduling.setDefaultCalendar(app.pool, caller.identity, room!);
  return answerChanged(exchange, href, updates);
}

const DEFAULT_CALENDAR = propertyKey(expandedName('C:schedule-default-calendar-URL'));
const NO_CALENDAR: UpdateRefusal = { status: 403, error: element('C:valid-schedule-default-calendar-URL') };

/** The room that the update names, empty where it leaves it to the server; undefined for no calendar of his own. */
async function calendarOf(
  exchange: Exchange,
  app: App,
  { identity }: Caller,
  { value }: PropertyUpdate,
): Promise<string | undefined> {
  const hrefs = value ? childrenNamed(value, DAV_NAMESPACE, 'href') : [];
  if (hrefs.length === 0) return '';
  try {
    const { room, names } = parseRoomHref(exchange, app, hrefs[0]!.text.trim());
    const { entered } = await app.pool.readInRoom(identity, { name: realName(room), password: '' }, []);
    const isOne = hrefs.length === 1 && names.every((name) => name === '');
    return isOne && collectionKind(entered) === 'calendar' && isOwnCalendar(entered) ? entered.name : undefined;
  } catch (error) {
    if (error instanceof AppError && NOT_THERE.has(error.code)) return undefined;
    throw error;
  }
}

const NOT_THERE: ReadonlySet<string> = new Set(['bad_request', 'forbidden', 'not_found', 'wrong_destination']);

/** PROPFIND u/:user/inbox/:name */
export async function propfindInboxMessage(exchange: Exchange, app: App): Promise<void> {
  const context = await openInboxForMessage(exchange, app);
  const propfind = await readPropfind(exchange, 0);
  const member = await openMember(context, exchange.params.name!, propfind.needs.has('length'));
  const inbox = await inboxResource(context, new Set());
  const resource = memberResource(member, exchange.rawPath, inbox);
  return answerPropfind(exchange, propfind, await viewerOf(app, context.caller), [resource]);
}

/** REPORT u/:user/inbox/; throws not_found, bad_request. */
export async function reportInbox(exchange: Exchange, app: App): Promise<void> {
  const context = await openInbox(exchange, app);
  return reportIn(context, (needs) => inboxResource(context, needs));
}

/** PROPFIND u/:user/outbox/, which is empty always */
export async function propfindOutbox(exchange: Exchange, app: App): Promise<void> {
  const caller = await ownerOfBox(exchange, app);
  const propfind = await readPropfind(exchange, 0);
  if (propfind.depth === 'infinity') return refuseInfinity(exchange);
  return answerPropfind(exchange, propfind, await viewerOf(app, caller), [box(exchange, app, 'outbox')]);
}

/** One without messages. */
function box(exchange: Exchange, app: App, kind: 'inbox' | 'outbox'): Resource {
  return {
    kind,
    href: `${userPath(app, exchange.params.user!)}${kind}/`,
    displayName: kind === 'inbox' ? 'Scheduling Inbox' : 'Scheduling Outbox',
    privileges: PRIVILEGE.read | (kind === 'inbox' ? PRIVILEGE.unbind : PRIVILEGE.bind),
    isOwn: true,
    defaultCalendar: roomPath(app, OWN_ROOM.calendar),
  };
}

async function inboxResource(context: RoomContext, needs: ReadonlySet<Need>): Promise<RoomResource> {
  const { app, caller, exchange } = context;
  const href = `${userPath(app, exchange.params.user!)}inbox/`;
  const { scheduling } = await serverOf(app.pool, caller.identity);
  const [room, calendar] = await Promise.all([
    openRoom(context, href, needs.difference(NOT_OF_INBOX)),
    needs.has('defaultCalendar') ? scheduling.defaultCalendar(app.pool, caller.identity) : undefined,
  ]);
  const defaultCalendar = calendar === undefined ? undefined : roomPath(app, calendar);
  return { ...room, kind: 'inbox', privileges: PRIVILEGE.read | PRIVILEGE.unbind, defaultCalendar };
}

const NOT_OF_INBOX: ReadonlySet<Need> = new Set<Need>(['privileges', 'locks']);
