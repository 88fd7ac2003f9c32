// Full-text search by SRCH, LKRA and MSGS SEARCH (protocol sections 14 and 18.9). SRCH gives numbers from rooms that
// the caller may not read, and never says which room (quirk Q29), so the rooms are asked one by one. Messages newer
// than the newest indexed one are scanned here: the index of a real server stops for good at the first quiet minute
// after its start (quirk Q57).

import { AppError } from '../../errors.ts';
import { MAX_SEARCH_RESULTS, MAX_SEARCHED_ROOMS, SEARCHED_ROOMS_AT_ONCE } from '../../limits/backend.ts';
import { LOOK_MS, MAX_LOOKED_BYTES, MAX_LOOKED_MESSAGES } from '../../limits/looking.ts';
import { senderOf } from '../../mime/addresses.ts';
import { decodeWords } from '../../mime/coding/encoded-words.ts';
import { decodeHeaderText, headerValue, parseHeaders } from '../../mime/headers.ts';
import { filesAmong } from '../../mime/message-facts.ts';
import { messageText } from '../../mime/readable.ts';
import { NOBODY } from '../../mime/stored-content.ts';
import { MimeWalker } from '../../mime/walk.ts';
import { ACCESS, type EnteredRoom, type MessageRow, type PartRow } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, toInt } from '../../protocol/fields.ts';
import { hashMessageId } from '../../protocol/lookup3.ts';
import { messageNumbers, parseMessageFields, parseMessageRow } from '../../protocol/message-fields.ts';
import { WordMatcher } from '../../protocol/search-words.ts';
import { REPLY, replyClass, STATUS } from '../../protocol/status.ts';
import { enterRoomCommand, parseEnteredRoom, type RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass, type KnownRefusals } from '../connection/server-errors.ts';
import { FRESH_LIST, readFieldsOfMany } from '../messages.ts';
import { listRooms } from '../rooms.ts';
import type { Found, Reach, SearchMethods } from '../server.ts';
import { pageNumbers, withHiddenAuthorsOf } from './messages.ts';
import { type LookBounds, type LookedRoom, lookThrough, newestIn, type Place } from './scan.ts';

const NO_INDEX: KnownRefusals = {
  [STATUS.unsupported]: ['conflict', 'The room server keeps no full-text index.'],
};

/** A room that has been entered; a wiki may hold what is not shown. */
type SearchedRoom = LookedRoom & Pick<EnteredRoom, 'defaultView'>;

/** With the authors as they come. */
export async function searchRooms(
  pool: Pool,
  identity: Identity,
  words: string,
  bounds?: LookBounds,
): Promise<Reach & { found: readonly Found[] }> {
  const [[anywhere], listed] = await Promise.all([
    pool.read(identity, [command('SRCH', words)]),
    listRooms(pool, identity),
  ]);
  const indexed = highestIn(expectClass(anywhere!, REPLY.listing, NO_INDEX));
  const known = listed.filter(({ access }) => (access & ACCESS.known) !== 0);
  const names = known.slice(0, MAX_SEARCHED_ROOMS).map(({ name }) => name);
  const { rooms, found } = await searchIndex(pool, identity, names, indexed === 0 ? undefined : words);
  const looked = await lookForWords(pool, identity, rooms, indexed, words, bounds);
  const byPlace = new Map(found.map((row) => [placeKey(row), row]));
  for (const row of await messageRowsOf(pool, identity, looked.hits, (row, { name }) => ({ ...row, room: name }))) {
    byPlace.set(placeKey(row), row);
  }
  const byRoom = Map.groupBy(byPlace.values(), ({ room }) => room);
  const all: Found[] = [];
  for (const room of rooms) all.push(...(await shownIn(pool, identity, room, byRoom.get(room.ref.name) ?? [])));
  all.sort((a, b) => b.msgnum - a.msgnum);
  const isCut = known.length > MAX_SEARCHED_ROOMS;
  return { found: all.slice(0, MAX_SEARCH_RESULTS), from: looked.from ?? (isCut ? indexed + 1 : undefined) };
}

const placeKey = ({ room, msgnum }: Found): string => `${msgnum} ${room}`;

