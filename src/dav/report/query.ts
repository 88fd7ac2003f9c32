// calendar-query and free-busy-query (RFC 4791 sections 7.8 and 7.10), addressbook-query (RFC 6352 section 8.6). What
// is known of a member without its content decides first; only the others are read.

import { AppError } from '../../errors.ts';
import { listMembers } from '../../gateway/collection/collection.ts';
import { objectsOf } from '../../gateway/collection/objects.ts';
import { type AnswerContent, send } from '../../http/respond.ts';
import { MAX_BUSY_PERIODS } from '../../limits/dav.ts';
import { MAX_RECURRENCE_STEPS } from '../../limits/mime.ts';
import { type CompFilter, matchesCalendar } from '../../mime/objects/calendar-filter.ts';
import { writeComponent } from '../../mime/objects/components.ts';
import type { Component } from '../../mime/objects/content-lines.ts';
import { type BusyPeriod, busyPeriods, freeBusyCalendar, mergedPeriods } from '../../mime/objects/free-busy.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import { namedZone } from '../../mime/objects/named-zones.ts';
import type { Zone } from '../../mime/objects/offsets.ts';
import { type CardFilter, matchesCard } from '../../mime/objects/text-match.ts';
import type { Member, Selection } from '../../room-server/collections.ts';
import type { Steps } from '../../system/steps.ts';
import { inTurns } from '../../system/turn-queue.ts';
import { needsOf } from '../describer.ts';
import { sendReport, statusResponse } from '../multistatus.ts';
import { childNamed, type XmlElement } from '../xml-read.ts';
import { element, type Markup, unmet } from '../xml-write.ts';
import {
  type Answered,
  floatingZone,
  isDataWanted,
  type RoomReportRequest,
  responsesTo,
  zoneInCalendar,
} from './answer.ts';
import { readCalendarFilter, readCardFilter } from './filter.ts';
import { type ReportProperties, readClosedRange, readLimit, readWanted } from './wanted.ts';

export interface CalendarQuery extends ReportProperties {
  filter: CompFilter;
  /** of floating times, if the query names one */
  zone: Zone | undefined;
}

export interface CardQuery extends ReportProperties {
  filter: CardFilter;
  /** maximum of contacts in the answer */
  limit: number;
}

/** `root`: C:calendar-query. Throws bad_request, forbidden. */
export function readCalendarQuery(root: XmlElement): CalendarQuery {
  const filter = childNamed(root, 'C:filter');
  if (!filter) throw unmet('C:valid-filter', 'A calendar-query needs a filter.');
  return { ...readWanted(root), filter: readCalendarFilter(filter), zone: zoneOf(root) };
}

/** `root`: CR:addressbook-query. Throws bad_request, forbidden. */
export function readCardQuery(root: XmlElement): CardQuery {
  const filter = childNamed(root, 'CR:filter');
  if (!filter) throw new AppError('bad_request', 'A query needs a filter.');
  return { ...readWanted(root), filter: readCardFilter(filter), limit: readLimit(root, 'CR') };
}

/** `root`: C:free-busy-query. Throws bad_request. */
export function readFreeBusyQuery(root: XmlElement): TimeRange {
  const range = childNamed(root, 'C:time-range');
  if (!range) throw new AppError('bad_request', 'A free-busy-query needs a time-range.');
  return readClosedRange(range);
}

/** C:timezone is a calendar with one time zone, C:timezone-id a name. */
function zoneOf(root: XmlElement): Zone | undefined {
  const id = childNamed(root, 'C:timezone-id');
  if (id) {
    const named = namedZone(id.text.trim());
    if (!named) throw unmet('C:valid-timezone', `The time zone ${id.text.trim()} is unknown.`);
    return named;
  }
  const text = childNamed(root, 'C:timezone');
  if (!text) return undefined;
  const zone = zoneInCalendar(text.text);
  if (!zone) throw unmet('C:valid-calendar-data', 'C:timezone takes a calendar with one VTIMEZONE.');
  return zone;
}

/** Which members match a query. */
interface MemberTest {
  /** without reading the object; undefined if that is not enough */
  decided(member: Member): boolean | undefined;
  matches(object: Component): boolean | Steps<boolean>;
}

/** Throws bad_request, forbidden. */
export async function answerCalendarQuery(report: RoomReportRequest): Promise<void> {
  const query = readCalendarQuery(report.root);
  return sendReport(report.context.exchange, await calendarResponses(report, query));
}

/** The responses of the members that match. Throws as pool.readInRoom. */
export async function calendarResponses(
  report: RoomReportRequest,
  query: CalendarQuery,
): Promise<AsyncGenerator<Markup[]>> {
  const { filter } = query;
  const [zone, members] = await Promise.all([
    floatingZone(report, query.zone),
    askedMembers(report, query, selectionOf(filter)),
  ]);
  const component = onlyComponent(filter);
  const test: MemberTest = {
    decided: ({ component: known }) => {
      // unknown if empty: neither event nor card, or several
      if (!known || component === undefined) return undefined;
      return component === 'any' ? known !== 'VCARD' : known === component;
    },
    matches: (object) => matchesCalendar(object, filter, zone, { steps: MAX_RECURRENCE_STEPS }),
  };
  return responsesTo(report, query, matching(report, query, members, test), zone);
}

/** Throws bad_request, forbidden. */
export async function answerCardQuery(report: RoomReportRequest): Promise<void> {
  const query = readCardQuery(report.root);
  const responses = await cardResponses(report, query);
  return sendReport(report.context.exchange, limited(responses, query.limit, report.room.href));
}

