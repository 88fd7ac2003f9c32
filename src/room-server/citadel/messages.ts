// The messages of a room by the documented verbs (MSGS, MSG0, GTSN, protocol sections 10 to 14). All are listed and
// filtered here, because any selector but ALL makes a real server scan the read marks, which takes seconds where they
// are scattered (quirk Q58). A wiki shows its pages, not the histories among them (quirk Q63). Authors of anonymous
// messages are hidden, also from administrators: a real server hides them in only some of its answers (quirk Q22).

import { MAX_KNOWN_ANONYMITY } from '../../limits/dav.ts';
import { type EnteredRoom, type MessageRow, REPLACING_VIEWS, ROOM_FLAG, VIEW } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import {
  anonymityOf,
  HIDDEN_NAMES,
  messageNumbers,
  parseMessageFields,
  parseMessageRow,
} from '../../protocol/message-fields.ts';
import { REPLY } from '../../protocol/status.ts';
import { memoised } from '../../system/attached.ts';
import { BoundedMap } from '../../system/bounded-map.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { InRoom, Pool } from '../connection/pool.ts';
import { expectClass } from '../connection/server-errors.ts';
import {
  ALL_EUIDS,
  ALL_NUMBERS,
  countsOf,
  type EuidRow,
  euidsFrom,
  FRESH_LIST,
  type LiveFields,
  listEuids,
  NOT_IN_ROOM,
  noSuchMessage,
  originalEuid,
  readFieldsOfMany,
  readHead,
  readLiveFields,
  SEEN_SET,
  type Selector,
  seenFrom,
  setSeen,
} from '../messages.ts';
import { isPageHistory, type PageVersion } from '../page-history.ts';
import { markManyKept, postAsked } from '../posting.ts';
import type { EventMethods, Found, MessageMethods, RoomRows } from '../server.ts';
import { requireWhole } from './stored-whole.ts';

const ALL_ROWS = command('MSGS', 'ALL', '', '', 9);

/** The room has page histories among its messages. */
export function holdsHistories({ defaultView }: Pick<EnteredRoom, 'defaultView'>): boolean {
  return defaultView === VIEW.wiki;
}

/** The numbers that the selector means, of all in a room. */
function chosen(numbers: number[], selector: Selector): number[] {
  if (!('number' in selector)) return numbers;
  const { kind, number } = selector;
  if (kind === 'first') return numbers.slice(0, number);
  if (kind === 'last') return numbers.slice(Math.max(0, numbers.length - number));
  return numbers.filter((each) => (kind === 'gt' ? each > number : each < number));
}

/** The numbers of a wiki's pages; undefined for rooms that show every message. */
export async function pageNumbers(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  entered: Pick<EnteredRoom, 'defaultView'>,
): Promise<number[] | undefined> {
  if (!holdsHistories(entered)) return undefined;
  return (await listShown(pool, identity, room)).rows.map(({ msgnum }) => msgnum);
}

/** As listEuids, but only the pages of a wiki. */
export async function listShown(pool: Pool, identity: Identity, room: RoomRef) {
  const list = await listEuids(pool, identity, room);
  return holdsHistories(list.entered) ? pagesOf(list) : list;
}

const pagesOf = memoised(({ entered, rows }: { entered: EnteredRoom; rows: readonly EuidRow[] }) => ({
  entered,
  rows: withoutHistories(rows),
}));

const withoutHistories = (rows: readonly EuidRow[]) => rows.filter(({ euid }) => !isPageHistory(euid));

/** From the answer to ALL_EUIDS in a room with histories. */
export function pagesFrom(answer: Answer): EuidRow[] {
  return withoutHistories(euidsFrom(answer));
}

/** All messages of a room with the header fields of a list. */
export async function readMailbox(pool: Pool, identity: Identity, room: RoomRef): Promise<RoomRows> {
  const inRoom = await pool.readInRoom(identity, room, [SEEN_SET, ALL_ROWS]);
  if (!holdsHistories(inRoom.entered)) return parseMailbox(inRoom);
  // rows and euids in one write: a page replaced in between would be in neither
  return parseWiki(await pool.readInRoom(identity, room, [SEEN_SET, ALL_ROWS, ALL_EUIDS]));
}

const parseMailbox = memoised(({ entered, answers }: InRoom): RoomRows => {
  const seen = seenFrom(answers[0]!);
  const rows = expectClass(answers[1]!, REPLY.listing).lines.flatMap((line) => {
    const row = parseMessageRow(line);
    return row ? [{ ...row, seen: seen.contains(row.msgnum) }] : [];
  });
  return { entered, rows, mayBeAnew: entered.defaultView === VIEW.blog };
});

const parseWiki = memoised((inRoom: InRoom): RoomRows => {
  const pages = new Set(pagesFrom(inRoom.answers[2]!).map(({ msgnum }) => msgnum));
  const rows = parseMailbox(inRoom).rows.filter(({ msgnum }) => pages.has(msgnum));
  const numbers = rows.map(({ msgnum }) => msgnum);
  return { entered: { ...inRoom.entered, ...countsOf(numbers, seenFrom(inRoom.answers[0]!)) }, rows };
});

