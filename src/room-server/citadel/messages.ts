// The messages of a room by the documented verbs (MSGS, MSG0, GTSN, protocol sections 10 to 14): all are listed, and
// what is wanted is picked here, because any selector but ALL makes a real server look at the read marks, seconds long
// where they are scattered (quirk Q58). Of a wiki its pages are shown, not their histories, which lie among them
// (quirk Q63).

import { type EnteredRoom, VIEW } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import { messageNumbers, parseMessageFields, parseMessageRow } from '../../protocol/message-fields.ts';
import { REPLY } from '../../protocol/status.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import { memoiseByAnswer } from '../connection/memoise-by-answer.ts';
import type { InRoom, Pool } from '../connection/pool.ts';
import { expectClass } from '../connection/refusal.ts';
import { markManyKept } from '../many-messages.ts';
import {
  ALL_NUMBERS,
  type LiveFields,
  NOT_IN_ROOM,
  noSuchMessage,
  readHead,
  readLiveFields,
  type Selector,
  setSeen,
} from '../messages.ts';
import { isPageHistory } from '../page-history.ts';
import { postAsked } from '../posting.ts';
import { countsOf, SEEN_SET, seenFrom } from '../seen-set.ts';
import type { EventMethods, MessageMethods, RoomRows } from '../server.ts';
import { ALL_EUIDS, type EuidRow, euidsFrom, FRESH_LIST, listEuids } from '../stored-headers.ts';
import { withHiddenAuthors, withHiddenVersions } from './anonymity.ts';

const ALL_ROWS = command('MSGS', 'ALL', '', '', 9);

/** Histories of pages lie in this room, among its messages. */
export function holdsHistories({ defaultView }: Pick<EnteredRoom, 'defaultView'>): boolean {
  return defaultView === VIEW.wiki;
}

/** What the selector means, of all numbers of a room. */
function chosen(numbers: number[], selector: Selector): number[] {
  if (!('number' in selector)) return numbers;
  const { kind, number } = selector;
  if (kind === 'first') return numbers.slice(0, number);
  if (kind === 'last') return numbers.slice(Math.max(0, numbers.length - number));
  return numbers.filter((each) => (kind === 'gt' ? each > number : each < number));
}

/** The numbers of the pages of a wiki; undefined for a room of which every message is shown. */
export async function pageNumbers(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  entered: Pick<EnteredRoom, 'defaultView'>,
): Promise<number[] | undefined> {
  if (!holdsHistories(entered)) return undefined;
  return (await listShown(pool, identity, room)).rows.map(({ msgnum }) => msgnum);
}

/** As listEuids, of a wiki its pages. */
export async function listShown(pool: Pool, identity: Identity, room: RoomRef) {
  const list = await listEuids(pool, identity, room);
  return holdsHistories(list.entered) ? pagesOf(list) : list;
}

const pagesOf = memoiseByAnswer(({ entered, rows }: { entered: EnteredRoom; rows: readonly EuidRow[] }) => ({
  entered,
  rows: withoutHistories(rows),
}));

const withoutHistories = (rows: readonly EuidRow[]) => rows.filter(({ euid }) => !isPageHistory(euid));

/** Of the answer to ALL_EUIDS in a room that holds histories. */
export function pagesFrom(answer: Answer): EuidRow[] {
  return withoutHistories(euidsFrom(answer));
}

/** All messages of a room with the header fields of a list. */
export async function readMailbox(pool: Pool, identity: Identity, room: RoomRef): Promise<RoomRows> {
  const inRoom = await pool.readInRoom(identity, room, [SEEN_SET, ALL_ROWS]);
  if (!holdsHistories(inRoom.entered)) return parseMailbox(inRoom);
  // rows and euids in one write: between two of them a page may be replaced, and be in none
  return parseWiki(await pool.readInRoom(identity, room, [SEEN_SET, ALL_ROWS, ALL_EUIDS]));
}

const parseMailbox = memoiseByAnswer(({ entered, answers }: InRoom): RoomRows => {
  const seen = seenFrom(answers[0]!);
  const rows = expectClass(answers[1]!, REPLY.listing).lines.flatMap((line) => {
    const row = parseMessageRow(line);
    return row ? [{ ...row, seen: seen.contains(row.msgnum) }] : [];
  });
  return { entered, rows, mayBeAnew: entered.defaultView === VIEW.blog };
});

