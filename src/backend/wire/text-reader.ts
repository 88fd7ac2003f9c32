// Takes a text transfer (4xx and 8xx, protocol section 4) off the bytes that have arrived and hands it on with LF line
// ends, in pieces that keep to no lines: it may have as many lines as bytes, and a line any length. Only a whole line
// `000` ends it.

import { dropCrBeforeLf } from '../../mime/coding/line-ends.ts';
import { type ByteQueue, findEndMark, openEndMark } from '../../protocol/lines.ts';
import type { TextSink } from '../session/reply.ts';

const CR = 13;
const EMPTY: Buffer = Buffer.alloc(0);

/** Reads one text. */
export class TextReader {
  readonly #sink: TextSink;
  /** what may still turn out to be the line `000`, or a CR whose LF has not come */
  #held: Buffer = EMPTY;
  /** #held, or what comes next, begins a line */
  #atLineStart = true;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Consumes what it can; true when the line `000` came (the queue then stands behind it). */
  read(queue: ByteQueue): boolean {
    const waiting = queue.view();
    if (waiting.length === 0) return false;
    const held = this.#held;
    const bytes = held.length > 0 ? Buffer.concat([held, waiting]) : waiting;
    const end = findEndMark(bytes, 0, this.#atLineStart);
    const taken = end ? end.start : this.#hold(bytes);
    const text = dropCrBeforeLf(bytes.subarray(0, taken));
    if (text.length > 0) this.#sink.write(text);
    queue.take(end ? end.next - held.length : waiting.length);
    return end !== undefined;
  }

  /** Keeps what cannot be told yet from the end of the bytes; answers how many are before it. */
  #hold(bytes: Buffer): number {
    const open = openEndMark(bytes, this.#atLineStart);
    const count = open ?? (bytes[bytes.length - 1] === CR ? 1 : 0);
    // a copy: the socket's buffer is large
    this.#held = count === 0 ? EMPTY : Buffer.from(bytes.subarray(bytes.length - count));
    this.#atLineStart = open !== undefined;
    return bytes.length - count;
  }

  abort(): void {
    this.#sink.abort();
  }

  end(): ReturnType<TextSink['end']> {
    return this.#sink.end();
  }
}
