// All watches of the gateway, one per followed identity, and the limits of their followers.

import { AppError } from '../../errors.ts';
import { EVENTS_LINGER_MS, MAX_EVENT_STREAMS, MAX_EVENT_STREAMS_PER_USER } from '../../limits/http.ts';
import { accountName } from '../../protocol/names.ts';
import type { RoomRef } from '../connection/goto.ts';
import { type Identity, identityKey } from '../connection/identity.ts';
import type { Pool } from '../connection/pool.ts';
import type { InstantMailbox } from '../instant-mailbox.ts';
import { Follower, type Position } from './follower.ts';
import { WATCH_TIMES, Watch, type WatchTimes } from './watch.ts';

export interface Following {
  /** also reports new messages of this room */
  room?: RoomRef | undefined;
  /** a message number of this room, everything above is new; by default its highest */
  after?: number | undefined;
  /** where an earlier stream ended */
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

  constructor(pool: Pool, instant: InstantMailbox, times = WATCH_TIMES, maxStreams = MAX_EVENT_STREAMS) {
    this.#pool = pool;
    this.#instant = instant;
    this.#times = times;
    this.#maxStreams = maxStreams;
  }

  /** The caller closes the follower. Throws too_many_requests, busy, and as logging in and entering the room. */
  async follow(identity: Identity, { room, after, from }: Following): Promise<Follower> {
    const account = await this.#pool.accountOf(identity);
    if (this.#followers >= this.#maxStreams) {
      throw new AppError('busy', 'Too many event streams.', { retryAfterSeconds: 60 });
    }
    if ((this.#followersOf.get(account) ?? 0) >= MAX_EVENT_STREAMS_PER_USER) {
      throw new AppError('too_many_requests', 'This user has too many event streams.', { retryAfterSeconds: 60 });
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

  /** number of followers */
  get size(): number {
    return this.#followers;
  }

  /** This gateway has posted into a room, with these recipients: followers are notified at once. */
  posted(room: string, recipients: readonly string[]): void {
    const accounts = new Set(recipients.flatMap((some) => some.split(/[,;]/)).map(accountOf));
    accounts.delete('');
    for (const { watch } of this.#entries.values()) watch.posted(room, accounts);
  }

  /** Lets all followers check whether they still may follow. */
  wake(): void {
    for (const { watch } of this.#entries.values()) watch.wake();
  }

  /** Ends all watches, for good. */
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

  /** Counts a follower; the returned function, to be called once, removes it. */
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

/** Of `ann`, `ann@example.org` and `Ann <ann@example.org>`. Others are notified by the next poll. */
function accountOf(recipient: string): string {
  return accountName(/<([^<>]*)>/.exec(recipient)?.[1] ?? recipient);
}
