// What a page needs to begin with, in one request (a/start), and the newest unread messages by room (a/news).

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { callerOf, userOf } from '../gateway/caller.ts';
import type { RoomContext } from '../gateway/room-context.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send } from '../http/respond.ts';
import { MAX_NEWS_MESSAGES, MAX_NEWS_ROOMS } from '../limits/http.ts';
import { hasNews } from '../protocol/room-facts.ts';
import type { Identity } from '../room-server/connection/identity.ts';
import type { Pool } from '../room-server/connection/pool.ts';
import { serverOf } from '../room-server/driver.ts';
import { listFloors, listRooms } from '../room-server/rooms.ts';
import { positionId } from './events.ts';
import { mailboxEntry, readPage, wholeParameter } from './mailbox.ts';
import { serverInfo } from './pages.ts';
import { roomListEntry } from './rooms.ts';
import { whoIs } from './session.ts';

/**
 * GET a/start → the caller, the room server, floors, rooms with their counts if the room server has them, the bound of
 * messages, and where an event stream continues. Without access for guests, a guest gets empty lists.
 */
export async function getStart(exchange: Exchange, app: App): Promise<void> {
  const caller = await callerOf(exchange, app);
  const { pool } = app;
  const { identity } = caller;
  const asked = Math.floor(Date.now() / 1000);
  const [user, server, floors, rooms] = await Promise.all([
    whoIs(exchange, app, caller),
    serverInfo(pool, identity),
    unlessRefused(listFloors(pool, identity)),
    unlessRefused(countedRooms(pool, identity)),
  ]);
  const max_message_bytes = app.messageLimit.bytes ?? app.maxBodyBytes;
  const { events } = await serverOf(pool, identity);
  const last_event_id = events.hasOurClock(pool) && user.logged_in ? eventIdOf(rooms, asked) : undefined;
  await send(exchange, 200, asJson({ user, server, floors, rooms, max_message_bytes, last_event_id }));
}

/**
 * The event id from which a stream reports what these lists lack: rooms that change in the second `asked` (Unix) or
 * later, and mail with higher numbers, which grow over all rooms. Only for a room server with our clock.
 */
function eventIdOf(rooms: readonly { highest?: number }[], asked: number): string {
  const inbox = rooms.reduce((most, { highest = 0 }) => Math.max(most, highest), 0);
  return positionId({ inbox, mtime: asked, room: '', highest: 0 });
}

/** The rooms as in r/, with `unread`, `total` and `highest` if the room server counts them. */
export async function countedRooms(pool: Pool, identity: Identity) {
  const server = await serverOf(pool, identity);
  const rooms = await server.rooms.withNews(pool, identity, await listRooms(pool, identity));
  const counts = await server.rooms.counts(pool, identity);
  return rooms.map((room) => ({ ...roomListEntry(room), ...counts.get(room.name) }));
}

/** Empty for a guest whom the room server does not admit. */
async function unlessRefused<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_logged_in') return [];
    throw error;
  }
}

/** GET a/news?rooms=N&messages=N → rooms with unread messages, newest first; not Sent Items, Drafts, Archive, Trash */
export async function getNews(exchange: Exchange, app: App): Promise<void> {
  const rooms = bounded(exchange, 'rooms', MAX_NEWS_ROOMS);
  const limit = bounded(exchange, 'messages', MAX_NEWS_MESSAGES);
  const caller = await userOf(exchange, app);
  const fresh = (await countedRooms(app.pool, caller.identity)).filter(
    // hasnewmsgs only considers the highest message
    ({ known, is_zapped, unread, hasnewmsgs, name, is_mailbox: isPersonal, default_view: defaultView }) =>
      known && !is_zapped && hasNews({ name, isPersonal, defaultView }) && (unread ?? Number(hasnewmsgs)) > 0,
  );
  // without counts, in the order of the list
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
    // it is gone or closed to the caller by now
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