const parseWiki = memoiseByAnswer((inRoom: InRoom): RoomRows => {
  const pages = new Set(pagesFrom(inRoom.answers[2]!).map(({ msgnum }) => msgnum));
  const rows = parseMailbox(inRoom).rows.filter(({ msgnum }) => pages.has(msgnum));
  const numbers = rows.map(({ msgnum }) => msgnum);
  return { entered: { ...inRoom.entered, ...countsOf(numbers, seenFrom(inRoom.answers[0]!)) }, rows };
});

/** Answers are shared by object: another one only where something of it is another. */
async function asShown(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  mailbox: RoomRows,
  wanted: RoomRows['rows'],
): Promise<RoomRows> {
  const rows = await withHiddenAuthors(pool, identity, room, wanted);
  return rows === mailbox.rows ? mailbox : { ...mailbox, rows };
}

/** Throws not_found for a message that holds the history of a page. */
function shown<H extends LiveFields>(head: H): H {
  if (messages.isHidden(head.entered, head.fields.get('exti') ?? '')) throw noSuchMessage();
  return head;
}

export const messages: MessageMethods = {
  keepsCards: false, // they are written anew (protocol section 17.2)

  cutsLarge: true,

  movesWhole: false,

  async numbers(pool, identity, room, selector) {
    const { kind } = selector;
    const needsMarks = kind === 'new' || kind === 'old';
    const commands = [ALL_NUMBERS, ...(needsMarks ? [SEEN_SET] : [])];
    const { entered, answers } = await pool.readInRoom(identity, room, commands);
    const listed = messageNumbers(expectClass(answers[0]!, REPLY.listing).lines);
    const numbers = (await pageNumbers(pool, identity, room, entered)) ?? listed;
    if (!needsMarks) return chosen(numbers, selector);
    const seen = seenFrom(answers[1]!);
    return numbers.filter((number) => seen.contains(number) === (kind === 'old'));
  },

  /** There are no details: nothing documented tells them. */
  async page(pool, identity, room, page) {
    const { above, below, limit, isFromEnd, isUnreadOnly } = page;
    const mailbox = await readMailbox(pool, identity, room);
    const chosen = mailbox.rows.filter(
      ({ msgnum, seen }) => msgnum > above && (below === 0 || msgnum < below) && !(isUnreadOnly && seen),
    );
    const wanted = isFromEnd ? chosen.slice(Math.max(0, chosen.length - limit)) : chosen.slice(0, limit);
    return asShown(pool, identity, room, mailbox, wanted);
  },

  async list(pool, identity, room, { above, limit }) {
    const mailbox = await readMailbox(pool, identity, room);
    const isWhole = above === 0 && limit === Number.POSITIVE_INFINITY;
    const wanted = isWhole ? mailbox.rows : mailbox.rows.filter(({ msgnum }) => msgnum > above).slice(0, limit);
    return { first: await asShown(pool, identity, room, mailbox, wanted) };
  },

  euids: listShown,

  async head(...asked) {
    return shown(await readHead(...asked));
  },

  async liveFields(...asked) {
    return shown(await readLiveFields(...asked));
  },

  isHidden(room, euid) {
    return isPageHistory(euid) && holdsHistories(room);
  },

  /** Who deletes the history of a page, or moves it away, takes its versions from a page that stays. */
  async requireShown(connection, entered, msgnum) {
    if (!holdsHistories(entered)) return;
    const [, head] = await connection.askAll([FRESH_LIST, command('MSG0', msgnum, 3)]);
    const { fields } = parseMessageFields(expectClass(head!, REPLY.listing, NOT_IN_ROOM).lines);
    shown({ entered, fields });
  },

  post: postAsked,

  setSeen(pool, identity, room, msgnum, isSeen) {
    return setSeen(pool, identity, room, msgnum, isSeen, (connection, entered) =>
      messages.requireShown(connection, entered, msgnum),
    );
  },

  markMany: markManyKept,

  hiddenVersions: withHiddenVersions,
};

export const events: EventMethods = {
  hasOurClock: () => false,

  /** What is new, for those who watch a room. */
  async above(pool, identity, room) {
    const { entered, answers } = await pool.readInRoom(identity, room, [ALL_NUMBERS]);
    const pages = await pageNumbers(pool, identity, room, entered);
    return { listed: pages ?? messageNumbers(expectClass(answers[0]!, REPLY.listing).lines), highest: entered.highest };
  },
};
