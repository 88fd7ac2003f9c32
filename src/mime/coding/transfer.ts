// Content transfer encodings (RFC 2045 section 6) as streaming coders, for bodies of any size. Encoded bodies must pass
// the line protocol unharmed, so the encoders make LF line ends and never a line `000`.

import type { Coder } from './coder.ts';
import { quotedPrintableDecoder, quotedPrintableEncoder } from './quoted-printable.ts';

export type { Coder };
export { quotedPrintableDecoder, quotedPrintableEncoder };

/** how a body travels; `identity` is 8bit: valid UTF-8 text that needs no encoding */
export type TransferEncoding = 'identity' | 'quoted-printable' | 'base64';

/** Bytes as they are. */
export function identityCoder(): Coder {
  return { push: (chunk) => chunk, end: () => Buffer.alloc(0) };
}

/** A new encoder, for one body (RFC 2045 section 6). */
export function encoderFor(encoding: TransferEncoding): Coder {
  if (encoding === 'base64') return base64Encoder();
  return encoding === 'quoted-printable' ? quotedPrintableEncoder() : identityCoder();
}

/** Takes the value of Content-Transfer-Encoding, any case, empty for none; undefined if it is not a known one. */
export function decoderFor(encoding: string): Coder | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case '7bit':
    case '8bit':
    case 'binary':
    case 'identity':
      return identityCoder();
    case 'base64':
      return base64Decoder();
    case 'quoted-printable':
      return quotedPrintableDecoder();
    default:
      return undefined;
  }
}

/** What the decoder makes of the source, pulled. */
export function* decodedPieces(source: Iterable<Buffer>, decoder: Coder): Generator<Buffer> {
  for (const chunk of source) {
    const out = decoder.push(chunk);
    if (out.length > 0) yield out;
  }
  const out = decoder.end();
  if (out.length > 0) yield out;
}

/** What the coder makes of the source, pulled. */
export async function* transform(source: AsyncIterable<Buffer>, coder: Coder): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    const coded = coder.push(chunk);
    if (coded.length > 0) yield coded;
  }
  const rest = coder.end();
  if (rest.length > 0) yield rest;
}

const LF = 10;
/** 57 bytes make a line of 76 characters */
const LINE_BYTES = 57;
const LINE_CHARS = 76;
const EQUALS = 61;
const EMPTY = Buffer.alloc(0);
const NO_VALUE = 64;
/** of each character, 0 to 63 */
const VALUES = new Uint8Array(256).fill(NO_VALUE);
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  VALUES[char.charCodeAt(0)] = value;
}

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
  /** what has come of a group of four characters */
  let bits = 0;
  let count = 0;
  let isEnded = false;
  return {
    push(chunk) {
      const bytes = Buffer.allocUnsafe(((chunk.length + count) >> 2) * 3);
      let length = 0;
      for (let at = 0; at < chunk.length && !isEnded; at++) {
        const value = VALUES[chunk[at]!]!;
        if (value === NO_VALUE) isEnded = chunk[at] === EQUALS;
        if (value === NO_VALUE) continue;
        bits = (bits << 6) | value;
        if (++count < 4) continue;
        bytes[length++] = bits >> 16;
        bytes[length++] = bits >> 8;
        bytes[length++] = bits;
        bits = 0;
        count = 0;
      }
      return bytes.subarray(0, length);
    },
    // two characters are a byte, three are two
    end: () => Buffer.of(bits >> (count === 2 ? 4 : 10), bits >> 2).subarray(0, Math.max(0, count - 1)),
  };
}
