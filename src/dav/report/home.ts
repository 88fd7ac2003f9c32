// Queries on the home (RFC 4791 sections 7.8 to 7.10, RFC 6352 sections 8.6 and 8.7): of the objects in all calendars
// and task lists, or in all address books, that the home lists. Some rooms at a time are asked, and no more is held
// than the first members of each.

import { homeRows } from '../../gateway/collection/home-state.ts';
import { type CollectionKind, collectionKind } from '../../gateway/collection/member.ts';
import { realName } from '../../gateway/paths.ts';
import { preferenceApplied } from '../../http/prefer.ts';
import { send } from '../../http/respond.ts';
import { BATCH_MESSAGES, QUERIED_ROOMS_AT_ONCE } from '../../limits/dav.ts';
import type { BusyPeriod } from '../../mime/objects/free-busy.ts';
import { nameKey } from '../../protocol/names.ts';
import type { Steps } from '../../system/steps.ts';
import { inTurns } from '../../system/turn-queue.ts';
import { homeResource } from '../discovery.ts';
import { roomOfHref } from '../href.ts';
import { sendMultistatus, statusResponse } from '../multistatus.ts';
import { paced } from '../propfind-body.ts';
import { listedRooms, unlessClosed } from '../room-resource.ts';
import type { Markup } from '../xml-write.ts';
import { asFreeBusy, busyIn } from './free-busy.ts';
import { multigetResponses } from './multiget.ts';
import { readMultiget } from './multiget-body.ts';
import { calendarResponses, cardResponses, limited } from './query.ts';
import { readCalendarQuery, readCardQuery, readFreeBusyQuery } from './query-body.ts';
import { type Asked, type Question, questionBelow } from './question.ts';

type Kinds = ReadonlySet<CollectionKind>;

const CALENDARS: Kinds = new Set<CollectionKind>(['calendar', 'tasks']);
const ADDRESS_BOOKS: Kinds = new Set<CollectionKind>(['addressbook']);

/** Throws bad_request, FailedCondition. */
export async function answerHomeCalendarQuery(asked: Asked): Promise<void> {
  const query = readCalendarQuery(asked.root);
  const rooms = await queriedRooms(asked, CALENDARS);
  return sendMultistatus(
    asked.exchange,
    responsesOf(rooms, (question) => calendarResponses(question, query)),
    preferenceApplied(asked.exchange, 'return=minimal'),
  );
}

/** Throws bad_request, FailedCondition. */
export async function answerHomeCardQuery(asked: Asked): Promise<void> {
  const query = readCardQuery(asked.root);
  const rooms = await queriedRooms(asked, ADDRESS_BOOKS);
  const responses = responsesOf(rooms, (question) => cardResponses(question, query));
  return sendMultistatus(
    asked.exchange,
    limited(responses, query.limit, homeResource(asked.app).href),
    preferenceApplied(asked.exchange, 'return=minimal'),
  );
}

/** Throws bad_request, FailedCondition. */
export function answerHomeCalendarMultiget(asked: Asked): Promise<void> {
  return answerMultigetBelow(asked, CALENDARS);
}

/** Throws bad_request, FailedCondition. */
export function answerHomeCardMultiget(asked: Asked): Promise<void> {
  return answerMultigetBelow(asked, ADDRESS_BOOKS);
}

/** Throws bad_request, and FailedCondition where there are more periods than MAX_BUSY_PERIODS. */
export async function answerHomeFreeBusy(asked: Asked): Promise<void> {
  const range = readFreeBusyQuery(asked.root);
  let busy: readonly BusyPeriod[] = [];
  for (const question of await roomsBelow(asked, CALENDARS)) {
    busy = (await unlessClosed(busyIn(question, range, busy))) ?? busy;
  }
  return send(asked.exchange, 200, asFreeBusy(range, busy));
}

/** None for Depth 0: the home itself is no object. */
async function queriedRooms(asked: Asked, kinds: Kinds): Promise<readonly Question[]> {
  return asked.exchange.header('depth')?.trim() === '0' ? [] : roomsBelow(asked, kinds);
}

async function roomsBelow(asked: Asked, kinds: Kinds): Promise<readonly Question[]> {
  const { exchange, app, caller } = asked;
  const rows = (await homeRows(app, caller.identity)).filter((row) => kinds.has(collectionKind(row)));
  const resources = await listedRooms(exchange, app, caller, rows, new Set());
  return rows.map(({ name }, i) => questionBelow(asked, name, resources[i]!));
}

/** Those of all rooms, without those that have gone meanwhile or are closed to the caller. */
async function* responsesOf(
  questions: readonly Question[],
  responsesIn: (question: Question) => Promise<AsyncGenerator<Markup[]>>,
): AsyncGenerator<Markup[]> {
  for (let at = 0; at < questions.length; at += QUERIED_ROOMS_AT_ONCE) {
    const some = questions.slice(at, at + QUERIED_ROOMS_AT_ONCE).map((question) => unlessClosed(responsesIn(question)));
    for (const responses of await Promise.all(some)) yield* responses ?? [];
  }
}

/** A step for each href: by the key of its room's name, undefined for what names no room. */
function* byRoom({ exchange, app }: Asked, hrefs: readonly string[]): Steps<Map<string | undefined, string[]>> {
  const byKey = new Map<string | undefined, string[]>();
  for (const href of hrefs) {
    const room = roomOfHref(exchange, app, href);
    byKey.getOrInsertComputed(room === undefined ? undefined : nameKey(realName(room)), () => []).push(href);
    yield;
  }
  return byKey;
}

async function answerMultigetBelow(asked: Asked, kinds: Kinds): Promise<void> {
  const { gone } = asked.exchange;
  const multiget = await paced(readMultiget(asked.root), gone);
  const isLong = multiget.hrefs.length > BATCH_MESSAGES;
  const rooms = await roomsBelow(asked, kinds);
  const byKey = await paced(byRoom(asked, multiget.hrefs), gone);
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
  return sendMultistatus(asked.exchange, responses(), preferenceApplied(asked.exchange, 'return=minimal'));
}
