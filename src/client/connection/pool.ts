// Connections to the room server, kept by identity. Short reads of one identity share a connection; what transfers or
// changes something holds a connection of its own. Bounds the connections in all and closes idle ones.

import { AppError } from '../../errors.ts';
import {
  CONNECTION_IDLE_MS,
  CONNECTION_MAX_AGE_MS,
  MAX_CONNECTING,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_OF_GUESTS,
  MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_CONNECTIONS_PER_IDENTITY,
} from '../../limits/protocol.ts';
import type { EnteredRoom, LoggedIn } from '../../model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import { accountName } from '../../protocol/names.ts';
import type { Connection } from './connection.ts';
import { isLost, stopping, tooMany } from './connection-fault.ts';
import { Connector } from './connector.ts';
import { enterRoomCommand, parseEnteredRoom, type RoomRef } from './goto.ts';
import { type Identity, identityKey, logIn, logInCommands } from './identity.ts';
import { IdentityConnections, type Subscriber } from './identity-connections.ts';
import { memoiseByAnswer } from './memoise-by-answer.ts';
import { Places } from './places.ts';
import { connectionCountOf, type Entry, longestIdle, ofSameAccount, type PoolOptions } from './pool-entry.ts';
import { type InstantListener, REFUSE_MESSAGES, Receiver } from './receiver.ts';

/** What a room answered to commands. */
export interface InRoom {
  entered: EnteredRoom;
  answers: readonly Answer[];
}

type UseInRoom<T> = (connection: Connection, entered: EnteredRoom) => Promise<T>;

const splitEntered = memoiseByAnswer(
  ([entered, ...answers]: readonly Answer[]): InRoom => ({ entered: parseEnteredRoom(entered!), answers }),
);

const NOTHING = command('NOOP');

export class Pool {
  readonly isOwn: boolean;
  readonly #maxAgeMs: number;
  readonly #places: Places;
  readonly #connector: Connector;
  readonly #identify: string;
  readonly #entries = new Map<string, Entry>();
  readonly #sweeper: NodeJS.Timeout;
  #isClosed = false;

  constructor({ target, clientName, clientVersion, isOwn = false, ...options }: PoolOptions) {
    this.isOwn = isOwn;
    this.#connector = new Connector(target, options.maxConnecting ?? MAX_CONNECTING);
    this.#places = new Places(options.maxConnections ?? MAX_CONNECTIONS);
    this.#maxAgeMs = options.maxAgeMs ?? CONNECTION_MAX_AGE_MS;
    this.#identify = command('IDEN', 0, 0, clientVersion.replace(/\D+/g, ''), `${clientName} ${clientVersion}`, '');
    this.#sweeper = setInterval(() => this.#sweep(), CONNECTION_IDLE_MS / 4);
    this.#sweeper.unref();
  }

  /** Who an identity is; logs in unless connections of it are there already. Throws not_logged_in. */
  async identify(identity: Identity): Promise<LoggedIn> {
    const entry = this.#entry(identity);
    if (entry.loggedIn && entry.connections.isOpen) return entry.loggedIn;
    entry.connections.release(await entry.connections.acquire());
    return entry.loggedIn ?? this.logIn(identity); // it may be a connection from before a refusal
  }

  /**
   * Whose identity it is, spelled in one way: the room server's own number of the user, `''` for guests. By this, and
   * never by names, is counted and kept what belongs to a user. Throws not_logged_in.
   */
  async accountOf(identity: Identity): Promise<string> {
    if (identity.user === '') return '';
    const entry = this.#entry(identity);
    // on the connection that reads share: it is the next one that is used
    if (!entry.loggedIn || !entry.connections.isOpen) await entry.connections.read([NOTHING]);
    return String((entry.loggedIn ?? (await this.identify(identity))).usernum);
  }

  /** The identity is logged in on some connection: its credentials were right. */
  isKnown(identity: Identity): boolean {
    const entry = this.#entries.get(identityKey(identity));
    return entry?.loggedIn !== undefined && entry.connections.isOpen;
  }

  /** Logs in on a new connection, whatever is there: for the log-in page, so that counts and times are true. */
  async logIn(identity: Identity): Promise<LoggedIn> {
    const entry = this.#entry(identity);
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
    return this.#entry(identity).connections.read(commands);
  }

  /**
   * Answers to short commands in a room, without becoming one who knows it. When the room cannot be entered the
   * answers are thrown away: not_found, forbidden (room password).
   */
  async readInRoom(identity: Identity, room: RoomRef, commands: readonly string[]): Promise<InRoom> {
    return splitEntered(await this.read(identity, [enterRoomCommand(room, true), ...commands]));
  }

  /** Tells `subscriber` of changes until the returned function is called; one for each identity at a time. */
  subscribe(identity: Identity, subscriber: Subscriber): () => void {
    const { connections } = this.#entry(identity);
    connections.subscribe(subscriber);
    return () => connections.subscribe(undefined);
  }

  /** A connection for `use` alone, e.g. to transfer or to change something. */
  async withConnection<T>(identity: Identity, use: (connection: Connection) => Promise<T>): Promise<T> {
    const { connections } = this.#entry(identity);
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
    return this.#inRoom(identity, enterRoomCommand(room, false), use);
  }

  /** The same for reading: the identity does not become one who knows the room, whose password is asked for again. */
  async visitRoom<T>(identity: Identity, room: RoomRef, use: UseInRoom<T>): Promise<T> {
    return this.#inRoom(identity, enterRoomCommand(room, true), use);
  }

