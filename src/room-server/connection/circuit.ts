// A circuit breaker: a room server that has failed too often in a row is not asked any more, and those who ask are told
// so at once. It is asked by one probe at a time whether it answers again.

import { AppError } from '../../errors.ts';
import { FIRST_PROBE_MS, LAST_PROBE_MS, MAX_FAILURES_IN_A_ROW } from '../../limits/protocol.ts';

export interface CircuitHost {
  /** Resolves when the room server has answered; rejects where it does not. */
  probe(): Promise<unknown>;
  /** The circuit opens: who waits for a connection fails with this. */
  opened(error: AppError): void;
}

export class Circuit {
  readonly #host: CircuitHost;
  /** since something came from the room server */
  #failures = 0;
  #isOpen = false;
  /** before the next probe, in milliseconds */
  #pause = FIRST_PROBE_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: CircuitHost) {
    this.#host = host;
  }

  /** The room server is not asked. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Throws backend_unreachable, with Retry-After, while the circuit is open. */
  check(): void {
    if (this.#isOpen) throw silent();
  }

  /** Something has come from the room server. */
  readonly heard = (): void => {
    this.#failures = 0;
    if (this.#isOpen) this.close();
  };

  /** A connection could not be made, or an answer has not come in time. */
  readonly failed = (): void => {
    this.#failures++;
    if (this.#isOpen || this.#failures < MAX_FAILURES_IN_A_ROW) return;
    this.#isOpen = true;
    this.#pause = FIRST_PROBE_MS;
    this.#probeLater();
    this.#host.opened(silent());
  };

  /** Ends the probes. */
  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
  }

  #probeLater(): void {
    this.#timer = setTimeout(() => this.#probe(), this.#pause).unref();
    this.#pause = Math.min(2 * this.#pause, LAST_PROBE_MS);
  }

  async #probe(): Promise<void> {
    try {
      await this.#host.probe();
      this.heard();
    } catch {
      if (this.#isOpen) this.#probeLater();
    }
  }
}

function silent(): AppError {
  const retryAfterSeconds = Math.ceil(LAST_PROBE_MS / 1000);
  const text = 'The room server does not answer. It is asked again within a second.';
  return new AppError('backend_unreachable', text, { retryAfterSeconds });
}
