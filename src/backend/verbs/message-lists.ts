// MSGS: the messages of the current room that a selector chooses (protocol section 14). ROWS and COUN, our own verbs: a
// page of a room's list with all that its rows show, and the number of new messages in each room
// (protocol section 21.8). Long lists are streamed page by page, to bound memory and let other sessions run.

import {
  BACKEND_LIST_PAGE_ROWS,
  MAX_DETAILED_ROWS,
  MAX_LIST_FIELDS,
  MAX_LIST_INPUT_BYTES,
  MAX_LIST_TEXT_BYTES,
  MAX_LISTED_ROWS,
  MAX_SEARCH_HITS,
  PIECE_RANGES,
} from '../../limits/backend.ts';
import { ACCESS } from '../../model.ts';
import { packField, splitFields, toInt } from '../../protocol/fields.ts';
import { type NumberRange, SequenceSet } from '../../protocol/sequence-set.ts';
import { attachedFiles, fieldValue, firstWords, subjectRow, threadRow } from '../content/message-header.ts';
import { mayStillRead, readableRoom } from '../session/access.ts';
import { answerText, inPieces, listingStart, piecesOf, type Reply, type TextReply } from '../session/reply.ts';
import { type ListedRoom, roomsOf } from '../session/rooms.ts';
import type { Session, Verb } from '../session/session.ts';
import { readBlob } from '../store/bodies.ts';
import {
  firstInRanges,
  HIGHEST_NUMBER,
  highestListedInRoom,
  idsInRoom,
  type ListedMessage,
  listedByNumber,
  listedInRoom,
  messageInRoom,
  messagesBySubject,
  messagesInRoom,
  numberFromEnd,
  numbersInRoom,
  type StoredMessage,
  structureOf,
} from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import { numberBefore } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { roomById, roomsWithPictures, shownName } from '../store/rooms.ts';
import { searchNumbers } from '../store/search-index.ts';
import type { Store } from '../store/store.ts';
import { USER_FLAG } from '../store/users.ts';
import { countNew, visitOf } from '../store/visits.ts';

const MODE = { subjects: 1, euids: 4, fields: 8, threads: 9 } as const;

const TEMPLATE = { match: 1, fields: 2 } as const;

/**
 * `MSGS selector|argument|template|mode` → 100 and a row for each message, ascending; with template 1 or mode 8 first
 * 800 and lines of the client. 550 without a room.
 */
export const msgs: Verb = (session, args) => {
  const fields = splitFields(args);
  const room = readableRoom(session);
  const selected = resolveSelector(session, room, fields[0] ?? '', fields[1] ?? '');
  const template = toInt(fields[2]);
  const mode = toInt(fields[3]);
  if (mode === MODE.fields || template === TEMPLATE.fields) return chosenFields(session, room, selected);
  if (template === TEMPLATE.match) return findMessages(session, room, selected, mode);
  return inPieces(listingStart(' '), selectedRows(session, room.id, untilNow(session, room, selected), mode));
};

/**
 * Only messages that are there now: the user may lose access while the rows are sent. None if access is lost already.
 */
function untilNow(session: Session, room: StoredRoom, selected: SelectedMessages): SelectedMessages {
  if (session.room !== room || !mayStillRead(session, room)) return { ranges: [], limit: 0 };
  const { highest } = room;
  const ranges = selected.ranges
    .filter(({ low }) => low <= highest)
    .map(({ low, high }) => ({ low, high: Math.min(high, highest) }));
  return { ...selected, ranges };
}

/** Yields a piece for each page, even an empty one. */
function* formatted<Row>(pages: Iterable<Row[]>, format: (row: Row) => string): Generator<string> {
  for (const page of pages) {
    yield '';
    yield* piecesOf(page, format);
  }
}

function* selectedRows(session: Session, roomId: number, selected: SelectedMessages, mode: number): Generator<string> {
  if (mode === MODE.euids) {
    for (const page of pages(selected, (range, limit) => idsInRoom(session.store, roomId, range, limit))) {
      yield page.map(euidRow).join('');
    }
    return;
  }
  if (hasHeaderRows(mode)) {
    const format = rowFormat(session, mode);
    yield* formatted(listedPages(session.store, roomId, selected), format);
    return;
  }
  if (selected.numbers) {
    yield selected.numbers.map((msgnum) => `${msgnum}\n`).join('');
    return;
  }
  for (const page of pages(selected, (range, limit) => numbersInRoom(session.store, roomId, range, limit))) {
    yield page.map(({ id }) => `${id}\n`).join('');
  }
}

