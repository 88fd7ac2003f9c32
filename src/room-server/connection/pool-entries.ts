// The pool's entries, one for each identity: opens connections, limits those of an account and in all, and closes idle
// ones.

import { AppError } from '../../errors.ts';
import {
  CONNECTION_IDLE_MS,
  CONNECTION_MAX_AGE_MS,
  MAX_CONNECTING,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_OF_GUESTS,
  MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_CONNECTIONS_PER_IDENTITY,
  MOST_OF_ONE,
  OWN_MAX_CONNECTIONS_PER_ACCOUNT,
  OWN_MAX_CONNECTIONS_PER_IDENTITY,
  OWN_SHARE_OF_ONE,
} from '../../limits/protocol.ts';
import type { LoggedIn } from '../../model.ts';
import { command } from '../../protocol/fields.ts';
import { accountName } from '../../protocol/names.ts';
import type { Counts } from '../../system/change-counts.ts';
import type { AnswerTimed, Connection } from './connection.ts';
import { Connector } from './connector.ts';
import { type Identity, identityKey, logIn, logInCommands } from './identity.ts';
import { IdentityConnections } from './identity-connections.ts';
import { REFUSE_MESSAGES, Receiver } from './receiver.ts';
import { faultError, stopping, tooMany } from './server-errors.ts';
import { Places } from './slots.ts';
import type { ServerAddress } from './socket.ts';

export class PoolEntries {
  readonly #bounds: BoundsOfOne;
  readonly #maxAgeMs: number;
  readonly #places: Places;
  readonly #connector: Connector;
  readonly #identify: string;
  readonly #entries = new Map<string, Entry>();
  readonly #sweeper: NodeJS.Timeout;
  #made = 0;
  #isClosed = false;

  constructor({ target, clientName, clientVersion, isEmbedded = false, ...options }: PoolOptions) {
    const maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
    this.#bounds = boundsOfOne(isEmbedded, maxConnections);
    this.#connector = new Connector(target, options.maxConnecting ?? MAX_CONNECTING, options.answered);
    this.#places = new Places(maxConnections);
    this.#maxAgeMs = options.maxAgeMs ?? CONNECTION_MAX_AGE_MS;
    this.#identify = command('IDEN', 0, 0, clientVersion.replace(/\D+/g, ''), `${clientName} ${clientVersion}`, '');
    this.#sweeper = setInterval(() => this.#sweep(), CONNECTION_IDLE_MS / 4);
    this.#sweeper.unref();
  }

