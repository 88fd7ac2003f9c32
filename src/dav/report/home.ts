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
import { roomOfHref } from '../href.ts';
import { sendReport, statusResponse } from '../multistatus.ts';
import { listedRooms, type RoomResource, unlessClosed } from '../room-resource.ts';
import { element, type Markup, unmet } from '../xml-write.ts';
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
import { type Asked, type Question, questionBelow } from './question.ts';
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

const CALENDARS: Kinds = new Set<CollectionKind>(['calendar', 'tasks']);
const ADDRESS_BOOKS: Kinds = new Set<CollectionKind>(['addressbook']);

/** Throws bad_request, forbidden. */
export async function answerHomeCalendarQuery(asked: Asked): Promise<void> {
  const query = readCalendarQuery(asked.root);
  const rooms = await queriedRooms(asked, CALENDARS);
  return sendReport(
    asked.exchange,
    responsesOf(rooms, (question) => calendarResponses(question, query)),
  );
}

/** Throws bad_request, forbidden. */
export async function answerHomeCardQuery(asked: Asked): Promise<void> {
  const query = readCardQuery(asked.root);
  const rooms = await queriedRooms(asked, ADDRESS_BOOKS);
  const responses = responsesOf(rooms, (question) => cardResponses(question, query));
  return sendReport(asked.exchange, limited(responses, query.limit, homeResource(asked.app).href));
}

/** Throws bad_request, forbidden. */
export function answerHomeCalendarMultiget(asked: Asked): Promise<void> {
  return answerMultigetBelow(asked, CALENDARS);
}

/** Throws bad_request, forbidden. */
export function answerHomeCardMultiget(asked: Asked): Promise<void> {
  return answerMultigetBelow(asked, ADDRESS_BOOKS);
}

/** Throws bad_request, and forbidden where there are more periods than MAX_BUSY_PERIODS. */
export async function answerHomeFreeBusy(asked: Asked): Promise<void> {
  const range = readFreeBusyQuery(asked.root);
  let busy: readonly BusyPeriod[] = [];
  for (const question of await roomsBelow(asked, CALENDARS)) {
    busy = (await unlessClosed(busyIn(question, range, busy))) ?? busy;
  }
  return send(asked.exchange, 200, asFreeBusy(range, busy));
}

/** No rooms for Depth 0: the home itself is no object. */
async function queriedRooms(asked: Asked, kinds: Kinds): Promise<readonly Question[]> {
  return asked.exchange.header('depth')?.trim() === '0' ? [] : roomsBelow(asked, kinds);
}

async function roomsBelow(asked: Asked, kinds: Kinds): Promise<readonly Question[]> {
  const { exchange, app, caller } = asked;
  const rows = (await homeRows(app, caller.identity)).filter((row) => kinds.has(collectionKind(row)));
  const resources = await listedRooms(exchange, app, caller, rows, new Set());
  return rows.map(({ name }, i) => questionBelow(asked, name, resources[i]!));
}

/** The responses of all rooms, except those that are gone or closed to the caller. */
async function* responsesOf(
  questions: readonly Question[],
  responsesIn: (question: Question) => Promise<AsyncGenerator<Markup[]>>,
): AsyncGenerator<Markup[]> {
  for (let at = 0; at < questions.length; at += QUERIED_ROOMS_AT_ONCE) {
    const some = questions.slice(at, at + QUERIED_ROOMS_AT_ONCE).map((question) => unlessClosed(responsesIn(question)));
    for (const responses of await Promise.all(some)) yield* responses ?? [];
  }
}

/** The hrefs by the key of their room's name; undefined for those that name no room. */
async function byRoom({ exchange, app }: Asked, hrefs: readonly string[]): Promise<Map<string | undefined, string[]>> {
  const keyed = await requestTurns.map(hrefs, XML_TURN_MS, (href) => {
    const room = roomOfHref(exchange, app, href);
    return { href, key: room === undefined ? undefined : nameKey(realName(room)) };
  });
  const byKey = new Map<string | undefined, string[]>();
  for (const { href, key } of keyed) byKey.getOrInsertComputed(key, () => []).push(href);
  return byKey;
}

async function answerMultigetBelow(asked: Asked, kinds: Kinds): Promise<void> {
  const { gone } = asked.exchange;
  const multiget = readMultiget(asked.root);
  const isLong = multiget.hrefs.length > BATCH_MESSAGES;
  const rooms = await roomsBelow(asked, kinds);
  const byKey = await byRoom(asked, multiget.hrefs);
  async function* responses() {
    for (const question of rooms) {
      const key = nameKey(question.context.room.name);
      const hrefs = byKey.get(key);
      const found = hrefs && (await unlessClosed(multigetResponses(question, { ...multiget, hrefs })));
      if (!found) continue;
      byKey.delete(key);
      yield* found;
    }
    yield* inTurns(byKey.values(), (href: string) => statusResponse(href, 404), { isLong, gone });
  }
  return sendReport(asked.exchange, responses());
}

