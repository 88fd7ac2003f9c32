// Content transfer encodings (RFC 2045 section 6) as streaming coders, and CR LF of mail (RFC 5322) from and to LF of the
// line protocol. Encoders write LF line ends and never a line `000`, so that an encoded body passes the line protocol
// unchanged (protocol section 11).

import { MAX_TEXT_LINE_BYTES } from '../../limits/mime.ts';
import { appended } from '../../system/bytes.ts';
import { decodeQuoted } from './quoted-bytes.ts';

/** every message that has one of these encodings begins with it (RFC 2045 section 4) */
export const MIME_VERSION = 'MIME-Version: 1.0';

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

/**
 * What a Content-Transfer-Encoding means: `'"Base64" (comment)'` → `'base64'`; base64, quoted-printable, x-uuencode, or
 * nothing encoded: 7bit, 8bit, binary, and '' if it is missing. Words that nobody knows encode nothing.
 */
export function encodingName(field: string): string {
  const word = field
    .replace(/\([^()]*\)|;.*$/gs, '')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();
  if (word === '') return '';
  if (/^x?(?:base64|b64)$/.test(word)) return 'base64';
  if (/^(?:x?quotedprintable|qp)$/.test(word)) return 'quoted-printable';
  if (/^x?uu(?:e|encode|encoded)?$/.test(word)) return 'x-uuencode';
  return /^[78]bit/.test(word) ? word.slice(0, 4) : 'binary';
}

/** Takes the value of Content-Transfer-Encoding, '' if missing. */
export function decoderFor(field: string): Coder {
  const name = encodingName(field);
  if (name === 'base64') return base64Decoder();
  if (name === 'quoted-printable') return quotedPrintableDecoder();
  return name === 'x-uuencode' ? uuDecoder() : identityCoder();
}

/** The content can be read in place. */
export function isUnencoded({ encoding }: { encoding: string }): boolean {
  return !/^(?:base64|quoted-printable|x-uuencode)$/.test(encodingName(encoding));
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

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
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

/**
 * Ignores characters outside the alphabet, accepts missing padding. After padding it goes on where the line or the next
 * one is nothing but base64: some programs encode in pieces, and mailing lists append text.
 */
export function base64Decoder(): Coder {
  /** bits of an incomplete group of four characters */
  let bits = 0;
  let count = 0;
  let isEnded = false;
  /** line after padding */
  let tail: string | undefined;
  // two characters make one byte, three make two
  const rest = () => Buffer.of(bits >> (count === 2 ? 4 : 10), bits >> 2).subarray(0, Math.max(0, count - 1));
  /** Writes what the tail holds; returns the number of bytes. */
  const takeTail = (bytes: Buffer, at: number): number => {
    const line = tail!.replace(/^=+/, '');
    tail = '';
    if (line === '') return 0;
    isEnded = line.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(line);
    if (isEnded) return 0;
    if (!line.endsWith('=')) tail = undefined;
    return bytes.write(line, at, 'base64');
  };
  return {
    push(chunk) {
      const bytes = Buffer.allocUnsafe(((chunk.length + count + (tail?.length ?? 0)) >> 2) * 3 + 2);
      let length = 0;
      for (let at = 0; at < chunk.length && !isEnded; at++) {
        const byte = chunk[at]!;
        if (tail !== undefined) {
          if (byte === LF) length += takeTail(bytes, length);
          else if (byte > SPACE) tail += String.fromCharCode(byte);
          isEnded ||= (tail?.length ?? 0) > MAX_TEXT_LINE_BYTES;
          continue;
        }
        const value = VALUES[byte]!;
        if (byte === EQUALS) {
          length += rest().copy(bytes, length);
          tail = '';
        } else if (value === NO_VALUE) continue;
        bits = byte === EQUALS ? 0 : (bits << 6) | value;
        count = byte === EQUALS ? 0 : count + 1;
        if (count < 4) continue;
        bytes[length++] = bits >> 16;
        bytes[length++] = bits >> 8;
        bytes[length++] = bits;
        bits = 0;
        count = 0;
      }
      return bytes.subarray(0, length);
    },
    end() {
      if (isEnded || tail === undefined) return isEnded ? EMPTY : rest();
      const bytes = Buffer.alloc(tail.length);
      return bytes.subarray(0, takeTail(bytes, 0));
    },
  };
}

/** Lines from `begin 644 name` to `end`. What begins with another line is not encoded. */
export function uuDecoder(): Coder {
  /** start, lines, end, or plain */
  let state = 'start';
  let held: Buffer = EMPTY;
  const decodeLine = (line: string): Buffer => {
    if (state === 'lines' && line.trimEnd() !== 'end') return uuLine(line);
    if (state === 'lines') state = 'end';
    else if (UU_BEGIN.test(line)) state = 'lines';
    else if (state === 'start' && line.trim() !== '') state = 'plain';
    return EMPTY;
  };
  const decode = (bytes: Buffer, end: number): Buffer => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < end && state !== 'plain'; ) {
      const next = bytes.indexOf(LF, at) + 1 || end;
      pieces.push(decodeLine(bytes.toString('latin1', at, next).replace(/\r?\n$/, '')));
      if (state !== 'plain') at = next;
      else pieces.push(bytes.subarray(at));
    }
    return Buffer.concat(pieces);
  };
  return {
    push(chunk) {
      if (state === 'plain') return chunk;
      const bytes = appended(held, chunk);
      const end = chunk.includes(LF) ? bytes.lastIndexOf(LF) + 1 : 0;
      const decoded = decode(bytes, end);
      // a longer line is none of these
      const isLong = bytes.length - end > MAX_TEXT_LINE_BYTES;
      if (isLong && state === 'start') {
        state = 'plain';
        return bytes;
      }
      held = isLong || state === 'plain' ? EMPTY : bytes.subarray(end);
      return decoded;
    },
    end: () => (held.length === 0 ? EMPTY : decode(held, held.length)),
  };
}

