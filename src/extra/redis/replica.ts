// The replica of log-outs and locks that every gateway of a fleet holds, so that a request needs no round trip. The
// store keeps them, with a numbered log of all changes. A gateway that changes something publishes a notification; the
// others read the log from where they are and acknowledge. A change is complete when every subscriber has acknowledged
// it. A missed notification is no loss, because each gateway also polls. A gateway that was away reads on, or reloads
// everything if the log no longer reaches back far enough.

import { randomUUID } from 'node:crypto';
import { LockTable } from '../../fleet/locks.ts';
import type { FleetNotice } from '../../fleet/notices.ts';
import {
  LOG_PAGE_ENTRIES,
  MAX_UNACKNOWLEDGED,
  NOTIFIED_WAIT_MS,
  REPLICA_TRUSTED_MS,
  SCAN_PAGE_ENTRIES,
  STORE_BEAT_MS,
} from '../../limits/processes.ts';
import { MAX_REVOCATIONS } from '../../limits/sessions.ts';
import { onBehalfOf, PROGRAM } from '../../system/fair-queue.ts';
import { storeUnreachable } from '../resp/connection.ts';
import { type RespReply, replyItems, replyText } from '../resp/reply.ts';
import type { Script, StoreClient } from '../resp/store-client.ts';
import { Subscription } from '../resp/subscription.ts';
import { CATCH_UP, REVOKE } from './scripts.ts';
import { type FleetChange, parseChange, parseLock } from './stored-values.ts';

/** prefix of all keys; separate fleets have different ones */
export const KEY_PREFIX = 'vestibule';

/** Keys of the replicated data (replica.ts), all in one slot of a cluster. */
export function replicaKey(prefix: string, of: string): string {
  return `${prefix}:{fleet}:${of}`;
}

export interface ReplicaHooks {
  /** from another gateway */
  onNotice(notice: FleetNotice): void;
  /** notices may have been missed for good */
  onGap(): void;
  /** called after each poll: with undefined, or why the store cannot be reached */
  onLook(fault: unknown): void;
}

type ReplicaKey = 'count' | 'log' | 'epoch' | 'revoked' | 'locks' | 'locksVersion';

/** the state of the store's log when everything is loaded */
interface LogState {
  epoch: string;
  count: number;
  /** time of the latest change */
  time: string;
  locksVersion: string;
}

export class FleetReplica {
  /** identifies this gateway */
  readonly id = randomUUID();
  readonly #client: StoreClient;
  readonly #hooks: ReplicaHooks;
  readonly #names: Readonly<Record<ReplicaKey, string>>;
  readonly #bell: string;
  readonly #told: string;
  readonly #subscription: Subscription;
  readonly #timer: NodeJS.Timeout;
  readonly #revoked = new Map<string, number>();
  #locks = new LockTable(() => this.nowSeconds());
  #locksVersion = '';
  #epoch = '';
  #count = 0;
  /** time of that change */
  #time = '';
  /** performance.now() up to which the replica is complete */
  #asOf = Number.NEGATIVE_INFINITY;
  /** how far the store's clock is ahead of ours */
  #aheadMs = 0;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  readonly #acknowledged = new Acknowledgements();

