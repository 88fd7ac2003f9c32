// Members of rooms on the embedded room server: whole lists with a cache, changes since a token, contents.

import { AppError, unlessGone } from '../../errors.ts';
import {
  BATCH_MESSAGES,
  KEPT_MEMBER_BYTES,
  MAX_KEPT_LIST_BYTES,
  MAX_KEPT_LISTS_BYTES,
  MAX_KNOWN_ROOM_NUMBERS,
  MEMBERS_AT_ONCE,
} from '../../limits/dav.ts';
import { isObjectType } from '../../mime/stored-content.ts';
import { type CollectionKind, collectionKind, type EnteredRoom } from '../../model.ts';
import { numberSegment } from '../../protocol/member-names.ts';
import { nameKey } from '../../protocol/names.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import {
  isSelected,
  type Listing,
  type Member,
  type MemberChanges,
  type MemberContent,
  type MemberMethods,
  type RoomState,
  type Selection,
} from '../collections.ts';
import { perPool, type RoomAccess } from '../connection/pool.ts';
import { cacheHead, readMethod } from '../heads.ts';
import { type MemberPage, memberVerb, type PageQuestion, stateToken } from './members.ts';
import { messages } from './messages.ts';
import { objects } from './objects.ts';

/** room id and sequence; ids are never reused */
const TOKEN = /^data:,(\d{1,15})-(\d{1,15})$/;

async function open(at: RoomAccess): Promise<{ entered: EnteredRoom; token: string }> {
  const state = await memberVerb.state(at);
  return { entered: state.entered, token: stateToken(state) };
}

async function list(at: RoomAccess, selection: Selection): Promise<Listing> {
  const cache = lists(at.pool);
  const folder = wholeFolder(selection);
  const cached = folder === undefined ? undefined : cache.last(at, folder);
  const answer = await readPage(at, selection, { unless: cached });
  const isValid = cached && answer.isUnchanged && isOf(cached, answer.entered);
  if (isValid) return { entered: answer.entered, token: stateToken(answer), members: theseBatches(cached.batches) };
  const first = answer.isUnchanged ? await readPage(at, selection) : answer;
  const builder = folder === undefined ? undefined : cache.builder(at, folder, first);
  const members = allPages(at, selection, first, builder);
  return { entered: first.entered, token: stateToken(first), members };
}

/** The folder whose whole list is requested; only such lists are cached. */
function wholeFolder({ folder = '', isDeep, component, range }: Selection): string | undefined {
  return isDeep || component !== undefined || range ? undefined : folder;
}

async function* theseBatches(batches: readonly (readonly Member[])[]): AsyncGenerator<readonly Member[]> {
  yield* batches;
}

async function readPage(
  at: RoomAccess,
  { folder = '', isDeep = false, component, range }: Selection,
  further?: Pick<PageQuestion, 'cursor' | 'upTo' | 'unless'>,
): Promise<MemberPage> {
  return memberVerb.page(at, { folder, isDeep, component, range, ...further });
}

/**
 * The members at the time of the first page. Of later ones it includes only those that replaced a member before it was
 * listed, so each name is there once, and none is missing.
 */
async function* allPages(
  at: RoomAccess,
  selection: Selection,
  first: MemberPage,
  builder?: ListBuilder,
): AsyncGenerator<readonly Member[]> {
  /** numbers, page by page: searched if something changed meanwhile */
  const listed: Float64Array[] = [];
  let page = first;
  for (;;) {
    // reads ahead while this page is used
    const next = page.next === '' ? undefined : readPage(at, selection, { cursor: page.next, upTo: first.sequence });
    next?.catch(() => undefined); // awaited below unless the caller stops
    for (const batch of inBatches(page.rows)) {
      builder?.add(batch);
      yield batch;
    }
    if (!next) break;
    listed.push(Float64Array.from(page.rows, ({ msgnum }) => msgnum));
    page = await next;
  }
  if (page.sequence === first.sequence) return builder?.finish();
  listed.push(Float64Array.from(page.rows, ({ msgnum }) => msgnum));
  yield* replacedMeanwhile(at, selection, first, (msgnum) => listed.some((numbers) => numbers.includes(msgnum)));
}

