// The verb MEMB of the embedded room server (protocol section 21.6): pages of members and of changes, placing, quota.

import { AppError } from '../../errors.ts';
import { NAMES_AT_ONCE } from '../../limits/dav.ts';
import { MAX_COMMAND_BYTES, MAX_LISTING_LINES } from '../../limits/protocol.ts';
import type { TimeRange } from '../../mime/objects/instances.ts';
import type { EnteredRoom } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, isFieldSafe, splitFields, toInt, unpackField } from '../../protocol/fields.ts';
import { titleOf } from '../../protocol/member-names.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Member, NamedMember, NewPlace, PlaceOptions, Quota, RoomState } from '../collections.ts';
import type { Connection } from '../connection/connection.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { InRoom, Pool, RoomAccess } from '../connection/pool.ts';
import { expectClass, refusalAfterBody, unexpectedAnswer } from '../connection/server-errors.ts';
import { UidTaken } from '../posting.ts';

/** A page of members. */
export interface MemberPage extends RoomState {
  entered: EnteredRoom;
  /** where the next page begins; empty: this is the last one */
  next: string;
  /** nothing has changed since `unless`: there are no rows */
  isUnchanged: boolean;
  rows: readonly Member[];
}

/** The members of a page; nothing set: all. */
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
  /** those whose extent overlaps it */
  range?: TimeRange | undefined;
  /** nothing, if the room is still in this state */
  unless?: RoomState | undefined;
}

/** A member that is gone or renamed. */
export interface RemovedRow {
  msgnum: number;
  name: string;
  /** another member has this name now */
  isThere: boolean;
}

/** The sync-token of a state of a room. */
export function stateToken({ roomId, sequence }: RoomState): string {
  return `data:,${roomId}-${sequence}`;
}

const NOBODY = command('MEMB', 'find');
const SEVERAL = '*';
/** instead of the cursor of the next page */
const UNCHANGED = '=';
/** stands for infinity */
const NO_END = Number.MAX_SAFE_INTEGER;

function boundOf(instant: number): number | string {
  return Number.isFinite(instant) ? Math.trunc(instant) : '';
}

const FIND = 'MEMB find';

/** How the verb marks a message number, `'|12'` → `'/12'`: a bar would end the field. */
function fieldOf(segment: string): string {
  return segment.startsWith('|') ? `/${segment.slice(1)}` : segment;
}

/** The segments as fields, without those that cannot be names. */
export function askableFields(segments: readonly string[]): string[] {
  return segments.map(fieldOf).filter(isAskable);
}

/** Fits a command line, as all names do. */
function isAskable(name: string): boolean {
  return isFieldSafe(name) && Buffer.byteLength(name) < MAX_COMMAND_BYTES / 2;
}

/** As many names per line as fit; none for no names. */
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

function pageFrom({ entered, answers }: InRoom): MemberPage {
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
}

function afterCursor(cursor: string, page: MemberPage): MemberPage {
  if (page.next !== '') requireProgress(page.next !== cursor, page.rows);
  return page;
}

/**
 * Prevents an endless loop over pages: call this for each but the last. `isFurther`: the cursor has changed. Throws
 * backend_protocol.
 */
export function requireProgress(isFurther: boolean, rows: readonly unknown[]): void {
  if (!isFurther || rows.length === 0) throw unexpectedAnswer('pages without an end');
}

