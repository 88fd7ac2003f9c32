// The connections of one identity: one shared by short reads, and some for exclusive use. All reads of one turn of the
// event loop go out in one write; equal ones are sent once and share their answers.

import { CONNECTION_IDLE_MS, MAX_WAITING_PER_IDENTITY } from '../../limits/protocol.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import { STATUS } from '../../protocol/status.ts';
import { runningClock } from '../../system/wait-clock.ts';
import type { Connection, ConnectionListener } from './connection.ts';
import { isLost, stopping, tooMany } from './server-errors.ts';
import { WaitingLine } from './slots.ts';

const LEAVE = command('QUIT');
const SAY_CHANGES = command('NTFY', 1);
const SAY_NOTHING = command('NTFY', 0);

/** Gets the notices of the room server (NTFY, known to the embedded one only). */
export interface Subscriber extends ConnectionListener {
  /** notices come from now on */
  subscribed(): void;
  /** the connection was closed to make room for others: a new one would cost one of them theirs */
  evicted(): void;
  /** whether somebody is told of the notices at the moment */
  isFollowed(): boolean;
}

/** What the pool does for the connections of an identity. */
export interface ConnectionsHost {
  /** of a connection, before it logs in anew */
  maxAgeMs: number;
  /** a new connection, logged in; counted against the pool's bound until it is closed */
  open(): Promise<Connection>;
  /** the pool counts it no longer */
  closed(connection: Connection): void;
}

export class IdentityConnections {
  readonly #host: ConnectionsHost;
  /** connections for exclusive use */
  readonly #max: number;
  #shared: Connection | undefined;
  #isSharedOpening = false;
  readonly #reads: ReadBatch;
  readonly #idle: Connection[] = [];
  readonly #waiters = new WaitingLine<Connection>();
  /** connections open or opening, the shared one not included */
  #exclusiveCount = 0;
  #isClosed = false;
  /** connections opened before have logged in with what counts no longer (Unix milliseconds) */
  #validFrom = -1;
  #subscriber: Subscriber | undefined;

