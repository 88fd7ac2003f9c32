// Observes one identity for all its followers: its rooms, its inbox, the rooms that followers watch, and waiting instant
// messages. It polls the room server (LKRA, NOOP), and reads the inbox and watched rooms only when the room list shows a
// change, so many streams cost no more than one. The embedded room server also sends notices (903 and 904, see
// backend/session/notices.ts), which trigger a poll at once, as do posts of this gateway.

import { AppError } from '../../errors.ts';
import { EVENTS_CHECK_MS, EVENTS_POLL_MS, EVENTS_RETRY_MS } from '../../limits/http.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import { ROOM_MACRO } from '../../protocol/room-facts.ts';
import { STATUS, type StatusLine } from '../../protocol/status.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { serverOf } from '../driver.ts';
import type { InstantMailbox } from '../instant-mailbox.ts';
import { roomsFrom } from '../rooms.ts';
import { openWatchedRoom, RoomChanges, type WatchedRoom } from './watched-rooms.ts';

/** Intervals; tests use shorter ones. */
export interface WatchTimes {
  pollMs: number;
  checkMs: number;
  retryMs: number;
}

export const WATCH_TIMES: WatchTimes = { pollMs: EVENTS_POLL_MS, checkMs: EVENTS_CHECK_MS, retryMs: EVENTS_RETRY_MS };

/** A follower, woken when there may be changes or the watch has ended. */
export interface WatchListener {
  /** the last delivered change of rooms */
  readonly change: number;
  readonly room: WatchedRoom | undefined;
  wake(): void;
}

const LIST_ROOMS = command('LKRA', -1);
const INBOX: RoomRef = { name: ROOM_MACRO.mail, password: '' };

export class Watch {
  readonly #pool: Pool;
  readonly #instant: InstantMailbox;
  readonly #identity: Identity;
  readonly #times: WatchTimes;
  readonly #unsubscribe: (() => void)[];
  readonly #listeners = new Set<WatchListener>();
  readonly rooms = new RoomChanges();
  #inbox: WatchedRoom | undefined;
  /** to be polled for new messages */
  readonly #dirty = new Set<WatchedRoom>();
  #isListDirty = false;
  #isInstantDirty = false;
  #isPolling = false;
  /** the room server sends notices */
  #hasNotices = false;
  readonly #timer = new PollTimer(() => this.#pollAll());
  /** when to poll all rooms, whatever the list shows (performance.now()) */
  #checkDue = 0;
  #isEnded = false;

  constructor(pool: Pool, identity: Identity, times: WatchTimes, instant: InstantMailbox) {
    this.#pool = pool;
    this.#instant = instant;
    this.#identity = identity;
    this.#times = times;
    // without followers, its connections may be evicted
    const isFollowed = () => this.#listeners.size > 0;
    const unsubscribe = pool.subscribe(identity, {
      subscribed: () => {
        this.#hasNotices = true;
      },
      notice: (notice) => this.#receive(notice),
      closed: () => {
        this.#hasNotices = false;
        this.#checkDue = 0;
        this.#timer.within(times.retryMs);
      },
      // an earlier poll would evict the connection of another watch
      evicted: () => {
        this.#hasNotices = false;
        this.#timer.within(times.checkMs);
      },
      isFollowed,
    });
    const arrived = () => this.wake();
    const lost = () => this.#timer.within(times.retryMs);
    this.#unsubscribe = [unsubscribe, instant.listen(identity, { arrived, lost, isFollowed })];
  }

