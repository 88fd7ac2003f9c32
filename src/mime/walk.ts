// Finds the MIME structure of a message body (RFC 2046) in one pass over a stream of any size: what the parts are,
// where they lie and how long they are decoded. Numbers are those of the line protocol (spec section 12). Called by the
// embedded server when it stores a message and by the gateway when it reads one.

import { MAX_DELIMITER_LINE_BYTES, MAX_MIME_DEPTH, MAX_MIME_HEADER_BYTES, MAX_MIME_PARTS } from '../limits/mime.ts';
import { parseHeaders } from './headers.ts';
import { boundaryOf, isEmbeddedMessage, type MimePart, partOf } from './part.ts';
import { type Coder, decoderFor } from './transfer.ts';

export type { MimePart };

const LF = 10;
const CR = 13;
const DASH = 45;
const LINE_END_DASHES = Buffer.from('\n--');
const FIELD_NAME = /^[!-9;-~]+[ \t]*:/;

/** a multipart or message/rfc822 that has begun and not ended */
interface OpenPart {
  part: MimePart;
  /** `--boundary`; undefined for message/rfc822 and behind the closing delimiter */
  delimiter: Buffer | undefined;
}

interface Delimiter {
  level: number;
  isClosing: boolean;
  /** where its text ends and where the next line begins */
  textEnd: number;
  next: number;
}

