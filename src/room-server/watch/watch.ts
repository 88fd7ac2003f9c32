// What changes for one identity while somebody follows it: its rooms, its inbox, the rooms that followers look at,
// and whether instant messages wait. One Watch serves all followers of an identity. It asks the room server now and
// then (LKRA, NOOP) and looks into the inbox and the watched rooms where the list of rooms tells of a change, so that
// many streams cost it no more than one; the embedded room server also says by itself what has changed (903 and 904,
// see backend/session/notices.ts), and is asked at once then, as any is for what this gateway has posted.

import { AppError } from '../../errors.ts';
import { EVENTS_CHECK_MS, EVENTS_POLL_MS, EVENTS_RETRY_MS } from '../../limits/events.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command, splitFields, toInt } from '../../protocol/fields.ts';
import { accountName, nameKey } from '../../protocol/names.ts';
import { ROOM_MACRO } from '../../protocol/room-facts.ts';
import { REPLY, STATUS, type StatusLine } from '../../protocol/status.ts';
import type { RoomRef } from '../connection/goto.ts';
import type { Identity } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import { expectClass } from '../connection/server-errors.ts';
import { serverOf } from '../driver.ts';
import type { InstantMailbox } from '../instant-mailbox.ts';
import { parseRoomRow } from '../rooms.ts';
import { KnownRooms, openWatchedRoom, type WatchedRoom } from './watched-rooms.ts';

/** how often the room server is asked; tests are quicker */
export interface WatchTimes {
  pollMs: number;
  checkMs: number;
  retryMs: number;
}

export const WATCH_TIMES: WatchTimes = { pollMs: EVENTS_POLL_MS, checkMs: EVENTS_CHECK_MS, retryMs: EVENTS_RETRY_MS };

/** Somebody to be woken when there may be something new, or when the watch has ended. */
export interface Sleeper {
  /** changes of rooms that it has told already */
  readonly change: number;
  /** of `watched` */
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
  readonly #sleepers = new Set<Sleeper>();
  readonly rooms = new KnownRooms();
  #inbox: WatchedRoom | undefined;
  /** to be asked for new messages */
  readonly #dirty = new Set<WatchedRoom>();
  #isListDirty = false;
  #isInstantDirty = false;
  #isLooking = false;
  /** the room server says what changes */
  #isTold = false;
  readonly #timer = new LookTimer(() => this.#lookAtAll());
  /** when all rooms are looked into, whatever the list tells; of performance.now() */
  #checkDue = 0;
  #isEnded = false;

  constructor(pool: Pool, identity: Identity, times: WatchTimes, instant: InstantMailbox) {
    this.#pool = pool;
    this.#instant = instant;
    this.#identity = identity;
    this.#times = times;
    // one that lingers without a stream gives way to others
    const isFollowed = () => this.#sleepers.size > 0;
    const told = pool.subscribe(identity, {
      subscribed: () => {
        this.#isTold = true;
      },
      notice: (notice) => this.#hear(notice),
      closed: () => {
        this.#isTold = false;
        this.#checkDue = 0;
        this.#timer.within(times.retryMs);
      },
      // too many follow: each one that is asked sooner costs another one a log-in
      evicted: () => {
        this.#isTold = false;
        this.#timer.within(times.checkMs);
      },
      isFollowed,
    });
    const arrived = () => this.wake();
    const lost = () => this.#timer.within(times.retryMs);
    this.#unsubscribe = [told, instant.listen(identity, { arrived, lost, isFollowed })];
  }

