// A search by pages, with what a list of hits shows (verb HITS of the embedded room server, protocol section 21.2). Any
// other server is asked as search.ts does, which tells neither excerpts nor files.

import { AppError } from '../errors.ts';
import { MAX_SEARCH_HITS, MAX_SEARCH_RESULTS } from '../limits/backend.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { filesAmong } from '../mime/message-facts.ts';
import type { MessageRow, PartRow } from '../model.ts';
import { command, splitFields, toInt, unpackField } from '../protocol/fields.ts';
import { parseMessageFields, parseMessageRow } from '../protocol/message-fields.ts';
import { REPLY, replyClass, STATUS } from '../protocol/status.ts';
import type { Identity } from './connection/identity.ts';
import type { Pool } from './connection/pool.ts';
import { expectClass, type KnownRefusals } from './connection/refusal.ts';
import { listRooms } from './rooms.ts';
import { type Found, searchRooms } from './search.ts';
import { hasRowPages } from './server.ts';
import { FRESH_LIST } from './stored-headers.ts';

export interface SearchQuestion {
  words: string;
  /** its name; '' for all */
  room: string;
  /** a part of the name or address of the author; '' for anybody */
  author: string;
  /** Unix seconds; 0: no bound */
  since: number;
  until: number;
  hasFiles: boolean;
  /** the last word may be the beginning of one */
  isLastBegun: boolean;
  /** default views of rooms; none: any */
  views: readonly number[];
}

export interface Hit extends MessageRow {
  room: string;
  details?: {
    seen: boolean;
    files: number;
    excerpt: string;
    /** start and end, in UTF-16 units of the excerpt */
    marks: [number, number][];
  };
}

export interface HitPage {
  hits: readonly Hit[];
  /** hits in all */
  total: number;
  /** there may be more than `total` */
  isCut: boolean;
  /** hits in rooms of a default view, whatever views were asked for */
  byView: ReadonlyMap<number, number>;
}

const NO_SUCH_ROOM: KnownRefusals = { [STATUS.noSuchRoom]: ['not_found', 'There is no such room.'] };
const FIELDS_OF_ROW = 8;

/** What of the author of each hit may be shown, where the room server tells more. */
type Hide = (found: readonly Found[]) => Promise<readonly Found[]>;

/** The latest first. Throws not_found for a room that the caller does not know. */
export async function searchPage(
  pool: Pool,
  identity: Identity,
  question: SearchQuestion,
  offset: number,
  limit: number,
  hide: Hide,
): Promise<HitPage> {
  if (!(await hasRowPages(pool, identity))) return pageOfFound(pool, identity, question, offset, limit, hide);
  const { room, author, since, until, hasFiles, isLastBegun, views, words } = question;
  const flags = [hasFiles, isLastBegun].map(Number);
  const line = command('HITS', offset, limit, room, author, since, until, ...flags, views.join(','), words);
  const [answer] = await pool.read(identity, [line]);
  const { text, lines } = expectClass(answer!, REPLY.listing, NO_SUCH_ROOM);
  const [total, counts] = splitFields(text);
  const byView = new Map(pairsIn(counts));
  const isCut = toInt(total) >= MAX_SEARCH_HITS;
  return { hits: lines.slice(0, limit).flatMap(parseHit), total: toInt(total), isCut, byView };
}

/** `'0,3,8,11'` → `[[0, 3], [8, 11]]` */
function pairsIn(text = ''): [number, number][] {
  const numbers = text.split(',').filter((each) => each !== '');
  return numbers.flatMap((one, i): [number, number][] => (i % 2 === 0 ? [[toInt(one), toInt(numbers[i + 1])]] : []));
}

function parseHit(line: string): Hit[] {
  const row = parseMessageRow(line);
  if (!row) return [];
  const [room, , , seen, files, places, excerpt] = splitFields(line).slice(FIELDS_OF_ROW);
  const details = {
    seen: seen === '1',
    files: toInt(files),
    excerpt: unpackField(excerpt ?? ''),
    marks: pairsIn(places),
  };
  return [{ ...row, room: room ?? '', details }];
}

/** By the documented verbs: the words as whole ones, and of the rest what rows tell. */
async function pageOfFound(
  pool: Pool,
  identity: Identity,
  { words, room, author, since, until, hasFiles, views }: SearchQuestion,
  offset: number,
  limit: number,
  hide: Hide,
): Promise<HitPage> {
  const [{ found, from }, rooms] = await Promise.all([searchRooms(pool, identity, words), listRooms(pool, identity)]);
  const viewOf = new Map(rooms.map((each) => [each.name, each.defaultView]));
  const who = author.toLowerCase();
  const wanted = room.toLowerCase();
  // a search by author must not find what he has written anonymously
  const narrowed = (who === '' ? found : await hide(found)).filter(
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
  return { hits: hits.slice(offset, offset + limit), total: hits.length, isCut, byView };
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
