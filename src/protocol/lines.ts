// Bytes that have arrived on a stream and are not yet consumed, taken as lines, as pieces of lines or as raw bytes.
// Pure and incremental. It never holds more than one unfinished line.

import { appended } from '../system/bytes.ts';

const LF = 10;
const EMPTY = Buffer.alloc(0);

export interface LinePiece {
  bytes: Buffer;
  /** the LF came: this piece ends the line */
  ended: boolean;
}

export class ByteQueue {
  #bytes: Buffer = EMPTY;
  #start = 0;
  /** first position that has not been searched for LF yet */
  #searched = 0;

  /** bytes waiting */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  push(chunk: Buffer): void {
    if (this.length === 0) {
      this.#bytes = chunk;
      this.#searched = 0;
    } else {
      this.#searched -= this.#start;
      this.#bytes = appended(this.#bytes.subarray(this.#start), chunk);
    }
    this.#start = 0;
  }

  /** The next whole line without its LF (a CR before it is kept); undefined while it has not ended. */
  line(): Buffer | undefined {
    const end = this.#bytes.indexOf(LF, Math.max(this.#searched, this.#start));
    if (end < 0) {
      this.#searched = this.#bytes.length;
      return undefined;
    }
    const line = this.#bytes.subarray(this.#start, end);
    this.#start = end + 1;
    return line;
  }

  /** The next line, or what has come of it: for text whose lines may have any length. undefined when nothing waits. */
  piece(): LinePiece | undefined {
    const line = this.line();
    if (line) return { bytes: line, ended: true };
    return this.length === 0 ? undefined : { bytes: this.take(this.length), ended: false };
  }

  /** The waiting bytes, not consumed. */
  view(): Buffer {
    return this.#bytes.subarray(this.#start);
  }

  /** Up to `count` of the waiting bytes. */
  take(count: number): Buffer {
    const end = Math.min(this.#start + count, this.#bytes.length);
    const bytes = this.#bytes.subarray(this.#start, end);
    this.#start = end;
    return bytes;
  }
}

const CR = 13;
const ZERO = 48;
/** with the CR that a peer may send before the LF */
const MARK = Buffer.from('000\r');

interface EndMark {
  start: number;
  /** where the line behind it begins */
  next: number;
}

/** The first line `000` from `from` on that has ended, with or without CR. `beginsLine`: a line begins at `from`. */
export function findEndMark(bytes: Buffer, from: number, beginsLine: boolean): EndMark | undefined {
  for (let at = beginsLine ? from - 1 : from; at < bytes.length; at++) {
    if (at >= from && bytes[at] !== LF) continue;
    if (bytes[at + 1] !== ZERO || bytes[at + 2] !== ZERO || bytes[at + 3] !== ZERO) continue;
    const lf = bytes[at + 4] === CR ? at + 5 : at + 4;
    if (bytes[lf] === LF) return { start: at + 1, next: lf + 1 };
  }
  return undefined;
}

/**
 * How many bytes at the end are a line that may become `000` when more comes: 0 where the next byte begins a line,
 * undefined where it goes on with one that is something else. `beginsLine`: the bytes begin a line.
 */
export function openEndMark(bytes: Buffer, beginsLine: boolean): number | undefined {
  const lastLine = bytes.lastIndexOf(LF) + 1;
  if (lastLine === 0 && !beginsLine) return undefined;
  const line = bytes.subarray(lastLine);
  return line.length <= MARK.length && MARK.subarray(0, line.length).equals(line) ? line.length : undefined;
}