  /** Reads the initial state. Throws the errors of the room server. */
  async begin(): Promise<void> {
    const [list, inbox] = await Promise.all([
      this.#pool.read(this.#identity, [LIST_ROOMS]),
      openWatchedRoom(this.#pool, this.#identity, INBOX),
      this.#pollInstantMessages(),
    ]);
    this.#inbox = inbox;
    this.#takeList(list[0]!);
    if (this.#isListDirty) this.#pollAll();
    else this.#timer.within(this.#interval());
  }

  /** The credentials are no longer valid, or the watch was ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  get inbox(): WatchedRoom {
    return this.#inbox!;
  }

  /** increases when instant messages arrive; 0 while none waits */
  get instantArrivals(): number {
    return this.#isEnded ? 0 : this.#instant.arrivals(this.#identity);
  }

  join(listener: WatchListener): void {
    const { room } = listener;
    const isNew = room !== undefined && !this.#watchedRooms().includes(room);
    this.#listeners.add(listener);
    if (!isNew) return;
    // messages may have arrived since it was opened
    this.#dirty.add(room);
    void this.#poll();
  }

  leave(listener: WatchListener): void {
    this.#listeners.delete(listener);
  }

  wake(): void {
    for (const listener of this.#listeners) listener.wake();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#timer.stop();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.wake();
  }

  /** This gateway has posted into a room, or mail to these accounts (accountName): polls there, unless notices come. */
  posted(room: string, accounts: ReadonlySet<string>): void {
    if (this.#hasNotices || !this.#inbox) return;
    const isMail = accounts.has(accountName(this.#identity.user));
    const name = nameKey(room);
    const changed = this.#watchedRooms().filter((each) => nameKey(each.name) === name);
    if (isMail) changed.push(this.#inbox);
    if (changed.length === 0) return;
    for (const each of changed) this.#dirty.add(each);
    this.#isListDirty = true;
    void this.#poll();
  }

  /** Shared by all followers of a room. Throws not_found, forbidden (room password). */
  async watched(ref: RoomRef): Promise<WatchedRoom> {
    const name = nameKey(ref.name);
    const same = (room: WatchedRoom) => nameKey(room.ref.name) === name && room.ref.password === ref.password;
    return this.#watchedRooms().find(same) ?? openWatchedRoom(this.#pool, this.#identity, ref);
  }

  /**
   * The messages of a watched room above `number`, complete up to `upTo`; none while the room is unreadable. `upTo` may
   * be lower than `number` after the room server was restored from a backup.
   */
  async newIn(room: WatchedRoom, number: number): Promise<{ numbers: number[]; upTo: number }> {
    const known = number <= room.highest ? room.above(number) : undefined;
    if (known) return { numbers: known, upTo: room.highest };
    try {
      const { listed, highest } = await this.#readAbove(room, number);
      const numbers = listed.filter((each) => each > number);
      return { numbers, upTo: Math.max(room.highest, highest, numbers.at(-1) ?? 0) };
    } catch (error) {
      if (error instanceof AppError) return { numbers: [], upTo: number };
      throw error;
    }
  }

  async #readAbove({ ref }: WatchedRoom, number: number): Promise<{ listed: number[]; highest: number }> {
    const { events } = await serverOf(this.#pool, this.#identity);
    return events.above(this.#pool, this.#identity, ref, number);
  }

  /** The rooms of all followers. */
  #watchedRooms(): WatchedRoom[] {
    const rooms = Array.from(this.#listeners, ({ room }) => room).filter((room) => room !== undefined);
    return [...new Set(rooms)];
  }

  #receive({ code, text }: StatusLine): void {
    if (code !== STATUS.roomChanged || !this.#inbox) {
      this.#isListDirty = true;
      if (!this.#inbox) return; // begin() polls again
    } else {
      const [name = '', highest, mtime] = splitFields(text);
      this.rooms.note(name, toInt(mtime));
      for (const room of [this.#inbox, ...this.#watchedRooms()]) {
        if (room.name === name && toInt(highest) > room.highest) this.#dirty.add(room);
      }
      this.wake();
    }
    void this.#poll();
  }

  #pollAll(): void {
    if (!this.#inbox) return;
    this.#isListDirty = true;
    this.#isInstantDirty = true;
    const now = performance.now();
    const isCheck = now >= this.#checkDue;
    if (isCheck) this.#checkDue = now + this.#times.checkMs;
    for (const room of [this.#inbox, ...this.#watchedRooms()]) {
      if (isCheck || !this.rooms.has(room.name)) this.#dirty.add(room);
    }
    void this.#poll();
  }

  /** There are no notices of rooms that are not in the list, e.g. those with a guess-name. */
  #interval(): number {
    const areAllNotified = this.#hasNotices && this.#watchedRooms().every(({ name }) => this.rooms.has(name));
    return areAllNotified ? this.#times.checkMs : this.#times.pollMs;
  }

  /** Polls until nothing is marked as dirty. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    let isAnswered = true;
    while (isAnswered && !this.#isEnded && (this.#isListDirty || this.#isInstantDirty || this.#dirty.size > 0)) {
      isAnswered = await this.#ask();
      this.wake();
    }
    this.#isPolling = false;
    this.#timer.within(isAnswered ? this.#interval() : this.#times.pollMs);
  }

  /** false: the room server did not answer; the next poll asks again. */
  async #ask(): Promise<boolean> {
    const rooms = [...this.#dirty];
    const list = this.#isListDirty ? this.#pool.read(this.#identity, [LIST_ROOMS]) : undefined;
    const instant = this.#isInstantDirty ? this.#pollInstantMessages() : undefined;
    this.#dirty.clear();
    this.#isListDirty = false;
    this.#isInstantDirty = false;
    const take = async (room: WatchedRoom) => room.add((await this.#readAbove(room, room.highest)).listed);
    const reads = [list?.then((answers) => this.#takeList(answers[0]!)), instant, ...rooms.map(take)];
    let isAnswered = true;
    for (const result of await Promise.allSettled(reads)) {
      if (result.status === 'fulfilled') continue;
      const { code } = result.reason as AppError;
      if (code === 'not_logged_in') this.end();
      // a room that is gone or forbidden is no reason to ask again
      if (code !== 'not_found' && code !== 'forbidden') isAnswered = false;
    }
    if (!isAnswered) this.#checkDue = 0;
    return isAnswered;
  }

  /** Without a free connection, they wait for the next poll. */
  async #pollInstantMessages(): Promise<void> {
    try {
      await this.#pool.pollInstantMessages(this.#identity);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'busy')) throw error;
    }
  }

  #takeList(answer: Answer): void {
    const delivered = Math.min(...Array.from(this.#listeners, ({ change }) => change));
    const rows = roomsFrom(answer);
    this.rooms.take(rows, delivered);
    if (this.#hasNotices || !this.#inbox) return;
    const mtimes = new Map(rows.map(({ name, mtime }) => [name, mtime]));
    const now = performance.now();
    for (const room of [this.#inbox, ...this.#watchedRooms()]) {
      const mtime = mtimes.get(room.name);
      if (mtime !== undefined && room.mayHaveChanged(mtime, now)) this.#dirty.add(room);
    }
  }
}

/** Calls `poll` at the earliest of the requested times. */
export class PollTimer {
  readonly #poll: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** performance.now() */
  #due = 0;
  #isStopped = false;

  constructor(poll: () => void) {
    this.#poll = poll;
  }

  within(ms: number): void {
    const due = performance.now() + ms;
    if (this.#isStopped || (this.#timer && this.#due <= due)) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#poll();
    }, ms);
    this.#timer.unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