  /** `prefix`: of all keys. */
  constructor(client: StoreClient, prefix: string, hooks: ReplicaHooks) {
    this.#client = client;
    this.#hooks = hooks;
    const name = (of: string) => replicaKey(prefix, of);
    this.#names = {
      count: name('count'),
      log: name('log'),
      epoch: name('epoch'),
      revoked: name('revoked'),
      locks: name('locks'),
      locksVersion: name('locks-version'),
    };
    this.#bell = `${prefix}:bell`;
    this.#told = `${prefix}:told:${this.id}`;
    this.#subscription = new Subscription(client, this.#names.count, [this.#bell, this.#told], {
      onMessage: (channel, text) => void this.#hear(channel, text).catch(() => {}), // the next poll retries
      onJoined: () => void this.catchUp().catch(() => {}),
    });
    this.#timer = setInterval(() => void this.catchUp().catch(() => {}), STORE_BEAT_MS); // onLook reports failures
    this.#timer.unref();
  }

  /** According to the store's clock. */
  nowSeconds(): number {
    return (Date.now() + this.#aheadMs) / 1000;
  }

  hasRevoked(sessionId: string): boolean {
    return this.#revoked.has(sessionId);
  }

  /** Whether an absent entry is really absent; false if the store was not reached for too long. */
  get isTrusted(): boolean {
    return performance.now() - this.#asOf <= REPLICA_TRUSTED_MS;
  }

  /** The current locks. Throws shared_unreachable. */
  async locks(): Promise<LockTable> {
    if (!this.isTrusted) await this.catchUp();
    return this.#locks;
  }

  /** Changes with each change of the locks. */
  get locksVersion(): string {
    return this.#locksVersion;
  }

  /** Resolves when everything stored before this call is known. Throws shared_unreachable. */
  catchUp(): Promise<void> {
    if (!this.#running) {
      // shared by all who wait for it
      this.#running = onBehalfOf(PROGRAM, () => this.#read()).finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    // the running poll may have started before the latest change
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.catchUp();
      });
    return this.#next;
  }

  /**
   * Makes a change with a script and resolves when all reachable gateways know it, including this one. False: the
   * script changed nothing. Throws shared_unreachable.
   */
  async change(
    script: Script,
    keys: readonly ReplicaKey[],
    change: FleetChange,
    args: readonly (string | number)[],
  ): Promise<boolean> {
    const made = await this.make(script, keys, change, args);
    await made?.known;
    return made !== undefined;
  }

  /** The same, but resolves when this gateway knows the change; `known` when the others do. undefined: there is none. */
  async make(
    script: Script,
    keys: readonly ReplicaKey[],
    change: FleetChange,
    args: readonly (string | number)[],
  ): Promise<{ known: Promise<void> } | undefined> {
    const names = (['count', 'log', ...keys] as const).map((key) => this.#names[key]);
    const reply = await this.#client.run(script, names, [this.#bell, this.id, JSON.stringify(change), ...args]);
    const [number, wanted] = replyItems(reply);
    if (typeof number !== 'number' || typeof wanted !== 'number') return undefined;
    const known = this.#acknowledged.byAll(number, wanted);
    await this.catchUp();
    return { known };
  }

  /** Drops expired entries. */
  sweep(): void {
    const now = this.nowSeconds();
    for (const [id, until] of this.#revoked) if (until <= now) this.#revoked.delete(id);
    this.#locks.sweep();
  }

  /** Removes expired entries from the store. Throws shared_unreachable. */
  async removeExpired(): Promise<void> {
    const { revoked, locks } = this.#names;
    const now = this.nowSeconds();
    await this.#client.ask(revoked, ['ZREMRANGEBYSCORE', revoked, '-inf', Math.floor(now)]);
    const over: string[] = [];
    await this.#scan('HSCAN', locks, (token, lock) => {
      if ((parseLock(lock)?.until ?? 0) <= now) over.push(token);
    });
    for (const token of over) await this.#client.ask(locks, ['HDEL', locks, token]);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#subscription.close();
  }

  async #hear(channel: string, text: string): Promise<void> {
    const [number = '', from = ''] = text.split(' ');
    if (channel === this.#told) {
      this.#acknowledged.note(Number(number));
      return;
    }
    await this.catchUp();
    if (from === this.id) this.#acknowledged.note(Number(number));
    else await this.#client.ask(this.#names.count, ['PUBLISH', this.#told.replace(this.id, from), number]);
  }

  async #read(): Promise<void> {
    try {
      while (await this.#readPage());
      this.#hooks.onLook(undefined);
    } catch (error) {
      this.#hooks.onLook(error);
      throw error;
    }
  }

  /** True if there is more. */
  async #readPage(): Promise<boolean> {
    const { count, log, epoch, locksVersion } = this.#names;
    const asked = performance.now();
    const reply = await this.#client.run(
      CATCH_UP,
      [count, log, epoch, locksVersion],
      [this.#count, LOG_PAGE_ENTRIES, randomUUID(), this.#time],
    );
    const [epochReply, last, versionReply, nowMs, entries, isOther, latest] = replyItems(reply);
    const found = replyText(epochReply);
    const version = replyText(versionReply) ?? '';
    if (found === undefined || typeof last !== 'number' || typeof nowMs !== 'number') {
      throw storeUnreachable(new Error('unexpected reply'));
    }
    this.#aheadMs = nowMs - Date.now();
    const state = { epoch: found, count: last, time: replyText(latest) ?? '', locksVersion: version };
    if (found !== this.#epoch || last < this.#count) {
      await this.#load(state);
      return true;
    }
    if (isOther === 1) return this.#loadBehindGap(state);
    const changes = replyItems(entries);
    if (changes.length === 0 && last > this.#count) return this.#loadBehindGap(state);
    for (const entry of changes) {
      const [idReply, fields] = replyItems(entry);
      const number = Number.parseInt(replyText(idReply) ?? '', 10);
      const [, text, , time] = replyItems(fields);
      const change = parseChange(replyText(text) ?? '');
      if (number !== this.#count + 1 || !change) return this.#loadBehindGap(state);
      this.#apply(number, change);
      this.#count = number;
      this.#time = replyText(time) ?? '';
    }
    if (this.#count < last) return true;
    this.#asOf = asked;
    return false;
  }

  #apply(number: number, change: FleetChange): void {
    if ('revoked' in change) for (const [id, until] of change.revoked) this.#noteRevoked(id, until);
    else if ('put' in change) {
      for (const lock of change.gone) this.#locks.drop(lock);
      for (const lock of change.put) this.#locks.put(lock);
      this.#locksVersion = String(number);
    } else if (change.from !== this.id) this.#hooks.onNotice(change.notice);
  }

  #noteRevoked(id: string, until: number): void {
    this.#revoked.set(id, Math.max(until, this.#revoked.get(id) ?? 0));
  }

  async #loadBehindGap(state: LogState): Promise<boolean> {
    await this.#load(state);
    this.#hooks.onGap();
    return true;
  }

  /**
   * Reloads everything. Log-outs known only to this gateway (because the store was emptied, or a lagging replica took
   * over) are published again, so that a revoked session stays revoked.
   */
  async #load({ epoch, count, time, locksVersion }: LogState): Promise<void> {
    const isFirst = this.#epoch === '';
    const revoked = new Map<string, number>();
    await this.#scan('ZSCAN', this.#names.revoked, (id, until) => revoked.set(id, Number(until)));
    const locks = new LockTable(() => this.nowSeconds());
    await this.#scan('HSCAN', this.#names.locks, (_, text) => {
      const lock = parseLock(text);
      if (lock) locks.put(lock);
    });
    this.sweep();
    const lost = [...this.#revoked].filter(([id]) => !revoked.has(id));
    for (let i = 0; i < lost.length; i += LOG_PAGE_ENTRIES) {
      const part = lost.slice(i, i + LOG_PAGE_ENTRIES);
      const { count: counted, log, revoked: key } = this.#names;
      const head = [this.#bell, this.id, JSON.stringify({ revoked: part } satisfies FleetChange), MAX_REVOCATIONS];
      const pairs = part.flatMap(([id, until]) => [until, id]);
      await this.#client.run(REVOKE, [counted, log, key], [...head, ...pairs]);
    }
    for (const [id, until] of revoked) this.#noteRevoked(id, until);
    this.#locks = locks;
    this.#locksVersion = locksVersion;
    const wasEpoch = this.#epoch;
    this.#epoch = epoch;
    this.#count = count;
    this.#time = time;
    if (!isFirst && wasEpoch !== epoch) this.#hooks.onGap();
  }

  async #scan(verb: 'ZSCAN' | 'HSCAN', key: string, each: (field: string, value: string) => void): Promise<void> {
    for (let cursor = '0'; ; ) {
      const reply: RespReply = await this.#client.ask(key, [verb, key, cursor, 'COUNT', SCAN_PAGE_ENTRIES]);
      const [next, flat] = replyItems(reply);
      const fields = replyItems(flat);
      for (let i = 0; i + 1 < fields.length; i += 2) each(replyText(fields[i]) ?? '', replyText(fields[i + 1]) ?? '');
      cursor = replyText(next) ?? '0';
      if (cursor === '0') return;
    }
  }
}

