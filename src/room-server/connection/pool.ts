// Connections to the room server, lent by identity. Short reads of one identity share a connection; what transfers or
// changes something holds a connection of its own. pool-entries.ts makes and bounds them.

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

/** What a room answered to commands. */
export interface InRoom {
  entered: EnteredRoom;
  answers: readonly Answer[];
}

type UseInRoom<T> = (connection: Connection, entered: EnteredRoom) => Promise<T>;

const splitEntered = memoised(
  ([entered, ...answers]: readonly Answer[]): InRoom => ({ entered: parseEnteredRoom(entered!), answers }),
);

const NOTHING = command('NOOP');

/** Its number, 0 for guests; undefined where it is to log in, for the first time or anew. */
function userOf({ account, loggedIn }: Entry): number | undefined {
  return account === undefined ? 0 : loggedIn?.usernum;
}

export class Pool {
  readonly isEmbedded: boolean;
  /** where its room server counts what it changes; undefined: of another process, which has to be asked */
  readonly changes: Counts | undefined;
  readonly #entries: PoolEntries;

  constructor(options: PoolOptions) {
    this.isEmbedded = options.isEmbedded ?? false;
    this.#entries = new PoolEntries(options);
    this.changes = options.changes;
  }

  /** Who an identity is; logs in unless connections of it are there already. Throws not_logged_in. */
  async identify(identity: Identity): Promise<LoggedIn> {
    const known = this.#entries.known(identity);
    if (known?.loggedIn && known.connections.isOpen) return known.loggedIn;
    const entry = this.#entries.reach(identity);
    entry.connections.release(await entry.connections.acquire());
    return entry.loggedIn ?? this.logIn(identity); // it may be a connection from before a refusal
  }

  /**
   * Whose identity it is, spelled in one way: the room server's own number of the user, `''` for guests. By this, and
   * never by names, is counted and kept what belongs to a user. Throws not_logged_in.
   */
  async accountOf(identity: Identity): Promise<string> {
    if (identity.user === '') return '';
    const entry = this.#entries.of(identity);
    // on the connection that reads share: it is the next one that is used
    if (!entry.loggedIn || !entry.connections.isOpen) await this.read(identity, [NOTHING]);
    return String((entry.loggedIn ?? (await this.identify(identity))).usernum);
  }

  /** The identity is logged in on some connection: its credentials were right. */
  isKnown(identity: Identity): boolean {
    const entry = this.#entries.known(identity);
    return entry?.loggedIn !== undefined && entry.connections.isOpen;
  }

  /**
   * Who asks, where the identity is logged in on some connection or is a guest's: a number that stands for it and for
   * nobody else, and that of the user, 0 for guests; undefined while the log-in is under way.
   */
  askerOf(identity: Identity): { number: number; user: number | undefined } | undefined {
    const entry = this.#entries.known(identity);
    return entry?.connections.isOpen ? { number: entry.number, user: userOf(entry) } : undefined;
  }

  /** Logs in on a new connection, whatever is there: for the log-in page, so that counts and times are true. */
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

  /** Answers to short commands that change nothing. Retried once when the connection is lost. */
  async read(identity: Identity, commands: readonly string[]): Promise<readonly Answer[]> {
    return this.#entries.reach(identity).connections.read(commands);
  }

  /** As `read`; the connection is closed once nothing is awaited on it: for commands that change what a session is. */
  async readAndLeave(identity: Identity, commands: readonly string[]): Promise<readonly Answer[]> {
    try {
      return await this.read(identity, commands);
    } finally {
      this.#entries.known(identity)?.connections.closeIdle();
    }
  }

  /**
   * Answers to short commands in a room, without becoming one who knows it. When the room cannot be entered the
   * answers are thrown away: not_found, forbidden (room password).
   */
  async readInRoom(identity: Identity, room: RoomRef, commands: readonly string[]): Promise<InRoom> {
    const inRoom = splitEntered(await this.read(identity, [enterRoomCommand(room, true), ...commands]));
    noteEntered(room, inRoom.entered);
    return inRoom;
  }

  /** Tells `subscriber` of changes until the returned function is called; one for each identity at a time. */
  subscribe(identity: Identity, subscriber: Subscriber): () => void {
    const { connections } = this.#entries.of(identity);
    connections.subscribe(subscriber);
    return () => connections.subscribe(undefined);
  }

  /** A connection for `use` alone, e.g. to transfer or to change something. */
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
   * The same, inside a room, which the identity knows from then on: for changes. `use` runs only after the room server
   * has confirmed that the room was entered. Entering is tried once more when an idle connection turns out to be dead;
   * `use` never is.
   */
  async withRoom<T>(identity: Identity, room: RoomRef, use: UseInRoom<T>): Promise<T> {
    return this.#inRoom(identity, room, (connection) => connection.ask(enterRoomCommand(room, false)), use);
  }

  /** The same for reading: the identity does not become one who knows the room, whose password is asked for again. */
  async visitRoom<T>(identity: Identity, room: RoomRef, use: UseInRoom<T>): Promise<T> {
    return this.#inRoom(identity, room, (connection) => connection.ask(enterRoomCommand(room, true)), use);
  }

  /**
   * The same, with `others` and the command that starts a transfer sent behind GOTO in one write; `use` gets the status
   * line of the latter. For reads: where the room cannot be entered they are of another one, and the connection is
   * closed.
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
      // lost where the first one is, which is awaited
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
   * Instant messages that have come since the last call, as answers to GEXP. They come from the first call on, or from
   * the first look for them, and as long as the calls are not RECEIVER_IDLE_MS apart.
   */
  takeInstantMessages(identity: Identity): Promise<readonly Answer[]> {
    return this.#entries.of(identity).receiver.take();
  }

  /** Tells `listener` of instant messages until the returned function is called; one for each identity at a time. */
  listenForInstantMessages(identity: Identity, listener: InstantListener): () => void {
    const { receiver } = this.#entries.of(identity);
    receiver.listen(listener);
    return () => receiver.listen(undefined);
  }

  /** From now on they arrive; asks whether some wait and takes none. Throws busy where no connection can be spared. */
  lookForInstantMessages(identity: Identity): Promise<void> {
    return this.#entries.of(identity).receiver.look();
  }

  get state(): PoolState {
    return this.#entries.state;
  }

  /** `sessions`: what the room server takes at most, others' included; 0: it does not say. */
  keepClearOf(sessions: number): void {
    if (sessions > 0) this.#entries.keepClearOf(sessions);
  }

  /**
   * Password, level or the account itself has changed: everybody who is logged in as this user has to log in anew.
   * undefined: of any user.
   */
  forget(usernum: number | undefined): void {
    this.#entries.forget(usernum);
  }

  close(): void {
    this.#entries.close();
  }
}
