// EUID and SRCH (protocol section 18.9), and our own verbs FIND and HITS: a search in all rooms that the user knows,
// with what a list shows of each hit. One command for all rooms, because asking each room takes longer the more there
// are. AUTO suggests recipients: people on cards of the user's Contacts and of the Global Address Book, then accounts.

import {
  BACKEND_TURN_MS,
  MAX_COMPLETIONS,
  MAX_EXCERPT_CHARACTERS,
  MAX_HITS_AT_ONCE,
  MAX_SEARCH_HITS,
  MAX_SEARCH_RESULTS,
} from '../../limits/backend.ts';
import { isPersonLike, type Person } from '../../mime/objects/properties.ts';
import { ACCESS } from '../../model.ts';
import { packField, splitFields, toInt } from '../../protocol/fields.ts';
import { foldedWord, wordsOf } from '../../protocol/search-words.ts';
import type { Steps } from '../../system/steps.ts';
import { peopleIn, personLine } from '../content/mail.ts';
import { attachedFiles, threadRow } from '../content/message-header.ts';
import { accessOf, isRoomAdmin, readableRoom, requireUser } from '../session/access.ts';
import { inPieces, listing, listingStart, ok, piecesOf, type Reply } from '../session/reply.ts';
import { knownRooms } from '../session/rooms.ts';
import type { Session, Verb } from '../session/session.ts';
import { structureIn } from '../store/message-part.ts';
import { HIGHEST_NUMBER, type ListedMessage, listedMessages, messageByNumber, structureOf } from '../store/messages.ts';
import type { StoredRoom, StoredUser } from '../store/records.ts';
import { messageByEuid } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { findRoom, personalKey, roomById, roomByName, shownName } from '../store/rooms.ts';
import { indexQuery, searchedText, searchHits, searchNumbers } from '../store/search-index.ts';
import type { Store } from '../store/store.ts';
import { addressOf, allUsers, USER_FLAG } from '../store/users.ts';
import { visitOf } from '../store/visits.ts';

/** `SRCH words` → listing of message numbers, ascending. A room that is not known to the user gives no hits. */
export const srch: Verb = (session, args) => {
  const found = searchNumbers(session.store, searchedRooms(session), args, MAX_SEARCH_HITS);
  const rows = found.map((msgnum) => `${msgnum}\n`);
  return listing(`${rows.length} msgs match all search words:`, rows);
};

/** `FIND limit|words` → rows of MSGS mode 9, each followed by `room|flags|1 or 0: room admin|`, the latest first. */
export const find: Verb = (session, args) => {
  const { store } = session;
  const [count, ...words] = splitFields(args);
  const limit = Math.min(Math.max(toInt(count), 0), MAX_SEARCH_RESULTS);
  const found = searchHits(store, searchedRooms(session), words.join(' '), limit);
  const listed = listedMessages(
    store,
    found.map(({ message }) => message),
  );
  const row = ({ room: id, message }: (typeof found)[number]) => {
    const room = roomById(store, id);
    // it may have been deleted while earlier rows were sent
    return room ? `${foundRow(session, room, listed.get(message)!)}\n` : '';
  };
  return inPieces(listingStart(`${found.length} found:`), piecesOf(found, row));
};

/** A row of FIND, without its end. */
function foundRow(session: Session, room: StoredRoom, row: ListedMessage): string {
  const { user } = session;
  return `${threadRow(session, row)}${shownName(room, user)}|${room.flags}|${isRoomAdmin(user, room) ? 1 : 0}|`;
}

/**
 * `HITS offset|limit|room|author|since|until|1: files|1: last word begun|views|words` → `100 total|view,hits,…` and
 * rows of FIND, the latest first, with `1 or 0: read|files|start,end,start,end…|excerpt|` appended. An empty room:
 * all. 512, 572.
 */
