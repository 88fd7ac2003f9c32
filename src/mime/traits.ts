// Traits of a body that decide its transfer encoding: what the line protocol would change in it (protocol section 11).
// The body is scanned once, while it is received; chooseEncoding then picks the encoding for build.ts.

import { isAscii, isUtf8 } from 'node:buffer';
import { MAX_TEXT_LINE_BYTES, MIN_MIME_PART_BYTES } from '../limits/mime.ts';
import type { TransferEncoding } from './coding/transfer.ts';

const LF = 10;
const CR = 13;
const ZERO = 48;

export interface BodyTraits {
  size: number;
  hasNul: boolean;
  /** CR that is not followed by LF */
  hasBareCr: boolean;
  hasCrlf: boolean;
  /** LF that does not follow a CR */
  hasBareLf: boolean;
  /** bytes of the longest line without its LF */
  longestLine: number;
  /** a line is exactly `000`, ended by LF, CR LF or the end */
  hasTerminatorLine: boolean;
  isAscii: boolean;
  isUtf8: boolean;
  startsWithEmptyLine: boolean;
  endsWithLf: boolean;
  endsWithEmptyLine: boolean;
  /** bytes that quoted-printable writes as three characters, line ends and blanks before them apart */
  encodedCount: number;
}

const NEEDS_ENCODING = new Uint8Array(256).map((_, byte) =>
  Number((byte < 32 && byte !== 9) || byte > 126 || byte === 61),
);

export class TraitScanner {
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
  /** the line so far begins with this many zeros */
  #zeros = 0;
  #previous = -1;
  /** bytes of a UTF-8 sequence that has not ended */
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

  /** What has come so far would be changed by the line protocol. Does not see what end() adds to it. */
  get isUnsafe(): boolean {
    return this.#hasNul || this.#hasCr || this.#hasTerminatorLine;
  }

  end(): BodyTraits {
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

/** Where a UTF-8 sequence begins that the end of the bytes cuts; their length if there is none. */
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

/**
 * The encoding in which a body of that type comes back byte for byte: as it is if it can be, readable if it is text.
 */
export function chooseEncoding(contentType: string, traits: BodyTraits): TransferEncoding {
  if (!/^\s*text\//i.test(contentType)) return 'base64';
  const survives =
    traits.isUtf8 &&
    !(traits.hasNul || traits.hasBareCr || traits.hasCrlf || traits.hasTerminatorLine) &&
    traits.longestLine <= MAX_TEXT_LINE_BYTES &&
    traits.endsWithLf &&
    !(traits.startsWithEmptyLine || traits.endsWithEmptyLine) &&
    traits.size >= MIN_MIME_PART_BYTES;
  if (survives) return 'identity';
  return traits.encodedCount * 6 > traits.size ? 'base64' : 'quoted-printable';
}
