// The connections of one identity: one shared by short reads, and some for exclusive use. All reads of one turn of the
// event loop go out in one write; equal ones are sent once and share their answers.

import { CONNECTION_IDLE_MS, MAX_WAITING_PER_IDENTITY } from '../../limits/protocol.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { runningAsker } from '../../system/fair-queue.ts';
import { runningClock } from '../../system/wait-clock.ts';
import type { Connection, ConnectionListener } from './connection.ts';
import { isLost, stopping, tooMany } from './server-errors.ts';
import { WaitingLine } from './slots.ts';

const LEAVE = command('QUIT');
const SAY_CHANGES = command('NTFY', 1);
const SAY_NOTHING = command('NTFY', 0);

/** Receives the notices of the room server (NTFY, embedded one only). */
export interface Subscriber extends ConnectionListener {
  /** notices will arrive from now on */
  subscribed(): void;
  /** the connection was closed in favour of others; opening a new one would evict another */
  evicted(): void;
  /** an event stream currently depends on the notices */
  isFollowed(): boolean;
}

export interface ConnectionsHost {
  /** older connections are replaced */
  maxAgeMs: number;
  /** a new connection, logged in, which counts in the pool until `closed`; `gone` ends the wait for it */
  open(gone?: AbortSignal): Promise<Connection>;
  closed(connection: Connection): void;
}

/** A read that waits for the end of the turn. */
interface Read {
  commands: string;
  count: number;
  isRetry: boolean;
  resolve(answers: readonly Answer[]): void;
  reject(error: unknown): void;
}

export class IdentityConnections {
  readonly #host: ConnectionsHost;
  /** connections for exclusive use */
  readonly #max: number;
  #shared: Connection | undefined;
  #isSharedOpening = false;
  #reads: Read[] = [];
  readonly #idle: Connection[] = [];
  readonly #waiters = new WaitingLine<Connection>();
  /** connections open or opening, the shared one not included */
  #exclusiveCount = 0;
  #isClosed = false;
  /** older connections have logged in with outdated credentials (Unix milliseconds) */
  #validFrom = -1;
  #subscriber: Subscriber | undefined;

  constructor(host: ConnectionsHost, max: number) {
    this.#host = host;
    this.#max = max;
  }

  /** Nothing is open or waiting. */
  get isEmpty(): boolean {
    return !this.isOpen && this.#reads.length === 0 && this.#waiters.length === 0 && !this.#subscriber;
  }

  /** A connection is open or opening; those that the room server has closed do not count. */
  get isOpen(): boolean {
    if (this.#shared?.isClosed === false || this.#isSharedOpening) return true;
    return this.#exclusiveCount > this.#idle.filter(({ isClosed }) => isClosed).length;
  }

  /**
   * `subscriber` receives the notices of the shared connection; undefined: nobody does. This neither opens the
   * connection, as the next read will, nor keeps it open.
   */
  subscribe(subscriber: Subscriber | undefined): void {
    this.#subscriber = subscriber;
    const connection = this.#shared;
    if (!connection || connection.isClosed) return;
    if (subscriber) this.#listen(connection, subscriber);
    else {
      connection.listen(undefined);
      connection.ask(SAY_NOTHING).catch(() => undefined); // lost: there are no notices either
    }
  }

  #listen(connection: Connection, subscriber: Subscriber): void {
    connection.listen(subscriber);
    connection.ask(SAY_CHANGES).then(
      ({ code }) => code === STATUS.done && subscriber.subscribed(),
      () => undefined, // the subscriber was notified that it is closed
    );
  }