export const hits: Verb = (session, args) => {
  const [offset, count, name, author, since, until, hasFiles, isLastBegun, wantedViews, ...words] = splitFields(args);
  const limit = Math.min(toInt(count), MAX_HITS_AT_ONCE);
  if (limit < 1 || toInt(offset) < 0) throw new Refusal('illegalValue', 'How many hits?');
  const { store, user } = session;
  const question = words.join(' ');
  const isBegun = isLastBegun === '1';
  const rooms = roomsToSearch(session, name ?? '');
  const narrowed = { author: author ?? '', since: toInt(since), until: toInt(until), hasFiles: hasFiles === '1' };
  const hitsOf = (searched: readonly StoredRoom[]) =>
    inSilence(filteredHits(store, searched, question, { ...narrowed, isLastBegun: isBegun }));
  const views = new Map(rooms.map(({ id, view }) => [id, view]));
  const wanted = new Set((wantedViews ?? '').split(',').filter(Boolean).map(toInt));
  const row = ({ room: id, message }: FilteredHit, listed: ReadonlyMap<number, ListedMessage>) => {
    const room = roomById(store, id);
    const shown = listed.get(message);
    if (!room || !shown) return ''; // deleted while earlier rows were sent
    const isRead = user && visitOf(store, user.id, id).seen.contains(message);
    const { text, marks } = excerptOf(searchedText(store, message), question, isBegun);
    const stored = messageByNumber(store, message);
    const files = stored ? attachedFiles(store, stored, structureOf(store, message)) : 0;
    return `${foundRow(session, room, shown)}${isRead ? 1 : 0}|${files}|${marks.join(',')}|${packField(text)}|\n`;
  };
  function* pieces(): Generator<string> {
    const all = yield* hitsOf(rooms);
    const byView = Map.groupBy(all, ({ room: id }) => views.get(id) ?? 0);
    const found =
      wanted.size === 0
        ? all
        : all.length < MAX_SEARCH_HITS
          ? all.filter(({ room: id }) => wanted.has(views.get(id) ?? 0))
          : yield* hitsOf(rooms.filter(({ view }) => wanted.has(view)));
    yield listingStart(`${found.length}|${[...byView].map(([view, hits]) => [view, hits.length]).join(',')}`);
    const page = found.slice(toInt(offset), toInt(offset) + limit);
    const listed = listedMessages(
      store,
      page.map(({ message }) => message),
    );
    for (const hit of page) yield row(hit, listed);
  }
  return inPieces('', pieces());
};

/** Yields an empty piece after each step. */
function* inSilence<R>(work: Steps<R>): Generator<string, R> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield '';
  }
}

/** All rooms that the session knows, or the one with this name. Throws Refusal 572. */
function roomsToSearch(session: Session, name: string): StoredRoom[] {
  const rooms = searchedRooms(session);
  if (name === '') return rooms;
  const wanted = findRoom(session.store, session.user, name);
  if (!wanted || !rooms.includes(wanted)) throw new Refusal('noSuchRoom', 'There is no such room.');
  return [wanted];
}

function searchedRooms(session: Session): StoredRoom[] {
  if (!session.user && !session.isAdminSocket) throw new Refusal('notLoggedIn', 'Not logged in.');
  return knownRooms(session);
}

/** `EUID id` → `200 number`; 575. Case matters. */
export const euid: Verb = (session, args) => {
  const room = readableRoom(session);
  const msgnum = messageByEuid(session.store, room.id, splitFields(args)[0]!);
  if (msgnum === undefined) throw new Refusal('noSuchMessage', 'not found');
  return ok(msgnum);
};

/** characters before the first hit */
const LEAD = 60;

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

interface Excerpt {
  /** on one line */
  text: string;
  /** positions of the words: start and end (exclusive), in UTF-16 units, ascending */
  marks: [number, number][];
}

/** `isLastBegun`: the last word may be a prefix. Linear in the text. */
export function excerptOf(text: string, words: string, isLastBegun: boolean): Excerpt {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const hits = hitsIn(line, words, isLastBegun);
  const first = hits[0]?.[0] ?? 0;
  const start = first <= LEAD ? 0 : wordStart(line, first - LEAD);
  const end = Math.min(line.length, start + MAX_EXCERPT_CHARACTERS);
  const before = start === 0 ? '' : '…';
  const shift = before.length - start;
  return {
    text: `${before}${line.slice(start, end).replace(/[\uD800-\uDBFF]$/, '')}${end < line.length ? '…' : ''}`,
    marks: hits.filter((hit) => hit[1] <= end).map(([from, to]) => [from + shift, to + shift]),
  };
}

function hitsIn(line: string, words: string, isLastBegun: boolean): [number, number][] {
  const asked = wordsOf(words);
  const complete = new Set(asked.filter(({ isUnparted }) => !isUnparted).map(({ word }) => foldedWord(word)));
  const last = asked.at(-1);
  const begun = isLastBegun && last && !last.isUnparted ? foldedWord(last.word) : undefined;
  const hits: [number, number][] = [];
  for (const { 0: word, index } of line.matchAll(WORD)) {
    const folded = foldedWord(word);
    if (complete.has(folded)) hits.push([index, index + word.length]);
    else if (begun !== undefined && folded.startsWith(begun)) hits.push([index, index + word.length]);
  }
  for (const { word, isUnparted } of asked) {
    if (!isUnparted) continue;
    for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length)) {
      hits.push([at, at + word.length]);
    }
  }
  return hits.sort((a, b) => a[0] - b[0]);
}

/** After a nearby blank if there is one, never inside a character. */
function wordStart(line: string, at: number): number {
  const space = line.indexOf(' ', at);
  if (space >= 0 && space <= at + LEAD) return space + 1;
  return /^[\uDC00-\uDFFF]/.test(line.charAt(at)) ? at + 1 : at;
}

