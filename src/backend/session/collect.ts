// Transfers collected in memory: a text (4xx, 8xx) up to a bound, or the announced bytes of a 7xx (protocol section 4).
// Longer ones have their own sinks.

import { isUtf8 } from 'node:buffer';
import { askBinary, type BinaryReply, type Owed, type TextSink } from './reply.ts';

const FIRST_BUFFER_BYTES = 4096;
const EMPTY: Buffer = Buffer.alloc(0);

/**
 * A sink for up to `maxBytes` of text. `done` gets it with LF line ends, or undefined if there was more: half a text
 * must not be stored, and after 4xx it can no longer be refused.
 */
export function collectText(maxBytes: number, done: (text: string | undefined) => Owed | Promise<Owed>): TextSink {
  // One buffer, because pieces may be of one byte each.
  let text = EMPTY;
  let size = 0;
  return {
    write(bytes) {
      const start = size;
      size += bytes.length;
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
    },
    end: () => done(size > maxBytes ? undefined : decodeWireText(text.subarray(0, size))),
    abort() {
      text = EMPTY;
    },
  };
}

/** Text of the wire: UTF-8 when it is, else every byte a character (ISO 8859-1). */
export function decodeWireText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** The reply `700 length`; `take` gets the bytes of a complete transfer. */
export function collected(length: number, take: (bytes: Buffer) => void): BinaryReply {
  let parts: Buffer[] = [];
  return {
    reply: askBinary(length),
    length,
    bytes: {
      write: (bytes) => void parts.push(bytes),
      end: () => {
        take(Buffer.concat(parts));
        return '';
      },
      abort: () => {
        parts = [];
      },
    },
  };
}
