// What a peer sends: command lines (protocol section 2), which run a verb for those who may use it, and the bodies
// after a 4xx, 7xx or 8xx reply (protocol section 4), passed to the verb that asked for them, in turns with other
// sessions.

import { MAX_COMMAND_BYTES, STREAM_CHUNK_BYTES } from '../../limits/protocol.ts';
import { dropCrBeforeLf } from '../../mime/coding/transfer.ts';
import { type ByteQueue, findEndMark, openEndMark } from '../../protocol/lines.ts';
import { STATUS } from '../../protocol/status.ts';
import { now } from '../../system/clock.ts';
import { refuseAppPassword, requireWho } from '../session/access.ts';
import {
  type BinaryReply,
  decodeWireText,
  type Owed,
  type Reply,
  statusLine,
  type TextReply,
  type TextSink,
} from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import { VERBS } from '../verbs/table.ts';

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

const NUL = 0;
const CR = 13;

/** sent by clients without their user: RWHO does not count them as activity */
const UNNOTICED_VERBS = new Set(['NOOP', 'QNOP', 'TIME', 'RWHO', 'GEXP']);

/**
 * The reply of the verb that the line names. Throws Refusal 520, 530 or 550 before it runs, and what the verb throws.
 */
export function runCommand(session: Session, bytes: Buffer): Reply | Promise<Reply> {
  const nul = bytes.indexOf(NUL);
  const line = decodeWireText(nul < 0 ? bytes : bytes.subarray(0, nul));
  const word = line.slice(0, 4).toUpperCase();
  const verb = VERBS.get(word);
  if (!verb) throw new Refusal('unsupported', 'Unrecognized or unsupported command.');
  if (!UNNOTICED_VERBS.has(word)) {
    session.lastCommand = word;
    session.lastActivity = now();
  }
  requireWho(session, verb.who);
  // An app password on an administrator's phone must not be able to delete accounts.
  if (verb.who === 'admin') refuseAppPassword(session);
  return verb.run(session, line.slice(5));
}

/** The reply for an error that a verb has thrown: a refusal, or 510 for an internal error, which is logged. */
export function refusalLine({ store, server }: Session, error: unknown): string {
  const refusal = error instanceof Refusal ? error : store.storageRefusal(error);
  if (refusal) return statusLine(refusal.code, refusal.message);
  server.onFault(error);
  return statusLine(STATUS.internal, 'Internal error.');
}

/**
 * Takes command lines off a queue that others read, too. A line is cut at MAX_COMMAND_BYTES, as a real server does, and
 * never held beyond that.
 */
export class CommandReader {
  readonly #queue: ByteQueue;
  /** the start of a line that is too long; the rest is skipped as it arrives */
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
