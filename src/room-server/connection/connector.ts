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
  /** free slots */
  #free: number;
  readonly #waiting = new WaitingLine<void>();

  /** `max`: simultaneous connection attempts */
  constructor(target: ServerAddress, max: number, answered?: AnswerTimed) {
    this.#target = target;
    this.#circuit = new Circuit({ probe: () => this.#probe(), opened: (error) => this.#waiting.failAll(error) });
    const { heard, failed } = this.#circuit;
    this.#observer = { answered, heard, failed };
    this.#free = max;
  }

  /**
   * A new connection that has received its greeting. A refused connect is retried for REFUSED_RETRY_MS. Waits at most
   * MAX_WAIT_MS in all. Throws as Connection.open and `check`, and busy if no slot came free or the connector is closed.
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
      // a refusal is an answer; an attempt cancelled by close() does not count
      if (!isAnswer(error) && !this.#closing.signal.aborted) this.#circuit.failed();
      throw error;
    } finally {
      const next = this.#waiting.next();
      if (next) next.start();
      else this.#free++;
    }
  }

  /** Throws backend_unreachable while the circuit is open. */
  check(): void {
    this.#circuit.check();
  }

  get isAnswering(): boolean {
    return !this.#circuit.isOpen;
  }

  /** Waiting callers fail. */
  close(): void {
    this.#circuit.close();
    this.#closing.abort();
    this.#waiting.failAll(stopping());
  }

  async #probe(): Promise<void> {
    try {
      const connection = await Connection.open(this.#target);
      await connection.ask(NOTHING).finally(() => connection.close());
    } catch (error) {
      if (!isAnswer(error)) throw error;
    }
  }
}

/** An error that is a refusal of the room server. */
function isAnswer(error: unknown): boolean {
  return error instanceof AppError && error.backendCode !== undefined;
}

interface CircuitHost {
  /** Resolves when the room server has answered; rejects if it does not. */
  probe(): Promise<unknown>;
  /** The circuit has opened. */
  opened(error: AppError): void;
}

/** A circuit breaker: after several failures in a row only one probe at a time asks the room server. */
export class Circuit {
  readonly #host: CircuitHost;
  /** since the room server last sent something */
  #failures = 0;
  #isOpen = false;
  /** delay of the next probe */
  #pause = FIRST_PROBE_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: CircuitHost) {
    this.#host = host;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Throws backend_unreachable, with Retry-After, while the circuit is open. */
  check(): void {
    if (this.#isOpen) throw silent();
  }

  /** The room server has sent something. */
  readonly heard = (): void => {
    this.#failures = 0;
    if (this.#isOpen) this.close();
  };

  /** A connection attempt failed, or an answer did not arrive in time. */
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
  const text = 'The room server does not answer. The next attempt is within a second.';
  return new AppError('backend_unreachable', text, { retryAfterSeconds });
}
