// A server of a store: connects on demand, and again after a loss. While it is down, callers fail at once, and
// connection attempts are spaced with exponential backoff and jitter.

import type { AppError } from '../../errors.ts';
import type { HostPort } from '../../fleet/store-address.ts';
import { FIRST_STORE_RETRY_MS, LAST_STORE_RETRY_MS } from '../../limits/processes.ts';
import { type ConnectionSettings, type RespCommand, RespConnection, storeUnreachable } from './connection.ts';
import type { RespReply } from './reply.ts';

export class RespNode {
  readonly #locate: () => Promise<HostPort> | HostPort;
  readonly #settings: ConnectionSettings;
  #connection: RespConnection | undefined;
  #opening: Promise<RespConnection> | undefined;
  #pause = new Pause();
  #fault: AppError | undefined;
  #isClosed = false;

  /** `locate`: its current address; called before each attempt. */
  constructor(locate: () => Promise<HostPort> | HostPort, settings: ConnectionSettings) {
    this.#locate = locate;
    this.#settings = settings;
  }

  /** Throws shared_unreachable, busy. */
  async ask(command: RespCommand): Promise<RespReply> {
    return (await this.#open()).ask(command);
  }

  /** Sends two commands without others in between; returns the second reply. */
  async askBehind(first: RespCommand, second: RespCommand): Promise<RespReply> {
    const [one, two] = (await this.#open()).askAll([first, second]);
    one!.catch(() => {}); // both fail alike
    return two!;
  }

  /** The address of the current connection. */
  get at(): HostPort | undefined {
    return this.#connection?.at;
  }

  /** Disconnects from a server that is no longer responsible. */
  leave(): void {
    this.#connection?.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }

  #open(): Promise<RespConnection> {
    const current = this.#connection;
    if (current?.isClosed === false) return Promise.resolve(current);
    if (this.#isClosed) return Promise.reject(storeUnreachable(new Error('closed by us')));
    if (this.#opening) return this.#opening;
    if (this.#fault && !this.#pause.isOver) return Promise.reject(this.#fault);
    this.#opening = this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #connect(): Promise<RespConnection> {
    try {
      const connection = await RespConnection.open(await this.#locate(), this.#settings);
      if (this.#isClosed) connection.close();
      this.#connection = connection;
      this.#fault = undefined;
      this.#pause = new Pause();
      return connection;
    } catch (error) {
      this.#fault = error as AppError;
      this.#pause.begin();
      throw error;
    }
  }
}

/** Exponential backoff: twice the last delay, half of it random. */
export class Pause {
  #milliseconds = FIRST_STORE_RETRY_MS / 2;
  /** performance.now() */
  #end = 0;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Returns the delay in milliseconds. */
  begin(random = Math.random()): number {
    this.#milliseconds = Math.min(2 * this.#milliseconds, LAST_STORE_RETRY_MS);
    const drawn = this.#milliseconds * (0.5 + random / 2);
    this.#end = performance.now() + drawn;
    return drawn;
  }
}
