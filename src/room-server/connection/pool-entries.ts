// The pool's entries, one for each identity: opens connections, limits those of an account and in all, and closes idle
// ones.

import { AppError } from '../../errors.ts';
import {
  CONNECTION_IDLE_MS,
  CONNECTION_MAX_AGE_MS,
  EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT,
  EMBEDDED_MAX_CONNECTIONS_PER_IDENTITY,
  EMBEDDED_SHARE_OF_ONE,
  MAX_CONNECTING,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_OF_GUESTS,
  MAX_CONNECTIONS_PER_ACCOUNT,
  MAX_CONNECTIONS_PER_IDENTITY,
  MOST_OF_ONE,
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
import { Slots } from './slots.ts';
import type { ServerAddress } from './socket.ts';

export class PoolEntries {
  readonly #bounds: BoundsOfOne;
  readonly #maxAgeMs: number;
  readonly #slots: Slots;
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
    this.#slots = new Slots(maxConnections);
    this.#maxAgeMs = options.maxAgeMs ?? CONNECTION_MAX_AGE_MS;
    this.#identify = command('IDEN', 0, 0, clientVersion.replace(/\D+/g, ''), `${clientName} ${clientVersion}`, '');
    this.#sweeper = setInterval(() => this.#sweep(), CONNECTION_IDLE_MS / 4);
    this.#sweeper.unref();
  }

  /** The identity's entry, created if needed. Throws bad_request for a name, password or key that cannot be sent. */
  of(identity: Identity): Entry {
    const key = identityKey(identity);
    const known = this.#entries.get(key);
    if (known) return known;
    logInCommands(identity); // throws before an entry is created
    const account = identity.user === '' ? undefined : accountName(identity.user);
    const maxAgeMs = this.#maxAgeMs;
    const host = {
      // a log-in by session key is cheap for the room server
      maxAgeMs: identity.key === undefined ? maxAgeMs : Math.min(maxAgeMs, CONNECTION_MAX_AGE_MS),
      closed: () => {
        this.#slots.release();
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
      connections: new IdentityConnections(
        { ...host, open: (gone) => this.#open(identity, entry, { first: REFUSE_MESSAGES, gone }) },
        max,
      ),
      receiver: new Receiver({ ...host, open: (mayEvict) => this.#open(identity, entry, { mayEvict }) }),
    };
    this.#entries.set(key, entry);
    return entry;
  }

  /** The same. Also throws backend_unreachable while the room server does not answer. */
  reach(identity: Identity): Entry {
    this.#connector.check();
    return this.of(identity);
  }

  /** undefined if there is no entry */
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
    return { ...this.#slots.state, identities: this.#entries.size, isAnswering: this.#connector.isAnswering };
  }

  /** `sessions`: limit of the room server, for all its clients. */
  keepClearOf(sessions: number): void {
    this.#slots.keepClearOf(sessions);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    this.#connector.close();
    this.#slots.close();
    for (const { connections, receiver } of this.#entries.values()) {
      connections.shutDown();
      receiver.close();
    }
  }

  /** `first`: a command sent after the log-in. `mayEvict`: an idle connection may be closed in favour of this one. */
  async #open(
    identity: Identity,
    entry: Entry,
    { first, mayEvict = true, gone }: { first?: string; mayEvict?: boolean; gone?: AbortSignal | undefined },
  ): Promise<Connection> {
    // before it waits: an account waits for no more than it may have, and closes nothing of others for what it may not
    this.#requireRoom(entry, mayEvict, 1);
    entry.connectionCount++;
    try {
      const evict = mayEvict ? () => this.#closeLongestIdle() : undefined;
      return await this.#slots.open(evict, () => this.#openOnce(identity, entry, first, mayEvict), gone);
    } catch (error) {
      entry.connectionCount--;
      throw error;
    }
  }

  async #openOnce(identity: Identity, entry: Entry, first: string | undefined, mayEvict: boolean): Promise<Connection> {
    let connection: Connection | undefined;
    try {
      if (this.#isClosed) throw stopping();
      connection = await this.#connector.open();
      const identified = connection.ask(this.#identify);
      const loggingIn = identity.user === '' ? undefined : logIn(connection, identity);
      const prepared = loggingIn && first !== undefined ? connection.ask(first) : identified;
      // awaited below, unless the log-in fails
      for (const answer of [identified, prepared]) answer.catch(() => undefined);
      if (loggingIn) entry.loggedIn = await loggingIn;
      this.#requireRoom(entry, mayEvict, 0); // only now is the account certain
      await identified;
      await prepared;
      if (this.#isClosed) throw stopping();
      // closed after its last answer: callers would get such connections again and again
      if (connection.isClosed) throw faultError('backend_lost', 'closed after its log-in');
      return connection;
    } catch (error) {
      connection?.close();
      // the credentials are no longer valid, e.g. after a change of the password: neither are older connections
      if (error instanceof AppError && error.code === 'not_logged_in') {
        entry.loggedIn = undefined;
        entry.connections.closeIdle();
      }
      throw error;
    }
  }

  /** Throws busy if the account would have too many connections with `more` of them, and none can be closed. */
  #requireRoom(entry: Entry, mayEvict: boolean, more: 0 | 1): void {
    if (entry.account === undefined) return;
    const entries = ofSameAccount([...this.#entries.values()], entry);
    if (connectionCountOf(entries) + more <= this.#bounds.account) return;
    if (!mayEvict || !this.#closeLongestIdle(entries)) throw tooMany();
  }

  /**
   * Closes outdated connections of these entries, or else the least recently used idle one; false when none is idle.
   * Those that no event stream depends on go first: a message for a receiver would be lost while another session of the
   * user gets its copy. Receivers go before others: a poll opens them again without evicting any.
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

/** Maximum connections of an identity, an account, and all guests. */
interface BoundsOfOne {
  identity: number;
  account: number;
  guests: number;
}

function boundsOfOne(isEmbedded: boolean, maxConnections: number): BoundsOfOne {
  const share = isEmbedded ? Math.floor(maxConnections * EMBEDDED_SHARE_OF_ONE) : 0;
  const bound = (ordinary: number, own: number) =>
    Math.min(own, Math.max(ordinary, share), Math.ceil(maxConnections * MOST_OF_ONE));
  return {
    identity: bound(MAX_CONNECTIONS_PER_IDENTITY, EMBEDDED_MAX_CONNECTIONS_PER_IDENTITY),
    account: bound(MAX_CONNECTIONS_PER_ACCOUNT, EMBEDDED_MAX_CONNECTIONS_PER_ACCOUNT),
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

/** `isFollowed`: also one that an event stream depends on. */
function closeConnection(entries: readonly Entry[], isFollowed: boolean): boolean {
  const found = longestIdle(entries.map(({ connections }) => [connections, connections.longestIdle(isFollowed)]));
  found?.[0].evict(found[1]);
  return found !== undefined;
}

export interface PoolOptions {
  target: ServerAddress;
  /** sent by IDEN, for the who-is-online list */
  clientName: string;
  clientVersion: string;
  /** the room server runs in this process, so requests are cheap */
  isEmbedded?: boolean;
  /** its change counters */
  changes?: Counts | undefined;
  /** older connections are replaced */
  maxAgeMs?: number;
  maxConnections?: number;
  /** simultaneous connection attempts */
  maxConnecting?: number;
  answered?: AnswerTimed | undefined;
}

/** Numbers of connections. */
export interface PoolState {
  /** logged in */
  open: number;
  opening: number;
  /** callers waiting for a slot */
  waiting: number;
  /** limit of open and opening ones */
  max: number;
  /** entries */
  identities: number;
  /** false: the circuit is open (connector.ts) */
  isAnswering: boolean;
}

/** An identity and its connections. */
export interface Entry {
  /** unique */
  number: number;
  /** the log-in name, folded; undefined for guests */
  account: string | undefined;
  /** open or opening */
  connectionCount: number;
  connections: IdentityConnections;
  receiver: Receiver;
  loggedIn: LoggedIn | undefined;
  /** log-in in progress, shared by concurrent callers */
  loggingIn: Promise<LoggedIn> | undefined;
}

/** Compares user numbers of the room server; names if one has not logged in yet. */
export function ofSameAccount(entries: readonly Entry[], { loggedIn, account }: Entry): Entry[] {
  return entries.filter((each) =>
    loggedIn && each.loggedIn ? each.loggedIn.usernum === loggedIn.usernum : each.account === account,
  );
}

export function connectionCountOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { connectionCount }) => sum + connectionCount, 0);
}

/** The least recently used connection and its owner; undefined when none is idle. */
export function longestIdle<T>(owners: [T, Connection | undefined][]): [T, Connection] | undefined {
  const idle = owners.filter((each): each is [T, Connection] => each[1] !== undefined);
  return idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed)[0];
}