  /** What is kept of this identity. Throws bad_request for a name, password or key that cannot be sent. */
  of(identity: Identity): Entry {
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
    const max = account === undefined ? this.#bounds.guests : this.#bounds.identity;
    const entry: Entry = {
      number: ++this.#made,
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

  /** The same, to ask the room server. Throws backend_unreachable, too, while it does not answer. */
  reach(identity: Identity): Entry {
    this.#connector.check();
    return this.of(identity);
  }

  /** undefined where nothing is kept of it */
  known(identity: Identity): Entry | undefined {
    return this.#entries.get(identityKey(identity));
  }

  /** As Pool.forget. */
  forget(usernum: number | undefined): void {
    for (const entry of this.#entries.values()) {
      if (usernum !== undefined && entry.loggedIn?.usernum !== usernum) continue;
      entry.loggedIn = undefined;
      entry.connections.renew();
      entry.receiver.close();
    }
  }

  get state(): PoolState {
    return { ...this.#places.state, identities: this.#entries.size, isAnswering: this.#connector.isAnswering };
  }

  /** `sessions`: what the room server takes at most, others' included. */
  keepClearOf(sessions: number): void {
    this.#places.keepClearOf(sessions);
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
      const identified = connection.ask(this.#identify);
      const loggingIn = identity.user === '' ? undefined : logIn(connection, identity);
      const prepared = loggingIn && first !== undefined ? connection.ask(first) : identified;
      // awaited below, unless the log-in fails
      for (const answer of [identified, prepared]) answer.catch(() => undefined);
      if (loggingIn) entry.loggedIn = await loggingIn;
      this.#requireRoom(entry, mayEvict, 0); // whose it is has been a guess until now
      await identified;
      await prepared;
      if (this.#isClosed) throw stopping();
      // closed behind its last answer: whoever waits would be given such a one again and again
      if (connection.isClosed) throw faultError('backend_lost', 'closed behind its log-in');
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
    if (connectionCountOf(entries) + more <= this.#bounds.account) return;
    if (!mayEvict || !this.#closeLongestIdle(entries)) throw tooMany();
  }

  /**
   * One of all connections, or of those of some, or more that are of no use any more, such as those that the room
   * server has closed; false when none is idle. What nobody follows goes first: a message that came for a receiver of
   * which a stream tells would be lost while another session of the user gets its copy. Receivers go before the others:
   * a look opens them again where there is room, and never at the cost of another one.
   */
  #closeLongestIdle(entries = [...this.#entries.values()]): boolean {
    const count = connectionCountOf(entries);
    sweepAll(entries);
    if (connectionCountOf(entries) < count) return true;
    return [false, true].some(
      (isFollowed) => closeReceiver(entries, isFollowed) || closeConnection(entries, isFollowed),
    );
  }

  #sweep(): void {
    sweepAll(this.#entries.values());
    for (const [key, { connections, receiver }] of this.#entries) {
      if (connections.isEmpty && !receiver.isOpen) this.#entries.delete(key);
    }
  }
}

/** Connections that an identity, an account, or all guests may have. */
interface BoundsOfOne {
  identity: number;
  account: number;
  guests: number;
}

function boundsOfOne(isEmbedded: boolean, maxConnections: number): BoundsOfOne {
  const share = isEmbedded ? Math.floor(maxConnections * OWN_SHARE_OF_ONE) : 0;
  const bound = (ordinary: number, own: number) =>
    Math.min(own, Math.max(ordinary, share), Math.ceil(maxConnections * MOST_OF_ONE));
  return {
    identity: bound(MAX_CONNECTIONS_PER_IDENTITY, OWN_MAX_CONNECTIONS_PER_IDENTITY),
    account: bound(MAX_CONNECTIONS_PER_ACCOUNT, OWN_MAX_CONNECTIONS_PER_ACCOUNT),
    guests: bound(MAX_CONNECTIONS_OF_GUESTS, MAX_CONNECTIONS_OF_GUESTS),
  };
}

function sweepAll(entries: Iterable<Entry>): void {
  const now = Date.now();
  for (const { connections, receiver } of entries) {
    connections.sweep(now);
    receiver.sweep(now);
  }
}

function closeReceiver(entries: readonly Entry[], isFollowed: boolean): boolean {
  const some = entries.filter(({ receiver }) => receiver.isFollowed === isFollowed);
  const found = longestIdle(some.map(({ receiver }) => [receiver, receiver.idle]));
  found?.[0].evict();
  return found !== undefined;
}

/** `isFollowed`: also one whose notices somebody is told of. */
function closeConnection(entries: readonly Entry[], isFollowed: boolean): boolean {
  const found = longestIdle(entries.map(({ connections }) => [connections, connections.longestIdle(isFollowed)]));
  found?.[0].evict(found[1]);
  return found !== undefined;
}

export interface PoolOptions {
  target: ServerAddress;
  /** told to the room server by IDEN, for its who-is-online list */
  clientName: string;
  clientVersion: string;
  /** the room server is Vestibule's, in this process: whatever is asked of it is cheap */
  isEmbedded?: boolean;
  /** it counts them here */
  changes?: Counts | undefined;
  /** after so long a connection logs in anew */
  maxAgeMs?: number;
  /** in all */
  maxConnections?: number;
  /** connects under way at once */
  maxConnecting?: number;
  answered?: AnswerTimed | undefined;
}

/** Counts of connections, and of identities that something is kept of. */
export interface PoolState {
  /** logged in */
  open: number;
  /** being opened */
  opening: number;
  /** callers who wait for a place */
  waiting: number;
  /** that may be open or opening */
  max: number;
  identities: number;
  /** false: it has failed so often in a row that it is not asked */
  isAnswering: boolean;
}

/** The connections of an identity and who it is. */
export interface Entry {
  /** no other entry has or has had it */
  number: number;
  /** the name that it logs in with, folded; undefined for guests */
  account: string | undefined;
  /** open or opening */
  connectionCount: number;
  connections: IdentityConnections;
  receiver: Receiver;
  loggedIn: LoggedIn | undefined;
  /** under way for all who ask at the same moment */
  loggingIn: Promise<LoggedIn> | undefined;
}

/** By the room server's own number of the user; by the names where one has not logged in yet. */
export function ofSameAccount(entries: readonly Entry[], { loggedIn, account }: Entry): Entry[] {
  return entries.filter((each) =>
    loggedIn && each.loggedIn ? each.loggedIn.usernum === loggedIn.usernum : each.account === account,
  );
}

export function connectionCountOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { connectionCount }) => sum + connectionCount, 0);
}

/** The connection that nobody has used for the longest time, and whose it is; undefined when none is idle. */
export function longestIdle<T>(owners: [T, Connection | undefined][]): [T, Connection] | undefined {
  const idle = owners.filter((each): each is [T, Connection] => each[1] !== undefined);
  return idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed)[0];
}
