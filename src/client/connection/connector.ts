// Connects to the room server, a few at a time: a real one listens with a backlog of 5, and beyond it a connect to
// its unix socket fails at once (quirk Q55). A place is held until the greeting has come, for only then has the
// server accepted. The pool bounds how many can wait here.

import { MAX_WAIT_MS, REFUSED_RETRY_MS } from '../../limits/protocol.ts';
import { type AnswerTimed, Connection } from './connection.ts';
import { stopping } from './connection-fault.ts';
import type { ServerAddress } from './open-socket.ts';
import { WaitingLine } from './waiting-line.ts';

export class Connector {
  readonly #target: ServerAddress;
  readonly #answered: AnswerTimed | undefined;
  readonly #closing = new AbortController();
  /** places left */
  #free: number;
  readonly #waiting = new WaitingLine<void>();

  /** `max`: connects under way */
  constructor(target: ServerAddress, max: number, answered?: AnswerTimed) {
    this.#target = target;
    this.#answered = answered;
    this.#free = max;
  }

  /**
   * A new connection that has been greeted. A connect that is refused is tried again for REFUSED_RETRY_MS
   * (open-socket.ts); all the waiting ends after MAX_WAIT_MS. Throws as Connection.open, and busy where no place came,
   * or the connector is closed.
   */
  async open(): Promise<Connection> {
    const started = performance.now();
    if (this.#free === 0) await this.#waiting.wait();
    else this.#free--;
    try {
      if (this.#closing.signal.aborted) throw stopping();
      const waited = performance.now() - started;
      const patience = {
        fullMs: MAX_WAIT_MS - waited,
        refusedMs: REFUSED_RETRY_MS - waited,
        signal: this.#closing.signal,
      };
      return await Connection.open(this.#target, patience, this.#answered);
    } finally {
      const next = this.#waiting.next();
      if (next) next.start();
      else this.#free++;
    }
  }

  /** Those that wait fail. */
  close(): void {
    this.#closing.abort();
    this.#waiting.failAll(stopping());
  }
}
