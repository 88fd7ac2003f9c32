// The background work of the embedded room server, in small pieces: it removes what is marked as removed and, once a
// day or when TDAP asks for it, what has expired; and it delivers scheduling messages that a turn had no time for.

import { setImmediate } from 'node:timers/promises';
import { DEFAULT_SYNC_DAYS, EXPIRY_CHECK_MS } from '../../limits/backend.ts';
import { now } from '../../system/clock.ts';
import { deliverSome } from '../content/scheduling.ts';
import { Refusal } from '../store/refusal.ts';
import { pruneRemoved } from '../store/rooms.ts';
import { nextDelivery } from '../store/scheduling.ts';
import { numberSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { expiredPieces } from './expiry.ts';
import { sweepSome } from './sweeping.ts';

const LAST_RUN = 'last_purge';
const DAY_SECONDS = 86_400;

/** Works whenever something is marked as removed, and at the hour of c_purge_hour. Ends with stop(). */
export class Housekeeper {
  readonly #store: Store;
  readonly #onFault: (error: unknown) => void;
  readonly #syncSeconds: number;
  readonly #timer: NodeJS.Timeout;
  #isStopped = false;
  #isExpiryWanted = false;
  /** resolves when nothing is left to do */
  #work: Promise<void> | undefined;

  /** `syncDays`: how long it is known which members of rooms were removed */
  constructor(store: Store, onFault: (error: unknown) => void, syncDays = DEFAULT_SYNC_DAYS) {
    this.#store = store;
    this.#syncSeconds = syncDays * DAY_SECONDS;
    this.#onFault = onFault;
    store.onGarbage = () => this.#wake();
    this.#timer = setInterval(() => this.check(), EXPIRY_CHECK_MS).unref();
    this.check();
  }

  /** Sees whether the hour of c_purge_hour has passed since the last run, and goes on with what is left over. */
  check(): void {
    try {
      const last = this.#store.getConfig(LAST_RUN);
      // A new server begins with the next one.
      if (last === undefined) this.#store.setConfig(LAST_RUN, String(now()));
      else if (Number(last) < latestHour(now(), numberSetting(this.#store, 'c_purge_hour'))) this.expire();
      this.#wake();
    } catch (error) {
      this.#tell(error);
    }
  }

  /** Begins to remove what has expired. */
  expire(): void {
    this.#isExpiryWanted = true;
    this.#wake();
  }

  /** Resolves when nothing is left to be removed. */
  async done(): Promise<void> {
    await this.#work;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#store.onGarbage = () => {};
  }

  #wake(): void {
    if (this.#isStopped) return;
    this.#work ??= this.#run()
      .catch((error) => this.#tell(error))
      .finally(() => {
        this.#work = undefined;
      });
  }

  #tell(error: unknown): void {
    // A refusal means that the disk failed, which the store reports. The rest is tried again later.
    if (!(error instanceof Refusal)) this.#onFault(error);
  }

  /** Each piece is a short transaction; between two of them the sessions have their turn. */
  async #run(): Promise<void> {
    await setImmediate();
    while (!this.#isStopped) {
      // one a piece: each is a calendar object or two
      while (!this.#isStopped && !deliverSome(this.#store, () => true)) await setImmediate();
      if (this.#isExpiryWanted) {
        this.#isExpiryWanted = false;
        const time = now();
        for (const _piece of expiredPieces(this.#store, time)) {
          await setImmediate();
          if (this.#isStopped) return;
        }
        while (pruneRemoved(this.#store, time - this.#syncSeconds)) {
          await setImmediate();
          if (this.#isStopped) return;
        }
        this.#store.setConfig(LAST_RUN, String(time));
      }
      while (!this.#isStopped && sweepSome(this.#store)) await setImmediate();
      if (!this.#isExpiryWanted && !nextDelivery(this.#store)) return;
    }
  }
}

/** Unix time of the latest full hour `hour` (0 to 23) of local time that is not after `time`. */
function latestHour(time: number, hour: number): number {
  const at = new Date(time * 1000);
  at.setHours(Math.min(Math.max(hour, 0), 23), 0, 0, 0);
  if (at.getTime() > time * 1000) at.setDate(at.getDate() - 1);
  return Math.floor(at.getTime() / 1000);
}
