// GET r/:room/mailbox: the list of a room's messages, whole or a page of it, and what its rows show.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { withHiddenAuthors } from '../gateway/message/anonymity.ts';
import { callerInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendJsonList } from '../http/long-answer.ts';
import { jsonWithList, sendJsonText } from '../http/respond.ts';
import { MAX_DETAILED_ROWS, MAX_LISTED_ROWS, MAX_ROWS_AT_ONCE } from '../limits/backend.ts';
import { MAX_WHOLE_LIST_ROWS, REQUEST_TURN_MS } from '../limits/http.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { type EnteredRoom, VIEW } from '../model.ts';
import type { RoomRef } from '../room-server/connection/goto.ts';
import type { Identity } from '../room-server/connection/identity.ts';
import { memoiseByAnswer } from '../room-server/connection/memoise-by-answer.ts';
import type { Pool } from '../room-server/connection/pool.ts';
import { readMailbox } from '../room-server/messages.ts';
import { type ListedRow, type RoomRows, type RowPage, readRowList, readRowPage } from '../room-server/row-pages.ts';
import { hasRowPages } from '../room-server/server.ts';
import { requestTurns } from '../system/turn-queue.ts';

/** parameters that make the answer a page, as a limit does: without any of them it is all, or all above a number */
const PAGED = ['before', 'last', 'unread', 'fields'] as const;
const DETAILS = ['to', 'files', 'snippet'] as const;

/**
 * GET r/:room/mailbox?after=N&limit=N: the messages above `after`, at most `limit` of them, lowest numbers first.
 * With before=N, last=N, unread=1 or fields=to,files,snippet: a page of at most MAX_ROWS_AT_ONCE rows.
 */
export async function getMailbox(exchange: Exchange, app: App): Promise<void> {
  const page = pageOf(exchange);
  const after = wholeParameter(exchange, 'after') ?? 0;
  const limit = wholeParameter(exchange, 'limit') ?? Number.POSITIVE_INFINITY;
  const context = await callerInRoom(exchange, app);
  return app.keptReplies.send(context, '', () => sendMailbox(context, page, { above: after, limit }));
}

async function sendMailbox(
  context: RoomContext,
  page: RowPage | undefined,
  slice: Pick<RowPage, 'above' | 'limit'>,
): Promise<void> {
  const { exchange, app, caller, room } = context;
  if (page) return sendJsonText(exchange, 200, await mailboxJson(await readPage(context, page)));
  if (await hasRowPages(app.pool, caller.identity)) return sendPages(context, slice);
  const { above, limit } = slice;
  const mailbox = await readMailbox(app.pool, caller.identity, room);
  const isWhole = above === 0 && limit === Number.POSITIVE_INFINITY;
  const wanted = isWhole ? mailbox.rows : mailbox.rows.filter((row) => row.msgnum > above).slice(0, limit);
  const rows = await shownRows(context, wanted, mailbox.entered);
  return sendRows(exchange, rows === mailbox.rows ? mailbox : { ...mailbox, rows });
}

/** Page by page, each read while the one before it is sent. */
async function sendPages(context: RoomContext, slice: Pick<RowPage, 'above' | 'limit'>): Promise<void> {
  const { exchange, app, caller, room } = context;
  const { first, rest } = await readRowList(app.pool, caller.identity, room, slice);
  const rows = await shownRows(context, first.rows);
  if (rest) return sendJsonList(exchange, mailboxHead(first), 'msgs', shownEntries(context, rows, rest));
  // answers are shared by object: another one only where something of it is another
  return sendRows(exchange, rows === first.rows ? first : { ...first, rows });
}

async function* shownEntries(
  context: RoomContext,
  first: readonly ListedRow[],
  rest: AsyncIterable<readonly ListedRow[]>,
): AsyncGenerator<string> {
  yield await entriesJson(first);
  for await (const rows of rest) yield await entriesJson(await shownRows(context, rows));
}

/** Rows that are all there: at once, or, where they are many, made into JSON as fast as the client takes it. */
async function sendRows(exchange: Exchange, page: RoomRows): Promise<void> {
  if (page.rows.length <= MAX_WHOLE_LIST_ROWS) return sendJsonText(exchange, 200, await mailboxJson(page));
  return sendJsonList(exchange, mailboxHead(page), 'msgs', entriesInTurn(page.rows));
}

async function* entriesInTurn(rows: readonly ListedRow[]): AsyncGenerator<string> {
  for (let at = 0; at < rows.length; at += MAX_LISTED_ROWS)
    yield await entriesJson(rows.slice(at, at + MAX_LISTED_ROWS));
}

