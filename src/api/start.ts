// GET a/start: all that a page needs to begin with, in one request.

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { callerOf } from '../gateway/caller.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send } from '../http/respond.ts';
import type { Identity } from '../room-server/connection/identity.ts';
import type { Pool } from '../room-server/connection/pool.ts';
import { serverOf } from '../room-server/driver.ts';
import { listFloors, listRooms } from '../room-server/rooms.ts';
import { positionId } from './events.ts';
import { roomListEntry } from './rooms.ts';
import { serverInfo } from './server-info.ts';
import { whoIs } from './session.ts';

/**
 * GET a/start → who calls, the room server, floors, rooms, how large a message may be; of rooms how much is new, where
 * the room server counts it; from where an event stream goes on. Where guests are not let in, a guest is told of no
 * rooms.
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
 * From where an event stream tells what these lists do not: rooms that change in the second `asked` (Unix) or later,
 * and mail with higher numbers, which grow over all rooms. Only of a room server with the same clock.
 */
function eventIdOf(rooms: readonly { highest?: number }[], asked: number): string {
  const inbox = rooms.reduce((most, { highest = 0 }) => Math.max(most, highest), 0);
  return positionId({ inbox, mtime: asked, room: '', highest: 0 });
}

/** The rooms as r/ lists them, with `unread`, `total` and `highest` where the room server tells. */
export async function countedRooms(pool: Pool, identity: Identity) {
  const server = await serverOf(pool, identity);
  const rooms = await server.rooms.withNews(pool, identity, await listRooms(pool, identity));
  const counts = await server.rooms.counts(pool, identity);
  return rooms.map((room) => ({ ...roomListEntry(room), ...counts.get(room.name) }));
}

/** A guest whom the room server does not let in gets an empty list. */
async function unlessRefused<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_logged_in') return [];
    throw error;
  }
}
