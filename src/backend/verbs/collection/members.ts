// MEMB, our own verb: the current room as a collection of DAV resources (protocol section 21.6). Lists come page by
// page, and each page checks the rights again.

import { MAX_FOUND_MEMBERS, MAX_MEMBERS_AT_ONCE } from '../../../limits/backend.ts';
import { splitFields, toInt } from '../../../protocol/fields.ts';
import { finishedRows, learnMembers } from '../../content/learning.ts';
import { readableRoom } from '../../session/access.ts';
import { inPieces, listingStart, type Reply } from '../../session/reply.ts';
import type { Session, Verb } from '../../session/session.ts';
import { BEFORE_ALL, changedPage, findMember, type MemberRow, memberPage, removedPage } from '../../store/members.ts';
import { NO_BOUND } from '../../store/message-facts.ts';
import { isFilesRoom, type StoredRoom } from '../../store/records.ts';
import { Refusal } from '../../store/refusal.ts';
import { tree } from './folders.ts';
import { place } from './placing.ts';
import { contents, quota, readOne } from './read.ts';

/**
 * `MEMB list|…`, `changes|…`, `removed|…`, `find|…`, `read|…`, `contents|…`, `place|…`, `tree|…`, `quota`; 512, 550,
 * 575, 576
 */
export const memb: Verb = (session, args) => {
  const [what, ...fields] = splitFields(args);
  switch (what) {
    case 'list':
      return answer(session, (room) => list(session, room, fields));
    case 'changes':
      return answer(session, (room) => changes(session, room, fields));
    case 'removed':
      return answer(session, (room) => removed(session, room, fields));
    case 'find':
      return answer(session, (room) => found(session, room, fields));
    case 'read':
      return readOne(session, fields);
    case 'place':
      return place(session, fields);
    case 'tree':
      return tree(session, fields);
    case 'quota':
      return quota(session, fields[0] ?? '');
    case 'contents':
      return contents(session, fields[0] ?? '');
    default:
      throw new Refusal('illegalValue', 'There is no such question.');
  }
};

/** The listing that `make` yields, once all members of the room are known; streamed if that takes long. */
function answer(session: Session, make: (room: StoredRoom) => Iterable<string>): Reply {
  const room = readableRoom(session);
  return inPieces('', known(session, room, make));
}

function* known(session: Session, room: StoredRoom, make: (room: StoredRoom) => Iterable<string>): Generator<string> {
  try {
    for (const _ of learnMembers(session.store, room)) yield '';
  } catch (error) {
    // a full disk still allows reading, by message numbers
    if (!(error instanceof Refusal)) throw error;
  }
  yield* make(readableRoom(session));
}

/**
 * `list|cursor|limit|up to|component|start|end|folder|deep|room id|sequence` → `100 room id|sequence|cursor of the next
 * page` and rows. Empty fields do not filter; the folder `/` selects members in no folder. Only rooms of files
 * have folders. If the room has this id and its sequence has not changed: `100 room id|sequence|=`.
 */
function* list({ store }: Session, room: StoredRoom, fields: readonly string[]): Generator<string> {
  const [cursor = '', size, upTo, component = '', start = '', end = '', folder = '', deep, id, known] = fields;
  if (toInt(id) === room.id && toInt(known) === room.sequence) return yield statusOf(room, room.sequence, '=');
  const limit = pageSize(size);
  const isFiles = isFilesRoom(room);
  const hasRange = start !== '' || end !== '';
  const rows = memberPage(
    store,
    room.id,
    {
      upTo: toInt(upTo) || NO_BOUND,
      folder: folder === '' || !isFiles ? undefined : folder === '/' ? '' : folder,
      isDeep: toInt(deep) !== 0,
      component,
      range: hasRange
        ? { start: start === '' ? -NO_BOUND : toInt(start), end: end === '' ? NO_BOUND : toInt(end) }
        : undefined,
    },
    cursor === '' ? BEFORE_ALL : pageCursor(cursor),
    limit,
  );
  const last = rows.length === limit ? rows.at(-1)! : undefined;
  yield* page(store, room, room.sequence, last && `${hasRange ? last.ends : 0}:${last.id}`, rows);
}

/** `changes|room id|since|cursor|limit|up to` → the same for members added or renamed since; 576 */
function* changes({ store }: Session, room: StoredRoom, fields: readonly string[]): Generator<string> {
  const { after, upTo, limit } = span(room, fields);
  const rows = changedPage(store, room.id, after, upTo, limit);
  const last = rows.length === limit ? rows.at(-1)! : undefined;
  yield* page(store, room, upTo, last && `${last.sequence}:${last.id}`, rows);
}

function* page(
  store: Session['store'],
  room: StoredRoom,
  sequence: number,
  next: string | undefined,
  rows: readonly MemberRow[],
): Generator<string> {
  yield statusOf(room, sequence, next);
  yield* finishedRows(store, rows);
}

/** With the same fields → rows `number|name|1 if another member has that name now, else 0`; 576 */
function* removed({ store }: Session, room: StoredRoom, fields: readonly string[]): Generator<string> {
  const { after, upTo, limit } = span(room, fields);
  const rows = removedPage(store, room.id, after, upTo, limit);
  const last = rows.length === limit ? rows.at(-1)! : undefined;
  yield statusOf(room, upTo, last && `${last.sequence}:${last.message}`);
  yield rows.map(({ message, name, isThere }) => `${message}|${name}|${isThere}\n`).join('');
}

/** `find|name|name|…` → for each its row, or `0` */
function* found({ store }: Session, room: StoredRoom, names: readonly string[]): Generator<string> {
  yield statusOf(room, room.sequence, undefined);
  for (const name of names.slice(0, MAX_FOUND_MEMBERS)) {
    const member = name === '' ? undefined : findMember(store, room.id, name);
    let text = '';
    for (const piece of member ? finishedRows(store, [member]) : []) {
      text += piece;
      if (piece === '') yield '';
    }
    yield text || '0\n';
  }
}

function statusOf({ id }: StoredRoom, sequence: number, next: string | undefined): string {
  return listingStart(`${id}|${sequence}|${next ?? ''}`);
}

function span(room: StoredRoom, [id, since, cursor = '', size, until]: readonly string[]) {
  const from = toInt(since);
  if (toInt(id) !== room.id || from < room.changesFrom || from > room.sequence)
    throw new Refusal('changesNotKept', 'What has changed since then is not known.');
  const { ends: sequence, id: message } = cursor === '' ? { ends: from, id: NO_BOUND } : pageCursor(cursor);
  return {
    after: { sequence, id: message },
    upTo: Math.min(toInt(until) || room.sequence, room.sequence),
    limit: pageSize(size),
  };
}

function pageSize(field: string | undefined): number {
  const size = toInt(field);
  return size > 0 ? Math.min(size, MAX_MEMBERS_AT_ONCE) : MAX_MEMBERS_AT_ONCE;
}

function pageCursor(field: string): { ends: number; id: number } {
  const [ends, id] = field.split(':');
  return { ends: clamped(ends), id: clamped(id) };
}

/** toInt accepts fewer digits than NO_BOUND has */
function clamped(text: string | undefined): number {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : 0;
}