/** A page with its authors as the caller may see them. Throws as pool.readInRoom. */
export async function readPage(context: RoomContext, page: RowPage): Promise<RoomRows> {
  const { app, caller, room } = context;
  const hasPages = await hasRowPages(app.pool, caller.identity);
  const { entered, rows } = await (hasPages ? readRowPage : pageOfAll)(app.pool, caller.identity, room, page);
  return { entered, rows: await shownRows(context, rows, hasPages ? undefined : entered) };
}

/** By the documented verbs, which have no pages, and say nothing of what a message holds. */
async function pageOfAll(pool: Pool, identity: Identity, room: RoomRef, page: RowPage): Promise<RoomRows> {
  const { above, below, limit, isFromEnd, isUnreadOnly } = page;
  const { entered, rows } = await readMailbox(pool, identity, room);
  const chosen = rows.filter(
    ({ msgnum, seen }) => msgnum > above && (below === 0 || msgnum < below) && !(isUnreadOnly && seen),
  );
  return { entered, rows: isFromEnd ? chosen.slice(Math.max(0, chosen.length - limit)) : chosen.slice(0, limit) };
}

/** `entered`: of a room server that may have got an entry of a blog anew, when it was moved (posted-anew.ts). */
async function shownRows<R extends ListedRow>(
  context: RoomContext,
  rows: readonly R[],
  entered?: EnteredRoom,
): Promise<readonly R[]> {
  const { app, caller, room } = context;
  const mayBeAnew = entered?.defaultView === VIEW.blog;
  return withHiddenAuthors(context, await app.originalTimes.in(app.pool, caller.identity, room, rows, mayBeAnew));
}

const mailboxJson = memoiseByAnswer((page: RoomRows) =>
  jsonWithList(mailboxHead(page), { msgs: page.rows }, mailboxEntry),
);

function mailboxHead({ entered }: Pick<RoomRows, 'entered'>) {
  return { name: entered.name, total_messages: entered.totalMessages, new_messages: entered.newMessages };
}

/** The rows as entries, without the brackets of the list. */
const entriesJson = memoiseByAnswer(async (rows: readonly ListedRow[]) => {
  const entries = await requestTurns.map(rows, REQUEST_TURN_MS, (row) => JSON.stringify(mailboxEntry(row)));
  return entries.join(',');
});

/** A row as the mailbox lists it. */
export function mailboxEntry(row: ListedRow) {
  const { details } = row;
  return {
    msgnum: row.msgnum,
    time: row.time,
    author: decodeWords(row.from),
    addr: row.address,
    subject: decodeWords(row.subject),
    msgidhash: row.idHash,
    references: row.referenceHashes,
    seen: row.seen,
    ...(details && { to: decodeWords(details.recipients), files: details.files, snippet: details.firstWords }),
  };
}

/** undefined: the request asks for no page, or for a longer one than there are. Throws bad_request. */
function pageOf(exchange: Exchange): RowPage | undefined {
  const limit = wholeParameter(exchange, 'limit');
  const isShort = limit !== undefined && limit > 0 && limit <= MAX_ROWS_AT_ONCE;
  if (!isShort && !PAGED.some((name) => exchange.query.get(name) !== undefined)) return undefined;
  const fields = (exchange.query.get('fields') ?? '').split(',').filter((name) => name !== '');
  const unknown = fields.find((name) => !DETAILS.some((detail) => detail === name));
  if (unknown !== undefined) throw new AppError('bad_request', `fields takes ${DETAILS.join(', ')}.`);
  const unread = exchange.query.get('unread');
  if (unread !== undefined && unread !== '1') throw new AppError('bad_request', 'unread takes 1.');
  const last = wholeParameter(exchange, 'last');
  if (last !== undefined && limit !== undefined)
    throw new AppError('bad_request', 'last and limit exclude each other.');
  const isDetailed = fields.length > 0;
  const most = isDetailed ? MAX_DETAILED_ROWS : MAX_ROWS_AT_ONCE;
  const wanted = Math.min(last ?? limit ?? most, most);
  if (wanted === 0) throw new AppError('bad_request', 'last and limit take at least 1 here.');
  return {
    above: wholeParameter(exchange, 'after') ?? 0,
    below: wholeParameter(exchange, 'before') ?? 0,
    limit: wanted,
    isFromEnd: last !== undefined,
    isUnreadOnly: unread !== undefined,
    isDetailed,
  };
}

/** Of a parameter of the query; undefined where it has none. Throws bad_request. */
export function wholeParameter(exchange: Exchange, name: string): number | undefined {
  const text = exchange.query.get(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new AppError('bad_request', `${name} takes a whole number.`);
  return Number(text);
}
