// Lends connections to the room server by identity. Short reads of one identity share a connection; transfers and
// changes hold one exclusively. pool-entries.ts opens and limits them.

import type { EnteredRoom, LoggedIn } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import type { StatusLine } from '../../protocol/status.ts';
import { memoised } from '../../system/attached.ts';
import type { Counts } from '../../system/change-counts.ts';
import type { Connection } from './connection.ts';
import { enterRoomCommand, noteEntered, parseEnteredRoom, type RoomRef } from './goto.ts';
import type { Identity } from './identity.ts';
import type { Subscriber } from './identity-connections.ts';
import { type Entry, PoolEntries, type PoolOptions, type PoolState } from './pool-entries.ts';
import type { InstantListener } from './receiver.ts';
import { isLost } from './server-errors.ts';

/** A room as one identity sees it. */
export interface RoomAccess {
  pool: Pool;
  identity: Identity;
  room: RoomRef;
}

/** A room's answers to commands. */
export interface InRoom {
  entered: EnteredRoom;
  answers: readonly Answer[];
}

type UseInRoom<T> = (connection: Connection, entered: EnteredRoom) => Promise<T>;

const splitEntered = memoised(
  ([entered, ...answers]: readonly Answer[]): InRoom => ({ entered: parseEnteredRoom(entered!), answers }),
);

const NOTHING = command('NOOP');

/** 0 for guests; undefined until it has logged in. */
function userOf({ account, loggedIn }: Entry): number | undefined {
  return account === undefined ? 0 : loggedIn?.usernum;
}

export class Pool {
  readonly isEmbedded: boolean;
  /** change counters of the embedded room server; undefined: another process, which must be asked */
  readonly changes: Counts | undefined;
  readonly #entries: PoolEntries;

  constructor(options: PoolOptions) {
    this.isEmbedded = options.isEmbedded ?? false;
    this.#entries = new PoolEntries(options);
    this.changes = options.changes;
  }

  /** Who the identity is; logs in unless it has connections. Throws not_logged_in. */
  async identify(identity: Identity): Promise<LoggedIn> {
    const known = this.#entries.known(identity);
    if (known?.loggedIn && known.connections.isOpen) return known.loggedIn;
    const entry = this.#entries.reach(identity);
    entry.connections.release(await entry.connections.acquire());
    return entry.loggedIn ?? this.logIn(identity); // the connection may be older than a refused log-in
  }

  /**
   * The key of the user: the room server's number of the account, `''` for guests. Counters and caches use this, never a
   * name. Throws not_logged_in.
   */
  async accountOf(identity: Identity): Promise<string> {
    if (identity.user === '') return '';
    const entry = this.#entries.of(identity);
    // on the shared connection, which is used next
    if (!entry.loggedIn || !entry.connections.isOpen) await this.read(identity, [NOTHING]);
    return String((entry.loggedIn ?? (await this.identify(identity))).usernum);
  }

  /** Logged in on some connection, so the credentials are right. */
  isKnown(identity: Identity): boolean {
    const entry = this.#entries.known(identity);
    return entry?.loggedIn !== undefined && entry.connections.isOpen;
  }

  /**
   * A unique number of the identity, and that of the user (0 for guests), if the identity is logged in on some
   * connection or is a guest; undefined otherwise.
   */
  askerOf(identity: Identity): { number: number; user: number | undefined } | undefined {
    const entry = this.#entries.known(identity);
    return entry?.connections.isOpen ? { number: entry.number, user: userOf(entry) } : undefined;
  }