/** Further conditions of a search. */
export interface SearchFilter {
  /** part of the author's name or address, in any ASCII case; '' for anybody. Anonymous messages never match */
  author: string;
  /** Unix seconds; 0: no bound */
  since: number;
  until: number;
  hasFiles: boolean;
  /** the last word may be a prefix */
  isLastBegun: boolean;
}

interface FilteredHit {
  room: number;
  message: number;
}

interface FilteredRow extends FilteredHit {
  blob: number;
  /** with the condition on files */
  parts: string | null;
}

/** hits of one index query: with many rooms the next query takes some milliseconds */
const INDEX_PAGE = 2000;

/** hits that are filtered in one step of about two milliseconds */
const STEP_HITS = 500;

/** structures parsed in one step, to see whether a message has files: one may describe thousands of parts */
const STEP_STRUCTURES = 5;

const SELECT_PAGE = `SELECT t.rowid AS id FROM message_text t WHERE message_text MATCH ? AND t.rowid < ?
  ORDER BY t.rowid DESC LIMIT ?`;

const SELECT_FILTERED = `SELECT rm.room, rm.message, m.blob, iif(?7, m.parts, NULL) AS parts FROM json_each(?1) t
  CROSS JOIN room_message rm ON rm.message = t.value CROSS JOIN message m ON m.id = t.value
  WHERE +rm.room IN (SELECT value FROM json_each(?2))
  AND (?3 = '%%' OR m.anonymous = 'no' AND (m.author LIKE ?3 ESCAPE '!' OR m.address LIKE ?3 ESCAPE '!'))
  AND m.time >= ?4 AND (?5 = 0 OR m.time < ?5) LIMIT ?6`;

/**
 * Matching messages in these rooms, the latest first; at most MAX_SEARCH_HITS. The index may have any number of hits
 * that do not match. Messages stored after the first step are not found.
 */
export function* filteredHits(
  store: Store,
  rooms: readonly StoredRoom[],
  words: string,
  { author, since, until, hasFiles, isLastBegun }: SearchFilter,
): Steps<FilteredHit[]> {
  const query = indexQuery(store, rooms, words, isLastBegun);
  if (query === '') return [];
  const like = `%${author.replaceAll(/[!%_]/g, '!$&')}%`;
  const ids = JSON.stringify(rooms.map(({ id }) => id));
  const size = hasFiles ? STEP_STRUCTURES : STEP_HITS;
  const found: FilteredHit[] = [];
  for (let below = HIGHEST_NUMBER; ; ) {
    const page = store.rows<{ id: number }>(SELECT_PAGE, query, below, INDEX_PAGE).map(({ id }) => id);
    for (let at = 0; at < page.length; at += size) {
      yield;
      const some = JSON.stringify(page.slice(at, at + size));
      const left = MAX_SEARCH_HITS - found.length;
      const rows = store.rows<FilteredRow>(
        ...[SELECT_FILTERED, some, ids, like, since, until],
        ...(hasFiles ? [-1, 1] : [left, 0]),
      );
      const matching = hasFiles ? rows.filter((row) => attachedFiles(store, row, structureIn(row)) > 0) : rows;
      found.push(...matching.slice(0, left).map(({ room, message }) => ({ room, message })));
      if (found.length === MAX_SEARCH_HITS) return found;
    }
    if (page.length < INDEX_PAGE) return found;
    below = page.at(-1)!;
  }
}

const GLOBAL_ADDRESS_BOOK = 'Global Address Book';

/** `AUTO text` → lines `Name <address>`; 512 without a text */
export async function auto(session: Session, args: string): Promise<Reply> {
  const { store, server } = session;
  const user = requireUser(session);
  const wanted = args.trim().toLowerCase();
  if (wanted === '') throw new Refusal('illegalValue', 'You supplied an empty partial.');
  const lines = new Map<string, string>();
  const turn = server.turns.begin(BACKEND_TURN_MS);
  for await (const person of everybody(session, user)) {
    const key = person.address.toLowerCase();
    if (isPersonLike(person, wanted) && !lines.has(key)) lines.set(key, personLine(person));
    if (lines.size === MAX_COMPLETIONS) break;
    if (turn.isOver) await turn.next();
    // the server has ended meanwhile
    if (!store.db.isOpen) return '';
  }
  return listing('try these:', [...lines.values()]);
}

async function* everybody(session: Session, user: StoredUser): AsyncGenerator<Person> {
  const { store } = session;
  const contacts = roomByName(store, personalKey(user.id, 'contacts'));
  if (contacts) yield* await peopleIn(session, contacts);
  const shared = roomByName(store, GLOBAL_ADDRESS_BOOK);
  if (shared && accessOf(user, shared, visitOf(store, user.id, shared.id)) & ACCESS.enter) {
    yield* await peopleIn(session, shared);
  }
  for (const other of allUsers(store)) {
    if (!(other.flags & USER_FLAG.unlisted)) yield { name: other.name, address: addressOf(store, other) };
  }
}
