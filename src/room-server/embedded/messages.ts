// Messages of the embedded room server: lists by page (verb ROWS, protocol section 21.8) or by number, unread counts of
// rooms (COUN), and searches (HITS, FIND, protocol section 21.2, and MSGS SEARCH), whose index holds every message.

import { AppError } from '../../errors.ts';
import { MAX_LISTED_ROWS, MAX_ROWS_AT_ONCE, MAX_SEARCH_HITS, MAX_SEARCH_RESULTS } from '../../limits/backend.ts';
import { VIEW } from '../../model.ts';
import { command, splitFields, toInt, unpackField } from '../../protocol/fields.ts';
import { messageNumbers, messageRowOf, parseMessageRow } from '../../protocol/message-fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import { memoised } from '../../system/attached.ts';
import type { InRoom } from '../connection/pool.ts';
import { expectClass, type KnownRefusals, unexpectedAnswer } from '../connection/server-errors.ts';
import { listEuids, readHead, readLiveFields, SEEN_SET, seenFrom, setSeen } from '../messages.ts';
import { markMany, moveMany, postAtOnce } from '../posting.ts';
import { readRoom, setForgotten } from '../rooms.ts';
import type {
  EventMethods,
  Found,
  Hit,
  ListedRow,
  MessageMethods,
  RoomMethods,
  RoomRows,
  SearchMethods,
} from '../server.ts';

const LOWEST_FIRST = { isFromEnd: false, isUnreadOnly: false, isDetailed: false };

async function* following(
  first: readonly ListedRow[],
  highest: number,
  limit: number,
  read: (above: number, limit: number) => Promise<RoomRows>,
): AsyncGenerator<readonly ListedRow[]> {
  let left = limit - first.length;
  const readAfter = (rows: readonly ListedRow[]) => {
    const last = rows.at(-1)?.msgnum ?? highest;
    if (left <= 0 || last >= highest) return undefined;
    const next = read(last, Math.min(left, MAX_LISTED_ROWS));
    next.catch(() => undefined); // awaited below, unless the consumer stops
    return next;
  };
  for (let next = readAfter(first); next; ) {
    const { rows } = await next;
    left -= rows.length;
    // read ahead while this page is consumed
    next = readAfter(rows);
    yield rows;
  }
}

const FIELDS_OF_ROW = 8;

