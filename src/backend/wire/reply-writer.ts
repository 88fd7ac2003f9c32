// The replies of a session on their way out: text is collected and written once a turn; streams are pulled while the
// socket accepts data.

import type { Socket } from 'node:net';
import { BACKEND_TURN_MS } from '../../limits/backend.ts';
import { STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import type { TurnQueue } from '../../system/turn-queue.ts';

/** The writing side of one socket. */
export class ReplyWriter {
  readonly #socket: Socket;
  readonly #turns: TurnQueue;
  #text = '';
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(socket: Socket, turns: TurnQueue) {
    this.#socket = socket;
    this.#turns = turns;
    socket.on('drain', () => this.#wake?.());
    socket.on('close', () => {
      this.#closed = true;
      this.#wake?.();
    });
  }

  /** not accepted by the peer yet: characters and bytes, roughly */
  get waiting(): number {
    return this.#text.length + this.#socket.writableLength;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** false: the socket is full */
  flush(): boolean {
    const text = this.#text;
    this.#text = '';
    return text === '' || this.#closed || this.#socket.write(text);
  }

  /** Sends what a corked socket holds, then corks it again. */
  push(): void {
    this.#socket.uncork();
    this.#socket.cork();
  }

  /**
   * Pulls and writes, from `next` on, until the source is empty (true), or the socket is full or the turn is over
   * (false). A source that needs long for its next piece yields empty ones meanwhile.
   */
  pull(source: Iterator<string | Buffer>, next = source.next()): boolean {
    const turnEnd = performance.now() + BACKEND_TURN_MS;
    for (; !next.done; next = source.next()) {
      if (typeof next.value === 'string') {
        this.#text += next.value;
        if (this.#text.length >= STREAM_CHUNK_BYTES && !this.flush()) return false;
      } else if (next.value.length > 0) {
        this.flush();
        if (!this.#socket.write(next.value)) return false;
      }
      if (performance.now() >= turnEnd) return false;
    }
    return true;
  }

  /** Pulls to the end as the socket drains; stops when it closes. */
  async pullRest(source: Iterator<string | Buffer>): Promise<void> {
    let worked = 0;
    for (;;) {
      await this.#taken();
      if (!this.#closed) await this.#turns.nextOfBulk(worked);
      if (this.#closed) {
        source.return?.();
        return;
      }
      const began = performance.now();
      if (this.pull(source)) return;
      worked = performance.now() - began;
    }
  }

  /** Resolves when the socket has drained or closed, and other sessions have had their turn. */
  async drained(): Promise<void> {
    await this.#taken();
    if (!this.#closed) await this.#turns.next();
  }

  async #taken(): Promise<void> {
    if (this.#closed || !this.#socket.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
