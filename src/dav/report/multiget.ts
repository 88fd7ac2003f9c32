// calendar-multiget (RFC 4791 section 7.9) and addressbook-multiget (RFC 6352 section 8.7): the members at some hrefs.
// Each is answered under the href of the request, whichever name of a member that uses; what is not in the room is 404.

import { AppError } from '../../errors.ts';
import { findMembers } from '../../gateway/collection/collection.ts';
import { objectsOf } from '../../gateway/collection/objects.ts';
import { realName } from '../../gateway/paths.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import { BATCH_MESSAGES, XML_TURN_MS } from '../../limits/dav.ts';
import { UTC } from '../../mime/objects/offsets.ts';
import { nameKey } from '../../protocol/names.ts';
import type { Member } from '../../room-server/collections.ts';
import { requestTurns, restAfter } from '../../system/turn-queue.ts';
import { parseRoomHref, segmentsOf } from '../href.ts';
import { sendReport } from '../multistatus.ts';
import { childrenNamed, type XmlElement } from '../xml-read.ts';
import type { Markup } from '../xml-write.ts';
import { type Answered, floatingZone, isDataWanted, type RoomReportRequest, responsesTo } from './answer.ts';
import { isWhole, type ReportProperties, readWanted } from './wanted.ts';

/** Throws bad_request, forbidden. */
export async function answerMultiget(report: RoomReportRequest): Promise<void> {
  const multiget = readMultiget(report.root);
  return sendReport(report.context.exchange, await multigetResponses(report, multiget));
}

/** The responses to the hrefs of `multiget`, all in one room. Throws as pool.readInRoom. */
export async function multigetResponses(
  report: RoomReportRequest,
  multiget: Multiget,
): Promise<AsyncGenerator<Markup[]>> {
  const zone = multiget.calendarData && !isWhole(multiget.calendarData) ? await floatingZone(report, undefined) : UTC;
  return responsesTo(report, multiget, found(report, multiget), zone);
}

interface NamedHref {
  href: string;
  /** in the room; undefined if it is elsewhere */
  name: string | undefined;
}

/** The name in the room that an href leads to; undefined if it is malformed or leads elsewhere. */
function nameIn({ context: { exchange, app, room }, room: { kind, href: at } }: RoomReportRequest, href: string) {
  try {
    if (kind === 'inbox') {
      const own = segmentsOf(exchange, app, at).slice(0, -1);
      const segments = segmentsOf(exchange, app, href);
      return own.every((one, i) => segments[i] === one) ? segments.slice(own.length).join('/') : undefined;
    }
    const { room: asked, names } = parseRoomHref(exchange, app, href);
    return nameKey(realName(asked)) === nameKey(room.name) ? names.join('/') : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** In batches: the members found, and hrefs where nothing is. */
async function* found(report: RoomReportRequest, multiget: Multiget): AsyncGenerator<readonly (Answered | string)[]> {
  const { context, member: only } = report;
  for (let at = 0; at < multiget.hrefs.length; at += BATCH_MESSAGES) {
    const hrefs = multiget.hrefs.slice(at, at + BATCH_MESSAGES);
    const asked = await requestTurns.map(hrefs, XML_TURN_MS, (href) => ({ href, name: nameIn(report, href) }));
    const began = performance.now();
    const { there, missing } = await lookUp(context, asked, only);
    // the room server was busy meanwhile
    if (asked.length === BATCH_MESSAGES) await restAfter(performance.now() - began);
    yield missing;
    if (!isDataWanted(multiget)) {
      yield there.values().flatMap(answersOf).toArray();
      continue;
    }
    const unread = new Map(there.map((each) => [each.member.name, each]));
    const members = there.map(({ member }) => member);
    for await (const objects of objectsOf(context, members)) {
      yield objects.flatMap((object) => {
        const hrefs = unread.get(object.member.name)?.hrefs ?? [];
        unread.delete(object.member.name);
        return hrefs.map((href) => ({ ...object, href }));
      });
    }
    if (unread.size > 0) yield* withoutData(context, unread.values());
  }
}

/** A member with the hrefs of the request that lead to it. */
interface There {
  member: Member;
  hrefs: string[];
}

/** `only`: the requested member; then no other is found (RFC 4791 section 7.9). */
async function lookUp(
  context: RoomContext,
  asked: readonly NamedHref[],
  only: Member | undefined,
): Promise<{ there: There[]; missing: string[] }> {
  const named = asked.filter(({ name }) => name !== undefined && name !== '');
  const members =
    named.length === 0
      ? []
      : await findMembers(
          context,
          named.map(({ name }) => name!),
        );
  const there = new Map<number, There>();
  const found = new Set<string>();
  for (const [i, { href }] of named.entries()) {
    const member = members[i];
    if (!member || (only && member.msgnum !== only.msgnum)) continue;
    found.add(href);
    there.getOrInsertComputed(member.msgnum, () => ({ member, hrefs: [] })).hrefs.push(href);
  }
  return { there: [...there.values()], missing: asked.flatMap(({ href }) => (found.has(href) ? [] : href)) };
}

function answersOf({ member, hrefs }: There): Answered[] {
  return hrefs.map((href) => ({ member, href }));
}

/** Members that are not objects have no data; those that are gone meanwhile are 404. */
async function* withoutData(
  context: RoomContext,
  left: Iterable<There>,
): AsyncGenerator<readonly (Answered | string)[]> {
  const rest = [...left];
  const now = await findMembers(
    context,
    rest.map(({ member }) => member.name),
  );
  yield rest.flatMap<Answered | string>((each, i) => (now[i] ? answersOf(each) : each.hrefs));
}

interface Multiget extends ReportProperties {
  /** as written, each once; MAX_XML_ELEMENTS bounds them */
  hrefs: readonly string[];
}

/** `root`: C:calendar-multiget or CR:addressbook-multiget. Throws bad_request, forbidden. */
export function readMultiget(root: XmlElement): Multiget {
  const hrefs = new Set(childrenNamed(root, 'D:href').map(({ text }) => text.trim()));
  if (hrefs.size === 0) throw new AppError('bad_request', 'The report names no D:href.');
  return { ...readWanted(root), hrefs: [...hrefs] };
}