  /** Answers to short commands, in order. Retried once when the connection is lost. Throws busy. */
  async read(commands: readonly string[]): Promise<readonly Answer[]> {
    if (this.#reads.length >= MAX_WAITING_PER_IDENTITY) throw tooMany();
    // each request measures its own wait, although all share one write
    const clock = runningClock();
    clock?.begin();
    try {
      return await new Promise((resolve, reject) => {
        this.#enqueue({ commands: commands.join(''), count: commands.length, isRetry: false, resolve, reject });
      });
    } finally {
      clock?.end();
    }
  }

  #enqueue(read: Read): void {
    this.#reads.push(read);
    if (this.#reads.length === 1) setImmediate(() => this.#flush());
  }

  /** Writes all reads of this turn in one go. */
  #flush(): void {
    if (this.#isSharedOpening) return;
    if (!this.#shared || this.#shared.isClosed || this.#isOld(this.#shared)) {
      this.#retireShared();
      if (!this.#shareIdle()) {
        this.#openShared();
        return;
      }
    }
    const groups = [...Map.groupBy(this.#reads.splice(0), ({ commands }) => commands).values()];
    const answers = this.#shared!.askEach(
      groups.map(([read]) => read!.commands).join(''),
      groups.map(([read]) => read!.count),
    );
    for (const [i, group] of groups.entries()) void this.#settle(group, answers[i]!);
  }

  async #settle(group: Read[], pending: Promise<Answer[]>): Promise<void> {
    try {
      const answers = await pending;
      for (const read of group) read.resolve(answers);
    } catch (error) {
      // idle connections may have died with it, and a read is sent twice at most
      if (isLost(error)) for (const connection of this.#idle.splice(0)) this.#closeExclusive(connection);
      for (const read of group) {
        if (isLost(error) && !this.#isClosed && !read.isRetry) this.#enqueue({ ...read, isRetry: true });
        else read.reject(error);
      }
    }
  }

  /** Turns an idle exclusive connection into the shared one: one session is enough while nothing is transferred. */
  #shareIdle(): boolean {
    const connection = this.#takeIdle();
    if (!connection) return false;
    this.#exclusiveCount--;
    this.#shared = connection;
    if (this.#subscriber) this.#listen(connection, this.#subscriber);
    return true;
  }

  async #openShared(): Promise<void> {
    this.#isSharedOpening = true;
    try {
      this.#shared = await this.#host.open();
      if (this.#subscriber) this.#listen(this.#shared, this.#subscriber);
    } catch (error) {
      for (const read of this.#reads.splice(0)) read.reject(error);
    } finally {
      this.#isSharedOpening = false;
    }
    if (this.#shared && this.#reads.length > 0) this.#flush();
  }

  /**
   * A connection for exclusive use, returned by `release`. Throws busy when too many wait, and when the client leaves
   * while it waits.
   */
  async acquire(): Promise<Connection> {
    const idle = this.#takeIdle();
    if (idle) return idle;
    const { gone } = runningAsker();
    if (this.#exclusiveCount < this.#max) return this.#lendShared() ?? this.openExclusive(gone);
    // guests, who are one identity, do not take the room of each other
    if (this.#waiters.ownLength >= MAX_WAITING_PER_IDENTITY) throw tooMany();
    return this.#waiters.wait(gone);
  }

  #takeIdle(): Connection | undefined {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (!connection.isClosed && !this.#isOld(connection)) return connection;
      this.#closeExclusive(connection);
    }
    return undefined;
  }

  /** The shared connection, unless it is in use or has a subscriber; the next read gets another one. */
  #lendShared(): Connection | undefined {
    const connection = this.#shared;
    if (!connection?.isIdle || this.#reads.length > 0 || this.#subscriber || this.#isOld(connection)) return undefined;
    this.#shared = undefined;
    this.#exclusiveCount++;
    return connection;
  }

  /** A new connection for exclusive use, even if one is idle. */
  async openExclusive(gone?: AbortSignal): Promise<Connection> {
    this.#exclusiveCount++;
    try {
      return await this.#host.open(gone);
    } catch (error) {
      this.#exclusiveCount--;
      // with no connection left, none would ever be released
      if (this.#exclusiveCount === 0) this.#waiters.failAll(error);
      throw error;
    }
  }

  /** Closes a connection with a pending answer or transfer. */
  release(connection: Connection): void {
    const next = this.#waiters.next();
    if (!connection.isIdle || this.#isClosed || this.#isOld(connection)) {
      this.#closeExclusive(connection);
      next?.start(this.openExclusive());
    } else if (next) {
      next.start(connection);
    } else if (this.#exclusiveCount > this.#max) {
      this.#closeExclusive(connection);
    } else {
      this.#idle.push(connection);
    }
  }

  /** Closes idle connections, including the shared one. */
  closeIdle(): void {
    for (const connection of this.#idle.splice(0)) this.#closeExclusive(connection);
    if (this.#shared?.isIdle && this.#reads.length === 0) this.#closeShared();
  }

  /** Replaces every connection before its next use; pending answers still arrive. */
  renew(): void {
    this.#validFrom = Date.now();
    this.closeIdle();
  }

  /** Closes connections that were idle for too long, are too old, or were closed by the other side. */
  sweep(now: number): void {
    const isDone = (connection: Connection) =>
      connection.isClosed || now - connection.lastUsed > CONNECTION_IDLE_MS || this.#isOld(connection, now);
    for (const connection of this.#idle.filter(isDone)) this.#closeIdle(connection);
    const shared = this.#shared;
    if (shared && isDone(shared) && (shared.isIdle || shared.isClosed)) this.#closeShared();
  }

  /** The least recently used idle connection. `isFollowed`: also a followed one. */
  longestIdle(isFollowed: boolean): Connection | undefined {
    const isSpared = !isFollowed && this.#subscriber?.isFollowed();
    const shared = this.#shared?.isIdle && this.#reads.length === 0 && !isSpared ? [this.#shared] : [];
    return [...shared, ...this.#idle].sort((a, b) => a.lastUsed - b.lastUsed)[0];
  }

  /** Closes an idle connection in favour of others. */
  evict(connection: Connection): void {
    if (connection !== this.#shared) {
      this.#closeIdle(connection);
      return;
    }
    connection.listen(undefined);
    this.#subscriber?.evicted();
    this.#closeShared();
  }

  #closeIdle(connection: Connection): void {
    this.#idle.splice(this.#idle.indexOf(connection), 1);
    this.#closeExclusive(connection);
  }

  /** Closes everything; callers that wait fail. */
  shutDown(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) this.#closeExclusive(connection);
    this.#closeShared();
    this.#waiters.failAll(stopping());
  }

  #closeShared(): void {
    const connection = this.#shared;
    this.#shared = undefined;
    if (!connection) return;
    connection.close();
    this.#host.closed(connection);
  }

  /** Closes the shared connection after its pending answers. */
  #retireShared(): void {
    const connection = this.#shared;
    this.#shared = undefined;
    if (!connection) return;
    connection.listen(undefined);
    this.#subscriber?.closed();
    const close = () => {
      connection.close();
      this.#host.closed(connection);
    };
    connection.ask(LEAVE).then(close, close);
  }

  #closeExclusive(connection: Connection): void {
    connection.close();
    this.#exclusiveCount--;
    this.#host.closed(connection);
  }

  #isOld(connection: Connection, now = Date.now()): boolean {
    return now - connection.openedAt > this.#host.maxAgeMs || connection.openedAt <= this.#validFrom;
  }
}
