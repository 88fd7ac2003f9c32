// The cache of replies, by identity and request. An entry is valid while the change counts of its room, or all counts,
// stand still, so it works with the embedded room server only, which counts changes in shared memory
// (system/change-counts.ts). The caller was checked before. Conditions, ranges and codings are applied anew.

import type { Exchange } from '../http/exchange.ts';
import { KEPT_REPLY_BYTES, MAX_KEPT_REPLIES_BYTES, MAX_KEPT_REPLY_BYTES } from '../limits/http.ts';
import { type EnteredRoom, VIEW } from '../model.ts';
import { nameKey } from '../protocol/names.ts';
import { personalName } from '../protocol/room-facts.ts';
import { lastEntered, type RoomRef } from '../room-server/connection/goto.ts';
import type { Identity } from '../room-server/connection/identity.ts';
import type { Pool } from '../room-server/connection/pool.ts';
import { KeptWhileUnchanged, placesOf } from '../system/change-counts.ts';

type Reply = (exchange: Exchange) => Promise<void>;

/** Caller and room; without a room for replies that any change may affect. */
interface Asked {
  exchange: Exchange;
  caller: { identity: Identity };
  room?: RoomRef;
}

export class ReplyCache {
  readonly #pool: Pool;
  readonly #cache: KeptWhileUnchanged<Reply> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#cache = pool.changes && new KeptWhileUnchanged(pool.changes, MAX_KEPT_REPLIES_BYTES);
  }

  /**
   * Sends the cached reply, or has `answer` send one. It may depend only on the room, the caller, path and query,
   * Accept, and `variant`, which holds everything else that it depends on.
   */
  send(context: Asked, variant: string, answer: () => Promise<void>): Promise<void> {
    const { exchange, caller, room } = context;
    const cache = this.#cache;
    const asker = cache && !room?.password ? this.#pool.askerOf(caller.identity) : undefined;
    if (!cache || !asker) return answer();
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    const { rawPath, rawQuery } = exchange;
    const key = `${asker.number} ${method} ${rawPath}?${rawQuery}\n${exchange.header('accept') ?? ''}\n${variant}`;
    const reply = cache.get(key);
    return reply ? reply(exchange) : this.#sendNew(cache, key, context, answer);
  }

  async #sendNew(
    cache: KeptWhileUnchanged<Reply>,
    key: string,
    { exchange, caller, room }: Asked,
    answer: () => Promise<void>,
  ): Promise<void> {
    const since = cache.moment;
    let made: { reply: Reply; size: number } | undefined;
    exchange.keep = (size, reply) => {
      made = { reply, size: KEPT_REPLY_BYTES + key.length + size };
    };
    await answer();
    if (!made || made.size > MAX_KEPT_REPLY_BYTES) return;
    const { reply, size } = made;
    if (!room) return cache.set(key, reply, { places: undefined, size, since });
    // a path may use an alias of the room
    const entered = lastEntered(room);
    // only now: the log-in may have been in progress before
    const user = this.#pool.askerOf(caller.identity)?.user;
    if (!entered || isWiki(entered) || user === undefined) return;
    cache.set(key, reply, { places: scopeOfRoom(entered, user), size, since });
  }
}

/** The counters of changes that affect what a user sees of a room; `user`: its number, 0 for guests. */
function scopeOfRoom({ name, isPersonal }: EnteredRoom, user: number): number[] {
  if (!isPersonal) return placesOf({ rooms: [nameKey(name)], users: [user] });
  const { owner } = personalName(name);
  return placesOf({ users: owner === undefined ? [user] : [user, owner] });
}

/** Histories of its pages are in another room. */
function isWiki({ defaultView, currentView }: EnteredRoom): boolean {
  return defaultView === VIEW.wiki || currentView === VIEW.wiki;
}
