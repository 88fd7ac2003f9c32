// One server of a store: its connection is opened when something is asked, and again after it was lost. While the
// server is down, who asks is told at once, and it is tried again ever less often, with some jitter: a thousand
// gateways do not come back in the same moment.

import type { AppError } from '../../errors.ts';
import type { HostPort } from '../../fleet/store-address.ts';
import { FIRST_STORE_RETRY_MS, LAST_STORE_RETRY_MS } from '../../limits/resp.ts';
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

  /** `locate`: where it is now; asked before each connect. */
  constructor(locate: () => Promise<HostPort> | HostPort, settings: ConnectionSettings) {
    this.#locate = locate;
    this.#settings = settings;
  }

  /** Throws shared_unreachable, busy. */
  async ask(command: RespCommand): Promise<RespReply> {
    return (await this.#open()).ask(command);
  }

  /** Two commands that nothing else comes between; answers the reply to the second. */
  async askBehind(first: RespCommand, second: RespCommand): Promise<RespReply> {
    const [one, two] = (await this.#open()).askAll([first, second]);
    one!.catch(() => {}); // both fail alike
    return two!;
  }

  /** Where the connection leads; undefined while there is none. */
  get at(): HostPort | undefined {
    return this.#connection?.at;
  }

  /** It is no longer the right one: the next question is for who is then. */
  leave(): void {
    this.#connection?.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }

  #open(): Promise<RespConnection> {
    const known = this.#connection;
    if (known?.isClosed === false) return Promise.resolve(known);
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

/** The time before the next try: twice the last one each time, of which a half is left to chance. */
export class Pause {
  #milliseconds = FIRST_STORE_RETRY_MS / 2;
  /** performance.now() */
  #end = 0;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Answers how long it is, in milliseconds. */
  begin(random = Math.random()): number {
    this.#milliseconds = Math.min(2 * this.#milliseconds, LAST_STORE_RETRY_MS);
    const drawn = this.#milliseconds * (0.5 + random / 2);
    this.#end = performance.now() + drawn;
    return drawn;
  }
}
