// sync-collection (RFC 6578): what has changed in a room since a token, or all of it. An answer that the client limits
// ends with a token that continues from there. That is a position in a list that is made again, so no state is stored;
// what changes meanwhile comes with the token after it.

import { AppError } from '../../errors.ts';
import { changesSince, listMembers } from '../../gateway/collection/collection.ts';
import { objectsOf } from '../../gateway/collection/objects.ts';
import type { RoomContext } from '../../gateway/room-context.ts';
import { BATCH_MESSAGES, MAX_LIMITED_RESPONSES } from '../../limits/dav.ts';
import { holdsObjects } from '../../model.ts';
import type { Member } from '../../room-server/collections.ts';
import { needsOf } from '../describer.ts';
import { sendReport, statusResponse } from '../multistatus.ts';
import { childNamed, isElement, type XmlElement } from '../xml-read.ts';
import { element, type Markup, unmet } from '../xml-write.ts';
import { type Answered, hrefOf, isDataWanted, type RoomReportRequest, responsesTo } from './answer.ts';
import { type ReportProperties, readLimit, readWanted } from './wanted.ts';

interface Difference {
  token: string;
  /** ascending by number at first, else in any order */
  changed: AsyncIterable<readonly Member[]>;
  removed: readonly string[];
}

/** Where the responses of a room ended. */
export interface SyncEnd {
  /** continues from there */
  token: string;
  /** there is more than the limit allows */
  isCut: boolean;
  /** responses that may still be sent */
  left: number;
}

/** Throws bad_request, forbidden. */
export async function answerSync(report: RoomReportRequest): Promise<void> {
  const sync = readSyncCollection(report.root);
  return sendReport(report.context.exchange, withEnd(await changesIn(report, sync), report.room.href));
}

/** Adds the token, and before it a 507 if there is more (RFC 6578 section 3.6). */
export async function* withEnd(
  responses: AsyncGenerator<Iterable<Markup>, Pick<SyncEnd, 'isCut' | 'token'>>,
  href: string,
): AsyncGenerator<Iterable<Markup>> {
  const { isCut, token } = yield* responses;
  if (isCut) yield [statusResponse(href, 507, element('D:number-of-matches-within-limits'))];
  yield [element('D:sync-token', token)];
}

/** The responses for changes in a room since `sync.token`, at most `sync.limit`. Throws forbidden. */
export async function changesIn(
  report: RoomReportRequest,
  sync: SyncCollection,
): Promise<AsyncGenerator<Iterable<Markup>, SyncEnd>> {
  const pages = parsePagesToken(sync.token);
  const since = pages?.since ?? sync.token;
  const difference = await differenceSince(report, sync, since);
  const until = pages?.until ?? difference.token;
  return pageOf(report, sync, { since, until }, difference, pages?.position);
}

/** Checks that changes since `token` are known; `token` as for changesIn. Throws forbidden. */
export async function requireKnownToken(context: RoomContext, token: string): Promise<void> {
  const since = parsePagesToken(token)?.since ?? token;
  if (since !== '' && !(await changesSince(context, since))) throw invalidToken();
}

/**
 * Requests the changes of a sync-collection in the same write as the room, so that polling costs one round trip.
 * `root`: of any report. Never rejects before it is awaited.
 */
export function changesAhead(context: RoomContext, root: XmlElement): RoomReportRequest['changes'] {
  const token = isElement(root, 'D:sync-collection') ? childNamed(root, 'D:sync-token')?.text.trim() : '';
  if (!token) return undefined;
  const changes = changesSince(context, token);
  changes.catch(() => undefined);
  return { token, since: changes };
}

/** Everything, if there is no token. */
async function differenceSince(
  { context, room, changes: ahead }: RoomReportRequest,
  sync: SyncCollection,
  since: string,
): Promise<Difference> {
  if (since === '') {
    const isSizeWanted = needsOf(sync.wanted).has('length');
    const { token, members } = await listMembers(context, { folder: '', isDeep: sync.isDeep, isSizeWanted });
    return { token, changed: members, removed: [] };
  }
  const changes = await (ahead?.token === since ? ahead.since : changesSince(context, since));
  if (!changes) throw invalidToken();
  if (room.collection !== 'files' || sync.isDeep) return changes;
  const isAtTop = (name: string) => !name.slice(0, -1).includes('/');
  return { ...changes, changed: only(changes.changed, isAtTop), removed: changes.removed.filter(isAtTop) };
}

async function* only(batches: AsyncIterable<readonly Member[]>, isWanted: (name: string) => boolean) {
  for await (const batch of batches) yield batch.filter(({ name }) => isWanted(name));
}

/** The responses after `position`, at most sync.limit, and the token that continues from there. */
async function* pageOf(
  report: RoomReportRequest,
  sync: SyncCollection,
  span: { since: string; until: string },
  { changed, removed }: Difference,
  position: SyncPosition = { number: 0 },
): AsyncGenerator<Iterable<Markup>, SyncEnd> {
  const page = new Page(sync.limit);
  if (position.number !== undefined) {
    const isInOrder = span.since === '' || !Number.isFinite(sync.limit);
    const members = page.members(isInOrder ? changed : lowest(changed, position.number, sync.limit), position.number);
    const all =
      isDataWanted(sync) && holdsObjects(report.room.collection) ? withObjects(report, members) : answered(members);
    yield* await responsesTo(report, sync, all);
  }
  if (!page.isCut) {
    // in a stable order
    const names =
      position.removed === undefined ? removed.toSorted() : removed.filter((name) => name > position.removed!).sort();
    yield page.names(names).map((name) => statusResponse(hrefOf(report, { name }), 404));
  }
  const { isCut, left } = page;
  return { token: isCut ? pagesToken({ ...span, position: page.end }) : span.until, isCut, left };
}

