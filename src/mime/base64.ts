// The base64 transfer encoding (RFC 2045 section 6.8), streaming. Used through transfer.ts.

import type { Coder } from './coder.ts';

const LF = 10;
/** 57 bytes make a line of 76 characters */
const LINE_BYTES = 57;
const LINE_CHARS = 76;
const EMPTY = Buffer.alloc(0);

/** Lines of 76 characters, each with LF. */
export function base64Encoder(): Coder {
  let rest: Buffer = EMPTY;
  return {
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const whole = bytes.length - (bytes.length % LINE_BYTES);
      rest = Buffer.from(bytes.subarray(whole));
      const chars = Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
      const lines = Buffer.allocUnsafe((whole / LINE_BYTES) * (LINE_CHARS + 1));
      for (let from = 0, to = 0; from < chars.length; from += LINE_CHARS, to += LINE_CHARS + 1) {
        chars.copy(lines, to, from, from + LINE_CHARS);
        lines[to + LINE_CHARS] = LF;
      }
      return lines;
    },
    end: () => (rest.length === 0 ? EMPTY : Buffer.from(`${rest.toString('base64')}\n`, 'latin1')),
  };
}

/** Characters outside the alphabet do not count, the first `=` is the end, missing padding is no fault. */
export function base64Decoder(): Coder {
  let rest = '';
  let isEnded = false;
  return {
    push(chunk) {
      if (isEnded) return EMPTY;
      let chars = rest + chunk.toString('latin1').replace(/[^A-Za-z0-9+/=]+/g, '');
      const padding = chars.indexOf('=');
      if (padding >= 0) {
        isEnded = true;
        chars = chars.slice(0, padding);
      }
      const whole = isEnded ? chars.length : chars.length - (chars.length % 4);
      rest = chars.slice(whole);
      return Buffer.from(chars.slice(0, whole), 'base64');
    },
    end: () => Buffer.from(rest, 'base64'),
  };
}
