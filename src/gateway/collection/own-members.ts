// The members of a room on the embedded room server, by its own verb (MEMB, protocol section 21.6): a page of a list in
// one answer, what has changed since a sequence of the room in another.

import { BATCH_MESSAGES, MEMBERS_AT_ONCE } from '../../limits/dav.ts';
import { parseParameters } from '../../mime/headers.ts';
import { isCalendar, isCard } from '../../mime/objects/properties.ts';
import type { MemberPage, PageQuestion, RoomState } from '../../room-server/collections.ts';
import { serverOf } from '../../room-server/driver.ts';
import type { RoomContext } from '../room-context.ts';
import { isOf, type ListKeeper } from './kept-lists.ts';
import {
  collectionKind,
  type Listing,
  type Member,
  type MemberChanges,
  type MemberContent,
  type Selection,
} from './member.ts';
import type { MemberSource } from './member-source.ts';
import { isSelected } from './selection.ts';

export const ownMembers: MemberSource = { open, list, changesSince, find, contentsOf };

/** of a room, and of it only: rooms never get the number of one that is gone */
const TOKEN = /^data:,(\d{1,15})-(\d{1,15})$/;

/** The token of a moment of a room. */
export function stateToken({ roomId, sequence }: RoomState): string {
  return `data:,${roomId}-${sequence}`;
}

async function open({ app, caller, room }: RoomContext) {
  const { members } = await serverOf(app.pool, caller.identity);
  const state = await members.state(app.pool, caller.identity, room);
  return { entered: state.entered, token: stateToken(state) };
}

async function list(context: RoomContext, selection: Selection): Promise<Listing> {
  const { keptLists } = context.app;
  const folder = wholeFolder(selection);
  const kept = folder === undefined ? undefined : keptLists.last(context, folder);
  const answer = await readPage(context, selection, { unless: kept });
  const isKept = kept && answer.isUnchanged && isOf(kept, answer.entered);
  if (isKept) return { entered: answer.entered, token: stateToken(answer), members: theseBatches(kept.batches) };
  const first = answer.isUnchanged ? await readPage(context, selection) : answer;
  const keeper = folder === undefined ? undefined : keptLists.keeper(context, folder, first);
  const members = allPages(context, selection, first, keeper);
  return { entered: first.entered, token: stateToken(first), members };
}

/** The folder of which all is asked for: such a list is kept. */
function wholeFolder({ folder = '', isDeep, component, range }: Selection): string | undefined {
  return isDeep || component !== undefined || range ? undefined : folder;
}

async function* theseBatches(batches: readonly (readonly Member[])[]): AsyncGenerator<readonly Member[]> {
  yield* batches;
}

async function readPage(
  { app, caller, room }: RoomContext,
  { folder = '', isDeep = false, component, range }: Selection,
  further?: Pick<PageQuestion, 'cursor' | 'upTo' | 'unless'>,
): Promise<MemberPage> {
  const { members } = await serverOf(app.pool, caller.identity);
  return members.page(app.pool, caller.identity, room, { folder, isDeep, component, range, ...further });
}

/**
 * The members as they are when the first page is read, without what has come since: of that only what has replaced a
 * member before it was listed. So each name is there once, and none is missing.
 */
async function* allPages(
  context: RoomContext,
  selection: Selection,
  first: MemberPage,
  keeper?: ListKeeper,
): AsyncGenerator<readonly Member[]> {
  /** numbers, page by page: they are looked through where something has changed meanwhile */
  const listed: Float64Array[] = [];
  let page = first;
  for (;;) {
    // the next page is made while this one is used
    const next =
      page.next === '' ? undefined : readPage(context, selection, { cursor: page.next, upTo: first.sequence });
    next?.catch(() => undefined); // awaited below, unless nobody wants it
    for (const batch of inBatches(page.rows)) {
      keeper?.add(batch);
      yield batch;
    }
    if (!next) break;
    listed.push(Float64Array.from(page.rows, ({ msgnum }) => msgnum));
    page = await next;
  }
  if (page.sequence === first.sequence) return keeper?.keep();
  listed.push(Float64Array.from(page.rows, ({ msgnum }) => msgnum));
  yield* replacedMeanwhile(context, selection, first, (msgnum) => listed.some((numbers) => numbers.includes(msgnum)));
}

