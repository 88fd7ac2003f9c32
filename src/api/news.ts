// GET a/news: the newest unread messages of each room that has some.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { userOf } from '../gateway/caller.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send } from '../http/respond.ts';
import { MAX_NEWS_MESSAGES, MAX_NEWS_ROOMS } from '../limits/http.ts';
import { hasNews } from '../protocol/room-facts.ts';
import { mailboxEntry, readPage, wholeParameter } from './mailbox.ts';
import { countedRooms } from './start.ts';

/**
 * GET a/news?rooms=N&messages=N → the rooms with the newest of them first; what one has sent, drafted, archived or
 * thrown away is no news
 */
export async function getNews(exchange: Exchange, app: App): Promise<void> {
  const rooms = bounded(exchange, 'rooms', MAX_NEWS_ROOMS);
  const limit = bounded(exchange, 'messages', MAX_NEWS_MESSAGES);
  const caller = await userOf(exchange, app);
  const fresh = (await countedRooms(app.pool, caller.identity)).filter(
    // hasnewmsgs looks at the highest message alone
    ({ known, is_zapped, unread, hasnewmsgs, name, is_mailbox: isPersonal, default_view: defaultView }) =>
      known && !is_zapped && hasNews({ name, isPersonal, defaultView }) && (unread ?? Number(hasnewmsgs)) > 0,
  );
  // where nothing is counted, the order of the list is as good as any
  fresh.sort((a, b) => (b.highest ?? 0) - (a.highest ?? 0));
  const news = [];
  for (const { name } of fresh.slice(0, rooms)) {
    const context: RoomContext = { exchange, app, caller, room: { name, password: '' } };
    const room = await newsOf(context, limit);
    if (room) news.push(room);
  }
  await send(exchange, 200, asJson(news));
}

async function newsOf(context: RoomContext, limit: number) {
  try {
    const page = { above: 0, below: 0, limit, isFromEnd: true, isUnreadOnly: true, isDetailed: true };
    const { entered, rows } = await readPage(context, page);
    if (rows.length === 0) return undefined;
    return { room: entered.name, unread: entered.newMessages, msgs: rows.toReversed().map(mailboxEntry) };
  } catch (error) {
    // it is gone, or closed to the caller by now
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return undefined;
    throw error;
  }
}

/** At most, and by default, `most`. Throws bad_request. */
function bounded(exchange: Exchange, name: string, most: number): number {
  const wanted = wholeParameter(exchange, name) ?? most;
  if (wanted < 1 || wanted > most) throw new AppError('bad_request', `${name} takes 1 to ${most}.`);
  return wanted;
}