  /** Learns how things stand. Throws what the room server answers. */
  async begin(): Promise<void> {
    const [list, inbox] = await Promise.all([
      this.#pool.read(this.#identity, [LIST_ROOMS]),
      openWatchedRoom(this.#pool, this.#identity, INBOX),
      this.#lookForInstantMessages(),
    ]);
    this.#inbox = inbox;
    this.#takeList(list[0]!);
    if (this.#isListDirty) this.#lookAtAll();
    else this.#timer.within(this.#interval());
  }

  /** No more changes will come: the credentials are wrong by now, or the watch was ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  get inbox(): WatchedRoom {
    return this.#inbox!;
  }

  /** grows when instant messages arrive; 0 while none waits */
  get instantArrivals(): number {
    return this.#isEnded ? 0 : this.#instant.arrivals(this.#identity);
  }

  join(sleeper: Sleeper): void {
    const { room } = sleeper;
    const isNew = room !== undefined && !this.#watchedRooms().includes(room);
    this.#sleepers.add(sleeper);
    if (!isNew) return;
    // something may have come since it was opened
    this.#dirty.add(room);
    void this.#look();
  }

  leave(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper);
  }

  /** There may be something to tell, or nothing any more. */
  wake(): void {
    for (const sleeper of this.#sleepers) sleeper.wake();
  }

  /** Ends it for all who follow it. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#timer.stop();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.wake();
  }

  /**
   * This gateway has posted into a room, or mail to these accounts (accountName): looks there at once, where the room
   * server does not tell of it by itself.
   */
  posted(room: string, accounts: ReadonlySet<string>): void {
    if (this.#isTold || !this.#inbox) return;
    const isMail = accounts.has(accountName(this.#identity.user));
    const name = nameKey(room);
    const changed = this.#watchedRooms().filter((each) => nameKey(each.name) === name);
    if (isMail) changed.push(this.#inbox);
    if (changed.length === 0) return;
    for (const each of changed) this.#dirty.add(each);
    this.#isListDirty = true;
    void this.#look();
  }

  /** A room to be watched; one that somebody watches already is shared. Throws not_found, forbidden (room password). */
  async watched(ref: RoomRef): Promise<WatchedRoom> {
    const name = nameKey(ref.name);
    const same = (room: WatchedRoom) => nameKey(room.ref.name) === name && room.ref.password === ref.password;
    return this.#watchedRooms().find(same) ?? openWatchedRoom(this.#pool, this.#identity, ref);
  }

  /**
   * What has come into a watched room above `number`, complete up to `upTo`; nothing while that cannot be read. Where
   * `number` is beyond everything, because the room server was put back to a backup, what comes next is new again.
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

  /** The rooms of all who follow, each once. */
  #watchedRooms(): WatchedRoom[] {
    const rooms = Array.from(this.#sleepers, ({ room }) => room).filter((room) => room !== undefined);
    return [...new Set(rooms)];
  }

  #hear({ code, text }: StatusLine): void {
    if (code !== STATUS.roomChanged || !this.#inbox) {
      this.#isListDirty = true;
      if (!this.#inbox) return; // begin() looks once more
    } else {
      const [name = '', highest, mtime] = splitFields(text);
      this.rooms.note(name, toInt(mtime));
      for (const room of [this.#inbox, ...this.#watchedRooms()]) {
        if (room.name === name && toInt(highest) > room.highest) this.#dirty.add(room);
      }
      this.wake();
    }
    void this.#look();
  }

  #lookAtAll(): void {
    if (!this.#inbox) return;
    this.#isListDirty = true;
    this.#isInstantDirty = true;
    const now = performance.now();
    const isCheck = now >= this.#checkDue;
    if (isCheck) this.#checkDue = now + this.#times.checkMs;
    for (const room of [this.#inbox, ...this.#watchedRooms()]) {
      if (isCheck || !this.rooms.has(room.name)) this.#dirty.add(room);
    }
    void this.#look();
  }

  /** Of rooms that are not in the list, e.g. those whose name has to be guessed, nothing is told. */
  #interval(): number {
    const isAllTold = this.#isTold && this.#watchedRooms().every(({ name }) => this.rooms.has(name));
    return isAllTold ? this.#times.checkMs : this.#times.pollMs;
  }

  /** Asks for what may have changed until nothing is left to ask. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    let isAnswered = true;
    while (isAnswered && !this.#isEnded && (this.#isListDirty || this.#isInstantDirty || this.#dirty.size > 0)) {
      isAnswered = await this.#ask();
      this.wake();
    }
    this.#isLooking = false;
    this.#timer.within(isAnswered ? this.#interval() : this.#times.pollMs);
  }

  /** false: the room server did not answer; what was to be asked is asked with the next look. */
  async #ask(): Promise<boolean> {
    const rooms = [...this.#dirty];
    const list = this.#isListDirty ? this.#pool.read(this.#identity, [LIST_ROOMS]) : undefined;
    const instant = this.#isInstantDirty ? this.#lookForInstantMessages() : undefined;
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
      // a room that is gone, or closed to this user by now, is no reason to ask again
      if (code !== 'not_found' && code !== 'forbidden') isAnswered = false;
    }
    if (!isAnswered) this.#checkDue = 0;
    return isAnswered;
  }

  /** Where no connection can be spared for them, they wait for the next look. */
  async #lookForInstantMessages(): Promise<void> {
    try {
      await this.#instant.look(this.#identity);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'busy')) throw error;
    }
  }

  #takeList(answer: Answer): void {
    const told = Math.min(...Array.from(this.#sleepers, ({ change }) => change));
    const rows = expectClass(answer, REPLY.listing).lines.map(parseRoomRow);
    this.rooms.take(rows, told);
    if (this.#isTold || !this.#inbox) return;
    const mtimes = new Map(rows.map(({ name, mtime }) => [name, mtime]));
    const now = performance.now();
    for (const room of [this.#inbox, ...this.#watchedRooms()]) {
      const mtime = mtimes.get(room.name);
      if (mtime !== undefined && room.mayHaveChanged(mtime, now)) this.#dirty.add(room);
    }
  }
}

export class LookTimer {
  readonly #look: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** when it runs out, of performance.now() */
  #due = 0;
  #isStopped = false;

  constructor(look: () => void) {
    this.#look = look;
  }

  /** In so many milliseconds at the latest; a look that is due earlier stays. */
  within(ms: number): void {
    const due = performance.now() + ms;
    if (this.#isStopped || (this.#timer && this.#due <= due)) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, ms);
    this.#timer.unref();
  }

  /** For good. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
