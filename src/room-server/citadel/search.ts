// Full-text search by SRCH, LKRA and MSGS SEARCH (protocol sections 14 and 18.9). SRCH gives numbers from rooms that
// the caller may not read, and never says which room (quirk Q29), so the rooms are asked one by one. Messages newer
// than the newest indexed one are scanned here: the index of a real server stops for good at the first quiet minute
// after its start (quirk Q57).

import { AppError } from '../../errors.ts';
import { MAX_SEARCH_RESULTS, MAX_SEARCHED_ROOMS, SEARCHED_ROOMS_AT_ONCE } from '../../limits/backend.ts';
import { MAX_SCANNED_BYTES, MAX_SCANNED_MESSAGES, SCAN_MS } from '../../limits/protocol.ts';
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
import { type LocatedMessage, newestIn, type ScanBounds, type ScannedRoom, scan } from './scan.ts';

const NO_INDEX: KnownRefusals = {
  [STATUS.unsupported]: ['conflict', 'The room server has no full-text index.'],
};

type SearchedRoom = ScannedRoom & Pick<EnteredRoom, 'defaultView'>;

/** Does not hide authors. */
export async function searchRooms(
  pool: Pool,
  identity: Identity,
  words: string,
  bounds?: ScanBounds,
): Promise<Reach & { found: readonly Found[] }> {
  const [[anywhere], listed] = await Promise.all([
    pool.read(identity, [command('SRCH', words)]),
    listRooms(pool, identity),
  ]);
  const indexed = highestIn(expectClass(anywhere!, REPLY.listing, NO_INDEX));
  const known = listed.filter(({ access }) => (access & ACCESS.known) !== 0);
  const names = known.slice(0, MAX_SEARCHED_ROOMS).map(({ name }) => name);
  const { rooms, found } = await searchIndex(pool, identity, names, indexed === 0 ? undefined : words);
  const scanned = await scanForWords(pool, identity, rooms, indexed, words, bounds);
  const byKey = new Map(found.map((row) => [keyOf(row), row]));
  for (const row of await messageRowsOf(pool, identity, scanned.hits, (row, { name }) => ({ ...row, room: name }))) {
    byKey.set(keyOf(row), row);
  }
  const byRoom = Map.groupBy(byKey.values(), ({ room }) => room);
  const all: Found[] = [];
  for (const room of rooms) all.push(...(await shownIn(pool, identity, room, byRoom.get(room.ref.name) ?? [])));
  all.sort((a, b) => b.msgnum - a.msgnum);
  const isCut = known.length > MAX_SEARCHED_ROOMS;
  return { found: all.slice(0, MAX_SEARCH_RESULTS), from: scanned.from ?? (isCut ? indexed + 1 : undefined) };
}

const keyOf = ({ room, msgnum }: Found): string => `${msgnum} ${room}`;

/** Enters the rooms, and searches the index there if `words` are in it anywhere. */
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
      // answers after a failed GOTO come from the previous room
      if (answers[i]!.code !== STATUS.done) continue;
      const entered = parseEnteredRoom(answers[i]!);
      rooms.push(searchedRoom(entered, { name: entered.name, password: '' }));
      for (const line of isSearched ? expectClass(answers[i + 1]!, REPLY.listing).lines : []) {
        const row = parseMessageRow(line);
        if (row) found.push({ ...row, room: entered.name });
      }
    }
  }
  return { rooms, found };
}

const searchedRoom = ({ totalMessages, highest, defaultView }: EnteredRoom, ref: RoomRef): SearchedRoom => ({
  ref,
  totalMessages,
  highest,
  defaultView,
});

/** The highest number of a listing, or 0. */
function highestIn({ lines }: Answer): number {
  return messageNumbers(lines).reduce((highest, number) => Math.max(highest, number), 0);
}

/** Without page histories, which the index also has. */
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

/** Those with attachments. A picture with a Content-ID counts as embedded in the text. */
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

/** The room was deleted or is forbidden. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden'))) throw error;
}

export const search: SearchMethods = {
  /** Finds whole words; filters by the fields of the rows. */
  async page(pool, identity, { words, room, author, since, until, hasFiles, views }, offset, limit) {
    const [{ found, from }, rooms] = await Promise.all([searchRooms(pool, identity, words), listRooms(pool, identity)]);
    const viewOf = new Map(rooms.map((each) => [each.name, each.defaultView]));
    const who = author.toLowerCase();
    const wanted = room.toLowerCase();
    // a search by author must not reveal anonymous messages
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
    const searched = searchedRoom(entered, room);
    const { hits, from } = await scanForWords(pool, identity, [searched], indexed, words);
    const all = [...new Set([...numbers, ...hits.map(({ msgnum }) => msgnum)])].map((msgnum) => ({ msgnum }));
    const shown = await shownIn(pool, identity, searched, all);
    return { numbers: shown.map(({ msgnum }) => msgnum).sort((a, b) => a - b), from };
  },
};

export const SEARCH_BOUNDS: ScanBounds = { messages: MAX_SCANNED_MESSAGES, bytes: MAX_SCANNED_BYTES, ms: SCAN_MS };
/** written by MSG2 if there is none */
const NO_SUBJECT = '(no subject)';

/** Scans messages above `above` for all the words, newest first, within the bounds. */
async function scanForWords(
  pool: Pool,
  identity: Identity,
  rooms: readonly ScannedRoom[],
  above: number,
  words: string,
  bounds = SEARCH_BOUNDS,
): Promise<Reach & { hits: LocatedMessage[] }> {
  const matcher = new WordMatcher(words);
  const hits: LocatedMessage[] = [];
  if (matcher.isEmpty) return { hits, from: undefined };
  const { messages, isAll } = await newestIn(pool, identity, rooms, above, bounds.messages);
  const scanned = await scan(pool, identity, messages, bounds, (message, source) => {
    if (matcher.isIn(textsOf(source))) hits.push(message);
  });
  if (isAll && scanned === messages.length) return { hits, from: undefined };
  return { hits, from: scanned > 0 ? messages[scanned - 1]!.msgnum : (messages[0]?.msgnum ?? 0) + 1 };
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

/** Rows for messages, one for each of their rooms, without missing ones. */
async function messageRowsOf<R>(
  pool: Pool,
  identity: Identity,
  messages: readonly LocatedMessage[],
  make: (row: MessageRow, room: RoomRef) => R,
): Promise<R[]> {
  const rows = await Promise.all(
    [...Map.groupBy(messages, ({ rooms }) => rooms[0]!)].map(async ([room, group]) => {
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

/** A row as in MSGS mode 9, from the fields of MSG0. */
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