/** A room to report to the client. */
interface ChangedRoom {
  name: string;
  resource: RoomResource;
  now: ReportedRoom;
  before: ReportedRoom | undefined;
}

/** Throws bad_request, forbidden. */
export async function answerHomeSync(asked: Asked): Promise<void> {
  const sync = readSyncCollection(asked.root);
  const { app, caller } = asked;
  const state = await homeState(app, caller.identity);
  const token = await tokenOfHome(app, caller.identity, state.reported);
  const before = sync.token === token ? state.reported : await toldBefore(asked, sync.token);
  // a token that cannot list the rooms cannot say how far a limited answer has come
  const mayBeCut = sync.token !== token && Number.isFinite(sync.limit);
  if (mayBeCut && isHomeDigest(token))
    throw unmet('D:number-of-matches-within-limits', 'There are too many rooms for a limit. Ask without one.');
  const rooms = await changedRooms(asked, sync, state, before);
  if (sync.isDeep) await requireKnownRooms(asked, rooms);
  const removed = [...before.keys()].filter((name) => !state.reported.has(name));
  const responses = new HomeChanges(asked, sync, before).responses(rooms, removed, state.reported);
  return sendReport(asked.exchange, withEnd(responses, homeResource(app).href));
}

async function toldBefore({ app, caller }: Asked, token: string): Promise<ReportedRooms> {
  const told = token === '' ? new Map<string, ReportedRoom>() : await homeOfToken(app, caller.identity, token);
  if (!told) throw invalidToken();
  return told;
}

async function changedRooms(
  { exchange, app, caller }: Asked,
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
async function requireKnownRooms(asked: Asked, rooms: readonly ChangedRoom[]): Promise<void> {
  for (let at = 0; at < rooms.length; at += ROOMS_AT_ONCE) {
    const some = rooms.slice(at, at + ROOMS_AT_ONCE).map(({ name, resource, now, before }) => {
      if (now.token === '' || !before) return undefined;
      return unlessClosed(requireKnownToken(questionBelow(asked, name, resource).context, before.token));
    });
    await Promise.all(some);
  }
}

/** Makes the responses, and records what was reported. */
class HomeChanges {
  readonly #asked: Asked;
  readonly #sync: SyncCollection;
  readonly #told: Map<string, ReportedRoom>;
  readonly #describe: (resource: RoomResource) => Markup;
  #left: number;

  constructor(asked: Asked, sync: SyncCollection, before: ReportedRooms) {
    this.#asked = asked;
    this.#sync = sync;
    this.#told = new Map(before);
    this.#describe = describer<RoomResource>(sync.wanted, asked.viewer, { isMinimal: isMinimalWanted(asked.exchange) });
    this.#left = sync.limit;
  }

  /** `now`: all rooms, in the order of the list. */
  async *responses(
    rooms: readonly ChangedRoom[],
    removed: readonly string[],
    now: ReportedRooms,
  ): AsyncGenerator<Iterable<Markup>, Pick<SyncEnd, 'isCut' | 'token'>> {
    const { app, caller } = this.#asked;
    const tokenOf = (told: ReportedRooms) => tokenOfHome(app, caller.identity, told);
    const cut = async () => ({ isCut: true, token: await tokenOf(this.#told) });
    for (const name of removed) {
      if (this.#left === 0) return cut();
      this.#left--;
      this.#told.delete(name);
      yield [statusResponse(roomPath(app, name), 404)];
    }
    for (const room of rooms) {
      if (this.#left === 0) return cut();
      if (room.now.digest !== room.before?.digest) yield [this.#itself(room)];
      if (!this.#sync.isDeep || room.now.token === '') continue;
      if (this.#left === 0) return cut();
      const isCut = yield* this.#membersOf(room);
      if (isCut) return cut();
    }
    // in this order it equals the token of the home, unless members were reported as of another moment
    const told = new Map([...now.keys()].map((name) => [name, this.#told.get(name)!]));
    return { isCut: false, token: await tokenOf(told) };
  }

  /** The response of the room; once, that its members are not reported (RFC 6578 section 3.3). */
  #itself({ name, resource, now, before }: ChangedRoom): Markup {
    const { isDeep } = this.#sync;
    this.#left--;
    this.#told.set(name, isDeep && now.token !== '' ? { ...now, token: before?.token ?? '' } : now);
    const isLeftOut = isDeep && now.token === '' && !before;
    return isLeftOut
      ? statusResponse(resource.href, 403, element('D:sync-traversal-supported'))
      : this.#describe(resource);
  }

  /** Returns true if they were cut. */
  async *#membersOf({ name, resource, now, before }: ChangedRoom): AsyncGenerator<Iterable<Markup>, boolean> {
    const question = questionBelow(this.#asked, name, resource);
    const sync = { ...this.#sync, token: before?.token ?? '', limit: this.#left };
    const changes = await unlessClosed(changesIn(question, sync));
    if (!changes) return false; // it is gone, which the next answer reports
    const { isCut, left, token } = yield* changes;
    this.#left = left;
    this.#told.set(name, { ...now, token });
    return isCut;
  }
}
