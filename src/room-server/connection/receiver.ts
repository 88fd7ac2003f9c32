// The one connection of an identity that accepts instant messages (verbs GEXP, DEXP and ASYN, protocol sections 5 and
// 18.10). A room server gives a copy to every session of a user and drops it with the session. All other connections of
// the pool refuse instant messages, so none arrives twice, none is lost with a connection that nobody polls, and the
// sender learns if no receiver is open.

import { MAX_INSTANT_MESSAGES } from '../../limits/backend.ts';
import { RECEIVER_IDLE_MS } from '../../limits/protocol.ts';
import type { Answer } from '../../protocol/answer.ts';
import { command } from '../../protocol/fields.ts';
import { REPLY, STATUS } from '../../protocol/status.ts';
import type { Connection } from './connection.ts';
import { expectClass, isLost } from './server-errors.ts';

export const REFUSE_MESSAGES = command('DEXP', 1);
const ACCEPT_MESSAGES = command('DEXP', 0);
const SAY_ARRIVALS = command('ASYN', 1);
const TAKE_ONE = command('GEXP');
/** its status line says whether messages wait (protocol section 3) */
const ASK_STATE = command('NOOP');

export interface ReceiverHost {
  /** older connections are replaced */
  maxAgeMs: number;
  /** a new connection, logged in; `mayEvict`: another connection may be closed in its favour */
  open(mayEvict: boolean): Promise<Connection>;
  closed(connection: Connection): void;
}

export interface InstantListener {
  arrived(): void;
  /** the connection was lost; poll() opens another one */
  lost(): void;
  /** an event stream currently depends on it */
  isFollowed(): boolean;
}

export class Receiver {
  readonly #host: ReceiverHost;
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #taking: Promise<readonly Answer[]> | undefined;
  #listener: InstantListener | undefined;
  #isWaiting = false;

  constructor(host: ReceiverHost) {
    this.#host = host;
  }

  /** The answers to GEXP, one per message, oldest first. Messages arrive from the first call on. Concurrent calls share. */
  take(): Promise<readonly Answer[]> {
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /** undefined: nobody */
  listen(listener: InstantListener | undefined): void {
    this.#listener = listener;
  }

  /** Opens the connection if needed, and asks whether messages wait. Takes none. */
  async poll(): Promise<void> {
    if (this.#taking) return;
    const connection = await this.#open(false);
    const isOld = this.#isTooOld(connection);
    // refuses messages while it is replaced, rather than losing them
    if (isOld) await connection.ask(REFUSE_MESSAGES);
    const { hasInstantMessages } = await connection.ask(ASK_STATE);
    if (!hasInstantMessages) this.#isWaiting = false;
    else if (!this.#isWaiting) this.#noteArrival();
    if (!isOld || this.#taking) return;
    if (hasInstantMessages) {
      await connection.ask(ACCEPT_MESSAGES); // until they are taken
    } else if (this.#connection === connection) {
      this.close();
      await this.#open(false);
    }
  }

  get isOpen(): boolean {
    return this.#connection !== undefined || this.#taking !== undefined;
  }

  get isFollowed(): boolean {
    return this.#listener?.isFollowed() ?? false;
  }

  /** The connection, if it is not in use and no message would be lost with it. */
  get idle(): Connection | undefined {
    return this.#taking || this.#isWaiting ? undefined : this.#connection;
  }

  /** Closes it in favour of others. */
  evict(): void {
    this.close();
    this.#listener?.lost();
  }

  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#isWaiting = false;
    if (!connection) return;
    connection.listen(undefined);
    connection.close();
    this.#host.closed(connection);
  }

  /** Closes it when idle. */
  sweep(now: number): void {
    const connection = this.#taking ? undefined : this.#connection;
    if (connection && (connection.isClosed || now - connection.lastUsed > RECEIVER_IDLE_MS)) this.close();
  }

  #open(mayEvict: boolean): Promise<Connection> {
    const known = this.#connection;
    if (known?.isClosed === false) return Promise.resolve(known);
    this.#opening ??= this.#openAnew(mayEvict).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openAnew(mayEvict: boolean): Promise<Connection> {
    this.close();
    const connection = await this.#host.open(mayEvict);
    this.#connection = connection;
    connection.listen({ notice: () => this.#noteArrival(), closed: () => this.#listener?.lost() });
    await connection.ask(SAY_ARRIVALS); // a server without ASYN is polled
    return connection;
  }

  #noteArrival(): void {
    this.#isWaiting = true;
    this.#listener?.arrived();
  }

  async #take(): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    const connection = this.#connection;
    if (connection?.isClosed === false) {
      try {
        const isOld = this.#isTooOld(connection);
        if (isOld) await connection.ask(REFUSE_MESSAGES);
        await this.#collect(connection, answers);
        if (!isOld) return answers;
      } catch (error) {
        if (!isLost(error)) throw error;
      }
    }
    if (this.#connection === connection) this.close();
    try {
      await this.#open(true);
    } catch (error) {
      if (answers.length === 0) throw error;
    }
    return answers;
  }

  async #collect(connection: Connection, answers: Answer[]): Promise<void> {
    while (answers.length < MAX_INSTANT_MESSAGES) {
      this.#isWaiting = false; // later messages notify again
      const answer = await connection.ask(TAKE_ONE);
      if (answer.code === STATUS.noSuchMessage) return;
      answers.push(expectClass(answer, REPLY.listing));
    }
  }

  #isTooOld(connection: Connection): boolean {
    return Date.now() - connection.openedAt > this.#host.maxAgeMs;
  }
}