function* listedPages(store: Store, roomId: number, selected: SelectedMessages): Generator<ListedMessage[]> {
  const { numbers } = selected;
  if (!numbers) yield* pages(selected, (range, limit) => listedInRoom(store, roomId, range, limit));
  // search hits are rarely adjacent: one query for many
  for (let at = 0; numbers && at < numbers.length; at += BACKEND_LIST_PAGE_ROWS) {
    yield listedByNumber(store, roomId, numbers.slice(at, at + BACKEND_LIST_PAGE_ROWS));
  }
}

function hasHeaderRows(mode: number): boolean {
  return mode === MODE.subjects || mode === MODE.euids || mode === MODE.threads;
}

/**
 * Each page is a separate query: no statement stays open while others change the room. With many ranges a page may have
 * fewer rows, or none.
 */
function* pages<Row extends { id: number }>(
  selected: SelectedMessages,
  read: (range: NumberRange, limit: number) => Row[],
): Generator<Row[]> {
  let page: Row[] = [];
  let left = selected.limit;
  for (const [i, range] of selected.ranges.entries()) {
    let low = range.low;
    if (i % PIECE_RANGES === PIECE_RANGES - 1) {
      yield page;
      page = [];
    }
    while (left > 0 && low <= range.high) {
      const wanted = Math.min(left, BACKEND_LIST_PAGE_ROWS - page.length);
      const found = read({ low, high: range.high }, wanted);
      page.push(...found);
      left -= found.length;
      low = (found.at(-1)?.id ?? range.high) + 1;
      if (page.length === BACKEND_LIST_PAGE_ROWS) {
        yield page;
        page = [];
      }
      if (found.length < wanted) break;
    }
  }
  if (page.length > 0) yield page;
}

function euidRow({ id, euid, time }: Pick<StoredMessage, 'id' | 'euid' | 'time'>): string {
  return `${id}|${euid.replaceAll('|', '-')}|${time}\n`;
}

function rowFormat(session: Session, mode: number): (row: ListedMessage) => string {
  if (mode === MODE.subjects) return (row) => `${subjectRow(session, row)}\n`;
  return (row) => `${threadRow(session, row)}\n`;
}

/** Template 1: lines `field|value`, all of which a message must match (any ASCII case). Unknown fields are ignored. */
function findMessages(session: Session, room: StoredRoom, selected: SelectedMessages, mode: number): TextReply {
  return answerText('Send template then receive message list', MAX_LIST_INPUT_BYTES, (text) => {
    const wanted = inputLines(text).flatMap((line) => {
      const bar = line.indexOf('|');
      return bar < 0 ? [] : [[fieldName(line.slice(0, bar)), line.slice(bar + 1).toLowerCase()] as const];
    });
    const format =
      mode === MODE.euids
        ? euidRow
        : hasHeaderRows(mode)
          ? rowFormat(session, mode)
          : ({ id }: StoredMessage) => `${id}\n`;
    const subject = wanted.find(([name, value]) => name === 'subj' && value !== '')?.[1];
    // FIRST counts messages that do not match, too
    const isIndexed = selected.limit === Number.POSITIVE_INFINITY;
    const matches = (row: StoredMessage) =>
      wanted.every(([name, value]) => {
        const own = fieldValue(row, name);
        return own === undefined || own.toLowerCase() === value;
      });
    return inPieces(
      '',
      formatted(
        messagePages(session, room.id, untilNow(session, room, selected), isIndexed ? subject : undefined),
        (row) => (matches(row) ? format(row) : ''),
      ),
    );
  });
}

