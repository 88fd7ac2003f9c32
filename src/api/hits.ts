// GET a/hits: a search by pages, narrowed by room, author, time and files, with excerpts.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send } from '../http/respond.ts';
import { MAX_HITS_AT_ONCE, MAX_SEARCH_HITS } from '../limits/backend.ts';
import { REQUEST_TURN_MS } from '../limits/http.ts';
import { serverOf } from '../room-server/driver.ts';
import type { SearchQuestion } from '../room-server/server.ts';
import { requestTurns } from '../system/turn-queue.ts';
import { wholeParameter } from './mailbox.ts';
import { foundEntry, questionOf } from './search.ts';

const DEFAULT_HITS = 20;

/**
 * GET a/hits?q=words&offset=N&limit=N, narrowed by room, views=N,N, from, since, until, files=1; begun=1: the last word
 * may be the beginning of one.
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
      // what is told of a hit has the names of its fields
      hits: await requestTurns.map(hits, REQUEST_TURN_MS, (row) => ({ ...foundEntry(app, row), ...row.details })),
    }),
  );
}

function narrowed(exchange: Exchange): SearchQuestion {
  const flag = (name: string) => {
    const text = exchange.query.get(name);
    if (text !== undefined && text !== '1') throw new AppError('bad_request', `${name} takes 1.`);
    return text === '1';
  };
  const text = (name: string) => {
    const given = exchange.query.get(name) ?? '';
    if (given.includes('|')) throw new AppError('bad_request', `${name} holds no bar.`);
    return given.trim();
  };
  const views = text('views');
  if (!/^(\d{1,3}(,\d{1,3})*)?$/.test(views)) throw new AppError('bad_request', 'views takes numbers.');
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