  async #inRoom<T>(identity: Identity, goto: string, use: UseInRoom<T>): Promise<T> {
    const { connections } = this.#entry(identity);
    for (let attempt = 1; ; attempt++) {
      const connection = await connections.acquire();
      try {
        const answer = await connection.ask(goto).catch((error: unknown) => {
          if (attempt > 1 || !isLost(error)) throw error;
          return undefined;
        });
        if (answer) return await use(connection, parseEnteredRoom(answer));
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
    return this.#entry(identity).receiver.take();
  }

  /** Tells `listener` of instant messages until the returned function is called; one for each identity at a time. */
  listenForInstantMessages(identity: Identity, listener: InstantListener): () => void {
    const { receiver } = this.#entry(identity);
    receiver.listen(listener);
    return () => receiver.listen(undefined);
  }

  /** From now on they arrive; asks whether some wait and takes none. Throws busy where no connection can be spared. */
  lookForInstantMessages(identity: Identity): Promise<void> {
    return this.#entry(identity).receiver.look();
  }

  /** Grows when instant messages arrive; 0 while none waits. */
  instantArrivals(identity: Identity): number {
    return this.#entry(identity).receiver.arrivals;
  }

  /** Password, level or the account itself has changed: everybody who is logged in as this user has to log in anew. */
  forget(usernum: number): void {
    for (const entry of this.#entries.values()) {
      if (entry.loggedIn?.usernum !== usernum) continue;
      entry.loggedIn = undefined;
      entry.connections.renew();
      entry.receiver.close();
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    this.#connector.close();
    this.#places.close();
    for (const { connections, receiver } of this.#entries.values()) {
      connections.shutDown();
      receiver.close();
    }
  }

  #entry(identity: Identity): Entry {
    const key = identityKey(identity);
    const known = this.#entries.get(key);
    if (known) return known;
    logInCommands(identity); // what cannot be sent is refused before anything is kept of it
    const account = identity.user === '' ? undefined : accountName(identity.user);
    const maxAgeMs = this.#maxAgeMs;
    const host = {
      // by session key a log-in costs the room server next to nothing
      maxAgeMs: identity.key === undefined ? maxAgeMs : Math.min(maxAgeMs, CONNECTION_MAX_AGE_MS),
      closed: () => {
        this.#places.give();
        entry.connectionCount--;
      },
    };
    const max = account === undefined ? MAX_CONNECTIONS_OF_GUESTS : MAX_CONNECTIONS_PER_IDENTITY;
    const entry: Entry = {
      account,
      connectionCount: 0,
      loggedIn: undefined,
      loggingIn: undefined,
      connections: new IdentityConnections({ ...host, open: () => this.#open(identity, entry, REFUSE_MESSAGES) }, max),
      receiver: new Receiver({ ...host, open: (mayEvict) => this.#open(identity, entry, undefined, mayEvict) }),
    };
    this.#entries.set(key, entry);
    return entry;
  }

  /** `first`: a command to be sent behind the log-in. `mayEvict`: an idle connection may be closed for it. */
  #open(identity: Identity, entry: Entry, first?: string, mayEvict = true): Promise<Connection> {
    return this.#places.open(mayEvict ? () => this.#closeLongestIdle() : undefined, async () => {
      if (this.#isClosed) throw stopping();
      this.#requireRoom(entry, mayEvict, 1);
      entry.connectionCount++;
      try {
        return await this.#openOnce(identity, entry, first, mayEvict);
      } catch (error) {
        entry.connectionCount--;
        throw error;
      }
    });
  }

  async #openOnce(identity: Identity, entry: Entry, first: string | undefined, mayEvict: boolean): Promise<Connection> {
    let connection: Connection | undefined;
    try {
      connection = await this.#connector.open();
      connection.isOwn = this.isOwn;
      const identified = connection.ask(this.#identify);
      const loggingIn = identity.user === '' ? undefined : logIn(connection, identity);
      const prepared = loggingIn && first !== undefined ? connection.ask(first) : identified;
      for (const answer of [identified, prepared]) answer.catch(() => undefined); // awaited below, unless the log-in fails
      if (loggingIn) entry.loggedIn = await loggingIn;
      this.#requireRoom(entry, mayEvict, 0); // whose it is has been a guess until now
      await identified;
      await prepared;
      if (this.#isClosed) throw stopping();
      return connection;
    } catch (error) {
      connection?.close();
      // right once, e.g. before a change of the password, and wrong now: older connections count no longer
      if (error instanceof AppError && error.code === 'not_logged_in') {
        entry.loggedIn = undefined;
        entry.connections.closeIdle();
      }
      throw error;
    }
  }

  /** Throws busy where the account would have too many with `more` of them, and none that may be closed for it. */
  #requireRoom(entry: Entry, mayEvict: boolean, more: 0 | 1): void {
    if (entry.account === undefined) return;
    const entries = ofSameAccount([...this.#entries.values()], entry);
    if (connectionCountOf(entries) + more <= MAX_CONNECTIONS_PER_ACCOUNT) return;
    if (!mayEvict || !this.#closeLongestIdle(entries)) throw tooMany();
  }

  /**
   * One of all connections, or of those of some; false when none is idle. Receivers first: a look opens them again where
   * there is room, and never at the cost of another one.
   */
  #closeLongestIdle(entries = [...this.#entries.values()]): boolean {
    const receiver = longestIdle(entries.map((each) => [each.receiver, each.receiver.idle]));
    if (receiver) {
      receiver[0].close();
      return true;
    }
    const found = longestIdle(entries.map((each) => [each.connections, each.connections.longestIdle]));
    found?.[0].evict(found[1]);
    return found !== undefined;
  }

  #sweep(): void {
    const now = Date.now();
    for (const [key, { connections, receiver }] of this.#entries) {
      connections.sweep(now);
      receiver.sweep(now);
      if (connections.isEmpty && !receiver.isOpen) this.#entries.delete(key);
    }
  }
}
