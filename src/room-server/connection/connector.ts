// Connects to the room server, a few at a time: a real one listens with a backlog of 5, and beyond it a connect to its
// unix socket fails at once (quirk Q55). A slot is held until the greeting arrives, for only then has the server
// accepted. The pool limits how many can wait here. A circuit breaker rejects callers while the server does not answer.

import { AppError } from '../../errors.ts';
import {
  FIRST_PROBE_MS,
  LAST_PROBE_MS,
  MAX_FAILURES_IN_A_ROW,
  MAX_WAIT_MS,
  REFUSED_RETRY_MS,
} from '../../limits/protocol.ts';
import { command } from '../../protocol/fields.ts';
import { type AnswerTimed, Connection, type ServerObserver } from './connection.ts';
import { stopping } from './server-errors.ts';
import { WaitingLine } from './slots.ts';
import type { ServerAddress } from './socket.ts';

const NOTHING = command('NOOP');

export class Connector {
  readonly #target: ServerAddress;
  readonly #observer: ServerObserver;
  readonly #circuit: Circuit;
  readonly #closing = new AbortController();
  /** places left */
  #free: number;
  readonly #waiting = new WaitingLine<void>();

  /** `max`: connects under way */
  constructor(target: ServerAddress, max: number, answered?: AnswerTimed) {
    this.#target = target;
    this.#circuit = new Circuit({
      probe: () => this.#probe(),
      opened: (error) => this.#waiting.failAll(error),
    });
    const { heard, failed } = this.#circuit;
    this.#observer = { answered, heard, failed };
    this.#free = max;
  }

  /**
   * A new connection that has been greeted. A connect that is refused is tried again for REFUSED_RETRY_MS
   * (socket.ts); all the waiting ends after MAX_WAIT_MS. Throws as Connection.open and `check`, and busy where no
   * place came, or the connector is closed.
   */
  async open(): Promise<Connection> {
    this.check();
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
      return await Connection.open(this.#target, patience, this.#observer);
    } catch (error) {
      // a refusal is an answer, and who is asked to end has not been asked
      if (!isAnswer(error) && !this.#closing.signal.aborted) this.#circuit.failed();
      throw error;
    } finally {
      const next = this.#waiting.next();
      if (next) next.start();
      else this.#free++;
    }
  }

  /** Throws backend_unreachable, at once, while the room server does not answer. */
  check(): void {
    this.#circuit.check();
  }

  /** The room server has answered of late, or was not asked. */
  get isAnswering(): boolean {
    return !this.#circuit.isOpen;
  }

  /** Those that wait fail. */
  close(): void {
    this.#circuit.close();
    this.#closing.abort();
    this.#waiting.failAll(stopping());
  }

  /** A connection that is greeted, and answers once. */
  async #probe(): Promise<void> {
    try {
      const connection = await Connection.open(this.#target);
      await connection.ask(NOTHING).finally(() => connection.close());
    } catch (error) {
      if (!isAnswer(error)) throw error;
    }
  }
}

/** The room server has answered, though with a refusal. */
function isAnswer(error: unknown): boolean {
  return error instanceof AppError && error.backendCode !== undefined;
}

interface CircuitHost {
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
