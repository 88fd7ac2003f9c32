// The background work of the embedded room server, in small pieces: deletes what is marked as removed and, once a day
// or after TDAP, expired messages; delivers scheduling messages that a turn had no time for. Policies say which
// messages of a room expire (GPEX and SPEX, protocol section 18.5).

import { setImmediate } from 'node:timers/promises';
import { BACKEND_SWEEP_MESSAGES, DEFAULT_SYNC_DAYS, EXPIRY_CHECK_MS, EXPIRY_PAGE_ROWS } from '../../limits/backend.ts';
import { VIEW } from '../../model.ts';
import { now } from '../../system/clock.ts';
import { deliverSome, nextDelivery } from '../content/scheduling.ts';
import type { StoredRoom } from '../store/records.ts';
import { removeFromRoom, removeOldest } from '../store/references.ts';
import { Refusal } from '../store/refusal.ts';
import { pruneRemoved, roomById } from '../store/rooms.ts';
import { ROOM_STATE } from '../store/schema.ts';
import { numberSetting, type Store } from '../store/store.ts';
import { sweepSome } from './removal.ts';

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

  /** Starts expiry if the hour of c_purge_hour has passed since the last run, and continues unfinished work. */
  check(): void {
    try {
      const last = this.#store.getConfig(LAST_RUN);
      // A new server begins with the next one.
      if (last === undefined) this.#store.setConfig(LAST_RUN, String(now()));
      else if (Number(last) < latestHour(now(), numberSetting(this.#store, 'c_purge_hour'))) this.expire();
      this.#wake();
    } catch (error) {
      this.#report(error);
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
      .catch((error) => this.#report(error))
      .finally(() => {
        this.#work = undefined;
      });
  }

  #report(error: unknown): void {
    // A refusal means that the disk failed, which the store reports. The rest is tried again later.
    if (!(error instanceof Refusal)) this.#onFault(error);
  }

  async #run(): Promise<void> {
    const pieces = this.#pieces();
    do await setImmediate();
    while (!this.#isStopped && !pieces.next().done);
  }

  /** Each piece is a short transaction; sessions have their turns in between. */
  *#pieces(): Generator<void> {
    do {
      // one a piece: each is a calendar object or two
      while (!deliverSome(this.#store, () => true)) yield;
      if (this.#isExpiryWanted) {
        this.#isExpiryWanted = false;
        const time = now();
        yield* expiredPieces(this.#store, time);
        while (pruneRemoved(this.#store, time - this.#syncSeconds)) yield;
        this.#store.setConfig(LAST_RUN, String(time));
      }
      while (sweepSome(this.#store)) yield;
    } while (this.#isExpiryWanted || nextDelivery(this.#store));
  }
}

/** Unix time of the latest full hour `hour` (0 to 23) of local time that is not after `time`. */
function latestHour(time: number, hour: number): number {
  const at = new Date(time * 1000);
  at.setHours(Math.min(Math.max(hour, 0), 23), 0, 0, 0);
  if (at.getTime() > time * 1000) at.setDate(at.getDate() - 1);
  return Math.floor(at.getTime() / 1000);
}

/** Modes of GPEX and SPEX. */
export const EXPIRE = { nextLevel: 0, never: 1, keepMessages: 2, days: 3 } as const;

/** `value`: of EXPIRE.keepMessages and EXPIRE.days */
export interface Policy {
  mode: number;
  value: number;
}

const NO_POLICY: Policy = { mode: EXPIRE.nextLevel, value: 0 };
const KEEP: Policy = { mode: EXPIRE.never, value: 0 };

/** Views whose content does not age: only a policy of the room itself makes it expire. */
const LASTING_VIEWS: ReadonlySet<number> = new Set([
  VIEW.addressBook,
  VIEW.calendar,
  VIEW.tasks,
  VIEW.notes,
  VIEW.wiki,
  VIEW.briefCalendar,
  VIEW.journal,
  VIEW.blog,
  VIEW.files,
]);

/** The room's own policy; mode nextLevel where it has none. */
export function roomPolicy(store: Store, roomId: number): Policy {
  return policyIn(store, 'room WHERE id = ?', roomId);
}

/** The floor's own policy; mode nextLevel where it has none. */
export function floorPolicy(store: Store, floor: number): Policy {
  return policyIn(store, 'floor WHERE num = ?', floor);
}

function policyIn(store: Store, source: string, id: number): Policy {
  const row = store.prepare(`SELECT expire_mode AS mode, expire_value AS value FROM ${source}`).get(id);
  return row ? { mode: Number(row.mode), value: Number(row.value) } : NO_POLICY;
}

/** The policy of all mailboxes, or of what has none of its own. */
export function generalPolicy(store: Store, which: 'mailboxes' | 'site'): Policy {
  const stored = store.getConfig(`expire_${which}`);
  if (stored === undefined) return which === 'site' ? KEEP : NO_POLICY;
  const [mode, value] = stored.split('|').map(Number);
  return { mode: mode!, value: value! };
}

/** The policy that holds for a room: its own, else that of mailboxes or of its floor, else that of the site. */
function effectivePolicy(store: Store, room: StoredRoom): Policy {
  const own = roomPolicy(store, room.id);
  if (own.mode !== EXPIRE.nextLevel) return own;
  if (LASTING_VIEWS.has(room.view)) return KEEP;
  const next = room.owner === null ? floorPolicy(store, room.floor) : generalPolicy(store, 'mailboxes');
  return next.mode === EXPIRE.nextLevel ? generalPolicy(store, 'site') : next;
}

/** Removes what has expired at `time`, all rooms; each step is a short transaction or a short query. */
export function* expiredPieces(store: Store, time: number): Generator<void> {
  const rooms = store.prepare(`SELECT id FROM room WHERE dropped = ${ROOM_STATE.there} AND total > 0`).all();
  for (const { id } of rooms) {
    const room = roomById(store, Number(id));
    if (!room) continue;
    const { mode, value } = effectivePolicy(store, room);
    if (mode === EXPIRE.keepMessages) yield* surplus(store, room, value);
    else if (mode === EXPIRE.days) yield* olderThan(store, room, time - value * DAY_SECONDS);
  }
}

function* surplus(store: Store, room: StoredRoom, allowed: number): Generator<void> {
  for (;;) {
    const count = Math.min(room.total - allowed, BACKEND_SWEEP_MESSAGES);
    // The room may have been deleted between two pieces.
    if (count <= 0 || roomById(store, room.id) !== room) return;
    removeOldest(store, room.id, count);
    yield;
  }
}

/** Checks all messages, because times need not ascend with numbers. */
function* olderThan(store: Store, room: StoredRoom, time: number): Generator<void> {
  const select = store.prepare(
    `SELECT m.id, m.time FROM room_message rm JOIN message m ON m.id = rm.message
     WHERE rm.room = ? AND rm.message > ? ORDER BY rm.message LIMIT ?`,
  );
  let last = 0;
  while (roomById(store, room.id) === room) {
    const page = select.all(room.id, last, EXPIRY_PAGE_ROWS) as { id: number; time: number }[];
    const expired = page.filter((row) => row.time < time).map((row) => row.id);
    while (expired.length > 0 && roomById(store, room.id) === room) {
      removeFromRoom(store, room.id, expired.splice(0, BACKEND_SWEEP_MESSAGES));
      yield;
    }
    if (page.length < EXPIRY_PAGE_ROWS) return;
    last = page.at(-1)!.id;
    yield;
  }
}