async function* replacedMeanwhile(
  at: RoomAccess,
  selection: Selection,
  since: MemberPage,
  isListed: (msgnum: number) => boolean,
): AsyncGenerator<readonly Member[]> {
  let page = await memberVerb.changed(at, since);
  if (!page || page.rows.length === 0) return;
  const upTo = page.sequence;
  const removed = (await memberVerb.removed(at, since, upTo)) ?? [];
  const before = Map.groupBy(removed, ({ name }) => name);
  const kind = collectionKind(since.entered);
  while (page) {
    yield page.rows.filter((member) => {
      const gone = before.get(member.name);
      return gone && !gone.some(({ msgnum }) => isListed(msgnum)) && isSelected(member, selection, kind);
    });
    if (page.next === '') return;
    page = await memberVerb.changed(at, since, { cursor: page.next, upTo });
  }
}

async function changesSince(at: RoomAccess, token: string): Promise<MemberChanges | undefined> {
  const [, roomId, sequence] = TOKEN.exec(token) ?? [];
  if (roomId === undefined || sequence === undefined) return undefined;
  const since = { roomId: Number(roomId), sequence: Number(sequence) };
  const first = await memberVerb.changed(at, since);
  if (!first) return undefined;
  const hasChanged = first.sequence !== since.sequence;
  const rows = hasChanged ? await memberVerb.removed(at, since, first.sequence) : [];
  if (!rows) return undefined;
  const removed = new Set(rows.filter(({ isThere }) => !isThere).map(({ name }) => name));
  const changed = changedPages(at, since, first);
  return { entered: first.entered, token: stateToken(first), changed, removed: [...removed] };
}

/** Leaves out a member that is replaced again meanwhile: the next request reports it. */
async function* changedPages(at: RoomAccess, since: RoomState, first: MemberPage): AsyncGenerator<readonly Member[]> {
  let page: MemberPage | undefined = first;
  while (page) {
    yield* inBatches(page.rows);
    if (page.next === '') return;
    const further = { cursor: page.next, upTo: first.sequence };
    page = await memberVerb.changed(at, since, further);
  }
}

function* inBatches(members: readonly Member[]): Generator<readonly Member[]> {
  for (let at = 0; at < members.length; at += MEMBERS_AT_ONCE) yield members.slice(at, at + MEMBERS_AT_ONCE);
}

type ListState = Pick<MemberPage, 'roomId' | 'sequence' | 'entered'>;

interface CachedList extends RoomState {
  kind: CollectionKind;
  /** last change of the room by the room server's clock: a restored database counts its sequence again */
  mtime: number;
  batches: readonly (readonly Member[])[];
}

/** Collects a list while it is sent, unless it is too long. */
interface ListBuilder {
  add(batch: readonly Member[]): void;
  /** The list is complete. */
  finish(): void;
}

/**
 * Lists of members by room, valid while the room server says that the room has not changed: it is asked each time, and
 * checks the rights of the caller. A list is the same for every reader; read marks, locks and privileges are not in it.
 */
export class ListCache {
  readonly #lists: BoundedMap<string, CachedList & { bytes: number }>;
  /** room ids by user and name */
  readonly #rooms = new BoundedMap<string, number>(MAX_KNOWN_ROOM_NUMBERS);
  readonly #maxBytes: number;

  constructor(maxBytesOfAll = MAX_KEPT_LISTS_BYTES, maxBytes = MAX_KEPT_LIST_BYTES) {
    this.#lists = new BoundedMap(maxBytesOfAll, ({ bytes }) => bytes);
    this.#maxBytes = maxBytes;
  }

  /** May be shown only if the room server confirms that this is the room and its state. */
  last(at: Caller, folder: string): CachedList | undefined {
    const roomId = this.#rooms.get(roomKey(at));
    return roomId === undefined ? undefined : this.#lists.get(listKey(roomId, folder));
  }