/** `number|name|euid|time|type|size|component|starts|ends|title|created` */
function memberFrom(line: string): Member {
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

async function askTree(connection: Connection, ...fields: (string | number)[]): Promise<void> {
  succeeded(expectClass(await connection.ask(command('MEMB', 'tree', ...fields)), REPLY.listing).lines);
}

/** The numbers of the rows. Throws the error of a row `failure|number`. */
function succeeded(lines: readonly string[]): number[][] {
  const rows = lines.map((row) => splitFields(row).map(toInt));
  const [failure = 0, msgnum = 0] = rows[0] ?? [];
  if (failure < 0) throw failureOf(failure, msgnum);
  return rows;
}

function failureOf(failure: number, msgnum: number): AppError {
  if (failure === -3) return invalidName();
  if (failure === -4) return new AppError('forbidden', 'There are too many to move, copy or delete at once.');
  if (failure === -5) return new AppError('precondition_failed', 'This name is already in use.');
  if (failure === -6) return new AppError('conflict', 'Another message has this UID.', { cause: new UidTaken(msgnum) });
  if (failure === -8) return new AppError('not_found', 'No such message.');
  if (failure === -9) return new AppError('conflict', 'The folder has changed in the meantime.');
  if (failure === -7) return new AppError('forbidden', 'This account may not do that.');
  return refusalAfterBody(failure) ?? unexpectedAnswer(failure);
}

function invalidName(): AppError {
  return new AppError('bad_request', 'This name is not allowed.');
}

/** Each throws as pool.readInRoom; those on a connection ask in its room. */
export const memberVerb = {
  async page({ pool, identity, room }: RoomAccess, question: PageQuestion): Promise<MemberPage> {
    const { cursor = '', upTo = 0, folder, isDeep = false, component = '', range, unless } = question;
    const top = folder === '' && !isDeep ? '/' : (folder ?? '');
    if (!isFieldSafe(top)) throw new AppError('not_found', 'There is no such folder.');
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
      top,
      isDeep ? 1 : 0,
      ...(unless ? [unless.roomId, unless.sequence] : []),
    );
    return afterCursor(cursor, pageFrom(await pool.readInRoom(identity, room, [line])));
  },

  /** A page without members. */
  async state({ pool, identity, room }: RoomAccess): Promise<MemberPage> {
    return pageFrom(await pool.readInRoom(identity, room, [NOBODY]));
  },

  /** Members that came or were renamed; undefined for a state that is unknown or of another room. */
  async changed(
    { pool, identity, room }: RoomAccess,
    since: RoomState,
    { cursor = '', upTo = 0 }: Pick<PageQuestion, 'cursor' | 'upTo'> = {},
  ): Promise<MemberPage | undefined> {
    const line = command('MEMB', 'changes', since.roomId, since.sequence, cursor, '', upTo);
    const inRoom = await pool.readInRoom(identity, room, [line]);
    return inRoom.answers[0]!.code === STATUS.changesNotKept ? undefined : afterCursor(cursor, pageFrom(inRoom));
  },

  /** All that went up to the sequence `upTo`; undefined as for `changed`. */
  async removed({ pool, identity, room }: RoomAccess, since: RoomState, upTo: number) {
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
  },

  async named({ pool, identity, room }: RoomAccess, names: readonly string[]) {
    const found: (Member | undefined)[] = [];
    for (let at = 0; at < names.length || at === 0; at += NAMES_AT_ONCE) {
      const fields = names.slice(at, at + NAMES_AT_ONCE).map(fieldOf);
      const asked = fields.map((field) => (isAskable(field) ? field : ''));
      const { answers } = await pool.readInRoom(identity, room, findCommands(asked));
      const lines = answers.flatMap((answer) => expectClass(answer, REPLY.listing).lines);
      found.push(...lines.map((line) => (line === '0' ? undefined : memberFrom(line))));
    }
    return found.slice(0, names.length);
  },

  async namedOn(connection: Connection, name: string): Promise<NamedMember | undefined> {
    if (!isAskable(name)) return undefined;
    const { lines } = expectClass(await connection.ask(command('MEMB', 'find', name)), REPLY.listing);
    if (lines[0] === undefined || lines[0] === '0') return undefined;
    const [number = '', own] = splitFields(lines[0]);
    return { msgnum: toInt(number), name: own || number };
  },

  async place(connection: Connection, places: readonly NewPlace[], { isCopy, room, mayReplace }: PlaceOptions) {
    if (!places.every(({ name }) => isFieldSafe(name))) throw invalidName();
    const line = command('MEMB', 'place', isCopy ? 1 : 0, room, mayReplace ? 1 : 0);
    expectClass(await connection.start(line), REPLY.sendTextThenListing);
    const text = places.map(({ msgnum, name }) => `${msgnum}|${name}\n`).join('');
    const rows = await connection.sendText([Buffer.from(text)]);
    const numbers = succeeded(rows);
    if (numbers.length !== places.length) throw unexpectedAnswer(rows);
    return numbers.map(([, there = 0]) => there);
  },

  async placeFolder(
    connection: Connection,
    folder: string,
    newFolder: string,
    { isCopy, room, mayReplace, isShallow }: PlaceOptions & { isShallow: boolean },
  ) {
    const flags = [mayReplace, isShallow].map(Number);
    await askTree(connection, isCopy ? 'copy' : 'move', folder, room, newFolder, ...flags);
  },

  /** With all below it, or nothing. */
  async removeFolder(connection: Connection, folder: string) {
    await askTree(connection, 'remove', folder);
  },

  async quota(pool: Pool, identity: Identity, room?: RoomRef): Promise<Quota> {
    const answer = room
      ? (await pool.readInRoom(identity, room, [command('MEMB', 'quota')])).answers[0]
      : (await pool.read(identity, [command('MEMB', 'quota', 'all')]))[0];
    const [used, available] = splitFields(expectClass(answer!, REPLY.listing).lines[0] ?? '');
    return { used: toInt(used), available: toInt(available) };
  },
};
