// Connects to the room server, a few at a time: a real one listens with a backlog of 5, and beyond it a connect to its
// unix socket fails at once (quirk Q55). A place is held until the greeting has come, for only then has the server
// accepted. For pool.ts, which bounds how many can wait here.

import { MAX_WAIT_MS, REFUSED_RETRY_MS } from '../limits/protocol.ts';
import { Connection } from './connection.ts';
import { stopping, tooMany } from './connection-fault.ts';
import type { Target } from './open-socket.ts';

export class Connector {
  readonly #target: Target;
  readonly #closing = new AbortController();
  /** places left */
  #free: number;
  /** a place for each, in their order */
  readonly #waiting: (() => void)[] = [];

  /** `max`: connects under way */
  constructor(target: Target, max: number) {
    this.#target = target;
    this.#free = max;
  }

  /**
   * A new connection that has been greeted. A connect that is refused is tried again for REFUSED_RETRY_MS; all the waiting
   * ends after MAX_WAIT_MS. Throws as Connection.open, and busy where no place came, or the connector is closed.
   */
  async open(): Promise<Connection> {
    const started = performance.now();
    if (this.#free === 0) await this.#place();
    else this.#free--;
    try {
      if (this.#closing.signal.aborted) throw stopping();
      const waited = performance.now() - started;
      return await Connection.open(this.#target, {
        fullMs: MAX_WAIT_MS - waited,
        refusedMs: REFUSED_RETRY_MS - waited,
        signal: this.#closing.signal,
      });
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  /** Those that wait fail. */
  close(): void {
    this.#closing.abort();
    for (const next of this.#waiting.splice(0)) next();
  }

  #place(): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        reject(tooMany());
      }, MAX_WAIT_MS);
      this.#waiting.push(next);
    });
  }
}
