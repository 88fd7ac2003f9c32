// The quoted-printable transfer encoding (RFC 2045 section 6.7), streaming and exact for any bytes: encoded bytes
// survive the line protocol (protocol section 11) and decode to the original.

import type { Coder } from './coder.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const ZERO = 48;
const EQUALS = 61;
const HEX = Buffer.from('0123456789ABCDEF');
const EMPTY = Buffer.alloc(0);
/** RFC 2045 allows 76 characters; one is kept for the `=` of a soft break */
const MAX_LINE_CHARS = 75;
/** blanks between the `=` of a soft break and its line end; with more of them it is none */
const MAX_SOFT_BREAK_BLANKS = 76;
/** more bytes are needed to tell */
const UNDECIDED = 'undecided';

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

  return {
    push(chunk) {
      // three characters a byte, a soft break every 25 of them, and what is held
      out = Buffer.allocUnsafe(chunk.length * 3 + Math.ceil(chunk.length / 24) * 2 + 32);
      at = 0;
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]!;
        if (byte === LF) lineEnd();
        else put(byte);
        isFirst = false;
      }
      return out.subarray(0, at);
    },
    end() {
      out = Buffer.allocUnsafe(32);
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

/** Lenient: an `=` that begins neither an escape nor a soft break stays as it is; line ends stay what they are. */
export function quotedPrintableDecoder(): Coder {
  let rest: Buffer = EMPTY;

  function decode(bytes: Buffer, isLast: boolean): Buffer {
    const out = Buffer.allocUnsafe(bytes.length);
    let to = 0;
    let from = 0;
    while (from < bytes.length) {
      const byte = bytes[from]!;
      const escaped = byte === EQUALS ? hexByte(bytes, from + 1) : -1;
      if (byte !== EQUALS || escaped >= 0) {
        out[to++] = byte === EQUALS ? escaped : byte;
        from += byte === EQUALS ? 3 : 1;
        continue;
      }
      const next = softBreakEnd(bytes, from + 1, isLast);
      if (next === UNDECIDED) break;
      if (next === undefined) {
        out[to++] = EQUALS;
        from++;
      } else {
        from = next;
      }
    }
    rest = Buffer.from(bytes.subarray(from));
    return out.subarray(0, to);
  }

  return {
    push: (chunk) => decode(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), false),
    end: () => decode(rest, true),
  };
}

/** The byte that two hex digits name; -1 if there are none. */
function hexByte(bytes: Buffer, at: number): number {
  const high = hexDigit(bytes[at]);
  const low = hexDigit(bytes[at + 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(char = 0): number {
  if (char >= 48 && char <= 57) return char - 48;
  const lower = char | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/**
 * Where the text goes on behind a soft break, undefined if there is none. The end of all bytes ends a line: the line
 * end before a boundary is not part of the content.
 */
function softBreakEnd(bytes: Buffer, at: number, isLast: boolean): number | typeof UNDECIDED | undefined {
  let end = at;
  while (end - at < MAX_SOFT_BREAK_BLANKS && (bytes[end] === SPACE || bytes[end] === TAB)) end++;
  if (bytes[end] === LF) return end + 1;
  if (bytes[end] === CR && bytes[end + 1] === LF) return end + 2;
  const isAllBlank = end === bytes.length || (bytes[end] === CR && end + 1 === bytes.length);
  if (isAllBlank) return isLast ? bytes.length : UNDECIDED;
  // one digit of an escape is there, the other one may come
  const isHalfEscape = end === at && end + 1 === bytes.length && hexDigit(bytes[end]) >= 0;
  return isHalfEscape && !isLast ? UNDECIDED : undefined;
}
