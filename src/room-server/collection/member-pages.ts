// The members of a room and what has changed of them, page by page (verb MEMB of the embedded room server,
// protocol section 21.6). Only where hasMembers says that the room server has it.

import { AppError } from '../../errors.ts';
import { NAMES_AT_ONCE } from '../../limits/dav.ts';
import { MAX_COMMAND_BYTES, MAX_LISTING_LINES } from '../../limits/protocol.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import type { EnteredRoom } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, isFieldSafe, splitFields, toInt, unpackField } from '../../protocol/fields.ts';
import { titleOf } from '../../protocol/member-names.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from '../connection/connection.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import { memoiseByAnswer } from '../connection/memoise-by-answer.ts';
import type { InRoom, Pool } from '../connection/pool.ts';
import { expectClass, unexpectedAnswer } from '../connection/refusal.ts';

/** A message and its name in a room. */
export interface NamedMember {
  msgnum: number;
  /** of the member, or its number */
  name: string;
}

/** A message of a room as MEMB lists it. */
export interface ListedMember extends NamedMember {
  euid: string;
  /** Unix seconds: when this version came, or got its name; 0 where that is not known */
  time: number;
  /** when the first version came, where that was not the same time */
  created?: number | undefined;
  displayName: string;
  contentType: string;
  /** bytes that GET sends; undefined where the room server has not counted them */
  size: number | undefined;
  /** of a calendar object or card; empty for what is none, undefined for one that holds several */
  component: string | undefined;
  /** of a calendar object */
  extent: TimeRange | undefined;
}

/** One answer to a list. */
export interface MemberPage {
  entered: EnteredRoom;
  /** of the room: no other ever has it */
  roomId: number;
  /** of the room: grows with every change of its members */
  sequence: number;
  /** where the next page begins; empty: this is the last one */
  next: string;
  /** nothing has changed since `unless`: there are no rows */
  isUnchanged: boolean;
  rows: readonly ListedMember[];
}

/** What is asked for; nothing set: all members. */
export interface PageQuestion {
  /** of the page before */
  cursor?: string;
  /** without what has come since this sequence */
  upTo?: number;
  /** empty: those in no folder */
  folder?: string | undefined;
  /** all below the folder, too */
  isDeep?: boolean | undefined;
  component?: string | undefined;
  /** those whose extent meets it */
  range?: TimeRange | undefined;
  /** nothing, if the room is still this one, and as it was then */
  unless?: RoomState | undefined;
}

const NOBODY = command('MEMB', 'find');
const SEVERAL = '*';
/** in the place of the cursor of the next page */
const UNCHANGED = '=';
/** MAX_SAFE_INTEGER stands for what has no end */
const NO_END = Number.MAX_SAFE_INTEGER;

/** One page of the members of a room. Throws as pool.readInRoom. */
export async function readMemberPage(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  { cursor = '', upTo = 0, folder, isDeep = false, component = '', range, unless }: PageQuestion,
): Promise<MemberPage> {
  const place = folder === '' && !isDeep ? '/' : (folder ?? '');
  if (!isFieldSafe(place)) throw new AppError('not_found', 'There is no such folder.');
  const [start, end] = range ? [boundOf(range.start), boundOf(range.end)] : ['', ''];
  const line = command(
    'MEMB',
    'list',
    cursor,
    '',
    upTo,
    component,
    start,
    end,
    place,
    isDeep ? 1 : 0,
    ...(unless ? [unless.roomId, unless.sequence] : []),
  );
  return behind(cursor, parsePage(await pool.readInRoom(identity, room, [line])));
}

function boundOf(instant: number): number | string {
  return Number.isFinite(instant) ? Math.trunc(instant) : '';
}

/** Where the room stands now, without its members. Throws as pool.readInRoom. */
export async function readRoomState(pool: Pool, identity: Identity, room: RoomRef): Promise<MemberPage> {
  return parsePage(await pool.readInRoom(identity, room, [NOBODY]));
}

/** What an earlier page or token tells of a room. */
export interface RoomState {
  roomId: number;
  sequence: number;
}

/**
 * One page of the members that have come, or got their names, since then; undefined where that is not known any more,
 * or was another room. `upTo` and `cursor` of the page before.
 */
export async function readChangedPage(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  since: RoomState,
  { cursor = '', upTo = 0 }: { cursor?: string; upTo?: number } = {},
): Promise<MemberPage | undefined> {
  const line = command('MEMB', 'changes', since.roomId, since.sequence, cursor, '', upTo);
  const inRoom = await pool.readInRoom(identity, room, [line]);
  return inRoom.answers[0]!.code === STATUS.changesNotKept ? undefined : behind(cursor, parsePage(inRoom));
}

/** A member that is gone, or has another name. */
export interface RemovedRow {
  msgnum: number;
  name: string;
  /** there is one of this name again */
  isThere: boolean;
}