/** Mode 8: the client names the columns. Unknown names get no column; values are not escaped. */
function chosenFields(session: Session, room: StoredRoom, selected: SelectedMessages): TextReply {
  return answerText('Send list of headers', MAX_LIST_INPUT_BYTES, (text) => {
    const names = inputLines(text).map(fieldName);
    return inPieces(
      '',
      allRows(session, room.id, untilNow(session, room, selected)).map((row) => {
        if (!row) return '';
        // read once, even if named several times
        const body = names.includes('text') ? bodyColumn(session, row) : '';
        const columns = names.map((name) => (name === 'text' ? body : fieldValue(row, name)));
        return `${[row.id, ...columns.filter((value) => value !== undefined)].join('|')}\n`;
      }),
    );
  });
}

/** `subject`: only messages with this subject. */
function messagePages(
  { store }: Session,
  roomId: number,
  selected: SelectedMessages,
  subject?: string,
): Generator<StoredMessage[]> {
  return pages(selected, (range, limit) =>
    subject === undefined
      ? messagesInRoom(store, roomId, range, limit)
      : messagesBySubject(store, roomId, subject, range, limit),
  );
}

/** Yields undefined where other sessions may run. */
function* allRows(session: Session, roomId: number, selected: SelectedMessages): Generator<StoredMessage | undefined> {
  for (const page of messagePages(session, roomId, selected)) {
    yield;
    yield* page;
  }
}

/** The start of the stored body, without a line that would end the listing. */
function bodyColumn(session: Session, row: StoredMessage): string {
  const bytes = Buffer.concat([...readBlob(session.store, row.blob, 0, Math.min(row.size, MAX_LIST_TEXT_BYTES))]);
  return bytes.toString().replace(/^000(?=\r?$)/gm, ' 000');
}

/** Only the first four bytes of a name count, in any case. */
function fieldName(line: string): string {
  return line.trim().toLowerCase().slice(0, 4);
}

/** The lines of the input; none if it was too long to be complete. */
function inputLines(text: string | undefined): string[] {
  return (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, MAX_LIST_FIELDS);
}

