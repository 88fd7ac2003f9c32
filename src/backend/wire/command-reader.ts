// Takes command lines off the bytes that have arrived (protocol section 2). A line is cut at MAX_COMMAND_BYTES, as a
// real server does, and never held beyond that.

import { MAX_COMMAND_BYTES } from '../../limits/protocol.ts';
import type { ByteQueue } from '../../protocol/lines.ts';

const CR = 13;

/** Reads from a queue that others read from, too. */
export class CommandReader {
  readonly #queue: ByteQueue;
  /** first bytes of a line that is too long; the rest is being skipped */
  #cutLine: Buffer | undefined;

  constructor(queue: ByteQueue) {
    this.#queue = queue;
  }

  /** The next line without its end; undefined until it has arrived. */
  next(): Buffer | undefined {
    if (this.#cutLine) return this.#skipToEnd(this.#cutLine);
    const line = this.#queue.line();
    if (line) {
      const whole = line.at(-1) === CR ? line.subarray(0, -1) : line;
      return whole.subarray(0, MAX_COMMAND_BYTES);
    }
    // One more than the bound, because a CR before the LF does not count.
    if (this.#queue.length <= MAX_COMMAND_BYTES + 1) return undefined;
    return this.#skipToEnd(Buffer.from(this.#queue.take(MAX_COMMAND_BYTES)));
  }

  #skipToEnd(line: Buffer): Buffer | undefined {
    for (let piece = this.#queue.piece(); piece; piece = this.#queue.piece()) {
      if (!piece.ended) continue;
      this.#cutLine = undefined;
      return line;
    }
    this.#cutLine = line;
    return undefined;
  }
}
