// The quoted-printable transfer encoding (RFC 2045 section 6.7), streaming and exact for any bytes: encoded bytes
// survive the line protocol (protocol section 11) and decode to the original.

import type { Coder } from './coder.ts';
import { decodeQuoted } from './quoted-bytes.ts';

const TAB = 9;
const LF = 10;
const SPACE = 32;
const ZERO = 48;
const EQUALS = 61;
const HEX = Buffer.from('0123456789ABCDEF');
const EMPTY = Buffer.alloc(0);
/** RFC 2045 allows 76 characters; one is kept for the `=` of a soft break */
const MAX_LINE_CHARS = 75;
/** By byte: 1 where it stands for itself wherever something stands before it in its line. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > SPACE && byte <= 126 && byte !== EQUALS ? 1 : 0,
);

/**
 * LF stays a line end. What a line server could change is encoded: CR, NUL, 8-bit and control characters, blanks
 * before a line end, the line `000`, a first and a last empty line. The output always ends in LF: a last line that
 * has none ends in a soft break.
 */
export function quotedPrintableEncoder(): Coder {
  let column = 0;
  /** a blank whose successor is not known yet */
  let blank = 0;
  /** the line so far is this many zeros, not written yet */
  let zeros = 0;
  /** an empty line, not written yet: the last one is encoded */
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
      // the zeros behind a soft break could make a line of their own, too
      if (column === MAX_LINE_CHARS) softBreak();
      if (column === 0) zeros++;
      else literal(byte);
    } else if (byte === SPACE || byte === TAB) blank = byte;
    else if (byte < SPACE || byte > 126 || byte === EQUALS) writeEscaped(byte);
    else literal(byte);
  }

  /** Bytes that stand for themselves, as many as fit into a line that has begun; answers where the others begin. */
  function writeRun(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + MAX_LINE_CHARS - column);
    // copied byte by byte: most runs are short words
    const [to, shift] = [out, at - start];
    let i = start;
    for (; i < end && IS_PLAIN[chunk[i]!] === 1; i++) to[i + shift] = chunk[i]!;
    at = i + shift;
    column += i - start;
    return i;
  }

  return {
    push(chunk) {
      // three characters a byte, a soft break every 25 of them, and what is held
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
      // what is given away is no longer than it has to be, or V8 collects that much sooner
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

/** Streams what decodeQuoted reads. */
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