export class MimeWalker {
  /** bytes that have come and are not decided on, the first of them at #offset of the body */
  #data: Buffer = Buffer.alloc(0);
  #offset = 0;
  /** position in #data */
  #at = 0;
  #mode: 'header' | 'body' = 'header';
  #headerStart = 0;
  #headerLines: Buffer[] = [];
  #open: OpenPart[] = [];
  #leaf: MimePart | undefined;
  #decoder: Coder | undefined;
  #root: MimePart | undefined;
  #partCount = 0;
  /** in a body: #at begins a line whose predecessor is no text of the leaf and had its own text end at #lineEnd */
  #atLineStart = false;
  #lineEnd = 0;

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#data = this.#data.length === 0 ? chunk : Buffer.concat([this.#data, chunk]);
    this.#run(false);
    // a copy: the caller may use its buffer again
    this.#data = Buffer.from(this.#data.subarray(this.#at));
    this.#offset += this.#at;
    this.#at = 0;
  }

  /** The tree; the walker cannot be used any more. */
  end(): MimePart {
    this.#run(true);
    this.#closeFrom(0, this.#position());
    return this.#root!;
  }

  #position(index = this.#at): number {
    return this.#offset + index;
  }

  #run(isLast: boolean): void {
    while (this.#mode === 'header' ? this.#headerLine(isLast) : this.#bodyText(isLast));
  }

  /** Takes one line of a header; false if it has to wait for more bytes. */
  #headerLine(isLast: boolean): boolean {
    const lf = this.#data.indexOf(LF, this.#at);
    const end = lf < 0 ? this.#data.length : lf + 1;
    const isTooLong = this.#position(end) - this.#headerStart > MAX_MIME_HEADER_BYTES;
    if (lf < 0 && !isTooLong && !isLast) return false;
    const line = this.#data.subarray(this.#at, end);
    if (isBlank(line) && !isTooLong) {
      this.#at = end;
      this.#beginPart();
    } else if (isTooLong || this.#delimiterAt(this.#at, true) !== undefined || !this.#isHeaderLine(line)) {
      // what is no header line is text: nothing of it may get lost
      this.#beginPart();
    } else {
      this.#headerLines.push(Buffer.from(line));
      this.#at = end;
    }
    return true;
  }

  #isHeaderLine(line: Buffer): boolean {
    const isContinuation = line[0] === 32 || line[0] === 9;
    return isContinuation ? this.#headerLines.length > 0 : FIELD_NAME.test(line.toString('latin1'));
  }

  /** The header of a part has ended, its body begins. */
  #beginPart(): void {
    const start = this.#position();
    const part = partOf(parseHeaders(Buffer.concat(this.#headerLines)), this.#headerStart, start);
    this.#headerLines = [];
    this.#partCount++;
    const parent = this.#open.at(-1)?.part;
    // RFC 2046 section 5.1.5
    if (parent?.type === 'multipart/digest' && part.type === '') part.type = 'message/rfc822';
    const mayOpen = this.#open.length < MAX_MIME_DEPTH;
    const boundary = mayOpen ? boundaryOf(part) : undefined;
    if (parent) {
      parent.children.push(part);
      part.number = `${parent.number}${parent.number === '' ? '' : '.'}${parent.children.length}`;
    } else {
      this.#root = part;
      part.number = boundary === undefined ? '1' : '';
    }
    this.#mode = 'body';
    this.#atLineStart = true;
    this.#lineEnd = start;
    if (boundary !== undefined) {
      this.#open.push({ part, delimiter: Buffer.from(`--${boundary}`) });
    } else if (mayOpen && isEmbeddedMessage(part) && this.#partCount < MAX_MIME_PARTS) {
      this.#open.push({ part, delimiter: undefined });
      this.#expectHeader();
    } else {
      this.#leaf = part;
      this.#decoder = decoderFor(part.encoding);
    }
  }

  #expectHeader(): void {
    this.#mode = 'header';
    this.#headerStart = this.#position();
  }

  /** Takes text up to the next delimiter, and the delimiter; false if it has to wait for more bytes. */
  #bodyText(isLast: boolean): boolean {
    if (this.#open.every((open) => open.delimiter === undefined)) {
      this.#takeText(this.#data.length);
      return false;
    }
    let from = this.#at;
    for (;;) {
      let lineStart = this.#at;
      let textEnd = this.#at;
      if (!this.#atLineStart) {
        const found = this.#data.indexOf(LINE_END_DASHES, from);
        if (found < 0) break;
        lineStart = found + 1;
        textEnd = found > this.#at && this.#data[found - 1] === CR ? found - 1 : found;
      }
      const delimiter = this.#delimiterAt(lineStart, isLast);
      if (delimiter) {
        const end = this.#atLineStart ? this.#lineEnd : this.#position(textEnd);
        this.#takeText(textEnd);
        this.#passDelimiter(delimiter, end);
        return true;
      }
      if (delimiter === null) {
        this.#takeText(textEnd);
        return false;
      }
      this.#atLineStart = false;
      from = lineStart;
    }
    this.#takeText(isLast ? this.#data.length : Math.max(this.#at, withoutLineEnd(this.#data)));
    return false;
  }

  #takeText(end: number): void {
    if (end === this.#at) return;
    const text = this.#data.subarray(this.#at, end);
    if (this.#leaf && this.#decoder) this.#leaf.decodedLength += this.#decoder.push(text).length;
    this.#at = end;
    this.#atLineStart = false;
  }

  /** The delimiter line that begins there, undefined if it is none, null if more bytes are needed to tell. */
  #delimiterAt(start: number, isLast: boolean): Delimiter | undefined | null {
    const line = this.#data.subarray(start, start + MAX_DELIMITER_LINE_BYTES);
    if (!this.#open.some((open) => open.delimiter && beginsAlike(line, open.delimiter))) return undefined;
    const lf = line.indexOf(LF);
    if (lf < 0 && line.length === MAX_DELIMITER_LINE_BYTES) return undefined;
    if (lf < 0 && !isLast) return null;
    const text = line.toString('latin1', 0, lf < 0 ? line.length : lf);
    const textEnd = start + text.replace(/\r$/, '').length;
    const trimmed = text.replace(/[ \t\r]+$/, '');
    const next = start + (lf < 0 ? line.length : lf + 1);
    for (let level = this.#open.length - 1; level >= 0; level--) {
      const delimiter = this.#open[level]!.delimiter?.toString('latin1');
      if (delimiter === undefined) continue;
      if (trimmed === delimiter) return { level, isClosing: false, textEnd, next };
      if (trimmed === `${delimiter}--`) return { level, isClosing: true, textEnd, next };
    }
    return undefined;
  }

  /** `end`: where the text before the delimiter ended, without the line end that belongs to the delimiter. */
  #passDelimiter(delimiter: Delimiter, end: number): void {
    this.#closeFrom(delimiter.level + 1, end);
    this.#lineEnd = this.#position(delimiter.textEnd);
    this.#at = delimiter.next;
    this.#atLineStart = true;
    if (delimiter.isClosing) this.#open[delimiter.level]!.delimiter = undefined;
    else if (this.#partCount < MAX_MIME_PARTS) this.#expectHeader();
  }

  /** Ends the leaf and all open parts from that level on. */
  #closeFrom(level: number, end: number): void {
    if (this.#leaf) {
      setEnd(this.#leaf, end);
      if (this.#decoder) this.#leaf.decodedLength += this.#decoder.end().length;
      else this.#leaf.decodedLength = -1;
    }
    this.#leaf = undefined;
    this.#decoder = undefined;
    for (const { part } of this.#open.splice(level)) {
      setEnd(part, end);
      part.decodedLength = part.encodedLength;
    }
  }
}

function setEnd(part: MimePart, end: number): void {
  part.end = Math.max(part.start, end);
  part.encodedLength = part.end - part.start;
}

function isBlank(line: Buffer): boolean {
  return line[0] === LF || (line[0] === CR && line[1] === LF) || line.length === 0;
}

/** One of them is the beginning of the other. */
function beginsAlike(line: Buffer, delimiter: Buffer): boolean {
  const length = Math.min(line.length, delimiter.length);
  return line.compare(delimiter, 0, length, 0, length) === 0;
}

/** The length without what could be the beginning of CR LF and a delimiter. */
function withoutLineEnd(data: Buffer): number {
  let end = data.length;
  if (data[end - 1] === DASH && data[end - 2] === LF) end--;
  if (data[end - 1] === LF) end--;
  if (data[end - 1] === CR) end--;
  return end;
}