/** the name is in the first parentheses */
export const UU_BEGIN = /^begin [0-7]{3,4} (\S.*?)\r?$/;

/** The bytes of one line: their number, then four characters for three of them. */
function uuLine(line: string): Buffer {
  const size = line === '' ? 0 : (line.charCodeAt(0) - SPACE) & 63;
  const bytes = Buffer.alloc(Math.ceil(size / 3) * 3);
  const value = (at: number) => (at < line.length ? (line.charCodeAt(at) - SPACE) & 63 : 0);
  for (let from = 1, to = 0; to < size; from += 4, to += 3) {
    const bits = (value(from) << 18) | (value(from + 1) << 12) | (value(from + 2) << 6) | value(from + 3);
    bytes.writeUIntBE(bits, to, 3);
  }
  return bytes.subarray(0, size);
}

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

/** CR LF → LF, also across pieces. Other CRs stay. */
export async function* withoutCr(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  const lines = new LfLines();
  for await (const chunk of source) {
    const piece = lines.push(chunk);
    if (piece.length > 0) yield piece;
  }
  const rest = lines.end();
  if (rest.length > 0) yield rest;
}

export class LfLines {
  #hasHeldCr = false;

  /** Returns the output that is certain so far; may be empty. */
  push(chunk: Buffer): Buffer {
    if (chunk.length === 0) return EMPTY;
    const bytes: Buffer = this.#hasHeldCr ? Buffer.concat([Buffer.of(CR), chunk]) : chunk;
    this.#hasHeldCr = bytes[bytes.length - 1] === CR;
    return dropCrBeforeLf(this.#hasHeldCr ? bytes.subarray(0, -1) : bytes);
  }

  end(): Buffer {
    return this.#hasHeldCr ? Buffer.of(CR) : EMPTY;
  }
}

/** CR LF → LF. Returns the same buffer if there is none. */
export function dropCrBeforeLf(bytes: Buffer): Buffer {
  const first = bytes.indexOf(CR);
  if (first < 0) return bytes;
  const result = Buffer.allocUnsafe(bytes.length);
  let length = bytes.copy(result, 0, 0, first);
  for (let at = first; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte !== CR || bytes[at + 1] !== LF) result[length++] = byte;
  }
  return result.subarray(0, length);
}

/** LF → CR LF */
export function addCrBeforeLf(bytes: Buffer): Buffer {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) count++;
  if (count === 0) return bytes;
  const result = Buffer.allocUnsafe(bytes.length + count);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === LF) result[length++] = CR;
    result[length++] = byte;
  }
  return result;
}
