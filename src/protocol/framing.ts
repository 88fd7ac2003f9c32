// Parses replies of a room server: status line, listing up to a line `000`, exactly n bytes
// (protocol sections 3 and 4). Bytes are pushed into a ByteQueue, and readers take from it. Every reader is bounded and
// throws backend_protocol, after which the connection is unusable.

import { AppError } from '../errors.ts';
import { MAX_LINE_BYTES, MAX_LISTING_BYTES, MAX_LISTING_LINES } from '../limits/protocol.ts';
import { textOfBytes } from '../system/bytes.ts';
import type { ByteQueue } from './lines.ts';
import { parseStatusLine, REPLY, replyClass, type StatusLine } from './status.ts';

const LF = 10;
const CR = 13;
const END_AT_START = Buffer.from('000\n');
const END_AFTER_LINE = Buffer.from('\n000\n');

function violation(what: string): AppError {
  return new AppError('backend_protocol', 'The room server violated the protocol.', { cause: what });
}

/** Receives an unsolicited line of the room server (9xx, protocol section 5). */
export type OnNotice = (notice: StatusLine) => void;

/** The next status line, or undefined until it is complete. Passes 9xx lines to `onNotice`. */
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
    if (!status) throw violation('not a status line');
    if (replyClass(status.code) !== REPLY.notice) return status;
    onNotice?.(status);
  }
}

/** Collects a listing as lines without LF. Keeps a CR: MSG2 lines end in CR LF, the terminator does not. */
export class ListingReader {
  readonly #lines: string[] = [];
  #bytes = 0;
  /** length of the incomplete line that was already searched for LF */
  #searched = 0;

  /** All lines, or undefined until the line `000` has arrived. */
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
    if (complete > 0) this.#add(waiting.subarray(0, complete - 1));
    queue.take(end >= 0 ? complete + 4 : complete);
    return end >= 0 ? this.#lines : undefined;
  }

  // added early: joining a long listing would keep all of it alive as long as any line
  #add(bytes: Buffer): void {
    const text = bytes.toString();
    // mail has raw 8-bit header fields, line by line
    const lines = text.includes('\ufffd')
      ? bytes
          .toString('latin1')
          .split('\n')
          .map((line) => textOfBytes(Buffer.from(line, 'latin1')))
      : text.split('\n');
    for (const line of lines) this.#lines.push(line);
    if (this.#lines.length > MAX_LISTING_LINES) throw violation('listing has too many lines');
  }
}

/** Streams a listing as raw bytes, including line ends. */
export class ListingStream {
  #atLineStart = true;

  /** Bytes of the listing, `'end'` after the line `000`, or undefined if more bytes are needed. */
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

/** `600 LENGTH|…`: the number of bytes that follow. */
export function binaryLength(status: StatusLine): number {
  const length = /^(\d{1,15})(?:\||$|\s)/.exec(status.text)?.[1];
  if (length === undefined) throw violation('no binary length');
  return Number(length);
}
