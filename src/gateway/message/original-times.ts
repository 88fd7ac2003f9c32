// Original times of messages that `vestibule copy` or a move (reposting.ts) posted again at a foreign room server,
// whose lists have the time of the post. Cached by number. The server is asked once in a while whether messages were
// copied to it, and for nothing else if none were.

import {
  BATCH_MESSAGES,
  MAX_ORIGINAL_TIMES,
  MAX_ORIGINAL_TIMES_PER_LIST,
  SECONDS_AFTER_NO_ANSWER,
  SECONDS_BETWEEN_COPY_QUESTIONS,
} from '../../limits/dav.ts';
import type { RoomRef } from '../../room-server/connection/goto.ts';
import type { Identity } from '../../room-server/connection/identity.ts';
import type { Pool } from '../../room-server/connection/pool.ts';
import { readStoredHeaders } from '../../room-server/messages.ts';
import { isCopyTarget, originalTimeFrom } from '../../room-server/rooms.ts';
import { BoundedMap } from '../../system/bounded-map.ts';

interface Timed {
  msgnum: number;
  /** Unix seconds, from the list */
  time: number;
}

export class OriginalTimes {
  #isTarget = false;
  #nextQuestion = 0;
  /** `time`: from the list; another message has the number if it differs */
  readonly #times = new BoundedMap<number, { time: number; original: number }>(MAX_ORIGINAL_TIMES);

  /** at most this many requests of a list */
  readonly #perList: number;

  constructor(perList = MAX_ORIGINAL_TIMES_PER_LIST) {
    this.#perList = perList;
  }

  /** The known time, without asking. */
  of({ msgnum, time }: Timed): number {
    const cached = this.#times.get(msgnum);
    return cached?.time === time ? cached.original : time;
  }

  /**
   * The rows with original times; the same array if all are right. `mayBeAnew`: also if nothing was copied to the
   * server.
   */
  async in<T extends Timed>(
    pool: Pool,
    identity: Identity,
    room: RoomRef,
    rows: readonly T[],
    mayBeAnew = false,
  ): Promise<readonly T[]> {
    if (!mayBeAnew && !(await this.#hasCopies(pool, identity))) return rows;
    const unknown = rows.filter(({ msgnum, time }) => this.#times.get(msgnum)?.time !== time);
    const wanted = unknown.slice(-this.#perList);
    for (let at = 0; at < wanted.length; at += BATCH_MESSAGES) {
      const batch = wanted.slice(at, at + BATCH_MESSAGES);
      const numbers = batch.map(({ msgnum }) => msgnum);
      const headers = await readStoredHeaders(pool, identity, room, numbers);
      for (const [i, { msgnum, time }] of batch.entries()) {
        if (headers[i]) this.#times.set(msgnum, { time, original: originalTimeFrom(headers[i]) ?? time });
      }
    }
    return rows.map((row) => ({ ...row, time: this.of(row) }));
  }

  async #hasCopies(pool: Pool, identity: Identity): Promise<boolean> {
    const now = Date.now() / 1000;
    if (this.#isTarget || now < this.#nextQuestion) return this.#isTarget;
    this.#nextQuestion = now + SECONDS_BETWEEN_COPY_QUESTIONS;
    const answer = await isCopyTarget(pool, identity);
    this.#isTarget = answer === true;
    // another caller may get a reply
    if (answer === undefined) this.#nextQuestion = now + SECONDS_AFTER_NO_ANSWER;
    return this.#isTarget;
  }
}