const parsePage = memoised(
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

export const messages: MessageMethods = {
  keepsCards: true,

  /** New ones are filtered here by the read marks, whatever MSGS NEW lists. */
  async numbers(pool, identity, room, selector) {
    const number = 'number' in selector ? [selector.number] : [];
    const marks = selector.kind === 'new' ? [SEEN_SET] : [];
    const commands = [command('MSGS', selector.kind.toUpperCase(), ...number), ...marks];
    const { answers } = await pool.readInRoom(identity, room, commands);
    const numbers = messageNumbers(expectClass(answers[0]!, REPLY.listing).lines);
    if (marks.length === 0) return numbers;
    const seen = seenFrom(answers[1]!);
    return numbers.filter((each) => !seen.contains(each));
  },

  async page(pool, identity, room, page) {
    const { above, below, isFromEnd, isUnreadOnly, isDetailed } = page;
    const limit = Math.min(page.limit, MAX_LISTED_ROWS);
    const flags = [isFromEnd, isUnreadOnly, isDetailed].map(Number);
    return parsePage(await pool.readInRoom(identity, room, [command('ROWS', above, below, limit, ...flags)]));
  },

  async list(pool, identity, room, { above, limit }) {
    const read = async (from: number, below: number, most: number) => {
      const page = await messages.page(pool, identity, room, { ...LOWEST_FIRST, above: from, below, limit: most });
      // otherwise the next page could be the same
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
  },

  euids: listEuids,

  head: readHead,

  liveFields: readLiveFields,

  isHidden: () => false, // page histories are not messages

  requireShown: async () => {},

  post: postAtOnce,

  requireWhole: async () => {}, // it refuses what is too large

  keepingMarks: (_at, _numbers, _there, move) => move(),

  isLostByReference: () => false,

  moveMany({ pool, identity, room }, numbers, target) {
    return pool.withRoom(identity, room, (connection) => moveMany(connection, numbers, target));
  },

  setSeen,

  markMany,

  hiddenVersions: (_room, versions) => versions, // the server hides the authors
};

export const events: EventMethods = {
  hasOurClock: ({ isEmbedded }) => isEmbedded,

  async above(pool, identity, room, number) {
    const { entered, answers } = await pool.readInRoom(identity, room, [command('MSGS', 'GT', number)]);
    return { listed: messageNumbers(expectClass(answers[0]!, REPLY.listing).lines), highest: entered.highest };
  },
};

const SET_OF_ROOM = command('PROP', 'set', '');
/** a property without a value is removed */
const UNFINISHED = 'unfinished\n';

export const rooms: RoomMethods = {
  folderView: VIEW.files,

  read: (pool, identity, room) => readRoom(pool, identity, room),

  setForgotten,

  withNews: async (_pool, _identity, rows) => rows,

  isNeeded: async () => false, // the server refuses to delete such rooms

  async counts(pool, identity) {
    const [answer] = await pool.read(identity, [command('COUN')]);
    const rows = expectClass(answer!, REPLY.listing).lines.map(splitFields);
    return new Map(
      rows.map(([name = '', unread, total, highest, picture]) => [
        name,
        { unread: toInt(unread), total: toInt(total), highest: toInt(highest), has_picture: picture === '1' },
      ]),
    );
  },

  finish(pool, identity, name) {
    return pool.visitRoom(identity, { name, password: '' }, async (connection) => {
      expectClass(await connection.start(SET_OF_ROOM), REPLY.sendTextThenListing);
      const [row] = await connection.sendText([Buffer.from(UNFINISHED)]);
      if (toInt(row) !== 0) throw new AppError('forbidden', 'This account may not do that.');
    });
  },
};

const NO_SUCH_ROOM: KnownRefusals = { [STATUS.noSuchRoom]: ['not_found', 'No such room.'] };

/** `'0,3,8,11'` → `[[0, 3], [8, 11]]` */
function pairsIn(text = ''): [number, number][] {
  const numbers = text.split(',').filter((each) => each !== '');
  return numbers.flatMap((one, i): [number, number][] => (i % 2 === 0 ? [[toInt(one), toInt(numbers[i + 1])]] : []));
}

function parseHit(line: string): Hit[] {
  const row = parseMessageRow(line);
  if (!row) return [];
  const [room, , , seen, files, positions, excerpt] = splitFields(line).slice(FIELDS_OF_ROW);
  const details = {
    seen: seen === '1',
    files: toInt(files),
    excerpt: unpackField(excerpt ?? ''),
    marks: pairsIn(positions),
  };
  return [{ ...row, room: room ?? '', details }];
}

export const search: SearchMethods = {
  async page(pool, identity, question, offset, limit) {
    const { room, author, since, until, hasFiles, isLastBegun, views, words } = question;
    const flags = [hasFiles, isLastBegun].map(Number);
    const line = command('HITS', offset, limit, room, author, since, until, ...flags, views.join(','), words);
    const [answer] = await pool.read(identity, [line]);
    const { text, lines } = expectClass(answer!, REPLY.listing, NO_SUCH_ROOM);
    const [total, counts] = splitFields(text);
    const byView = new Map(pairsIn(counts));
    const isCut = toInt(total) >= MAX_SEARCH_HITS;
    return { hits: lines.slice(0, limit).flatMap(parseHit), total: toInt(total), isCut, byView };
  },

  async everywhere(pool, identity, words) {
    const [answer] = await pool.read(identity, [command('FIND', MAX_SEARCH_RESULTS, words)]);
    const lines = expectClass(answer!, REPLY.listing).lines.slice(0, MAX_SEARCH_RESULTS);
    const found = lines.flatMap((line): Found[] => {
      const row = parseMessageRow(line);
      return row ? [{ ...row, room: splitFields(line)[FIELDS_OF_ROW] ?? '' }] : [];
    });
    return { found, from: undefined };
  },

  async inRoom(pool, identity, room, words) {
    const { answers } = await pool.readInRoom(identity, room, [command('MSGS', 'SEARCH', words)]);
    return { numbers: messageNumbers(expectClass(answers[0]!, REPLY.listing).lines), from: undefined };
  },
};
