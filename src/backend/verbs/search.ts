// EUID, and searching in every room that the user knows: SRCH (protocol section 18.9), and FIND and HITS, verbs of our
// own for gateways, which want to know where a message is and what a list shows of it: asked room by room, a search
// would take the longer, the more rooms there are.

import { MAX_HITS_AT_ONCE, MAX_SEARCH_HITS, MAX_SEARCH_RESULTS } from '../../limits/backend.ts';
import { packField, splitFields, toInt } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import type { Steps } from '../../system/steps.ts';
import { excerptOf } from '../content/excerpt.ts';
import { type FilteredHit, filteredHits } from '../content/filtered-hits.ts';
import { attachedFiles } from '../content/first-words.ts';
import { threadRow } from '../content/message-header.ts';
import { isRoomAdmin, readableRoom } from '../session/access.ts';
import { inPieces, listing, listingStart, ok, piecesOf } from '../session/reply.ts';
import { knownRooms } from '../session/room-list.ts';
import type { Session, Verb } from '../session/session.ts';
import { messageByNumber, structureOf } from '../store/messages.ts';
import type { StoredRoom } from '../store/records.ts';
import { messageByEuid } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { type ListedMessage, listedMessages } from '../store/room-messages.ts';
import { findRoom, roomById, shownName } from '../store/rooms.ts';
import { searchedText, searchHits, searchNumbers } from '../store/search-index.ts';
import { visitOf } from '../store/visits.ts';

/** `SRCH words` → listing of message numbers, ascending. A room that is not known to the user gives no hits. */
export const srch: Verb = (session, args) => {
  const found = searchNumbers(session.store, searchedRooms(session), args, MAX_SEARCH_HITS);
  const rows = found.map((msgnum) => `${msgnum}\n`);
  return listing(`${rows.length} msgs match all search words:`, rows);
};

/** `FIND limit|words` → rows of MSGS mode 9 with `room|flags|1 or 0: room admin|` behind them, the latest first. */
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
    // it may be gone while the rows before were taken
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
 * rows of FIND, the latest first, with `1 or 0: read|files|start,end,start,end…|excerpt|` behind them. An empty room:
 * all. 512, 572.
 */
export const hits: Verb = (session, args) => {
  const [offset, count, name, author, since, until, hasFiles, isLastBegun, wantedViews, ...words] = splitFields(args);
  const limit = Math.min(toInt(count), MAX_HITS_AT_ONCE);
  if (limit < 1 || toInt(offset) < 0) throw new Refusal(STATUS.illegalValue, 'How many hits?');
  const { store, user } = session;
  const question = words.join(' ');
  const isBegun = isLastBegun === '1';
  const rooms = roomsToSearch(session, name ?? '');
  const narrowed = { author: author ?? '', since: toInt(since), until: toInt(until), hasFiles: hasFiles === '1' };
  const look = (those: readonly StoredRoom[]) =>
    inSilence(filteredHits(store, those, question, { ...narrowed, isLastBegun: isBegun }));
  const views = new Map(rooms.map(({ id, view }) => [id, view]));
  const wanted = new Set((wantedViews ?? '').split(',').filter(Boolean).map(toInt));
  const row = ({ room: id, message }: FilteredHit, listed: ReadonlyMap<number, ListedMessage>) => {
    const room = roomById(store, id);
    const shown = listed.get(message);
    if (!room || !shown) return ''; // gone while the rows before were taken
    const isRead = user && visitOf(store, user.id, id).seen.contains(message);
    const { text, marks } = excerptOf(searchedText(store, message), question, isBegun);
    const stored = messageByNumber(store, message);
    const files = stored ? attachedFiles(store, stored, structureOf(store, message)) : 0;
    return `${foundRow(session, room, shown)}${isRead ? 1 : 0}|${files}|${marks.join(',')}|${packField(text)}|\n`;
  };
  function* pieces(): Generator<string> {
    const all = yield* look(rooms);
    const byView = Map.groupBy(all, ({ room: id }) => views.get(id) ?? 0);
    const found =
      wanted.size === 0
        ? all
        : all.length < MAX_SEARCH_HITS
          ? all.filter(({ room: id }) => wanted.has(views.get(id) ?? 0))
          : yield* look(rooms.filter(({ view }) => wanted.has(view)));
    yield listingStart(`${found.length}|${[...byView].map(([view, those]) => [view, those.length]).join(',')}`);
    const page = found.slice(toInt(offset), toInt(offset) + limit);
    const listed = listedMessages(
      store,
      page.map(({ message }) => message),
    );
    for (const hit of page) yield row(hit, listed);
  }
  return inPieces('', pieces());
};

/** Pieces of nothing while it is worked on. */
function* inSilence<R>(work: Steps<R>): Generator<string, R> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield '';
  }
}

/** All that the session knows, or the one of this name among them. Throws Refusal 572. */
function roomsToSearch(session: Session, name: string): StoredRoom[] {
  const rooms = searchedRooms(session);
  if (name === '') return rooms;
  const wanted = findRoom(session.store, session.user, name);
  if (!wanted || !rooms.includes(wanted)) throw new Refusal(STATUS.noSuchRoom, 'There is no such room.');
  return [wanted];
}

function searchedRooms(session: Session): StoredRoom[] {
  if (!session.user && !session.isAdminSocket) throw new Refusal(STATUS.notLoggedIn, 'Not logged in.');
  return knownRooms(session);
}

/** `EUID id` → `200 number`; 575. Case matters. */
export const euid: Verb = (session, args) => {
  const room = readableRoom(session);
  const msgnum = messageByEuid(session.store, room.id, splitFields(args)[0]!);
  if (msgnum === undefined) throw new Refusal(STATUS.noSuchMessage, 'not found');
  return ok(msgnum);
};
