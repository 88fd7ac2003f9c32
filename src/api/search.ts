// Finding messages (a/search, a/hits) and people (a/complete, a/recipient).

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import { fitting, PLAIN_POSTING } from '../gateway/message/posting.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send } from '../http/respond.ts';
import { MAX_HITS_AT_ONCE, MAX_SEARCH_HITS } from '../limits/backend.ts';
import { REQUEST_TURN_MS } from '../limits/http.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { ROOM_MACRO } from '../protocol/room-facts.ts';
import { serverOf } from '../room-server/driver.ts';
import { probePost } from '../room-server/posting.ts';
import type { Found, SearchQuestion } from '../room-server/server.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { wholeParameter } from './mailbox.ts';

/** GET a/search?q=words: messages of all rooms that the caller knows, latest first */
export async function search(exchange: Exchange, app: App): Promise<void> {
  const words = questionOf(exchange);
  const { identity } = await userOf(exchange, app);
  const server = await serverOf(app.pool, identity);
  const { found, from } = await server.search.everywhere(app.pool, identity, words);
  await send(
    exchange,
    200,
    asJson(await requestTurns.map(found, REQUEST_TURN_MS, (row) => foundEntry(app, row))),
    searchedField(from),
  );
}

/**
 * The header field that says how complete a search was: `all`, or `from=N`: all messages from number N on, and older
 * ones as far as the room server has indexed them.
 */
export function searchedField(from: number | undefined): { Searched: string } {
  return { Searched: from === undefined ? 'all' : `from=${from}` };
}

/** A hit as a/search lists it. */
export function foundEntry(app: App, row: Found) {
  const { room, msgnum, from, address, subject } = row;
  const time = app.originalTimes.of(row);
  return { room, msgnum, time, author: decodeWords(from), addr: address, subject: decodeWords(subject) };
}

/** GET a/complete?q=text: suggestions for a recipient that is being typed */
export async function complete(exchange: Exchange, app: App): Promise<void> {
  const text = questionOf(exchange);
  const { identity } = await userOf(exchange, app);
  const { accounts } = await serverOf(app.pool, identity);
  const people = await accounts.suggest(app.pool, identity, text);
  await send(exchange, 200, asJson(people.map(({ name, address, recipient }) => ({ name, addr: address, recipient }))));
}

/** The search words; a bar separates words like any other sign. Throws bad_request. */
export function questionOf(exchange: Exchange): string {
  const text = (exchange.query.get('q') ?? '').replaceAll('|', ' ').trim();
  if (text === '') throw new AppError('bad_request', 'q is empty. Say what to search for.');
  return text;
}

const DEFAULT_HITS = 20;

/**
 * GET a/hits?q=words&offset=N&limit=N, filtered by room, views=N,N, from, since, until, files=1; begun=1: prefix
 * search.
 */
export async function getHits(exchange: Exchange, app: App): Promise<void> {
  const question = narrowed(exchange);
  const offset = wholeParameter(exchange, 'offset') ?? 0;
  const limit = wholeParameter(exchange, 'limit') ?? DEFAULT_HITS;
  if (limit < 1 || limit > MAX_HITS_AT_ONCE) {
    throw new AppError('bad_request', `limit takes 1 to ${MAX_HITS_AT_ONCE}.`);
  }
  if (offset > MAX_SEARCH_HITS) throw new AppError('bad_request', `offset takes at most ${MAX_SEARCH_HITS}.`);
  const { identity } = await userOf(exchange, app);
  const { search } = await serverOf(app.pool, identity);
  const { hits, total, isCut, byView } = await search.page(app.pool, identity, question, offset, limit);
  await send(
    exchange,
    200,
    asJson({
      total,
      is_cut: isCut,
      by_view: [...byView].map(([default_view, count]) => ({ default_view, total: count })),
      // details have the names of the fields
      hits: await requestTurns.map(hits, REQUEST_TURN_MS, (row) => ({ ...foundEntry(app, row), ...row.details })),
    }),
  );
}

function narrowed(exchange: Exchange): SearchQuestion {
  const flag = (name: string) => {
    const text = exchange.query.get(name);
    if (text !== undefined && text !== '1') throw new AppError('bad_request', `${name} takes no value but 1.`);
    return text === '1';
  };
  const text = (name: string) => {
    const given = exchange.query.get(name) ?? '';
    if (given.includes('|')) throw new AppError('bad_request', `${name} cannot contain a vertical bar.`);
    return given.trim();
  };
  const views = text('views');
  if (!/^(\d{1,3}(,\d{1,3})*)?$/.test(views))
    throw new AppError('bad_request', 'views takes numbers, separated by commas.');
  return {
    words: questionOf(exchange),
    room: text('room'),
    author: text('from'),
    since: wholeParameter(exchange, 'since') ?? 0,
    until: wholeParameter(exchange, 'until') ?? 0,
    hasFiles: flag('files'),
    isLastBegun: flag('begun'),
    views: views === '' ? [] : views.split(',').map(Number),
  };
}

const MAIL = { name: ROOM_MACRO.mail, password: '' };

/**
 * GET a/recipient?q=text → `{"is_known", "detail"}`: whether the room server would accept a mail (ENT0 with 0,
 * protocol section 15), and if not, why. Throws bad_request for an empty q.
 */
export async function getRecipient(exchange: Exchange, app: App): Promise<void> {
  const recipients = questionOf(exchange);
  const { identity } = await userOf(exchange, app);
  const refusal = await app.pool.withRoom(identity, MAIL, async (connection, entered) => {
    try {
      await probePost(connection, fitting({ ...PLAIN_POSTING, recipients }, entered));
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === 'bad_request') return error.message;
      throw error;
    }
  });
  await send(exchange, 200, asJson({ is_known: refusal === undefined, detail: refusal ?? '' }));
}
