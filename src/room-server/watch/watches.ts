// All watches of the gateway, one for each identity that is followed, and the bounds on how many follow them.

import { AppError } from '../../errors.ts';
import { EVENTS_LINGER_MS, MAX_EVENT_STREAMS, MAX_EVENT_STREAMS_PER_USER } from '../../limits/events.ts';
import { accountName } from '../../protocol/names.ts';
import type { RoomRef } from '../connection/goto.ts';
import { type Identity, identityKey } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import type { InstantMailbox } from '../instant-mailbox.ts';
import { Follower, type Position } from './follower.ts';
import { WATCH_TIMES, Watch, type WatchTimes } from './watch.ts';

export interface Following {
  /** whose new messages are told, too */
  room?: RoomRef | undefined;
  /** a message number of this room, everything above which is new; by default its highest */
  after?: number | undefined;
  /** where an earlier stream has ended */
  from?: Position | undefined;
}

interface Entry {
  watch: Watch;
  begun: Promise<void>;
  followers: number;
  lingering: NodeJS.Timeout | undefined;
}

export class Watches {
  readonly #pool: Pool;
  readonly #instant: InstantMailbox;
  readonly #times: WatchTimes;
  readonly #maxStreams: number;
  readonly #entries = new Map<string, Entry>();
  /** by account */
  readonly #followersOf = new Map<string, number>();
  #followers = 0;
  #isClosed = false;

  /** `instant`: what the streams tell of is fetched there. */
  constructor(pool: Pool, instant: InstantMailbox, times = WATCH_TIMES, maxStreams = MAX_EVENT_STREAMS) {
    this.#pool = pool;
    this.#instant = instant;
    this.#times = times;
    this.#maxStreams = maxStreams;
  }

  /** To be closed. Throws too_many_requests, busy, what logging in throws, and what entering the room throws. */
  async follow(identity: Identity, { room, after, from }: Following): Promise<Follower> {
    const account = await this.#pool.accountOf(identity);
    if (this.#followers >= this.#maxStreams) {
      throw new AppError('busy', 'Too many event streams.', { retryAfterSeconds: 60 });
    }
    if ((this.#followersOf.get(account) ?? 0) >= MAX_EVENT_STREAMS_PER_USER) {
      throw new AppError('too_many_requests', 'Too many event streams of this user.', { retryAfterSeconds: 60 });
    }
    const key = identityKey(identity);
    const entry = this.#entry(identity, key);
    const leave = this.#count(entry, key, account);
    try {
      await entry.begun;
      const watched = room && (await entry.watch.watched(room));
      const follower = new Follower(entry.watch, watched, { from, after }, () => {
        entry.watch.leave(follower);
        leave();
      });
      entry.watch.join(follower);
      return follower;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** streams that are followed now */
  get size(): number {
    return this.#followers;
  }

  /** This gateway has posted into a room, with these recipients as they were given: who follows is told at once. */
  posted(room: string, recipients: readonly string[]): void {
    const accounts = new Set(recipients.flatMap((some) => some.split(/[,;]/)).map(accountOf));
    accounts.delete('');
    for (const { watch } of this.#entries.values()) watch.posted(room, accounts);
  }

  /** Has all who follow look whether they still may. */
  wake(): void {
    for (const { watch } of this.#entries.values()) watch.wake();
  }

  /** Ends all; nobody can follow any more. */
  close(): void {
    this.#isClosed = true;
    for (const { watch, lingering } of this.#entries.values()) {
      clearTimeout(lingering);
      watch.end();
    }
    this.#entries.clear();
  }

  #entry(identity: Identity, key: string): Entry {
    const known = this.#entries.get(key);
    if (known && !known.watch.isEnded) return known;
    if (this.#isClosed) throw new AppError('busy', 'The gateway is stopping.', { retryAfterSeconds: 5 });
    const watch = new Watch(this.#pool, identity, this.#times, this.#instant);
    const begun = watch.begin();
    const entry: Entry = { watch, begun, followers: 0, lingering: undefined };
    this.#entries.set(key, entry);
    begun.catch(() => this.#drop(entry, key));
    return entry;
  }

  /** Counts one more; the returned function, called once, counts it no longer. */
  #count(entry: Entry, key: string, account: string): () => void {
    this.#followers++;
    this.#followersOf.set(account, (this.#followersOf.get(account) ?? 0) + 1);
    entry.followers++;
    clearTimeout(entry.lingering);
    return () => {
      this.#followers--;
      const others = this.#followersOf.get(account)! - 1;
      if (others > 0) this.#followersOf.set(account, others);
      else this.#followersOf.delete(account);
      if (--entry.followers > 0) return;
      entry.lingering = setTimeout(() => this.#drop(entry, key), EVENTS_LINGER_MS);
      entry.lingering.unref();
    };
  }

  #drop(entry: Entry, key: string): void {
    entry.watch.end();
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

/** Of `ann`, `ann@example.org` and `Ann <ann@example.org>`; who is missed by it is told with the next look. */
function accountOf(recipient: string): string {
  return accountName(/<([^<>]*)>/.exec(recipient)?.[1] ?? recipient);
}