async function* replacedMeanwhile(
  context: RoomContext,
  selection: Selection,
  since: MemberPage,
  isListed: (msgnum: number) => boolean,
): AsyncGenerator<readonly Member[]> {
  const { app, caller, room } = context;
  const { members } = await serverOf(app.pool, caller.identity);
  let page = await members.changed(app.pool, caller.identity, room, since);
  if (!page || page.rows.length === 0) return;
  const upTo = page.sequence;
  const removed = (await members.removed(app.pool, caller.identity, room, since, upTo)) ?? [];
  const before = Map.groupBy(removed, ({ name }) => name);
  const kind = collectionKind(since.entered);
  while (page) {
    yield page.rows.filter((member) => {
      const gone = before.get(member.name);
      return gone && !gone.some(({ msgnum }) => isListed(msgnum)) && isSelected(member, selection, kind);
    });
    if (page.next === '') return;
    page = await members.changed(app.pool, caller.identity, room, since, { cursor: page.next, upTo });
  }
}

async function changesSince(context: RoomContext, token: string): Promise<MemberChanges | undefined> {
  const { app, caller, room } = context;
  const [, roomId, sequence] = TOKEN.exec(token) ?? [];
  if (roomId === undefined || sequence === undefined) return undefined;
  const since = { roomId: Number(roomId), sequence: Number(sequence) };
  const { members } = await serverOf(app.pool, caller.identity);
  const first = await members.changed(app.pool, caller.identity, room, since);
  if (!first) return undefined;
  const hasChanged = first.sequence !== since.sequence;
  const rows = hasChanged ? await members.removed(app.pool, caller.identity, room, since, first.sequence) : [];
  if (!rows) return undefined;
  const removed = new Set(rows.filter(({ isThere }) => !isThere).map(({ name }) => name));
  const changed = changedPages(context, since, first);
  return { entered: first.entered, token: stateToken(first), changed, removed: [...removed] };
}

/** A member that is replaced once more meanwhile is left out: the next question tells of it. */
async function* changedPages(
  { app, caller, room }: RoomContext,
  since: RoomState,
  first: MemberPage,
): AsyncGenerator<readonly Member[]> {
  const { members } = await serverOf(app.pool, caller.identity);
  let page: MemberPage | undefined = first;
  while (page) {
    yield* inBatches(page.rows);
    if (page.next === '') return;
    const further = { cursor: page.next, upTo: first.sequence };
    page = await members.changed(app.pool, caller.identity, room, since, further);
  }
}

function* inBatches(members: readonly Member[]): Generator<readonly Member[]> {
  for (let at = 0; at < members.length; at += MEMBERS_AT_ONCE) yield members.slice(at, at + MEMBERS_AT_ONCE);
}

async function find({ app, caller, room }: RoomContext, names: readonly string[]): Promise<(Member | undefined)[]> {
  const { members } = await serverOf(app.pool, caller.identity);
  return members.named(app.pool, caller.identity, room, names);
}

/** The member that a segment of a path means. */
export async function ownMemberAt(context: RoomContext, segment: string): Promise<Member | undefined> {
  return (await find(context, namesOfSegment(segment))).find((member) => member !== undefined);
}

/** What a segment of a path may mean, the first that is there; a folder may be asked for without its slash. */
export function namesOfSegment(segment: string): string[] {
  return segment.endsWith('/') || segment.startsWith('|') ? [segment] : [segment, `${segment}/`];
}

async function* contentsOf(context: RoomContext, members: readonly Member[]): AsyncGenerator<readonly MemberContent[]> {
  const objects = members.filter(isObject);
  let next = readBatch(context, objects, 0);
  while (next) {
    const { start, end, contents } = await next;
    next = readBatch(context, objects, end);
    next?.catch(() => undefined); // awaited in the next round, unless nobody wants it
    yield objects.slice(start, end).flatMap((member) => {
      const bytes = contents.get(member.msgnum);
      return bytes ? { member, bytes } : [];
    });
  }
}

function isObject({ contentType }: Member): boolean {
  const type = parseParameters(contentType).value.toLowerCase();
  return isCalendar(type) || isCard(type);
}

/** Undefined behind the last one. */
function readBatch({ app, caller, room }: RoomContext, members: readonly Member[], start: number) {
  if (start >= members.length) return undefined;
  const numbers = members.slice(start, start + BATCH_MESSAGES).map(({ msgnum }) => msgnum);
  return serverOf(app.pool, caller.identity)
    .then(({ objects }) => objects.contents(app.pool, caller.identity, room, numbers))
    .then(({ looked, contents }) => ({ start, end: start + looked, contents }));
}
