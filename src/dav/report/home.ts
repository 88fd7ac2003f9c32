// Reports on the home. Queries and multigets cover all calendars and task lists, or all address books, that it lists
// (RFC 4791 sections 7.8 to 7.10, RFC 6352 sections 8.6 and 8.7). sync-collection (RFC 6578) tells which rooms have
// come, gone or changed since a token; for all levels (RFC 6578 section 3.3) also the members of calendars, task lists
// and address books, by the tokens of these.

import {
  type HomeState,
  homeOfToken,
  homeRows,
  homeState,
  isHomeDigest,
  type ReportedRoom,
  type ReportedRooms,
  tokenOfHome,
} from '../../gateway/collection/properties.ts';
import { realName, roomPath } from '../../gateway/paths.ts';
import { send } from '../../http/respond.ts';
import { BATCH_MESSAGES, QUERIED_ROOMS_AT_ONCE, ROOMS_AT_ONCE, XML_TURN_MS } from '../../limits/dav.ts';
import type { BusyPeriod } from '../../mime/objects/free-busy.ts';
import { type CollectionKind, collectionKind } from '../../model.ts';
import { nameKey } from '../../protocol/names.ts';
import { inTurns, requestTurns } from '../../system/turn-queue.ts';
import { describer, isMinimalWanted, needsOf } from '../describer.ts';
import { homeResource } from '../discovery.ts';
import { roomAtHref } from '../href.ts';
import { sendReport, statusResponse } from '../multistatus.ts';
import { listedRooms, type RoomResource, unlessClosed } from '../room-resource.ts';
import { element, type Markup, unmet } from '../xml-write.ts';
import { type ReportRequest, type RoomReportRequest, reportBelow } from './answer.ts';
import { multigetResponses, readMultiget } from './multiget.ts';
import {
  asFreeBusy,
  busyIn,
  calendarResponses,
  cardResponses,
  limited,
  readCalendarQuery,
  readCardQuery,
  readFreeBusyQuery,
} from './query.ts';
import {
  changesIn,
  invalidToken,
  readSyncCollection,
  requireKnownToken,
  type SyncCollection,
  type SyncEnd,
  withEnd,
} from './sync.ts';

type Kinds = ReadonlySet<CollectionKind>;

export const CALENDARS: Kinds = new Set<CollectionKind>(['calendar', 'tasks']);
export const ADDRESS_BOOKS: Kinds = new Set<CollectionKind>(['addressbook']);

/** Throws bad_request, forbidden. */
export async function answerHomeCalendarQuery(request: ReportRequest): Promise<void> {
  const query = readCalendarQuery(request.root);
  const rooms = await queriedRooms(request, CALENDARS);
  return sendReport(
    request.exchange,
    responsesOf(rooms, (report) => calendarResponses(report, query)),
  );
}

/** Throws bad_request, forbidden. */
export async function answerHomeCardQuery(request: ReportRequest): Promise<void> {
  const query = readCardQuery(request.root);
  const rooms = await queriedRooms(request, ADDRESS_BOOKS);
  const responses = responsesOf(rooms, (report) => cardResponses(report, query));
  return sendReport(request.exchange, limited(responses, query.limit, homeResource(request.app).href));
}

/** Throws bad_request, and forbidden where there are more periods than MAX_BUSY_PERIODS. */
export async function answerHomeFreeBusy(request: ReportRequest): Promise<void> {
  const range = readFreeBusyQuery(request.root);
  let busy: readonly BusyPeriod[] = [];
  for (const report of await roomsBelow(request, CALENDARS)) {
    busy = (await unlessClosed(busyIn(report, range, busy))) ?? busy;
  }
  return send(request.exchange, 200, asFreeBusy(range, busy));
}

/** No rooms for Depth 0: the home itself is no object. */
async function queriedRooms(request: ReportRequest, kinds: Kinds): Promise<readonly RoomReportRequest[]> {
  return request.exchange.header('depth')?.trim() === '0' ? [] : roomsBelow(request, kinds);
}

async function roomsBelow(request: ReportRequest, kinds: Kinds): Promise<readonly RoomReportRequest[]> {
  const { exchange, app, caller } = request;
  const rows = (await homeRows(app, caller.identity)).filter((row) => kinds.has(collectionKind(row)));
  const resources = await listedRooms(exchange, app, caller, rows, new Set());
  return rows.map(({ name }, i) => reportBelow(request, name, resources[i]!));
}

/** The responses of all rooms, except those that are gone or closed to the caller. */
async function* responsesOf(
  reports: readonly RoomReportRequest[],
  responsesIn: (report: RoomReportRequest) => Promise<AsyncGenerator<Markup[]>>,
): AsyncGenerator<Markup[]> {
  for (let at = 0; at < reports.length; at += QUERIED_ROOMS_AT_ONCE) {
    const some = reports.slice(at, at + QUERIED_ROOMS_AT_ONCE).map((report) => unlessClosed(responsesIn(report)));
    for (const responses of await Promise.all(some)) yield* responses ?? [];
  }
}

/** The hrefs by the key of their room's name; undefined for those that name no room. */
async function byRoom(
  { exchange, app }: ReportRequest,
  hrefs: readonly string[],
): Promise<Map<string | undefined, string[]>> {
  const keyed = await requestTurns.map(hrefs, XML_TURN_MS, (href) => {
    const at = roomAtHref(exchange, app, href);
    return { href, key: at && nameKey(realName(at.room)) };
  });
  const byKey = new Map<string | undefined, string[]>();
  for (const { href, key } of keyed) byKey.getOrInsertComputed(key, () => []).push(href);
  return byKey;
}