/** All members that went since then, up to the sequence `upTo`; undefined as readChangedPage. */
export async function readRemoved(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  since: RoomState,
  upTo: number,
): Promise<RemovedRow[] | undefined> {
  const removed: RemovedRow[] = [];
  for (let cursor = ''; ; ) {
    const line = command('MEMB', 'removed', since.roomId, since.sequence, cursor, '', upTo);
    const { answers } = await pool.readInRoom(identity, room, [line]);
    if (answers[0]!.code === STATUS.changesNotKept) return undefined;
    const { text, lines } = expectClass(answers[0]!, REPLY.listing);
    for (const each of lines) {
      const [msgnum, name, isThere] = splitFields(each);
      removed.push({ msgnum: toInt(msgnum), name: name!, isThere: isThere === '1' });
    }
    const next = splitFields(text)[2] ?? '';
    if (next === '') return removed;
    requireProgress(next !== cursor, lines);
    if (removed.length > MAX_LISTING_LINES) throw unexpectedAnswer('more than a listing may have');
    cursor = next;
  }
}

/** The members that these names mean, each a name, a UID with or without its ending, or a number. */
export async function readMembersByName(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  names: readonly string[],
): Promise<(ListedMember | undefined)[]> {
  const found: (ListedMember | undefined)[] = [];
  for (let at = 0; at < names.length || at === 0; at += NAMES_AT_ONCE) {
    const fields = names.slice(at, at + NAMES_AT_ONCE).map(fieldOf);
    const asked = fields.map((field) => (isAskable(field) ? field : ''));
    found.push(...parseFound(await pool.readInRoom(identity, room, findCommands(asked))));
  }
  return found.slice(0, names.length);
}

const FIND = 'MEMB find';

/** What the verb calls a number for sure, `'|12'` → `'/12'`: a bar would end the field. */
function fieldOf(segment: string): string {
  return segment.startsWith('|') ? `/${segment.slice(1)}` : segment;
}

/** The segments as fields, without those that no member can be called. */
export function askableFields(segments: readonly string[]): string[] {
  return segments.map(fieldOf).filter(isAskable);
}

/** A name that a command line can hold; no member has another one. */
function isAskable(name: string): boolean {
  return isFieldSafe(name) && Buffer.byteLength(name) < MAX_COMMAND_BYTES / 2;
}

/** As many names on a line as it holds; nothing is asked for no name, but the room is entered. */
function findCommands(names: readonly string[]): string[] {
  const commands: string[] = [];
  let fields: string[] = [];
  let bytes = 0;
  for (const name of names) {
    const length = Buffer.byteLength(name) + 1;
    if (FIND.length + bytes + length > MAX_COMMAND_BYTES) {
      commands.push(command('MEMB', 'find', ...fields));
      fields = [];
      bytes = 0;
    }
    fields.push(name);
    bytes += length;
  }
  return fields.length === 0 ? commands : [...commands, command('MEMB', 'find', ...fields)];
}

const parseFound = memoiseByAnswer(({ answers }: InRoom) =>
  answers.flatMap((answer) =>
    expectClass(answer, REPLY.listing).lines.map((line) => (line === '0' ? undefined : memberFrom(line))),
  ),
);

/** The same for one name in the room that the connection is in, of the embedded room server. */
export async function findMemberOn(connection: Connection, name: string): Promise<NamedMember | undefined> {
  if (!isAskable(name)) return undefined;
  const { lines } = expectClass(await connection.ask(command('MEMB', 'find', name)), REPLY.listing);
  if (lines[0] === undefined || lines[0] === '0') return undefined;
  const [number = '', own] = splitFields(lines[0]);
  return { msgnum: toInt(number), name: own || number };
}

const parsePage = memoiseByAnswer(({ entered, answers }: InRoom): MemberPage => {
  const { text, lines } = expectClass(answers[0] as Answer, REPLY.listing);
  const [roomId, sequence, next = ''] = splitFields(text);
  const isUnchanged = next === UNCHANGED;
  const rows = lines.map(memberFrom);
  return {
    entered,
    roomId: toInt(roomId),
    sequence: toInt(sequence),
    next: isUnchanged ? '' : next,
    isUnchanged,
    rows,
  };
});

function behind(cursor: string, page: MemberPage): MemberPage {
  if (page.next !== '') requireProgress(page.next !== cursor, page.rows);
  return page;
}

/**
 * Of a page that is not the last one, or whoever reads them all would read for ever. Throws backend_protocol.
 * `isFurther`: the next one begins elsewhere.
 */
export function requireProgress(isFurther: boolean, rows: readonly unknown[]): void {
  if (!isFurther || rows.length === 0) throw unexpectedAnswer('pages without an end');
}

/** `number|name|euid|time|type|size|component|starts|ends|title|created` */
function memberFrom(line: string): ListedMember {
  const [number = '', own = '', euid = '', time, type = '', size, component = '', starts, ends, title = '', created] =
    splitFields(line);
  const message = { msgnum: toInt(number), euid: unpackField(euid) };
  return {
    ...message,
    name: own || number,
    time: toInt(time),
    created: created ? toInt(created) : undefined,
    displayName: titleOf(message, own, unpackField(title)),
    contentType: unpackField(type),
    size: size ? toInt(size) : undefined,
    component: component === SEVERAL ? undefined : component,
    extent: starts ? { start: instantFrom(starts), end: instantFrom(ends) } : undefined,
  };
}

function instantFrom(text: string | undefined): number {
  const instant = Number(text);
  if (Math.abs(instant) < NO_END) return instant;
  return instant > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}