/** The responses of the members that match, however many. Throws as pool.readInRoom. */
export async function cardResponses(report: RoomReportRequest, query: CardQuery): Promise<AsyncGenerator<Markup[]>> {
  const members = await askedMembers(report, query, {});
  const test: MemberTest = {
    decided: () => undefined,
    matches: (object) => object.name === 'VCARD' && matchesCard(object, query.filter),
  };
  return responsesTo(report, query, matching(report, query, members, test));
}

/** The members that match. */
function matching(
  report: RoomReportRequest,
  properties: ReportProperties,
  members: AsyncIterable<readonly Member[]>,
  test: MemberTest,
): AsyncIterable<Answered[]> {
  const { gone } = report.context.exchange;
  const passing = function* (answered: Answered) {
    const { cached } = answered;
    if (!cached) return answered;
    const found = cached.object !== undefined && test.matches(cached.object);
    return (typeof found === 'boolean' ? found : yield* found) ? answered : undefined;
  };
  return inTurns(candidates(report, members, properties, test), passing, { gone });
}

async function askedMembers(
  { context, member }: RoomReportRequest,
  { wanted }: ReportProperties,
  selection: Selection,
): Promise<AsyncIterable<readonly Member[]>> {
  // Depth 0 means the collection, which is no object; without a Depth its members are meant
  if (member || context.exchange.header('depth')?.trim() === '0') return justOne(member);
  return (await listMembers(context, { ...selection, isSizeWanted: needsOf(wanted).has('length') })).members;
}

async function* justOne(member: Member | undefined) {
  if (member) yield [member];
}

/** Members that match without being read, and those that were read. */
async function* candidates(
  { context }: RoomReportRequest,
  members: AsyncIterable<readonly Member[]>,
  properties: ReportProperties,
  test: MemberTest,
): AsyncGenerator<readonly Answered[]> {
  const isReadAnyway = isDataWanted(properties);
  for await (const batch of members) {
    const unread: Member[] = [];
    const decided: Answered[] = [];
    for (const member of batch) {
      const is = test.decided(member);
      if (is === undefined || (is && isReadAnyway)) unread.push(member);
      else if (is) decided.push({ member });
    }
    if (decided.length > 0) yield decided;
    if (unread.length > 0) yield* objectsOf(context, unread);
  }
}

/** At most `limit` responses, then a 507 if there are more (RFC 6352 section 8.6.2). */
export async function* limited(
  batches: AsyncIterable<Markup[]>,
  limit: number,
  href: string,
): AsyncGenerator<Markup[]> {
  let left = limit;
  for await (const batch of batches) {
    yield batch.slice(0, left);
    left -= batch.length;
    if (left >= 0) continue;
    yield [statusResponse(href, 507, element('D:number-of-matches-within-limits'))];
    return;
  }
}

const KINDS: ReadonlySet<string> = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY']);

/** The part of the filter that a list of members can apply: an object has components of one kind. */
function selectionOf({ comps }: CompFilter): Selection {
  const inner = comps.find(({ name, isNotDefined }) => KINDS.has(name) && !isNotDefined);
  if (!inner) return {};
  return { component: inner.name, ...(inner.timeRange && { range: inner.timeRange }) };
}

/** The component, `VEVENT` or `any`, if the filter asks for nothing else. */
function onlyComponent({ isNotDefined, timeRange, props, comps }: CompFilter): string | undefined {
  if (isNotDefined || timeRange || props.length > 0 || comps.length > 1) return undefined;
  const [inner] = comps;
  if (!inner) return 'any';
  if (!KINDS.has(inner.name) || inner.isNotDefined) return undefined;
  return inner.timeRange || inner.props.length > 0 || inner.comps.length > 0 ? undefined : inner.name;
}

/** Throws bad_request, and forbidden where there are more periods than MAX_BUSY_PERIODS. */
export async function answerFreeBusy(report: RoomReportRequest): Promise<void> {
  const range = readFreeBusyQuery(report.root);
  return send(report.context.exchange, 200, asFreeBusy(range, await busyIn(report, range, [])));
}

export function asFreeBusy(range: TimeRange, busy: readonly BusyPeriod[]): AnswerContent {
  const calendar = freeBusyCalendar(busy, range, Math.floor(Date.now() / 1000));
  return { type: 'text/calendar; charset=utf-8', body: writeComponent(calendar) };
}

/** `before` and the busy periods of this calendar. Throws forbidden. */
export async function busyIn(
  report: RoomReportRequest,
  range: TimeRange,
  before: readonly BusyPeriod[],
): Promise<readonly BusyPeriod[]> {
  const zone = await floatingZone(report, undefined);
  const perObject = inTurns(
    events(report, range),
    ({ cached: { object } }) =>
      object ? busyPeriods(object, range, zone, { steps: MAX_RECURRENCE_STEPS }) : undefined,
    { gone: report.context.exchange.gone },
  );
  let busy = [...before];
  for await (const made of perObject) {
    for (const periods of made) busy.push(...periods);
    if (busy.length <= MAX_BUSY_PERIODS) continue;
    busy = mergedPeriods(busy);
    if (busy.length > MAX_BUSY_PERIODS)
      throw unmet('D:number-of-matches-within-limits', 'There are too many busy times. Ask for a shorter time.');
  }
  return busy;
}

async function* events({ context }: RoomReportRequest, range: TimeRange) {
  const { members } = await listMembers(context, { range });
  for await (const batch of members) yield* objectsOf(context, batch);
}
