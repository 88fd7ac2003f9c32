// Scans a body while it is received for what the line protocol would change (protocol section 11). chooseEncoding picks
// the transfer encoding from the result.

import { isAscii, isUtf8 } from 'node:buffer';
import { MAX_TEXT_LINE_BYTES, MIN_MIME_PART_BYTES } from '../limits/mime.ts';
import type { TransferEncoding } from './coding/transfer.ts';

const LF = 10;
const CR = 13;
const ZERO = 48;

export interface EncodingFacts {
  size: number;
  hasNul: boolean;
  /** a CR without LF */
  hasBareCr: boolean;
  hasCrlf: boolean;
  /** an LF without CR */
  hasBareLf: boolean;
  /** bytes of the longest line without its LF */
  longestLine: number;
  /** a line is exactly `000`, terminated by LF, CR LF or the end */
  hasTerminatorLine: boolean;
  isAscii: boolean;
  isUtf8: boolean;
  startsWithEmptyLine: boolean;
  endsWithLf: boolean;
  endsWithEmptyLine: boolean;
  /** bytes that quoted-printable escapes, apart from line ends and trailing blanks */
  encodedCount: number;
}

const NEEDS_ENCODING = new Uint8Array(256).map((_, byte) =>
  Number((byte < 32 && byte !== 9) || byte > 126 || byte === 61),
);

export class EncodingScanner {
  #size = 0;
  #hasAnyLine = false;
  #hasNul = false;
  #hasCr = false;
  #hasCrlf = false;
  #hasBareCr = false;
  #hasBareLf = false;
  #longestLine = 0;
  #hasTerminatorLine = false;
  #isAscii = true;
  #isUtf8 = true;
  #startsWithEmptyLine = false;
  #endsWithEmptyLine = false;
  #encodedCount = 0;
  #lineLength = 0;
  /** number of zeros at the start of the current line */
  #zeros = 0;
  #previous = -1;
  /** bytes of an incomplete UTF-8 sequence */
  #partial: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#checkText(chunk);
    let lineLength = this.#lineLength;
    let previous = this.#previous;
    let encodedCount = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte === LF) {
        this.#endLine(lineLength, previous, true);
        lineLength = 0;
      } else {
        if (previous === CR) this.#hasBareCr = true;
        if (byte === ZERO && this.#zeros === lineLength) this.#zeros++;
        encodedCount += NEEDS_ENCODING[byte]!;
        lineLength++;
      }
      previous = byte;
    }
    this.#size += chunk.length;
    this.#lineLength = lineLength;
    this.#previous = previous;
    this.#encodedCount += encodedCount;
  }

  #checkText(chunk: Buffer): void {
    this.#hasNul ||= chunk.includes(0);
    this.#hasCr ||= chunk.includes(CR);
    if (!this.#isUtf8) return;
    if (this.#partial.length === 0 && isAscii(chunk)) return;
    this.#isAscii = false;
    const bytes = this.#partial.length === 0 ? chunk : Buffer.concat([this.#partial, chunk]);
    const end = wholeSequences(bytes);
    this.#isUtf8 = isUtf8(bytes.subarray(0, end));
    this.#partial = Buffer.from(bytes.subarray(end));
  }

  #endLine(length: number, previous: number, isEnded: boolean): void {
    const hasCr = length > 0 && previous === CR;
    if (isEnded && hasCr) this.#hasCrlf = true;
    if (isEnded && !hasCr) this.#hasBareLf = true;
    if (length > this.#longestLine) this.#longestLine = length;
    const textLength = length - (hasCr ? 1 : 0);
    if (textLength === 3 && this.#zeros === 3) this.#hasTerminatorLine = true;
    if (!this.#hasAnyLine) this.#startsWithEmptyLine = isEnded && textLength === 0;
    this.#hasAnyLine = true;
    this.#endsWithEmptyLine = isEnded && textLength === 0;
    this.#zeros = 0;
  }

  /** The line protocol would change the body so far. Ignores what end() may add. */
  get isUnsafe(): boolean {
    return this.#hasNul || this.#hasCr || this.#hasTerminatorLine;
  }

  end(): EncodingFacts {
    const endsWithLf = this.#previous === LF;
    if (this.#previous === CR) this.#hasBareCr = true;
    if (!endsWithLf && this.#size > 0) this.#endLine(this.#lineLength, this.#previous, false);
    return {
      size: this.#size,
      hasNul: this.#hasNul,
      hasBareCr: this.#hasBareCr,
      hasCrlf: this.#hasCrlf,
      hasBareLf: this.#hasBareLf,
      longestLine: this.#longestLine,
      hasTerminatorLine: this.#hasTerminatorLine,
      isAscii: this.#isAscii,
      isUtf8: this.#isUtf8 && this.#partial.length === 0,
      startsWithEmptyLine: this.#startsWithEmptyLine,
      endsWithLf,
      endsWithEmptyLine: this.#endsWithEmptyLine,
      encodedCount: this.#encodedCount,
    };
  }
}

/** Offset of an incomplete UTF-8 sequence at the end; the length if there is none. */
function wholeSequences(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** Whether a body survives the line protocol unencoded, apart from CR LF, which may become LF. */
export function isLineText(facts: EncodingFacts): boolean {
  const hasOneKindOfLineEnd = !(facts.hasCrlf && facts.hasBareLf);
  return !facts.hasNul && !facts.hasBareCr && !facts.hasTerminatorLine && hasOneKindOfLineEnd;
}

/** The encoding that returns a body of this type byte for byte: none if possible, a readable one for text. */
export function chooseEncoding(contentType: string, facts: EncodingFacts): TransferEncoding {
  if (!/^\s*text\//i.test(contentType)) return 'base64';
  const survives =
    facts.isUtf8 &&
    !(facts.hasNul || facts.hasBareCr || facts.hasCrlf || facts.hasTerminatorLine) &&
    facts.longestLine <= MAX_TEXT_LINE_BYTES &&
    facts.endsWithLf &&
    !(facts.startsWithEmptyLine || facts.endsWithEmptyLine) &&
    facts.size >= MIN_MIME_PART_BYTES;
  if (survives) return 'identity';
  return facts.encodedCount * 6 > facts.size ? 'base64' : 'quoted-printable';
}
