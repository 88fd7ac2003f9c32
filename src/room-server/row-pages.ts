// A page of a room's list, and how much is new in each room: verbs ROWS and COUN of the embedded room server
// (protocol section 21.8). Only where hasRowPages says that the room server has them.

import { MAX_LISTED_ROWS, MAX_ROWS_AT_ONCE } from '../limits/backend.ts';
import type { EnteredRoom, MessageRow } from '../model.ts';
import type { Answer } from '../protocol/answer.ts';
import { command, splitFields, toInt, unpackField } from '../protocol/fields.ts';
import { messageRowOf } from '../protocol/message-fields.ts';
import { REPLY } from '../protocol/status.ts';
import type { RoomRef } from './connection/goto.ts';
import type { Identity } from './connection/identity.ts';
import { memoiseByAnswer } from './connection/memoise-by-answer.ts';
import type { InRoom, Pool } from './connection/pool.ts';
import { expectClass, unexpectedAnswer } from './connection/refusal.ts';

/** What a row of a list shows beside the header fields. */
export interface RowDetails {
  /** of To and Cc, as they stand in the message */
  recipients: string;
  /** how many are attached */
  files: number;
  /** of the text, on one line; may be empty */
  firstWords: string;
}

export interface ListedRow extends MessageRow {
  seen: boolean;
  /** where they were asked for */
  details?: RowDetails;
}

/** Which rows; 0: no bound. */
export interface RowPage {
  above: number;
  below: number;
  limit: number;
  /** the highest numbers, not the lowest ones */
  isFromEnd: boolean;
  isUnreadOnly: boolean;
  isDetailed: boolean;
}

export interface RoomCounts {
  unread: number;
  total: number;
  highest: number;
  has_picture: boolean;
}

/** Rows of a room, ascending. */
export interface RoomRows {
  entered: EnteredRoom;
  rows: readonly ListedRow[];
}

/** Fewer than the limit where the room server gives no more at once. Throws as pool.readInRoom. */
export async function readRowPage(pool: Pool, identity: Identity, room: RoomRef, page: RowPage): Promise<RoomRows> {
  const { above, below, isFromEnd, isUnreadOnly, isDetailed } = page;
  const limit = Math.min(page.limit, MAX_LISTED_ROWS);
  const flags = [isFromEnd, isUnreadOnly, isDetailed].map(Number);
  return parsePage(await pool.readInRoom(identity, room, [command('ROWS', above, below, limit, ...flags)]));
}

/** A list that may be long. */
export interface RowList {
  first: RoomRows;
  /** the rows behind the first ones, asked for as they are taken; undefined: there are none */
  rest?: AsyncIterable<readonly ListedRow[]>;
}

/**
 * The messages of a room above a number, at most `limit`, without what comes while they are read. A short list is one
 * answer. Throws as pool.readInRoom, also between two pages: each looks at the rights anew.
 */
export async function readRowList(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  { above, limit }: Pick<RowPage, 'above' | 'limit'>,
): Promise<RowList> {
  const read = async (from: number, below: number, most: number) => {
    const page = await readRowPage(pool, identity, room, { ...LOWEST_FIRST, above: from, below, limit: most });
    // or the next page would be this one
    if (page.rows.some(({ msgnum }) => msgnum <= from)) throw unexpectedAnswer('rows that were not asked for');
    return page;
  };
  const wanted = Math.min(Math.max(limit, 1), MAX_ROWS_AT_ONCE);
  const first = await read(above, 0, wanted);
  const { entered, rows } = first;
  if (limit === 0) return { first: { entered, rows: [] } };
  const { highest } = entered;
  if (rows.length < wanted || limit === wanted || rows.at(-1)!.msgnum >= highest) return { first };
  return { first, rest: following(rows, highest, limit, (from, most) => read(from, highest + 1, most)) };
}

const LOWEST_FIRST = { isFromEnd: false, isUnreadOnly: false, isDetailed: false };

async function* following(
  first: readonly ListedRow[],
  highest: number,
  limit: number,
  read: (above: number, limit: number) => Promise<RoomRows>,
): AsyncGenerator<readonly ListedRow[]> {
  let left = limit - first.length;
  const readBehind = (rows: readonly ListedRow[]) => {
    const last = rows.at(-1)?.msgnum ?? highest;
    if (left <= 0 || last >= highest) return undefined;
    const next = read(last, Math.min(left, MAX_LISTED_ROWS));
    next.catch(() => undefined); // awaited below, unless nobody wants it
    return next;
  };
  for (let next = readBehind(first); next; ) {
    const { rows } = await next;
    left -= rows.length;
    // the next page is made while this one is used
    next = readBehind(rows);
    yield rows;
  }
}

const FIELDS_OF_ROW = 8;

const parsePage = memoiseByAnswer(
  ({ entered, answers }: InRoom): RoomRows => ({
    entered,
    rows: expectClass(answers[0]!, REPLY.listing).lines.flatMap((line): ListedRow[] => {
      const fields = splitFields(line);
      const row = messageRowOf(fields);
      if (!row) return [];
      const listed = { ...row, seen: fields[FIELDS_OF_ROW] === '1' };
      const [recipients, files, words] = fields.slice(FIELDS_OF_ROW + 1);
      if (words === undefined) return [listed];
      const details = { recipients: unpackField(recipients!), files: toInt(files), firstWords: unpackField(words) };
      return [{ ...listed, details }];
    }),
  }),
);

/** By the name of the room, those that the identity knows. */
export async function readRoomCounts(pool: Pool, identity: Identity): Promise<ReadonlyMap<string, RoomCounts>> {
  return parseCounts(await pool.read(identity, [command('COUN')]));
}

const parseCounts = memoiseByAnswer(
  (answers: readonly Answer[]) =>
    new Map(
      expectClass(answers[0]!, REPLY.listing).lines.map((line) => {
        const [name, unread, total, highest, picture] = splitFields(line);
        const counts = { unread: toInt(unread), total: toInt(total), highest: toInt(highest) };
        return [name!, { ...counts, has_picture: picture === '1' }];
      }),
    ),
);