/** The messages that a selector chooses. */
interface SelectedMessages {
  /** ascending, disjoint */
  ranges: NumberRange[];
  /** rows at most */
  limit: number;
  /** the messages of the ranges, if they are known to be in the room */
  numbers?: readonly number[];
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

const NOTHING: SelectedMessages = { ranges: [], limit: 0 };

/** Unknown selectors mean ALL, as on a real server; LAST and FIRST without a count mean nothing. */
function resolveSelector(session: Session, room: StoredRoom, selector: string, argument: string): SelectedMessages {
  const word = selector.trim().toUpperCase();
  const number = toInt(argument);
  const { store } = session;
  if (word.startsWith('NEW')) return { ranges: newRanges(session, room), limit: NO_LIMIT };
  if (word.startsWith('OLD')) {
    return { ranges: seenBy(session, room).ranges.map((range) => ({ ...range })), limit: NO_LIMIT };
  }
  if (word.startsWith('GT')) return between(number + 1, NO_LIMIT);
  if (word.startsWith('LT')) return between(1, number - 1);
  if (word.startsWith('FIRST')) return number > 0 ? { ...between(1, NO_LIMIT), limit: number } : NOTHING;
  if (word.startsWith('LAST')) {
    return number > 0 ? between(numberFromEnd(store, room.id, number) ?? 1, NO_LIMIT) : NOTHING;
  }
  if (word.startsWith('SEARCH')) {
    const numbers = searchNumbers(store, [room], argument, MAX_SEARCH_HITS);
    return { ranges: numbers.map((msgnum) => ({ low: msgnum, high: msgnum })), limit: NO_LIMIT, numbers };
  }
  return between(1, NO_LIMIT);
}

/** Unread messages; with the flag LASTOLD also the last read one before them. */
function newRanges(session: Session, room: StoredRoom): NumberRange[] {
  const ranges: NumberRange[] = seenBy(session, room).gaps();
  if (!session.user || (session.user.flags & USER_FLAG.lastOld) === 0) return ranges;
  const first = firstInRanges(session.store, room.id, ranges);
  const old = first === undefined ? undefined : numberBefore(session.store, room.id, first);
  return old === undefined ? ranges : [{ low: old, high: old }, ...ranges.filter(({ high }) => high > old)];
}

function seenBy(session: Session, room: StoredRoom): SequenceSet {
  return session.user ? visitOf(session.store, session.user.id, room.id).seen : SequenceSet.upTo(0);
}

function between(low: number, high: number): SelectedMessages {
  return { ranges: low <= high ? [{ low, high }] : [], limit: NO_LIMIT };
}

/**
 * `ROWS above|below|limit|1: highest first|1: unread only|1: details` → 100 and rows, ascending, of messages with
 * numbers between the two (0: no bound): those of MSGS mode 9 with `1 or 0: read|` appended, and with details
 * `recipients|files|first words|`. 512, 550.
 */
export const rows: Verb = (session, args) => {
  const [above, below, limit, isFromEnd, isUnreadOnly, isDetailed] = splitFields(args).map(toInt);
  const room = readableRoom(session);
  const most = isDetailed ? MAX_DETAILED_ROWS : MAX_LISTED_ROWS;
  if (!limit || limit < 0) throw new Refusal('illegalValue', 'How many rows?');
  // only messages that are there now: the user may lose access meanwhile
  const range = { low: (above ?? 0) + 1, high: Math.min(below ? below - 1 : HIGHEST_NUMBER, room.highest) };
  const { seen } = session.user ? visitOf(session.store, session.user.id, room.id) : { seen: undefined };
  const ranges = isUnreadOnly && seen ? within(seen.gaps(), range) : [range];
  const format = (row: ListedMessage) => {
    const mark = seen?.contains(row.id) ? 1 : 0;
    return `${threadRow(session, row)}${mark}|${isDetailed ? details(session, room, row.id) : ''}\n`;
  };
  function* pieces(most: number): Generator<string> {
    const found = yield* chosen(session, room, ranges, most, isFromEnd === 1);
    yield* piecesOf(found, format, isDetailed ? 1 : undefined);
  }
  return inPieces(listingStart(' '), pieces(Math.min(limit, most)));
};

/** `COUN` → rows `room|unread|messages|highest number|1 or 0: picture|` of the rooms of LKRA. */
export function coun(session: Session): Reply {
  const { store, user } = session;
  const pictured = roomsWithPictures(store);
  const row = ({ room, visit, access }: ListedRoom) => {
    // it may have been deleted while earlier rows were sent
    if ((access & ACCESS.known) === 0 || roomById(store, room.id) !== room) return '';
    const unread = visit ? countNew(store, room, visit) : room.total;
    return `${shownName(room, user)}|${unread}|${room.total}|${room.highest}|${pictured.has(room.id) ? 1 : 0}|\n`;
  };
  return inPieces(listingStart('Messages:'), roomsOf(session).map(row));
}

function within(ranges: readonly NumberRange[], { low, high }: NumberRange): NumberRange[] {
  return ranges
    .map((range) => ({ low: Math.max(range.low, low), high: Math.min(range.high, high) }))
    .filter((range) => range.low <= range.high);
}

/** At most `limit` of the messages in the ranges, ascending. Yields empty pieces, because many ranges may be empty. */
function* chosen(
  { store }: Session,
  room: StoredRoom,
  ranges: readonly NumberRange[],
  limit: number,
  isFromEnd: boolean,
): Generator<string, ListedMessage[]> {
  const found: ListedMessage[] = [];
  for (const [i, range] of (isFromEnd ? ranges.toReversed() : ranges).entries()) {
    if (i % PIECE_RANGES === PIECE_RANGES - 1) yield '';
    const left = limit - found.length;
    if (left <= 0) break;
    const read = isFromEnd ? highestListedInRoom : listedInRoom;
    found.push(...read(store, room.id, range, left));
  }
  return isFromEnd ? found.reverse() : found;
}

/** Empty fields for a message that was deleted meanwhile. */
function details({ store }: Session, room: StoredRoom, msgnum: number): string {
  const row = messageInRoom(store, room.id, msgnum);
  if (!row) return '|0||';
  const structure = structureOf(store, msgnum);
  const recipients = [row.recipients, row.cc].filter((text) => text !== '').join(', ');
  const files = attachedFiles(store, row, structure);
  return `${packField(recipients)}|${files}|${packField(firstWords(store, row, structure))}|`;
}
