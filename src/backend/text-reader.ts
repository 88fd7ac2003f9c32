// Takes the lines of a text transfer (4xx and 8xx, spec section 4) off the bytes that have arrived and hands them on in
// pieces, so that a line may have any length. Only a whole line `000` ends the text. Used by session.ts.

import { isUtf8 } from 'node:buffer';
import type { ByteQueue } from '../protocol/lines.ts';
import type { Owed, TextSink } from './verb.ts';

const LF = 10;
const CR = 13;
const FIRST_BUFFER_BYTES = 4096;
const EMPTY: Buffer = Buffer.alloc(0);
const TERMINATOR = '000';

export class TextReader {
  readonly #sink: TextSink;
  /** what may still turn out to be the line `000`, or a CR whose LF has not come */
  #held: Buffer = EMPTY;
  #atLineStart = true;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Consumes what it can; true when the line `000` came (the queue then stands behind it). */
  read(queue: ByteQueue): boolean {
    for (let piece = queue.piece(); piece; piece = queue.piece()) {
      let bytes = piece.bytes;
      if (this.#held.length > 0) {
        bytes = Buffer.concat([this.#held, bytes]);
        this.#held = EMPTY;
      }
      if (piece.ended) {
        if (bytes.at(-1) === CR) bytes = bytes.subarray(0, -1);
        if (this.#atLineStart && bytes.length === TERMINATOR.length && bytes.toString('latin1') === TERMINATOR)
          return true;
        this.#sink.piece(bytes, true);
        this.#atLineStart = true;
      } else if (this.#atLineStart && bytes.length <= 4 && `${TERMINATOR}\r`.startsWith(bytes.toString('latin1'))) {
        this.#held = Buffer.from(bytes);
      } else {
        if (bytes.at(-1) === CR) {
          this.#held = Buffer.from([CR]);
          bytes = bytes.subarray(0, -1);
        }
        if (bytes.length > 0) this.#sink.piece(bytes, false);
        this.#atLineStart = false;
      }
    }
    return false;
  }

  abort(): void {
    this.#sink.abort();
  }

  end(): ReturnType<TextSink['end']> {
    return this.#sink.end();
  }
}

/**
 * A sink that keeps up to `maxBytes` of text in memory. `done` gets it with LF line ends, or undefined when there was
 * more: the peer is past the point where a 4xx text could be refused, so half of it must not be stored.
 */
export function collectText(maxBytes: number, done: (text: string | undefined) => Owed | Promise<Owed>): TextSink {
  // One buffer, not one for each piece: a text may have as many lines as bytes.
  let text = EMPTY;
  let size = 0;
  return {
    piece(bytes, ended) {
      const start = size;
      size += bytes.length + (ended ? 1 : 0);
      if (size > maxBytes) {
        text = EMPTY;
        return;
      }
      if (size > text.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(FIRST_BUFFER_BYTES, size * 2), maxBytes));
        text.copy(larger, 0, 0, start);
        text = larger;
      }
      bytes.copy(text, start);
      if (ended) text[size - 1] = LF;
    },
    end: () => done(size > maxBytes ? undefined : decodeText(text.subarray(0, size))),
    abort() {
      text = EMPTY;
    },
  };
}

/** Text of the wire: UTF-8 when it is, else every byte a character (ISO 8859-1). */
export function decodeText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Stored text as lines of a listing, the last one ended; a line `000` gets a blank in front, for nothing escapes it. */
export function listingText(text: string): string {
  if (text === '') return '';
  const ended = text.endsWith('\n') ? text : `${text}\n`;
  return ended.replace(/^000(?=\r?\n)/gm, ' 000');
}
