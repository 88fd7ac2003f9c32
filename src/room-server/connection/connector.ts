// Connects to the room server, a few at a time: a real one listens with a backlog of 5, and beyond it a connect to
// its unix socket fails at once (quirk Q55). A place is held until the greeting has come, for only then has the
// server accepted. The pool bounds how many can wait here.

import { AppError } from '../../errors.ts';
import { MAX_WAIT_MS, REFUSED_RETRY_MS } from '../../limits/protocol.ts';
import { command } from '../../protocol/fields.ts';
import { Circuit } from './circuit.ts';
import { type AnswerTimed, Connection, type ServerObserver } from './connection.ts';
import { stopping } from './connection-fault.ts';
import type { ServerAddress } from './open-socket.ts';
import { WaitingLine } from './waiting-line.ts';

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
   * (open-socket.ts); all the waiting ends after MAX_WAIT_MS. Throws as Connection.open and `check`, and busy where no
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

  /** Throws backend_unreachable, at once, while the room server does not answer (circuit.ts). */
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