/** Throws bad_request, forbidden. */
export async function answerHomeMultiget(request: ReportRequest, kinds: Kinds): Promise<void> {
  const { gone } = request.exchange;
  const multiget = readMultiget(request.root);
  const isLong = multiget.hrefs.length > BATCH_MESSAGES;
  const rooms = await roomsBelow(request, kinds);
  const byKey = await byRoom(request, multiget.hrefs);
  async function* responses() {
    for (const report of rooms) {
      const key = nameKey(report.context.room.name);
      const hrefs = byKey.get(key);
      const found = hrefs && (await unlessClosed(multigetResponses(report, { ...multiget, hrefs })));
      if (!found) continue;
      byKey.delete(key);
      yield* found;
    }
    yield* inTurns(byKey.values(), (href: string) => statusResponse(href, 404), { isLong, gone });
  }
  return sendReport(request.exchange, responses());
}

/** A room to report to the client. */
interface ChangedRoom {
  name: string;
  resource: RoomResource;
  now: ReportedRoom;
  before: ReportedRoom | undefined;
}

/** Throws bad_request, forbidden. */
export async function answerHomeSync(request: ReportRequest): Promise<void> {
  const sync = readSyncCollection(request.root);
  const { app, caller } = request;
  const state = await homeState(app, caller.identity);
  const token = await tokenOfHome(app, caller.identity, state.reported);
  const before = sync.token === token ? state.reported : await toldBefore(request, sync.token);
  // a token that cannot list the rooms cannot say how far a limited answer has come
  const mayBeCut = sync.token !== token && Number.isFinite(sync.limit);
  if (mayBeCut && isHomeDigest(token))
    throw unmet('D:number-of-matches-within-limits', 'There are too many rooms for a limit. Ask without one.');
  const rooms = await changedRooms(request, sync, state, before);
  if (sync.isDeep) await requireKnownRooms(request, rooms);
  const responses = homeChanges(request, sync, before, rooms, state.reported);
  return sendReport(request.exchange, withEnd(responses, homeResource(app).href));
}

async function toldBefore({ app, caller }: ReportRequest, token: string): Promise<ReportedRooms> {
  const told = token === '' ? new Map<string, ReportedRoom>() : await homeOfToken(app, caller.identity, token);
  if (!told) throw invalidToken();
  return told;
}

async function changedRooms(
  { exchange, app, caller }: ReportRequest,
  sync: SyncCollection,
  { rows, reported }: HomeState,
  before: ReportedRooms,
): Promise<ChangedRoom[]> {
  const isChanged = (name: string) => {
    const [now, last] = [reported.get(name)!, before.get(name)];
    return now.digest !== last?.digest || (sync.isDeep && now.token !== '' && now.token !== last.token);
  };
  const changed = rows.filter(({ name }) => isChanged(name));
  const resources = await listedRooms(exchange, app, caller, changed, needsOf(sync.wanted));
  return changed.map(({ name }, i) => ({
    name,
    resource: resources[i]!,
    now: reported.get(name)!,
    before: before.get(name),
  }));
}

/** Checks, before the answer begins, that the changes of each are known. Throws forbidden. */
async function requireKnownRooms(request: ReportRequest, rooms: readonly ChangedRoom[]): Promise<void> {
  for (let at = 0; at < rooms.length; at += ROOMS_AT_ONCE) {
    const some = rooms.slice(at, at + ROOMS_AT_ONCE).map(({ name, resource, now, before }) => {
      if (now.token === '' || !before) return undefined;
      return unlessClosed(requireKnownToken(reportBelow(request, name, resource).context, before.token));
    });
    await Promise.all(some);
  }
}

/** The responses, at most `sync.limit`. `now`: all rooms, in the order of the list. */
async function* homeChanges(
  request: ReportRequest,
  sync: SyncCollection,
  before: ReportedRooms,
  rooms: readonly ChangedRoom[],
  now: ReportedRooms,
): AsyncGenerator<Iterable<Markup>, Pick<SyncEnd, 'isCut' | 'token'>> {
  const { exchange, app, caller, viewer } = request;
  const describe = describer<RoomResource>(sync.wanted, viewer, { isMinimal: isMinimalWanted(exchange) });
  const reported = new Map(before);
  let left = sync.limit;
  const cut = async () => ({ isCut: true, token: await tokenOfHome(app, caller.identity, reported) });
  for (const name of before.keys()) {
    if (now.has(name)) continue;
    if (left-- === 0) return cut();
    reported.delete(name);
    yield [statusResponse(roomPath(app, name), 404)];
  }
  for (const { name, resource, now: room, before: last } of rooms) {
    if (left === 0) return cut();
    const areMembersReported = sync.isDeep && room.token !== '';
    if (room.digest !== last?.digest) {
      left--;
      reported.set(name, areMembersReported ? { ...room, token: last?.token ?? '' } : room);
      // once, that its members are not reported (RFC 6578 section 3.3)
      const isLeftOut = sync.isDeep && !areMembersReported && !last;
      yield [
        isLeftOut ? statusResponse(resource.href, 403, element('D:sync-traversal-supported')) : describe(resource),
      ];
    }
    if (!areMembersReported) continue;
    if (left === 0) return cut();
    const page = { ...sync, token: last?.token ?? '', limit: left };
    const changes = await unlessClosed(changesIn(reportBelow(request, name, resource), page));
    if (!changes) continue; // it is gone, which the next answer reports
    const end = yield* changes;
    left = end.left;
    reported.set(name, { ...room, token: end.token });
    if (end.isCut) return cut();
  }
  // in this order it equals the token of the home, unless members were reported as of another moment
  const all = new Map([...now.keys()].map((name) => [name, reported.get(name)!]));
  return { isCut: false, token: await tokenOfHome(app, caller.identity, all) };
}