interface Telling {
  heard: number;
  /** Infinity: not known yet */
  wanted: number;
  done(): void;
}

export class Acknowledgements {
  /** by change number */
  readonly #telling = new Map<number, Telling>();

  /** Resolves when `wanted` gateways have acknowledged, or after NOTIFIED_WAIT_MS: disconnected ones poll. */
  async byAll(number: number, wanted: number): Promise<void> {
    const heard = this.#telling.get(number)?.heard ?? 0; // acknowledgements may arrive before the reply
    if (heard >= wanted || this.#telling.size >= MAX_UNACKNOWLEDGED) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#telling.set(number, { heard, wanted, done: resolve });
    const timer = setTimeout(resolve, NOTIFIED_WAIT_MS);
    await promise;
    clearTimeout(timer);
    this.#telling.delete(number);
  }

  /** Counts an acknowledgement. */
  note(number: number): void {
    const telling = this.#telling.get(number);
    if (telling) {
      if (++telling.heard >= telling.wanted) telling.done();
    } else if (this.#telling.size < MAX_UNACKNOWLEDGED) {
      this.#telling.set(number, { heard: 1, wanted: Number.POSITIVE_INFINITY, done: () => {} });
      setTimeout(() => this.#forgetUnwanted(number), NOTIFIED_WAIT_MS).unref();
    }
  }

  /** Drops acknowledgements that nobody waits for. */
  #forgetUnwanted(number: number): void {
    if (this.#telling.get(number)?.wanted === Number.POSITIVE_INFINITY) this.#telling.delete(number);
  }
}
