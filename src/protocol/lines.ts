// A buffer for received bytes, consumed as lines, pieces of lines or raw bytes; and the terminator `000`.

import { appended } from '../system/bytes.ts';

const LF = 10;
const EMPTY = Buffer.alloc(0);

export interface LinePiece {
  bytes: Buffer;
  /** the piece ends with LF, which was removed */
  ended: boolean;
}

export class ByteQueue {
  #bytes: Buffer = EMPTY;
  #start = 0;
  /** searched for LF up to here */
  #searched = 0;

  /** bytes available */
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

  /** The next complete line without LF (a CR stays), or undefined. */
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

  /** The next line or the available part of it, for lines of any length; undefined if nothing is available. */
  piece(): LinePiece | undefined {
    const line = this.line();
    if (line) return { bytes: line, ended: true };
    return this.length === 0 ? undefined : { bytes: this.take(this.length), ended: false };
  }

  /** The available bytes, not consumed. */
  view(): Buffer {
    return this.#bytes.subarray(this.#start);
  }

  /** Consumes up to `count` bytes. */
  take(count: number): Buffer {
    const end = Math.min(this.#start + count, this.#bytes.length);
    const bytes = this.#bytes.subarray(this.#start, end);
    this.#start = end;
    return bytes;
  }
}

const CR = 13;
const ZERO = 48;
/** with an optional CR before the LF */
const MARK = Buffer.from('000\r');

interface EndMark {
  start: number;
  /** start of the next line */
  next: number;
}

/** The first complete line `000` (protocol section 4) at or after `from`. `beginsLine`: a line starts at `from`. */
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
 * Number of bytes at the end that may be the start of a line `000`: 0 if the next byte starts a line, undefined if the
 * current line is something else. `beginsLine`: the bytes start with a line.
 */
export function openEndMark(bytes: Buffer, beginsLine: boolean): number | undefined {
  const lastLine = bytes.lastIndexOf(LF) + 1;
  if (lastLine === 0 && !beginsLine) return undefined;
  const line = bytes.subarray(lastLine);
  return line.length <= MARK.length && MARK.subarray(0, line.length).equals(line) ? line.length : undefined;
}