  /** Logs in on a new connection in any case: for the log-in page, so that counts and times are right. */
  async logIn(identity: Identity): Promise<LoggedIn> {
    const entry = this.#entries.reach(identity);
    entry.loggingIn ??= this.#logInAnew(entry).finally(() => {
      entry.loggingIn = undefined;
    });
    return entry.loggingIn;
  }

  async #logInAnew(entry: Entry): Promise<LoggedIn> {
    entry.connections.release(await entry.connections.openExclusive());
    return entry.loggedIn!;
  }

  /** Answers to short read-only commands. Retried once when the connection is lost. */
  async read(identity: Identity, commands: readonly string[]): Promise<readonly Answer[]> {
    return this.#entries.reach(identity).connections.read(commands);
  }

  /** As `read`, but closes the connection afterwards: for commands that change the session's state. */
  async readAndLeave(identity: Identity, commands: readonly string[]): Promise<readonly Answer[]> {
    try {
      return await this.read(identity, commands);
    } finally {
      this.#entries.known(identity)?.connections.closeIdle();
    }
  }

  /**
   * Answers to short commands in a room, without being recorded as a member. Throws not_found, forbidden (room
   * password), and discards the answers, if the room cannot be entered.
   */
  async readInRoom(identity: Identity, room: RoomRef, commands: readonly string[]): Promise<InRoom> {
    const inRoom = splitEntered(await this.read(identity, [enterRoomCommand(room, true), ...commands]));
    noteEntered(room, inRoom.entered);
    return inRoom;
  }

  /** Notifies `subscriber` until the returned function is called; one per identity. */
  subscribe(identity: Identity, subscriber: Subscriber): () => void {
    const { connections } = this.#entries.of(identity);
    connections.subscribe(subscriber);
    return () => connections.subscribe(undefined);
  }

  /** Calls `use` with an exclusive connection, for transfers and changes. */
  async withConnection<T>(identity: Identity, use: (connection: Connection) => Promise<T>): Promise<T> {
    const { connections } = this.#entries.reach(identity);
    const connection = await connections.acquire();
    try {
      return await use(connection);
    } finally {
      connections.release(connection);
    }
  }

  /**
   * The same in a room, of which the identity becomes a member: for changes. `use` runs only after the room server has
   * confirmed GOTO. Entering is retried once if an idle connection turns out to be dead; `use` never is.
   */
  async withRoom<T>(identity: Identity, room: RoomRef, use: UseInRoom<T>): Promise<T> {
    return this.#inRoom(identity, room, (connection) => connection.ask(enterRoomCommand(room, false)), use);
  }

  /** The same for reading: the identity does not become a member and needs the room's password again. */
  async visitRoom<T>(identity: Identity, room: RoomRef, use: UseInRoom<T>): Promise<T> {
    return this.#inRoom(identity, room, (connection) => connection.ask(enterRoomCommand(room, true)), use);
  }

  /**
   * The same, with `others` and the command that starts a transfer sent in one write with GOTO; `use` gets the status
   * line of the last one. For reads only: if the room cannot be entered, they apply to another one, and the connection
   * is closed.
   */
  async startInRoom<T>(
    identity: Identity,
    room: RoomRef,
    [others, start]: readonly [others: readonly string[], start: string],
    use: (connection: Connection, status: StatusLine) => Promise<T>,
  ): Promise<T> {
    let started: Promise<StatusLine>;
    const enter = (connection: Connection) => {
      const { answers, status } = connection.startBehind([enterRoomCommand(room, true), ...others], start);
      started = status;
      // awaited through the first one
      for (const each of [...answers, status]) each.catch(() => undefined);
      return answers[0]!;
    };
    return this.#inRoom(identity, room, enter, async (connection) => use(connection, await started));
  }

  async #inRoom<T>(
    identity: Identity,
    room: RoomRef,
    enter: (connection: Connection) => Promise<Answer>,
    use: UseInRoom<T>,
  ): Promise<T> {
    const { connections } = this.#entries.reach(identity);
    for (let attempt = 1; ; attempt++) {
      const connection = await connections.acquire();
      try {
        const answer = await enter(connection).catch((error: unknown) => {
          if (attempt > 1 || !isLost(error)) throw error;
          return undefined;
        });
        if (answer) return await use(connection, noteEntered(room, parseEnteredRoom(answer)));
        connections.closeIdle();
      } finally {
        connections.release(connection);
      }
    }
  }

  /**
   * Instant messages since the last call, as answers to GEXP. They arrive from the first call or poll on, as long as
   * calls are at most RECEIVER_IDLE_MS apart.
   */
  takeInstantMessages(identity: Identity): Promise<readonly Answer[]> {
    return this.#entries.of(identity).receiver.take();
  }

  /** Notifies `listener` of instant messages until the returned function is called; one per identity. */
  listenForInstantMessages(identity: Identity, listener: InstantListener): () => void {
    const { receiver } = this.#entries.of(identity);
    receiver.listen(listener);
    return () => receiver.listen(undefined);
  }

  /** Asks whether messages wait; they arrive from now on. Throws busy if no connection is available. */
  pollInstantMessages(identity: Identity): Promise<void> {
    return this.#entries.of(identity).receiver.poll();
  }

  get state(): PoolState {
    return this.#entries.state;
  }

  /** `sessions`: limit of the room server, for all its clients; 0: unknown. */
  keepClearOf(sessions: number): void {
    if (sessions > 0) this.#entries.keepClearOf(sessions);
  }

  /** Password, level or the account itself has changed: all its identities must log in again. undefined: any user. */
  forget(usernum: number | undefined): void {
    this.#entries.forget(usernum);
  }

  close(): void {
    this.#entries.close();
  }
}

/** What is cached of a room server: made at first use, dropped with the pool. */
export function perPool<T>(make: () => T): (pool: Pool) => T {
  const made = new WeakMap<Pool, T>();
  return (pool) => made.getOrInsertComputed(pool, make);
}