  /** Undefined for a list that is known to be too long. */
  builder(at: Caller, folder: string, { roomId, sequence, entered }: ListState): ListBuilder | undefined {
    const kind = collectionKind(entered);
    const { mtime } = entered;
    // only a files room may list fewer members than the room has
    if (kind !== 'files' && entered.totalMessages * KEPT_MEMBER_BYTES > this.#maxBytes) return undefined;
    const batches: (readonly Member[])[] = [];
    let bytes = 0;
    return {
      add: (batch) => {
        for (const member of batch) bytes += memberBytes(member);
        if (bytes > this.#maxBytes) batches.length = 0;
        else batches.push(batch);
      },
      finish: () => {
        if (bytes > this.#maxBytes) return;
        this.#rooms.set(roomKey(at), roomId);
        const key = listKey(roomId, folder);
        const last = this.#lists.get(key);
        // another user may have requested it
        if (last?.sequence === sequence && last.kind === kind && last.mtime === mtime) return;
        this.#lists.set(key, { roomId, sequence, kind, mtime, batches, bytes: bytes + KEPT_MEMBER_BYTES });
      },
    };
  }
}

function isOf({ kind, mtime }: CachedList, entered: EnteredRoom): boolean {
  return kind === collectionKind(entered) && mtime === entered.mtime;
}

/** The address holds the name, too, percent-encoded. */
function memberBytes({ name, euid, displayName }: Member): number {
  return KEPT_MEMBER_BYTES + 4 * name.length + euid.length + displayName.length;
}

type Caller = Pick<RoomAccess, 'identity' | 'room'>;

function roomKey({ identity, room }: Caller): string {
  return `${identity.user}\n${nameKey(room.name)}`;
}

function listKey(roomId: number, folder: string): string {
  return `${roomId}/${folder}`;
}

const lists = perPool(() => new ListCache());

/** What a segment of a path may mean, the first that exists; a folder may lack its slash. */
function namesOf(segment: string): string[] {
  return segment.endsWith('/') || segment.startsWith('|') ? [segment] : [segment, `${segment}/`];
}

async function memberAt(at: RoomAccess, segment: string, refusal: string): Promise<Member> {
  const member = (await memberVerb.named(at, namesOf(segment))).find((each) => each !== undefined);
  if (!member) throw new AppError('not_found', refusal);
  return member;
}

async function* contents(at: RoomAccess, members: readonly Member[]): AsyncGenerator<readonly MemberContent[]> {
  const wanted = members.filter(({ contentType }) => isObjectType(contentType));
  let next = readBatch(at, wanted, 0);
  while (next) {
    const { start, end, found } = await next;
    next = readBatch(at, wanted, end);
    next?.catch(() => undefined); // awaited in the next round unless the caller stops
    yield wanted.slice(start, end).flatMap((member) => {
      const bytes = found.get(member.msgnum);
      return bytes ? { member, bytes } : [];
    });
  }
}

/** Undefined after the last one. */
function readBatch(at: RoomAccess, members: readonly Member[], start: number) {
  if (start >= members.length) return undefined;
  const numbers = members.slice(start, start + BATCH_MESSAGES).map(({ msgnum }) => msgnum);
  return objects.contents(at, numbers).then(({ looked, contents: found }) => ({ start, end: start + looked, found }));
}

export const members: MemberMethods = {
  open,
  list,
  changesSince,
  find: memberVerb.named,
  one: (at, segment) => memberAt(at, segment, 'There is nothing of this name.'),
  nameOf: async (at, { msgnum }) => (await memberAt(at, numberSegment(msgnum), 'No such message.')).name,
  number: async (at, segment) => (await memberAt(at, segment, 'No such message.')).msgnum,
  read: readMethod(messages, async (at, segment, _open, isSeenAsked) => {
    const { msgnum, head, ...more } = await objects.read(at, namesOf(segment), isSeenAsked);
    return { msgnum, head: { ...head, ...more, cached: cacheHead(at.pool, msgnum, head) } };
  }),
  contents,
  async named(connection, _entered, name) {
    const member = await memberVerb.namedOn(connection, name);
    return member?.name === name ? [member.msgnum] : [];
  },
  // ENT0 has replaced what had the name
  settleName: async (_at, _connection, { existing }) => existing.length > 0,
  place: memberVerb.place,
  placeFolder: memberVerb.placeFolder,
  async removeFolder({ pool, identity, room }, { name }) {
    // another client may have deleted it first
    await unlessGone(pool.withRoom(identity, room, (connection) => memberVerb.removeFolder(connection, name)));
    return [];
  },
  quota: memberVerb.quota,
};
