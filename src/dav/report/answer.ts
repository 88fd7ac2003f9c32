// What a report is answered from (caller, body, resource), and the response of a member in it: its properties as in
// PROPFIND, and the data that only reports return (RFC 4791 section 9.6, RFC 6352 section 10.4).

import type { App } from '../../gateway/app.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { CachedObject } from '../../gateway/collection/objects.ts';
import { memberHref } from '../../gateway/paths.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import type { Exchange } from '../../http/exchange.ts';
import { withoutMethod } from '../../mime/object-source.ts';
import { calendarZone } from '../../mime/objects/calendar-zone.ts';
import { namedZone } from '../../mime/objects/named-zones.ts';
import { UTC, type Zone } from '../../mime/objects/offsets.ts';
import type { Member, MemberChanges } from '../../room-server/collections.ts';
import { Attached } from '../../system/attached.ts';
import { inTurns } from '../../system/turn-queue.ts';
import { describer, isMinimalWanted, needsOf, type WantedProperties } from '../describer.ts';
import {
  type DeadOfMembers,
  describedMember,
  type MemberFacts,
  memberFacts,
  withDeadProperties,
} from '../member-resource.ts';
import { statusResponse } from '../multistatus.ts';
import { onlyZone, setZone } from '../properties/groupware.ts';
import { type Need, propertyKey, type Resource, type Viewer } from '../resource.ts';
import { openRoom, type RoomResource } from '../room-resource.ts';
import { expandedName, type XmlElement } from '../xml-read.ts';
import { element, type Markup } from '../xml-write.ts';
import { addressDataText, calendarDataText, isWhole, type ReportProperties } from './wanted.ts';

export interface Answered {
  member: Member;
  /** if it was read */
  cached?: CachedObject;
  /** as the client spelt it; default: as in listings */
  href?: string;
}

interface ObjectResource extends Resource {
  data?: Markup;
}

const DATA: ReadonlySet<string> = new Set(['C:calendar-data', 'CR:address-data'].map(expandedName).map(propertyKey));
const PRIVILEGES: ReadonlySet<Need> = new Set<Need>(['privileges']);
/** the object has more instances than may be expanded */
const TOO_MANY = Symbol('too many instances');

/** Whether the answer needs the objects themselves. */
export function isDataWanted({ calendarData, addressData }: ReportProperties): boolean {
  return calendarData !== undefined || addressData !== undefined;
}

/**
 * The responses of members, and of hrefs where nothing is. Dead properties are looked up on the way. `zone`: of
 * floating times. Throws as pool.readInRoom.
 */
export async function responsesTo(
  report: RoomReportRequest,
  properties: ReportProperties,
  batches: AsyncIterable<readonly (Answered | string)[]>,
  zone: Zone = UTC,
): Promise<AsyncGenerator<Markup[]>> {
  const needs = needsOf(withoutData(properties.wanted));
  const facts = await memberFacts(report.context, needs, report.room.href);
  const room = needs.has('privileges') ? await report.find(PRIVILEGES) : report.room;
  const respond = responseMaker({ ...report, room }, properties, facts, zone);
  return inTurns(
    withOwn(batches, facts),
    ([answered, own]) => (typeof answered === 'string' ? statusResponse(answered, 404) : respond(answered, own)),
    { gone: report.context.exchange.gone },
  );
}

/** Without the data, which is not a property of the resource. */
function withoutData(wanted: WantedProperties): WantedProperties {
  if (wanted.kind !== 'some') return wanted;
  return { ...wanted, properties: wanted.properties.filter((property) => !DATA.has(propertyKey(property))) };
}

async function* withOwn(
  batches: AsyncIterable<readonly (Answered | string)[]>,
  facts: MemberFacts,
): AsyncGenerator<Iterable<[Answered | string, DeadOfMembers | undefined]>> {
  const nameOf = (answered: Answered | string) => (typeof answered === 'string' ? '' : answered.member.name);
  for await (const { items, own } of withDeadProperties(batches, facts, nameOf)) {
    yield items.values().map((item): [Answered | string, DeadOfMembers | undefined] => [item, own]);
  }
}