/** Returns the same object if nothing changes, as results are memoised by object. */
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

/** Throws not_found for a page history. */
function shown<H extends LiveFields>(head: H): H {
  if (messages.isHidden(head.entered, head.fields.get('exti') ?? '')) throw noSuchMessage();
  return head;
}

/** without those of moving.ts, which need it */
export const messages: Omit<MessageMethods, 'keepingMarks' | 'moveMany'> = {
  keepsCards: false, // it rewrites them (protocol section 17.2)

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

  /** Without details, for which there is no documented verb. */
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

  /** Deleting or moving a history would remove the versions of a page that stays. */
  async requireShown(connection, entered, msgnum) {
    if (!holdsHistories(entered)) return;
    const [, head] = await connection.askAll([FRESH_LIST, command('MSG0', msgnum, 3)]);
    const { fields } = parseMessageFields(expectClass(head!, REPLY.listing, NOT_IN_ROOM).lines);
    shown({ entered, fields });
  },

  /** A server that does not replace by itself gets no number to replace. */
  post: (connection, posting, body) => postAsked(connection, { ...posting, replaces: undefined }, body),

  requireWhole,

  /** It would be taken for the message that it replaces there, or lose its euid. */
  isLostByReference: (head, { defaultView }) => REPLACING_VIEWS.has(defaultView) && originalEuid(head) !== '',

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

  async above(pool, identity, room) {
    const { entered, answers } = await pool.readInRoom(identity, room, [ALL_NUMBERS]);
    const pages = await pageNumbers(pool, identity, room, entered);
    return { listed: pages ?? messageNumbers(expectClass(answers[0]!, REPLY.listing).lines), highest: entered.highest };
  },
};

/** A real server lists versions with their authors in any room. */
function withHiddenVersions<V extends PageVersion>(
  { flags }: Pick<EnteredRoom, 'flags'>,
  versions: readonly V[],
): readonly V[] {
  const isHidden = (flags & (ROOM_FLAG.anonymousOnly | ROOM_FLAG.anonymousOption)) !== 0;
  return isHidden ? versions.map((version) => ({ ...version, author: HIDDEN_NAMES.only })) : versions;
}

/** message number → anonymity, see `idOf` */
const known = new WeakMap<Pool, BoundedMap<number, number>>();

type Row = Pick<MessageRow, 'msgnum' | 'idHash' | 'from' | 'address'>;

/** Hides authors that the server should have hidden. */
async function withHiddenAuthors<R extends Row>(
  pool: Pool,
  identity: Identity,
  room: RoomRef,
  rows: readonly R[],
): Promise<readonly R[]> {
  if (rows.length === 0) return rows;
  const anonymity = known.getOrInsertComputed(pool, () => new BoundedMap(MAX_KNOWN_ANONYMITY));
  const kinds = new Map(rows.map((row) => [row.msgnum, knownKind(anonymity, row)]));
  const unknown = rows.filter(({ msgnum }) => kinds.get(msgnum) === undefined);
  if (unknown.length > 0) {
    const numbers = unknown.map(({ msgnum }) => msgnum);
    const fields = await readFieldsOfMany(pool, identity, room, numbers);
    for (const row of unknown) {
      const read = fields.get(row.msgnum);
      if (!read) continue; // deleted in the meantime
      const kind = KINDS.indexOf(anonymityOf(read));
      kinds.set(row.msgnum, kind);
      anonymity.set(row.msgnum, idOf(row) * KINDS.length + kind);
    }
  }
  return rows.flatMap((row) => {
    const number = kinds.get(row.msgnum);
    if (number === undefined) return [];
    const kind = KINDS[number];
    return kind === undefined ? row : { ...row, from: HIDDEN_NAMES[kind], address: '' };
  });
}

/** The same for hits in several rooms, newest first. */
export async function withHiddenAuthorsOf<R extends Found>(
  pool: Pool,
  identity: Identity,
  found: readonly R[],
): Promise<R[]> {
  const shown = await Promise.all(
    [...Map.groupBy(found, ({ room }) => room)].map(([name, rows]) =>
      withHiddenAuthors(pool, identity, { name, password: '' }, rows),
    ),
  );
  return shown.flat().sort((a, b) => b.msgnum - a.msgnum);
}

const KINDS = [undefined, 'only', 'option'] as const;

/** A position in KINDS; undefined if unknown, or if the number now belongs to another message. */
function knownKind(anonymity: BoundedMap<number, number>, row: Row): number | undefined {
  const kept = anonymity.get(row.msgnum);
  return kept !== undefined && Math.floor(kept / KINDS.length) === idOf(row) ? kept % KINDS.length : undefined;
}

/** 32 bits of its message id */
function idOf({ idHash }: Row): number {
  return idHash >>> 0;
}
