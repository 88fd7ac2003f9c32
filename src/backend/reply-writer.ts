// What a session of the embedded room server still has to write: collected text, written once a turn, and replies that
// are pulled while the socket takes them. Used by session.ts.

import type { Socket } from 'node:net';
import { STREAM_CHUNK_BYTES } from '../limits.ts';

export class ReplyWriter {
  readonly #socket: Socket;
  #text = '';
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('drain', () => this.#wake?.());
    socket.on('close', () => {
      this.#closed = true;
      this.#wake?.();
    });
  }

  /** what the peer has not taken yet: characters and bytes, roughly */
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

  /** Sends what a corked socket holds, and corks it again. */
  push(): void {
    this.#socket.uncork();
    this.#socket.cork();
  }

  /** Pulls and writes, from `next` on, until the socket is full (false) or the source is empty (true). */
  pull(source: Iterator<string | Buffer>, next = source.next()): boolean {
    for (; !next.done; next = source.next()) {
      if (typeof next.value === 'string') {
        this.#text += next.value;
        if (this.#text.length >= STREAM_CHUNK_BYTES && !this.flush()) return false;
      } else {
        this.flush();
        if (!this.#socket.write(next.value)) return false;
      }
    }
    return true;
  }

  /** Resolves when the socket takes more, or is closed. */
  drained(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