/** Enters the rooms; finds what the index has of the words there, unless they are nowhere in it. */
async function searchIndex(
  pool: Pool,
  identity: Identity,
  names: readonly string[],
  words: string | undefined,
): Promise<{ rooms: SearchedRoom[]; found: Found[] }> {
  const rooms: SearchedRoom[] = [];
  const found: Found[] = [];
  for (let at = 0; at < names.length; at += SEARCHED_ROOMS_AT_ONCE) {
    const batch = names.slice(at, at + SEARCHED_ROOMS_AT_ONCE);
    const isSearched = words !== undefined && found.length < MAX_SEARCH_RESULTS;
    const inRoom = isSearched ? [command('MSGS', 'SEARCH', words, '', 9)] : [];
    const commands = batch.flatMap((name) => [enterRoomCommand({ name, password: '' }, true), ...inRoom]);
    const answers = await pool.read(identity, commands);
    for (let i = 0; i < answers.length; i += 1 + inRoom.length) {
      // what stands behind a GOTO that failed comes from the room before
      if (answers[i]!.code !== STATUS.done) continue;
      const entered = parseEnteredRoom(answers[i]!);
      rooms.push(looked(entered, { name: entered.name, password: '' }));
      for (const line of isSearched ? expectClass(answers[i + 1]!, REPLY.listing).lines : []) {
        const row = parseMessageRow(line);
        if (row) found.push({ ...row, room: entered.name });
      }
    }
  }
  return { rooms, found };
}

const looked = ({ totalMessages, highest, defaultView }: EnteredRoom, ref: RoomRef): SearchedRoom => ({
  ref,
  totalMessages,
  highest,
  defaultView,
});

/** The highest number of a listing; 0 where it has none. */
function highestIn({ lines }: Answer): number {
  return messageNumbers(lines).reduce((highest, number) => Math.max(highest, number), 0);
}

/** Without the histories of pages, whose words are found, too. */
async function shownIn<R extends { msgnum: number }>(
  pool: Pool,
  identity: Identity,
  { ref, defaultView }: SearchedRoom,
  rows: readonly R[],
): Promise<readonly R[]> {
  if (rows.length === 0) return rows;
  const pages = await pageNumbers(pool, identity, ref, { defaultView });
  if (!pages) return rows;
  const arePages = new Set(pages);
  return rows.filter(({ msgnum }) => arePages.has(msgnum));
}

/** Those that have files by their lists of parts. A picture with a Content-ID counts as one that the text shows. */
async function withFiles(pool: Pool, identity: Identity, found: readonly Found[]): Promise<Found[]> {
  const filed = new Set<Found>();
  for (const [room, rows] of Map.groupBy(found, (row) => row.room)) {
    const commands = [FRESH_LIST, ...rows.map(({ msgnum }) => command('MSG0', msgnum, 1))];
    const inRoom = await pool.readInRoom(identity, { name: room, password: '' }, commands).catch(unlessAway);
    for (const [i, row] of rows.entries()) {
      const { code, lines } = inRoom?.answers[i + 1] ?? { code: 0, lines: [] };
      if (replyClass(code) === REPLY.listing && hasFilesIn(parseMessageFields(lines).parts)) filed.add(row);
    }
  }
  return found.filter((row) => filed.has(row));
}

function hasFilesIn(rows: readonly PartRow[]): boolean {
  const parts = rows.map((row) => ({
    ...row,
    number: row.partnum,
    type: row.contentType,
    name: row.filename || row.name,
  }));
  const isWhole = ({ type }: { type: string }) => rows.length === 1 && /^(?:text\/|$)/i.test(type);
  const isPicture = ({ type, contentId }: { type: string; contentId: string }) =>
    /^image\//i.test(type) && contentId !== '';
  return filesAmong(parts, (part) => isWhole(part) || isPicture(part)).length > 0;
}

