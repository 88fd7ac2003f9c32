// The one cache of replies: by identity and request, valid while the change counts of the room that they are about stand
// still, or all counts. Only for the embedded room server, which counts its changes in shared memory
// (system/change-counts.ts). The caller has been checked before. Conditions, ranges and codings are applied anew.

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

/** Who asks, and for which room; without one for what any change may show in. */
interface Asked {
  exchange: Exchange;
  caller: { identity: Identity };
  room?: RoomRef;
}

export class KeptReplies {
  readonly #pool: Pool;
  readonly #kept: KeptWhileUnchanged<Reply> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#kept = pool.changes && new KeptWhileUnchanged(pool.changes, MAX_KEPT_REPLIES_BYTES);
  }

  /**
   * Sends what was sent before, or has `answer` send it. That may depend on nothing but the room, the caller, the path
   * with its query, Accept, and `variant`, which holds whatever else of the request it is made from.
   */
  send(context: Asked, variant: string, answer: () => Promise<void>): Promise<void> {
    const { exchange, caller, room } = context;
    const kept = this.#kept;
    const asker = kept && !room?.password ? this.#pool.askerOf(caller.identity) : undefined;
    if (!kept || !asker) return answer();
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    const { rawPath, rawQuery } = exchange;
    const key = `${asker.number} ${method} ${rawPath}?${rawQuery}\n${exchange.header('accept') ?? ''}\n${variant}`;
    const reply = kept.get(key);
    return reply ? reply(exchange) : this.#sendNew(kept, key, context, answer);
  }

  async #sendNew(
    kept: KeptWhileUnchanged<Reply>,
    key: string,
    { exchange, caller, room }: Asked,
    answer: () => Promise<void>,
  ): Promise<void> {
    const since = kept.moment;
    let made: { reply: Reply; size: number } | undefined;
    exchange.keep = (size, reply) => {
      made = { reply, size: KEPT_REPLY_BYTES + key.length + size };
    };
    await answer();
    if (!made || made.size > MAX_KEPT_REPLY_BYTES) return;
    const { reply, size } = made;
    if (!room) return kept.set(key, reply, { places: undefined, size, since });
    // a path may name a room by another name than its own
    const entered = lastEntered(room);
    // only now: the log-in may have been under way before
    const user = this.#pool.askerOf(caller.identity)?.user;
    if (!entered || isWiki(entered) || user === undefined) return;
    kept.set(key, reply, { places: placesOfRoom(entered, user), size, since });
  }
}

/** Where the changes are counted that show in what a user is told of a room; `user`: its number, 0 for guests. */
function placesOfRoom({ name, isPersonal }: EnteredRoom, user: number): number[] {
  if (!isPersonal) return placesOf({ rooms: [nameKey(name)], users: [user] });
  const { owner } = personalName(name);
  return placesOf({ users: owner === undefined ? [user] : [user, owner] });
}

/** The histories of its pages are in another room. */
function isWiki({ defaultView, currentView }: EnteredRoom): boolean {
  return defaultView === VIEW.wiki || currentView === VIEW.wiki;
}
