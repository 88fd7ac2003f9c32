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
import { type Answered, isDataWanted, responsesTo } from './answer.ts';
import { hrefOf, type Question } from './question.ts';
import { type ReportProperties, readLimit, readWanted } from './wanted.ts';

interface Difference {
  token: string;
  /** of a first answer ascending by number, else in any order */
  changed: AsyncIterable<readonly Member[]>;
  removed: readonly string[];
}

/** How far the responses of a room have come. */
export interface SyncEnd {
  /** goes on from there */
  token: string;
  /** there is more than may be told at once */
  isCut: boolean;
  /** of the responses that may be sent */
  left: number;
}

/** Throws bad_request, forbidden. */
export async function answerSync(question: Question): Promise<void> {
  const sync = readSyncCollection(question.root);
  return sendReport(question.context.exchange, withEnd(await changesIn(question, sync), question.room.href));
}

/** With the token, and before it what says that there is more (RFC 6578 section 3.6). */
export async function* withEnd(
  responses: AsyncGenerator<Iterable<Markup>, Pick<SyncEnd, 'isCut' | 'token'>>,
  href: string,
): AsyncGenerator<Iterable<Markup>> {
  const { isCut, token } = yield* responses;
  if (isCut) yield [statusResponse(href, 507, element('D:number-of-matches-within-limits'))];
  yield [element('D:sync-token', token)];
}

/** The responses of what has changed in a room since `sync.token`, at most `sync.limit`. Throws forbidden. */
export async function changesIn(
  question: Question,
  sync: SyncCollection,
): Promise<AsyncGenerator<Iterable<Markup>, SyncEnd>> {
  const pages = parsePagesToken(sync.token);
  const since = pages?.since ?? sync.token;
  const difference = await differenceSince(question, sync, since);
  const until = pages?.until ?? difference.token;
  return pageOf(question, sync, { since, until }, difference, pages?.position);
}

/** Whether it is known what has changed since. `token`: as changesIn takes it. Throws forbidden. */
export async function requireKnownToken(context: RoomContext, token: string): Promise<void> {
  const since = parsePagesToken(token)?.since ?? token;
  if (since !== '' && !(await changesSince(context, since))) throw invalidToken();
}

/**
 * What a client that asks again and again will be told, asked together with what the room is: mostly that is nothing,
 * and one round trip does. `root`: of any report. Never rejects before it is awaited.
 */
export function changesAhead(context: RoomContext, root: XmlElement): Question['changes'] {
  const token = isElement(root, 'D:sync-collection') ? childNamed(root, 'D:sync-token')?.text.trim() : '';
  if (!token) return undefined;
  const changes = changesSince(context, token);
  changes.catch(() => undefined);
  return { token, since: changes };
}

/** Everything, where there is no token. */
async function differenceSince(
  { context, room, changes: ahead }: Question,
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

/** What comes after `position`, at most sync.limit responses, and the token that goes on from there. */
async function* pageOf(
  question: Question,
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
      isDataWanted(sync) && holdsObjects(question.room.collection) ? withObjects(question, members) : answered(members);
    yield* await responsesTo(question, sync, all);
  }
  if (!page.isCut) {
    // in an order that stays the same
    const names = position.removed === undefined ? removed.toSorted() : namesAfter(removed, position.removed);
    yield page.names(names).map((name) => statusResponse(hrefOf(question, { name }), 404));
  }
  const { isCut, left } = page;
  return { token: isCut ? pagesToken({ ...span, position: page.end }) : span.until, isCut, left };
}

function namesAfter(names: readonly string[], last: string): string[] {
  return names.filter((name) => name > last).sort();
}

/** Those of the lowest numbers above `after`, ascending; one more than `limit`, which shows that there is more. */
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

/** Counts what goes out. */
class Page {
  /** there is more */
  isCut = false;
  end: SyncPosition = { number: 0 };
  left: number;

  constructor(limit: number) {
    this.left = limit;
  }

  /** Those above `after`, as many as may be. */
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

  /** The first of them, as many as may be. */
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

/** Each with its object, where it is one. */
async function* withObjects(
  { context }: Question,
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
  /** what lies in folders, too: sync-level infinite */
  isDeep: boolean;
  limit: number;
}

/** `root`: D:sync-collection. Without a level it is 1. Throws bad_request. */
export function readSyncCollection(root: XmlElement): SyncCollection {
  const token = childNamed(root, 'D:sync-token');
  if (!token) throw new AppError('bad_request', 'Send a sync-token; an empty one at first.');
  const level = childNamed(root, 'D:sync-level')?.text.trim() ?? '1';
  if (level !== '1' && level !== 'infinite') throw new AppError('bad_request', 'sync-level takes 1 or infinite.');
  return { ...readWanted(root), token: token.text.trim(), isDeep: level === 'infinite', limit: limitOf(root) };
}

/** What a client can hold is held here, too, while the lowest numbers are looked for. */
function limitOf(root: XmlElement): number {
  const limit = readLimit(root, 'D');
  return Number.isFinite(limit) ? Math.min(limit, MAX_LIMITED_RESPONSES) : limit;
}

/** What comes next: members after this number, then removed ones after this name. */
type SyncPosition = { number: number; removed?: undefined } | { number?: undefined; removed: string };

/** An answer that comes in pieces. */
interface SyncPages {
  /** the token that the first piece was asked with */
  since: string;
  /** the token of the collection when the first piece was sent: what has changed later is asked with it */
  until: string;
  position: SyncPosition;
}

const START = 'data:,more;';

/** Is a URI, as tokens are (RFC 6578 section 4), without what XML would have to escape. */
export function pagesToken({ since, until, position }: SyncPages): string {
  const { number, removed } = position;
  const end = removed === undefined ? ['number', String(number)] : ['removed', removed];
  return `${START}${[since, until, ...end].map(encodeURIComponent).join(';')}`;
}

/** undefined for the token of a whole answer. Throws forbidden for what only begins like one of these. */
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