/** The room is gone, or closed, by now. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden'))) throw error;
}

export const search: SearchMethods = {
  /** The words as whole ones, and of the rest what rows tell. */
  async page(pool, identity, { words, room, author, since, until, hasFiles, views }, offset, limit) {
    const [{ found, from }, rooms] = await Promise.all([searchRooms(pool, identity, words), listRooms(pool, identity)]);
    const viewOf = new Map(rooms.map((each) => [each.name, each.defaultView]));
    const who = author.toLowerCase();
    const wanted = room.toLowerCase();
    // a search by author must not find what he has written anonymously
    const narrowed = (who === '' ? found : await withHiddenAuthorsOf(pool, identity, found)).filter(
      (row) =>
        (wanted === '' || row.room.toLowerCase() === wanted) &&
        `${decodeWords(row.from)} ${row.address}`.toLowerCase().includes(who) &&
        row.time >= since &&
        (until === 0 || row.time < until),
    );
    const all = hasFiles ? await withFiles(pool, identity, narrowed) : narrowed;
    const byView = new Map<number, number>();
    for (const hit of all) {
      const view = viewOf.get(hit.room) ?? 0;
      byView.set(view, (byView.get(view) ?? 0) + 1);
    }
    const those = new Set(views);
    const hits = views.length === 0 ? all : all.filter((hit) => those.has(viewOf.get(hit.room) ?? 0));
    const isCut = found.length >= MAX_SEARCH_RESULTS || from !== undefined;
    const page = await withHiddenAuthorsOf(pool, identity, hits.slice(offset, offset + limit));
    return { hits: page, total: hits.length, isCut, byView };
  },

  async everywhere(pool, identity, words) {
    const { found, from } = await searchRooms(pool, identity, words);
    return { found: await withHiddenAuthorsOf(pool, identity, found), from };
  },

  async inRoom(pool, identity, room, words) {
    const commands = [command('MSGS', 'SEARCH', words), command('SRCH', words)];
    const { entered, answers } = await pool.readInRoom(identity, room, commands);
    const numbers = messageNumbers(expectClass(answers[0]!, REPLY.listing).lines);
    const indexed = Math.max(...answers.map(highestIn)); // a guest is refused SRCH
    const looking = looked(entered, room);
    const { hits, from } = await lookForWords(pool, identity, [looking], indexed, words);
    const all = [...new Set([...numbers, ...hits.map(({ msgnum }) => msgnum)])].map((msgnum) => ({ msgnum }));
    const shown = await shownIn(pool, identity, looking, all);
    return { numbers: shown.map(({ msgnum }) => msgnum).sort((a, b) => a - b), from };
  },
};

export const SEARCH_BOUNDS: LookBounds = { messages: MAX_LOOKED_MESSAGES, bytes: MAX_LOOKED_BYTES, ms: LOOK_MS };
/** what MSG2 writes where there is none */
const NO_SUBJECT = '(no subject)';

interface LookedFor {
  /** that hold all the words, newest first */
  hits: Place[];
  /**
   * messages from this number on were looked through, not those below it; undefined: all were that are above `above`
   */
  from: number | undefined;
}

/** Messages above `above`, newest first, as far as the bounds allow. */
async function lookForWords(
  pool: Pool,
  identity: Identity,
  rooms: readonly LookedRoom[],
  above: number,
  words: string,
  bounds = SEARCH_BOUNDS,
): Promise<LookedFor> {
  const matcher = new WordMatcher(words);
  const hits: Place[] = [];
  if (matcher.isEmpty) return { hits, from: undefined };
  const { places, isAll } = await newestIn(pool, identity, rooms, above, bounds.messages);
  const through = await lookThrough(pool, identity, places, bounds, (place, source) => {
    if (matcher.isIn(textsOf(source))) hits.push(place);
  });
  if (isAll && through === places.length) return { hits, from: undefined };
  return { hits, from: through > 0 ? places[through - 1]!.msgnum : (places[0]?.msgnum ?? 0) + 1 };
}

/** Subject, author and text of a message as MSG2 prints it. */
function textsOf(source: Buffer): string[] {
  const walker = new MimeWalker();
  walker.push(source);
  const root = walker.end();
  const fields = parseHeaders(source.subarray(0, root.start));
  const subject = decodeHeaderText(headerValue(fields, 'Subject') ?? '');
  const author = senderOf(headerValue(fields, 'From') ?? '');
  return [
    subject === NO_SUBJECT ? '' : subject,
    author.address === NOBODY ? '' : author.name,
    messageText(source, root),
  ];
}

/** Rows of lists for messages, one for each room that they are in; without those that are gone. */
async function messageRowsOf<R>(
  pool: Pool,
  identity: Identity,
  places: readonly Place[],
  make: (row: MessageRow, room: RoomRef) => R,
): Promise<R[]> {
  const rows = await Promise.all(
    [...Map.groupBy(places, ({ rooms }) => rooms[0]!)].map(async ([room, group]) => {
      const numbers = group.map(({ msgnum }) => msgnum);
      const read = await readFieldsOfMany(pool, identity, room, numbers);
      return group.flatMap(({ msgnum, rooms }) => {
        const fields = read.get(msgnum);
        return fields ? rooms.map((each) => make(rowOf(msgnum, fields), each)) : [];
      });
    }),
  );
  return rows.flat();
}

/** As MSGS tells it in mode 9, from what MSG0 tells. */
function rowOf(msgnum: number, fields: ReadonlyMap<string, string>): MessageRow {
  return {
    msgnum,
    time: toInt(fields.get('time')),
    from: fields.get('from') ?? '',
    node: '',
    address: fields.get('rfca') ?? '',
    subject: fields.get('subj') ?? '',
    idHash: hashMessageId(fields.get('msgn') ?? ''),
    referenceHashes: [],
  };
}