/** Members with the lowest numbers above `after`, ascending; one more than `limit`, to show that there is more. */
async function* lowest(
  batches: AsyncIterable<readonly Member[]>,
  after: number,
  limit: number,
): AsyncGenerator<readonly Member[]> {
  let found: Member[] = [];
  const cut = () => {
    found = found.sort((one, other) => one.msgnum - other.msgnum).slice(0, limit + 1);
  };
  for await (const batch of batches) {
    for (const member of batch) if (member.msgnum > after) found.push(member);
    if (found.length > 2 * limit + BATCH_MESSAGES) cut();
  }
  cut();
  yield found;
}

/** Counts the responses of a limited answer. */
class Page {
  /** there is more */
  isCut = false;
  end: SyncPosition = { number: 0 };
  left: number;

  constructor(limit: number) {
    this.left = limit;
  }

  /** Members above `after`, up to the limit. */
  async *members(batches: AsyncIterable<readonly Member[]>, after: number): AsyncGenerator<readonly Member[]> {
    for await (const batch of batches) {
      const rest = batch.filter(({ msgnum }) => msgnum > after);
      const taken = rest.slice(0, this.left);
      this.left -= taken.length;
      if (taken.length > 0) this.end = { number: Math.max(this.end.number ?? 0, taken.at(-1)!.msgnum) };
      yield taken;
      if (taken.length === rest.length) continue;
      this.isCut = true;
      return;
    }
  }

  /** The first names, up to the limit. */
  names(names: readonly string[]): string[] {
    const taken = names.slice(0, this.left);
    this.left -= taken.length;
    this.isCut = taken.length < names.length;
    if (this.isCut) this.end = taken.length > 0 ? { removed: taken.at(-1)! } : { removed: '' };
    return taken;
  }
}

async function* answered(batches: AsyncIterable<readonly Member[]>): AsyncGenerator<Answered[]> {
  for await (const batch of batches) yield batch.map((member) => ({ member }));
}

/** Members, with their objects if they are objects. */
async function* withObjects(
  { context }: RoomReportRequest,
  batches: AsyncIterable<readonly Member[]>,
): AsyncGenerator<readonly Answered[]> {
  for await (const batch of batches) {
    const plain = new Map(batch.map((member) => [member.name, member]));
    for await (const objects of objectsOf(context, batch)) {
      for (const { member } of objects) plain.delete(member.name);
      yield objects;
    }
    if (plain.size > 0) yield [...plain.values()].map((member) => ({ member }));
  }
}

export interface SyncCollection extends ReportProperties {
  /** '' the first time */
  token: string;
  /** sync-level infinite: also the content of folders */
  isDeep: boolean;
  limit: number;
}

/** `root`: D:sync-collection. Without a level it is 1. Throws bad_request. */
export function readSyncCollection(root: XmlElement): SyncCollection {
  const token = childNamed(root, 'D:sync-token');
  if (!token) throw new AppError('bad_request', 'Send a sync-token; an empty one at first.');
  const level = childNamed(root, 'D:sync-level')?.text.trim() ?? '1';
  if (level !== '1' && level !== 'infinite') throw new AppError('bad_request', 'sync-level takes 1 or infinite.');
  const limit = readLimit(root, 'D');
  // the responses of a limited answer are sorted in memory
  const bounded = Number.isFinite(limit) ? Math.min(limit, MAX_LIMITED_RESPONSES) : limit;
  return { ...readWanted(root), token: token.text.trim(), isDeep: level === 'infinite', limit: bounded };
}

/** Where to continue: after this member number or, after all members, after this removed name. */
type SyncPosition = { number: number; removed?: undefined } | { number?: undefined; removed: string };

/** A limited answer. */
interface SyncPages {
  /** the token of the first request */
  since: string;
  /** the token of the collection when the first piece was sent, for later changes */
  until: string;
  position: SyncPosition;
}

const START = 'data:,more;';

/** A URI, as tokens are (RFC 6578 section 4), that needs no escaping in XML. */
export function pagesToken({ since, until, position }: SyncPages): string {
  const { number, removed } = position;
  const end = removed === undefined ? ['number', String(number)] : ['removed', removed];
  return `${START}${[since, until, ...end].map(encodeURIComponent).join(';')}`;
}

/** Undefined for the token of a complete answer. Throws forbidden for a malformed token. */
export function parsePagesToken(token: string): SyncPages | undefined {
  if (!token.startsWith(START)) return undefined;
  const [since, until, kind, end] = fieldsOf(token.slice(START.length));
  if (since !== undefined && until && end !== undefined) {
    if (kind === 'removed') return { since, until, position: { removed: end } };
    if (kind === 'number' && /^\d{1,15}$/.test(end)) return { since, until, position: { number: Number(end) } };
  }
  throw invalidToken();
}

function fieldsOf(text: string): (string | undefined)[] {
  try {
    return text.split(';', 5).map(decodeURIComponent);
  } catch {
    return [];
  }
}

export function invalidToken(): AppError {
  return unmet('D:valid-sync-token', 'The sync-token is unknown or too old. Send an empty one to start again.');
}