  constructor(host: ConnectionsHost, max: number) {
    this.#host = host;
    this.#max = max;
    this.#reads = new ReadBatch({
      flush: () => this.#flush(),
      lost: () => {
        // what is idle may have died with it unnoticed, and a read is sent twice at most
        for (const connection of this.#idle.splice(0)) this.#closeExclusive(connection);
        return !this.#isClosed;
      },
    });
  }

  /** Nothing is open and nobody waits. */
  get isEmpty(): boolean {
    return !this.isOpen && this.#reads.length === 0 && this.#waiters.length === 0 && !this.#subscriber;
  }

  /** Some connection is there or on its way; those that the room server has closed are not. */
  get isOpen(): boolean {
    if (this.#shared?.isClosed === false || this.#isSharedOpening) return true;
    return this.#exclusiveCount > this.#idle.filter(({ isClosed }) => isClosed).length;
  }

  /**
   * `subscriber` gets the notices of the connection that reads share; undefined: nobody does. It does not open one, nor
   * does it keep one open: the next read will.
   */
  subscribe(subscriber: Subscriber | undefined): void {
    this.#subscriber = subscriber;
    const connection = this.#shared;
    if (!connection || connection.isClosed) return;
    if (subscriber) this.#listen(connection, subscriber);
    else {
      connection.listen(undefined);
      connection.ask(SAY_NOTHING).catch(() => undefined); // then it has been lost, and says nothing either
    }
  }

  #listen(connection: Connection, subscriber: Subscriber): void {
    connection.listen(subscriber);
    connection.ask(SAY_CHANGES).then(
      ({ code }) => code === STATUS.done && subscriber.subscribed(),
      () => undefined, // the subscriber has heard that it is closed
    );
  }

  /**
   * Answers to short commands, in order. Equal reads of the same turn are sent once and share their answers. Sent once
   * more when the connection is lost. Throws busy.
   */
  read(commands: readonly string[]): Promise<readonly Answer[]> {
    if (this.#reads.length >= MAX_WAITING_PER_IDENTITY) return Promise.reject(tooMany());
    return this.#reads.add(commands);
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
    this.#reads.write(this.#shared!);
  }

  /** Reads share from now on what was for exclusive use: one session is enough while nothing is transferred. */
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
      this.#reads.fail(error);
    } finally {
      this.#isSharedOpening = false;
    }
    if (this.#shared && this.#reads.length > 0) this.#flush();
  }

  /** A connection for exclusive use, to be given back by `release`. Throws busy when too many wait. */
  async acquire(): Promise<Connection> {
    const idle = this.#takeIdle();
    if (idle) return idle;
    if (this.#exclusiveCount < this.#max) return this.#lendShared() ?? this.openExclusive();
    if (this.#waiters.length >= MAX_WAITING_PER_IDENTITY) throw tooMany();
    return this.#waiters.wait();
  }

  #takeIdle(): Connection | undefined {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (!connection.isClosed && !this.#isOld(connection)) return connection;
      this.#closeExclusive(connection);
    }
    return undefined;
  }

  /**
   * The connection that reads share, unless it is in use, or somebody is told of changes there: the next read has
   * another one.
   */
  #lendShared(): Connection | undefined {
    const connection = this.#shared;
    if (!connection?.isIdle || this.#reads.length > 0 || this.#subscriber || this.#isOld(connection)) return undefined;
    this.#shared = undefined;
    this.#exclusiveCount++;
    return connection;
  }

  /** A new connection for exclusive use, whatever is idle. */
  async openExclusive(): Promise<Connection> {
    this.#exclusiveCount++;
    try {
      return await this.#host.open();
    } catch (error) {
      this.#exclusiveCount--;
      // with no connection left nobody would ever release one
      if (this.#exclusiveCount === 0) this.#waiters.failAll(error);
      throw error;
    }
  }

  /** A connection that still owes something is closed. */
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

  /** Closes what is idle; the shared connection too unless answers are awaited on it. */
  closeIdle(): void {
    for (const connection of this.#idle.splice(0)) this.#closeExclusive(connection);
    if (this.#shared?.isIdle && this.#reads.length === 0) this.#closeShared();
  }

  /** Every connection logs in anew before its next use; answers under way still arrive. */
  renew(): void {
    this.#validFrom = Date.now();
    this.closeIdle();
  }

  /** Closes what has been idle for too long, is too old, or was closed by the other side. */
  sweep(now: number): void {
    const isDone = (connection: Connection) =>
      connection.isClosed || now - connection.lastUsed > CONNECTION_IDLE_MS || this.#isOld(connection, now);
    for (const connection of this.#idle.filter(isDone)) this.#closeIdle(connection);
    const shared = this.#shared;
    if (shared && isDone(shared) && (shared.isIdle || shared.isClosed)) this.#closeShared();
  }

  /** The connection that nobody has used for the longest time, if one is idle. `isFollowed`: also the followed one. */
  longestIdle(isFollowed: boolean): Connection | undefined {
    const isSpared = !isFollowed && this.#subscriber?.isFollowed();
    const shared = this.#shared?.isIdle && this.#reads.length === 0 && !isSpared ? [this.#shared] : [];
    return [...shared, ...this.#idle].sort((a, b) => a.lastUsed - b.lastUsed)[0];
  }

  /** Closes an idle connection, for others have none. */
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

  /** Closes everything; what waits fails. */
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

  /** Takes it out of use; it is closed behind the answers that it still owes. */
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

interface Read {
  commands: string;
  count: number;
  isRetry: boolean;
  resolve(answers: readonly Answer[]): void;
  reject(error: unknown): void;
}

interface ReadBatchHost {
  /** The turn has ended, and reads wait: to be answered by `write` or `fail`. */
  flush(): void;
  /** The connection was lost that reads were written to; whether they may be sent once more. */
  lost(): boolean;
}

class ReadBatch {
  readonly #host: ReadBatchHost;
  #reads: Read[] = [];

  constructor(host: ReadBatchHost) {
    this.#host = host;
  }

  /** reads that wait */
  get length(): number {
    return this.#reads.length;
  }

  /** Answers to `commands`, in order. Sent once more when the connection is lost. Throws what `fail` is given. */
  add(commands: readonly string[]): Promise<readonly Answer[]> {
    // the reads of a turn are written for whoever came first; each waits for itself
    const clock = runningClock();
    const answers = new Promise<readonly Answer[]>((resolve, reject) => {
      this.#enqueue({ commands: commands.join(''), count: commands.length, isRetry: false, resolve, reject });
    });
    if (!clock) return answers;
    clock.begin();
    return answers.finally(() => clock.end());
  }

  #enqueue(read: Read): void {
    this.#reads.push(read);
    if (this.#reads.length === 1) setImmediate(() => this.#host.flush());
  }

  /** Writes all that wait in one go. */
  write(connection: Connection): void {
    const groups = Map.groupBy(this.#reads, ({ commands }) => commands);
    this.#reads = [];
    const answers = connection.askEach(
      [...groups.keys()].join(''),
      Array.from(groups.values(), (group) => group[0]!.count),
    );
    let i = 0;
    for (const group of groups.values()) this.#settle(group, answers[i++]!);
  }

  /** All that wait. */
  fail(error: unknown): void {
    for (const read of this.#reads.splice(0)) read.reject(error);
  }

  async #settle(group: Read[], pending: Promise<Answer[]>): Promise<void> {
    try {
      const answers = await pending;
      for (const read of group) read.resolve(answers);
    } catch (error) {
      const maySendAgain = isLost(error) && this.#host.lost();
      for (const read of group) {
        if (maySendAgain && !read.isRetry) this.#enqueue({ ...read, isRetry: true });
        else read.reject(error);
      }
    }
  }
}
