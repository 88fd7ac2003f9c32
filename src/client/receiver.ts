// The one connection of an identity that takes instant messages, for pool.ts (verbs GEXP and DEXP, spec section 18.10).
// A room server gives every session of a user a copy, and keeps it no longer than the session. All other connections of
// the pool refuse instant messages, so nothing comes twice, nothing is lost with a connection that nobody asks, and who
// writes to a user whom no receiver serves is told so.

import { CONNECTION_MAX_AGE_MS, MAX_INSTANT_MESSAGES, RECEIVER_IDLE_MS } from '../limits.ts';
import type { Answer } from '../protocol/answer.ts';
import { command } from '../protocol/fields.ts';
import { STATUS } from '../protocol/status.ts';
import type { Connection } from './connection.ts';
import { isLost, type LaneHost } from './lane.ts';
import { expectClass } from './refusal.ts';

export const REFUSE_MESSAGES = command('DEXP', 1);
const TAKE_ONE = command('GEXP');

export class Receiver {
  readonly #host: LaneHost;
  #connection: Connection | undefined;
  #taking: Promise<readonly Answer[]> | undefined;

  constructor(host: LaneHost) {
    this.#host = host;
  }

  /** The answers to GEXP, one a message, oldest first. From the first call on messages arrive. Calls at the same time share them. */
  take(): Promise<readonly Answer[]> {
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  get isOpen(): boolean {
    return this.#connection !== undefined || this.#taking !== undefined;
  }

  /** The connection, if nobody asks it at the moment. */
  get idle(): Connection | undefined {
    return this.#taking ? undefined : this.#connection;
  }

  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (!connection) return;
    connection.close();
    this.#host.closed(connection);
  }

  /** Closes it when nobody has asked for a while. */
  sweep(now: number): void {
    const { idle } = this;
    if (idle && (idle.isClosed || now - idle.lastUsed > RECEIVER_IDLE_MS)) this.close();
  }

  async #take(): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    const connection = this.#connection;
    if (connection?.isClosed === false) {
      try {
        const isOld = Date.now() - connection.openedAt > CONNECTION_MAX_AGE_MS;
        // what comes while it is replaced is refused rather than lost
        if (isOld) await connection.ask(REFUSE_MESSAGES);
        await collect(connection, answers);
        if (!isOld) return answers;
      } catch (error) {
        if (!isLost(error)) throw error;
      }
    }
    if (this.#connection === connection) this.close();
    try {
      this.#connection = await this.#host.open();
    } catch (error) {
      if (answers.length === 0) throw error;
    }
    return answers;
  }
}

async function collect(connection: Connection, answers: Answer[]): Promise<void> {
  while (answers.length < MAX_INSTANT_MESSAGES) {
    const answer = await connection.ask(TAKE_ONE);
    if (answer.code === STATUS.noSuchMessage) return;
    answers.push(expectClass(answer, 1));
  }
}