function responseMaker(
  report: RoomReportRequest,
  properties: ReportProperties,
  facts: MemberFacts,
  zone: Zone,
): (answered: Answered, own: DeadOfMembers | undefined) => Generator<undefined, Markup> {
  const { context, room, viewer } = report;
  const dataKey = propertyKey(expandedName(properties.calendarData ? 'C:calendar-data' : 'CR:address-data'));
  const makers = new Map([[dataKey, ({ data }: ObjectResource) => data]]);
  const describe = describer<ObjectResource>(properties.wanted, viewer, {
    isMinimal: isMinimalWanted(context.exchange),
    makers,
  });
  return function* ({ member, cached, href = hrefOf(report, member) }, own) {
    const data = cached && (yield* dataOf(cached, properties, zone, room.kind === 'inbox'));
    if (data === TOO_MANY) return statusResponse(href, 507, element('D:number-of-matches-within-limits'));
    const resource: ObjectResource = describedMember(member, href, room, facts, own?.get(member.name));
    if (data) resource.data = data;
    return describe(resource);
  };
}

function* dataOf(
  cached: CachedObject,
  { calendarData, addressData }: ReportProperties,
  zone: Zone,
  isMessage: boolean,
): Generator<undefined, Markup | undefined | typeof TOO_MANY> {
  if (calendarData) {
    if (isMessage && isWhole(calendarData)) return element('C:calendar-data', cached.text);
    if (isWhole(calendarData) || !cached.object) return wholeData('C:calendar-data', cached);
    const lines = cached.object.lines.filter(({ name }) => isMessage || name !== 'METHOD');
    const text = yield* calendarDataText({ ...cached.object, lines }, calendarData, zone);
    return text === undefined ? TOO_MANY : element('C:calendar-data', text);
  }
  if (!addressData) return undefined;
  if (addressData.props.length === 0 || !cached.object) return wholeData('CR:address-data', cached);
  return element('CR:address-data', addressDataText(cached.object, addressData));
}

/** escaped once, since many clients want the same */
const whole = new Attached<CachedObject, Markup>();

function wholeData(name: 'C:calendar-data' | 'CR:address-data', cached: CachedObject): Markup {
  const known = whole.get(cached);
  if (known?.text.startsWith(`<${name}`)) return known;
  const made = element(name, name === 'C:calendar-data' ? withoutMethod(cached.text) : cached.text);
  whole.set(cached, made);
  return made;
}

const DEAD: ReadonlySet<Need> = new Set<Need>(['dead']);

/**
 * The zone of floating times and days (RFC 4791 section 7.3): `named` by the query, else that of the calendar, else
 * UTC. Throws as pool.readInRoom.
 */
export async function floatingZone(report: RoomReportRequest, named: Zone | undefined): Promise<Zone> {
  if (named) return named;
  const { id, calendar } = setZone(await report.find(DEAD));
  return namedZone(id) ?? zoneInCalendar(calendar) ?? UTC;
}

/** The zone of a calendar that has exactly one VTIMEZONE. */
export function zoneInCalendar(text: string): Zone | undefined {
  const zone = onlyZone(text);
  return zone && calendarZone(zone);
}

/** For reports that every resource supports. */
export interface ReportRequest {
  exchange: Exchange;
  app: App;
  caller: Caller;
  viewer: Viewer;
  /** root of the body */
  root: XmlElement;
  /** the requested resource, with these facts */
  find(needs: ReadonlySet<Need>): Promise<Resource>;
}

/** For reports of rooms. */
export interface RoomReportRequest {
  context: RoomContext;
  /** root of the body */
  root: XmlElement;
  /** its href is spelt as the client did */
  room: RoomResource;
  /** the same with facts that have to be fetched */
  find(needs: ReadonlySet<Need>): Promise<RoomResource>;
  viewer: Viewer;
  /** changes since the token of a sync-collection, requested together with the room */
  changes: { token: string; since: Promise<MemberChanges | undefined> } | undefined;
  /** the requested member, and its address as the client spelt it; undefined if it is the room */
  member: Member | undefined;
  href: string;
}

/** A report of the home for one of its rooms. `name`: as the home lists it. */
export function reportBelow(
  { exchange, app, caller, viewer, root }: ReportRequest,
  name: string,
  room: RoomResource,
): RoomReportRequest {
  const context = { exchange, app, caller, room: { name, password: '' } };
  const find = (needs: ReadonlySet<Need>) => openRoom(context, room.href, needs);
  return { context, root, room, find, viewer, changes: undefined, member: undefined, href: room.href };
}

/** The address of a member, with the room spelt as the client did. */
export function hrefOf({ room, member, href }: RoomReportRequest, { name }: Pick<Member, 'name'>): string {
  return name === member?.name ? href : memberHref(room.href, { name }, room.collection);
}
