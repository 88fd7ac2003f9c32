// The body that a peer sends after a 4xx, 7xx or 8xx reply (protocol section 4): its bytes go to the verb that asked
// for them, in turns with the other sessions.

import { STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import { dropCrBeforeLf } from '../../mime/coding/line-ends.ts';
import { type ByteQueue, findEndMark, openEndMark } from '../../protocol/lines.ts';
import type { BinaryReply, Owed, TextReply, TextSink } from '../session/reply.ts';

/** One such transfer. */
export class Incoming {
  #bytes = 0;
  #turnBytes = 0;
  readonly #reader: TextReader | BinaryReader;
  readonly #onFault: (error: unknown) => void;

  constructor(reply: TextReply | BinaryReply, onFault: (error: unknown) => void) {
    this.#reader = 'text' in reply ? new TextReader(reply.text) : new BinaryReader(reply);
    this.#onFault = onFault;
  }

  /** Consumes what has arrived; true at the end of the body. */
  read(queue: ByteQueue): boolean {
    const waiting = queue.length;
    const isComplete = this.#reader.read(queue);
    this.#bytes += waiting - queue.length;
    this.#turnBytes += waiting - queue.length;
    return isComplete;
  }

  get isLong(): boolean {
    return this.#bytes > STREAM_CHUNK_BYTES;
  }

  /** Whether so many bytes were read since it was last true that other sessions are due. */
  endsTurn(): boolean {
    const isOver = this.#turnBytes >= STREAM_CHUNK_BYTES;
    if (isOver) this.#turnBytes = 0;
    return isOver;
  }

  end(): Owed | Promise<Owed> {
    return this.#reader.end();
  }

  /** Drops what was received. */
  abort(): void {
    try {
      this.#reader.abort();
    } catch (error) {
      this.#onFault(error);
    }
  }
}

/** Takes the announced number of bytes of a 7xx off the queue. */
export class BinaryReader {
  readonly #reply: BinaryReply;
  #left: number;

  constructor(reply: BinaryReply) {
    this.#reply = reply;
    this.#left = reply.length;
  }

  /** Consumes what has arrived; true when complete. */
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

const CR = 13;

const EMPTY: Buffer = Buffer.alloc(0);

/**
 * Takes a text (4xx, 8xx) off the queue and passes it on with LF line ends. Its pieces may begin and end anywhere: a
 * text may have as many lines as bytes, and a line may have any length. Only a line that is exactly `000` ends it.
 */
export class TextReader {
  readonly #sink: TextSink;
  /** may still become the line `000`, or a CR whose LF has not arrived */
  #held: Buffer = EMPTY;
  /** #held, or else the next byte, begins a line */
  #atLineStart = true;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Consumes what has arrived; true when the line `000` was consumed. */
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

  /** Holds the undecided end of the bytes. Returns how many precede it. */
  #hold(bytes: Buffer): number {
    const open = openEndMark(bytes, this.#atLineStart);
    const count = open ?? (bytes[bytes.length - 1] === CR ? 1 : 0);
    // copied, because the socket's buffer is large
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
