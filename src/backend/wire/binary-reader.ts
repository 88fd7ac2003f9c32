// Takes the announced number of bytes of a binary transfer (7xx, protocol section 4) off the bytes that have arrived.

import type { ByteQueue } from '../../protocol/lines.ts';
import type { BinaryReply } from '../session/reply.ts';

/** The counterpart of TextReader. */
export class BinaryReader {
  readonly #reply: BinaryReply;
  #left: number;

  constructor(reply: BinaryReply) {
    this.#reply = reply;
    this.#left = reply.length;
  }

  /** Consumes what it can; true when all bytes have come. */
  read(queue: ByteQueue): boolean {
    const bytes = queue.take(this.#left);
    this.#left -= bytes.length;
    if (bytes.length > 0) this.#reply.bytes.write(bytes);
    return this.#left === 0;
  }

  end(): string {
    return this.#reply.bytes.end();
  }

  abort(): void {
    this.#reply.bytes.abort();
  }
}
