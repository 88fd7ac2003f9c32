// Replies as they come from a room server: status line, listing up to a line `000`, exactly-n binary
// (protocol sections 3 and 4). Pure: bytes are pushed into a ByteQueue, readers take from it. The peer is never
// trusted: every reader is bounded and throws backend_protocol, after which nothing more can be read from that
// connection.

import { AppError } from '../errors.ts';
import { MAX_LINE_BYTES, MAX_LISTING_BYTES, MAX_LISTING_LINES } from '../limits/protocol.ts';
import type { ByteQueue } from './lines.ts';
import { parseStatusLine, REPLY, replyClass, type StatusLine } from './status.ts';

const LF = 10;
const CR = 13;
const END_AT_START = Buffer.from('000\n');
const END_AFTER_LINE = Buffer.from('\n000\n');

function violation(what: string): AppError {
  return new AppError('backend_protocol', 'The room server sent something that cannot be understood.', { cause: what });
}

/** Takes a line that the room server sends without being asked (9xx, protocol section 5). */
export type OnNotice = (notice: StatusLine) => void;

/** The next status line; undefined while it has not ended. Asynchronous 9xx lines go to `onNotice`, if there is one. */
export function readStatus(queue: ByteQueue, onNotice?: OnNotice): StatusLine | undefined {
  for (;;) {
    const line = queue.line();
    if (!line) {
      if (queue.length > MAX_LINE_BYTES) throw violation('status line too long');
      return undefined;
    }
    if (line.length > MAX_LINE_BYTES) throw violation('status line too long');
    const end = line[line.length - 1] === CR ? line.length - 1 : line.length;
    const status = parseStatusLine(line.toString('utf8', 0, end));
    if (!status) throw violation('no status line');
    if (replyClass(status.code) !== REPLY.notice) return status;
    onNotice?.(status);
  }
}

/**
 * Collects a listing as text lines without their LF; a CR before it is kept (MSG2 lines end in CR LF, the end does
 * not).
 */
export class ListingReader {
  readonly #lines: string[] = [];
  #bytes = 0;
  /** of what waits: so many bytes are the beginning of a line, and hold no LF */
  #searched = 0;

  /** All lines once the line `000` has come; undefined before. */
  read(queue: ByteQueue): string[] | undefined {
    const waiting = queue.view();
    if (waiting.length >= 4 && waiting.subarray(0, 4).equals(END_AT_START)) {
      queue.take(4);
      return this.#lines;
    }
    const end = waiting.indexOf(END_AFTER_LINE, this.#searched);
    const lastLf = end >= 0 ? end : waiting.subarray(this.#searched).lastIndexOf(LF) + this.#searched;
    const complete = end >= 0 || lastLf >= this.#searched ? lastLf + 1 : 0;
    this.#searched = waiting.length - complete;
    this.#bytes += complete;
    if (this.#bytes > MAX_LISTING_BYTES) throw violation('listing too long');
    if (waiting.length - complete > MAX_LINE_BYTES && end < 0) throw violation('listing line too long');
    if (complete > 0) this.#add(waiting.toString('utf8', 0, complete - 1));
    queue.take(end >= 0 ? complete + 4 : complete);
    return end >= 0 ? this.#lines : undefined;
  }

  // as they come: the text of a long listing would lie in one piece as long as any of its lines
  #add(text: string): void {
    for (const line of text.split('\n')) this.#lines.push(line);
    if (this.#lines.length > MAX_LISTING_LINES) throw violation('listing has too many lines');
  }
}

/** Passes a listing of any size on as raw bytes, line ends included, up to its end. */
export class ListingStream {
  #atLineStart = true;

  /** Bytes of the listing; `'end'` when the line `000` has come; undefined when more must arrive first. */
  read(queue: ByteQueue): Buffer | 'end' | undefined {
    const waiting = queue.view();
    if (this.#atLineStart) {
      if (waiting.length < 4 && END_AT_START.subarray(0, waiting.length).equals(waiting)) return undefined;
      if (waiting.subarray(0, 4).equals(END_AT_START)) {
        queue.take(4);
        return 'end';
      }
    }
    if (waiting.length === 0) return undefined;
    const end = waiting.indexOf(END_AFTER_LINE);
    const lineEnd = end >= 0 ? end + 1 : waiting.lastIndexOf(LF) + 1;
    this.#atLineStart = lineEnd > 0;
    return queue.take(lineEnd > 0 ? lineEnd : waiting.length);
  }
}

/** `600 LENGTH|…`: the number of bytes that follow. Throws for what is no length. */
export function binaryLength(status: StatusLine): number {
  const length = /^(\d{1,15})(?:\||$|\s)/.exec(status.text)?.[1];
  if (length === undefined) throw violation('no binary length');
  return Number(length);
}
