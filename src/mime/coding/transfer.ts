// Content transfer encodings (RFC 2045 section 6) as streaming coders. Encoders write LF line ends and never a line
// `000`, so that an encoded body passes the line protocol unchanged (protocol section 11).

import { decodeQuoted } from './quoted-bytes.ts';

export interface Coder {
  /** returns the output that is certain so far; may be empty */
  push(chunk: Buffer): Buffer;
  /** returns the rest; the coder cannot be used afterwards */
  end(): Buffer;
}

/** `identity` is 8bit: valid UTF-8 that needs no encoding */
export type TransferEncoding = 'identity' | 'quoted-printable' | 'base64';

function identityCoder(): Coder {
  return { push: (chunk) => chunk, end: () => Buffer.alloc(0) };
}

/** An encoder for one body. */
export function encoderFor(encoding: TransferEncoding): Coder {
  if (encoding === 'base64') return base64Encoder();
  return encoding === 'quoted-printable' ? quotedPrintableEncoder() : identityCoder();
}

/** Takes the value of Content-Transfer-Encoding, '' if missing. undefined: unknown encoding. */
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

export function* decodedPieces(source: Iterable<Buffer>, decoder: Coder): Generator<Buffer> {
  for (const chunk of source) {
    const out = decoder.push(chunk);
    if (out.length > 0) yield out;
  }
  const out = decoder.end();
  if (out.length > 0) yield out;
}

export async function* transform(source: AsyncIterable<Buffer>, coder: Coder): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    const coded = coder.push(chunk);
    if (coded.length > 0) yield coded;
  }
  const rest = coder.end();
  if (rest.length > 0) yield rest;
}

const LF = 10;
/** 57 bytes fill a line of 76 characters */
const LINE_BYTES = 57;
const LINE_CHARS = 76;
const EQUALS = 61;
const EMPTY = Buffer.alloc(0);
const NO_VALUE = 64;
/** value of each character, 0 to 63 */
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

/** Ignores characters outside the alphabet, stops at the first `=`, accepts missing padding. */
export function base64Decoder(): Coder {
  /** bits of an incomplete group of four characters */
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
    // two characters make one byte, three make two
    end: () => Buffer.of(bits >> (count === 2 ? 4 : 10), bits >> 2).subarray(0, Math.max(0, count - 1)),
  };
}

const TAB = 9;
const SPACE = 32;
const ZERO = 48;
const HEX = Buffer.from('0123456789ABCDEF');
/** RFC 2045 allows 76 characters, one of them for the `=` of a soft break */
const MAX_LINE_CHARS = 75;
/** by byte: 1 if it needs no escape unless it starts a line */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > SPACE && byte <= 126 && byte !== EQUALS ? 1 : 0,
);

/**
 * Keeps LF as line end. Escapes what a server may change: CR, NUL, 8-bit and control characters, blanks before a line
 * end, the line `000`, empty first and last lines. Output always ends in LF; an unterminated last line ends in a soft
 * break.
 */
export function quotedPrintableEncoder(): Coder {
  let column = 0;
  /** a blank whose successor is unknown */
  let blank = 0;
  /** number of unwritten zeros that make up the line so far */
  let zeros = 0;
  /** an unwritten empty line: the last one is escaped */
  let hasEmptyLine = false;
  let isFirst = true;
  let out: Buffer = EMPTY;
  let at = 0;

  function softBreak(): void {
    out[at++] = EQUALS;
    out[at++] = LF;
    column = 0;
  }
  function literal(byte: number): void {
    if (column + 1 > MAX_LINE_CHARS) softBreak();
    out[at++] = byte;
    column++;
  }
  function writeEscaped(byte: number): void {
    if (column + 3 > MAX_LINE_CHARS) softBreak();
    out[at++] = EQUALS;
    out[at++] = HEX[byte >> 4]!;
    out[at++] = HEX[byte & 15]!;
    column += 3;
  }
  function writeZeros(isWholeLine: boolean): void {
    for (; zeros > 0; zeros--) {
      if (isWholeLine && zeros === 3) writeEscaped(ZERO);
      else literal(ZERO);
    }
  }
  function writeHeld(): void {
    if (hasEmptyLine) out[at++] = LF;
    hasEmptyLine = false;
    writeZeros(false);
    if (blank !== 0) literal(blank);
    blank = 0;
  }
  function lineEnd(): void {
    if (zeros > 0) writeZeros(zeros === 3);
    if (blank !== 0) writeEscaped(blank);
    blank = 0;
    if (column > 0) {
      out[at++] = LF;
      column = 0;
    } else if (isFirst) {
      writeEscaped(LF);
      softBreak();
    } else {
      if (hasEmptyLine) out[at++] = LF;
      hasEmptyLine = true;
    }
  }
  function put(byte: number): void {
    if (blank !== 0 || hasEmptyLine || zeros === 3 || (zeros > 0 && byte !== ZERO)) writeHeld();
    if (byte === ZERO) {
      // zeros after a soft break could form a line of their own
      if (column === MAX_LINE_CHARS) softBreak();
      if (column === 0) zeros++;
      else literal(byte);
    } else if (byte === SPACE || byte === TAB) blank = byte;
    else if (byte < SPACE || byte > 126 || byte === EQUALS) writeEscaped(byte);
    else literal(byte);
  }

  /** Copies unescaped bytes that fit into the current line. Returns the position of the next byte. */
  function writeRun(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + MAX_LINE_CHARS - column);
    // byte by byte: most runs are short words
    const [to, shift] = [out, at - start];
    let i = start;
    for (; i < end && IS_PLAIN[chunk[i]!] === 1; i++) to[i + shift] = chunk[i]!;
    at = i + shift;
    column += i - start;
    return i;
  }

  return {
    push(chunk) {
      // three characters per byte, a soft break every 25 bytes, and what is pending
      const most = chunk.length * 3 + Math.ceil(chunk.length / 24) * 2 + 32;
      if (out.length < most) out = Buffer.allocUnsafe(most);
      at = 0;
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]!;
        if (byte === LF) lineEnd();
        else put(byte);
        isFirst = false;
        if (IS_PLAIN[byte] === 1 && blank === 0 && column > 0) i = writeRun(chunk, i + 1) - 1;
      }
      // trimmed: V8 would collect garbage that much sooner
      return Buffer.from(out.subarray(0, at));
    },
    end() {
      if (out.length < 32) out = Buffer.allocUnsafe(32);
      at = 0;
      if (hasEmptyLine) {
        hasEmptyLine = false;
        writeEscaped(LF);
      }
      writeHeld();
      if (column > 0) softBreak();
      return out.subarray(0, at);
    },
  };
}

export function quotedPrintableDecoder(): Coder {
  let rest: Buffer = EMPTY;

  function decode(bytes: Buffer, isLast: boolean): Buffer {
    const out = Buffer.allocUnsafe(bytes.length);
    const { read, written } = decodeQuoted(bytes, out, isLast);
    rest = Buffer.from(bytes.subarray(read));
    return out.subarray(0, written);
  }

  return {
    push: (chunk) => decode(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), false),
    end: () => decode(rest, true),
  };
}
