// GET r/:room/mailbox: the list of a room's messages, whole or a page of it, and what its rows show.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { callerInRoom } from '../gateway/request-room.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { JSON_TYPE, jsonListStream, jsonWithList, send, sendStream } from '../http/respond.ts';
import { MAX_DETAILED_ROWS, MAX_LISTED_ROWS, MAX_ROWS_AT_ONCE } from '../limits/backend.ts';
import { MAX_WHOLE_LIST_ROWS, REQUEST_TURN_MS } from '../limits/http.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { decodeName } from '../mime/headers.ts';
import { serverOf } from '../room-server/driver.ts';
import type { ListedRow, RoomRows, RowPage } from '../room-server/server.ts';
import { memoised } from '../system/attached.ts';
import { requestTurns } from '../system/turn-queue.ts';

/** parameters that, like a limit, make the answer a page */
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
  return app.replyCache.send(context, '', () => sendMailbox(context, page, { above: after, limit }));
}

async function sendMailbox(
  context: RoomContext,
  page: RowPage | undefined,
  slice: Pick<RowPage, 'above' | 'limit'>,
): Promise<void> {
  const { exchange, app, caller, room } = context;
  if (page) return send(exchange, 200, { type: JSON_TYPE, body: await mailboxJson(await readPage(context, page)) });
  // page by page, each read while the one before it is sent
  const { messages } = await serverOf(app.pool, caller.identity);
  const { first, rest } = await messages.list(app.pool, caller.identity, room, slice);
  const shown = await withTimes(context, first);
  if (rest)
    return sendStream(exchange, jsonListStream(mailboxHead(first), 'msgs', shownEntries(context, shown.rows, rest)));
  return sendRows(exchange, shown);
}

async function* shownEntries(
  context: RoomContext,
  first: readonly ListedRow[],
  rest: AsyncIterable<readonly ListedRow[]>,
): AsyncGenerator<string> {
  yield await entriesJson(first);
  for await (const rows of rest) yield await entriesJson(await timedRows(context, rows));
}

/** Sends rows at once, or as a stream if there are many. */
async function sendRows(exchange: Exchange, page: RoomRows): Promise<void> {
  if (page.rows.length <= MAX_WHOLE_LIST_ROWS)
    return send(exchange, 200, { type: JSON_TYPE, body: await mailboxJson(page) });
  return sendStream(exchange, jsonListStream(mailboxHead(page), 'msgs', entriesInTurn(page.rows)));
}

async function* entriesInTurn(rows: readonly ListedRow[]): AsyncGenerator<string> {
  for (let at = 0; at < rows.length; at += MAX_LISTED_ROWS)
    yield await entriesJson(rows.slice(at, at + MAX_LISTED_ROWS));
}

/** A page with the times at which its messages were written. Throws as pool.readInRoom. */
export async function readPage(context: RoomContext, page: RowPage): Promise<RoomRows> {
  const { app, caller, room } = context;
  const { messages } = await serverOf(app.pool, caller.identity);
  return withTimes(context, await messages.page(app.pool, caller.identity, room, page));
}

/** Returns the same object if nothing changes, since answers are memoised by object. */
async function withTimes(context: RoomContext, page: RoomRows): Promise<RoomRows> {
  const rows = await timedRows(context, page.rows, page.mayBeAnew);
  return rows === page.rows ? page : { ...page, rows };
}

function timedRows<R extends ListedRow>(
  { app, caller, room }: RoomContext,
  rows: readonly R[],
  mayBeAnew?: boolean,
): Promise<readonly R[]> {
  return app.originalTimes.in(app.pool, caller.identity, room, rows, mayBeAnew);
}

const mailboxJson = memoised((page: RoomRows) => jsonWithList(mailboxHead(page), { msgs: page.rows }, mailboxEntry));

function mailboxHead({ entered }: Pick<RoomRows, 'entered'>) {
  return { name: entered.name, total_messages: entered.totalMessages, new_messages: entered.newMessages };
}

/** The rows as entries, without the brackets of the list. */
const entriesJson = memoised(async (rows: readonly ListedRow[]) => {
  const entries = await requestTurns.map(rows, REQUEST_TURN_MS, (row) => JSON.stringify(mailboxEntry(row)));
  return entries.join(',');
});

/** A row as the mailbox lists it. */
export function mailboxEntry(row: ListedRow) {
  const { details } = row;
  return {
    msgnum: row.msgnum,
    time: row.time,
    author: decodeName(row.from),
    addr: row.address,
    subject: decodeWords(row.subject),
    msgidhash: row.idHash,
    references: row.referenceHashes,
    seen: row.seen,
    ...(details && { to: decodeWords(details.recipients), files: details.files, snippet: details.firstWords }),
  };
}

/** The page that the request asks for, if any. Throws bad_request. */
function pageOf(exchange: Exchange): RowPage | undefined {
  const limit = wholeParameter(exchange, 'limit');
  const isShort = limit !== undefined && limit > 0 && limit <= MAX_ROWS_AT_ONCE;
  if (!isShort && !PAGED.some((name) => exchange.query.get(name) !== undefined)) return undefined;
  const fields = (exchange.query.get('fields') ?? '').split(',').filter((name) => name !== '');
  const unknown = fields.find((name) => !DETAILS.some((detail) => detail === name));
  if (unknown !== undefined) throw new AppError('bad_request', `fields takes ${DETAILS.join(', ')}.`);
  const unread = exchange.query.get('unread');
  if (unread !== undefined && unread !== '1') throw new AppError('bad_request', 'unread takes no value but 1.');
  const last = wholeParameter(exchange, 'last');
  if (last !== undefined && limit !== undefined)
    throw new AppError('bad_request', 'Send either last or limit, not both.');
  const isDetailed = fields.length > 0;
  const most = isDetailed ? MAX_DETAILED_ROWS : MAX_ROWS_AT_ONCE;
  const wanted = Math.min(last ?? limit ?? most, most);
  if (wanted === 0) throw new AppError('bad_request', 'last and limit must be at least 1.');
  return {
    above: wholeParameter(exchange, 'after') ?? 0,
    below: wholeParameter(exchange, 'before') ?? 0,
    limit: wanted,
    isFromEnd: last !== undefined,
    isUnreadOnly: unread !== undefined,
    isDetailed,
  };
}

/** The value of a parameter, if it was sent. Throws bad_request. */
export function wholeParameter(exchange: Exchange, name: string): number | undefined {
  const text = exchange.query.get(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new AppError('bad_request', `${name} takes a whole number.`);
  return Number(text);
}
