// Parses the MIME structure of a message body (RFC 2046) in one pass over a stream: parts, positions and decoded
// lengths. Parts are numbered as in the line protocol (protocol section 12).

import {
  MAX_DELIMITER_LINE_BYTES,
  MAX_MIME_DEPTH,
  MAX_MIME_HEADER_BYTES,
  MAX_MIME_PARTS,
  MAX_STRAY_HEADER_BYTES,
} from '../limits/mime.ts';
import { appended } from '../system/bytes.ts';
import { type Coder, decoderFor } from './coding/transfer.ts';
import { parseHeaders } from './headers.ts';
import { addSubject, boundaryOf, isEmbeddedMessage, isMessage, type MimePart, partOf } from './part.ts';

export type { MimePart };

const LF = 10;
const CR = 13;
const DASH = 45;
const COLON = 58;
/** the only fields parsed; a header may have many others */
const PART_FIELDS = new Set([
  'content-type',
  'content-disposition',
  'content-id',
  'content-location',
  'content-transfer-encoding',
  'subject',
]);
const LINE_END_DASHES = Buffer.from('\n--');
const NEAR_BYTES = 64;
const KNOWN_FIELD =
  /^(?:content-|mime-version|subject|from|to|cc|reply-to|date|message-id|received|return-path|sender|references|in-reply-to|x-|dkim-|arc-|list-)[!-9;-~]*[ \t]*:/i;
/** the last line of a header, too */
const STRAY = /^(?:>?From |(?:boundary|charset|name|filename|format|type|start|protocol|micalg)\*?=)/i;

/** a multipart or message/rfc822 that is not closed yet */
interface OpenPart {
  part: MimePart;
  /** `--boundary`; undefined for message/rfc822 and after the closing delimiter */
  delimiter: Buffer | undefined;
}

interface Delimiter {
  level: number;
  isClosing: boolean;
  /** end of its text, and start of the next line */
  textEnd: number;
  next: number;
}

export class MimeWalker {
  /** received bytes that are not processed yet; the first is at #offset of the body */
  #data: Buffer = Buffer.alloc(0);
  #offset = 0;
  /** position in #data */
  #at = 0;
  #mode: 'header' | 'body' = 'header';
  #headerStart = 0;
  /** header lines that are no longer in #data, and the start of those that are */
  #headerPieces: Buffer[] = [];
  #headerFrom = 0;
  /** lines before this position stand in the header, whatever they are */
  #strayUntil = 0;
  #strayScanned = 0;
  /** the header was searched for a line end up to here */
  #lineLooked = 0;
  #open: OpenPart[] = [];
  #leaf: MimePart | undefined;
  #decoder: Coder | undefined;
  #root: MimePart | undefined;
  #partCount = 0;
  /** in a body: #at is the start of a line, and the previous line was no text of the leaf and ended at #lineEnd */
  #atLineStart = false;
  #lineEnd = 0;

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    const isLent = this.#data.length === 0;
    this.#data = isLent ? chunk : appended(this.#data, chunk);
    this.#run(false);
    if (this.#mode === 'header') this.#keepHeader();
    const rest = this.#data.subarray(this.#at);
    // copied: the caller may reuse its buffer
    this.#data = isLent ? Buffer.from(rest) : rest;
    this.#offset += this.#at;
    this.#at = 0;
  }

  /** Returns the tree. The walker cannot be used afterwards. */
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

  /** Consumes one header line. False: it needs more bytes. */
  #headerLine(isLast: boolean): boolean {
    const lf = this.#data.indexOf(LF, Math.max(this.#at, this.#lineLooked - this.#offset));
    const end = lf < 0 ? this.#data.length : lf + 1;
    const isTooLong = this.#position(end) - this.#headerStart > MAX_MIME_HEADER_BYTES;
    if (lf < 0 && !isTooLong && !isLast) {
      // a line that arrives in pieces is searched once
      this.#lineLooked = this.#position(end);
      return false;
    }
    if (isEmptyLine(this.#data, this.#at) && !isTooLong) {
      this.#keepHeader();
      this.#at = end;
      this.#beginPart();
    } else if (isTooLong || this.#delimiterAt(this.#at, true) !== undefined) {
      this.#keepHeader();
      this.#beginPart();
    } else {
      const isHeader = this.#isHeaderLine(end) || this.#isStrayLine(end, isLast);
      if (isHeader === undefined) return false;
      if (isHeader) {
        this.#at = end;
      } else {
        // A malformed header line starts the body, so that no text is lost.
        this.#keepHeader();
        this.#beginPart();
      }
    }
    return true;
  }

  #isFirstLine(): boolean {
    return this.#headerPieces.length === 0 && this.#at === this.#headerFrom;
  }

  #isHeaderLine(end: number): boolean {
    const isContinuation = isBlank(this.#data[this.#at]);
    return isContinuation ? !this.#isFirstLine() : isField(this.#data, this.#at, end);
  }

  /**
   * A line that is no field, but stands in a header: a well-known field follows before the next empty line, or it is a
   * line `From …` of a mailbox file, or a parameter that lost its indentation. undefined: it needs more bytes.
   */
  #isStrayLine(end: number, isLast: boolean): boolean | undefined {
    if (this.#position() < this.#strayUntil) return true;
    const data = this.#data;
    const limit = end + MAX_STRAY_HEADER_BYTES;
    // what was scanned before more bytes came is not scanned again
    let start = Math.max(end, this.#strayScanned - this.#offset);
    while (start < limit && !isEmptyLine(data, start) && this.#delimiterAt(start, true) === undefined) {
      const next = data.indexOf(LF, start) + 1 || data.length;
      if (next === data.length && data[next - 1] !== LF && !isLast && next < limit) break;
      if (isField(data, start, next) && KNOWN_FIELD.test(data.toString('latin1', start, start + NEAR_BYTES))) {
        this.#strayUntil = this.#position(start);
        return true;
      }
      start = next;
    }
    this.#strayScanned = this.#position(start);
    const isUndecided = start === data.length || data.indexOf(LF, start) < 0;
    if (isUndecided && !isLast && data.length < limit) return undefined;
    const line = data.toString('latin1', this.#at, Math.min(end, this.#at + MAX_DELIMITER_LINE_BYTES));
    return !this.#isFirstLine() && start === end && STRAY.test(line);
  }

  /** Copies the header lines consumed so far, before #data drops them. */
  #keepHeader(): void {
    if (this.#at > this.#headerFrom)
      this.#headerPieces.push(Buffer.from(this.#data.subarray(this.#headerFrom, this.#at)));
    this.#headerFrom = 0;
  }

  #beginPart(): void {
    const start = this.#position();
    const fields = parseHeaders(Buffer.concat(this.#headerPieces), PART_FIELDS);
    const part = partOf(fields, this.#headerStart, start);
    this.#headerPieces = [];
    this.#partCount++;
    const parent = this.#open.at(-1)?.part;
    // RFC 2046 section 5.1.5
    if (parent?.type === 'multipart/digest' && part.type === '') part.type = 'message/rfc822';
    const mayOpen = this.#open.length < MAX_MIME_DEPTH;
    const boundary = mayOpen ? boundaryOf(part) : undefined;
    if (parent) {
      parent.children.push(part);
      if (isMessage(parent)) addSubject(parent, fields);
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
    this.#headerFrom = this.#at;
  }

  /** Consumes text up to and including the next delimiter. False: it needs more bytes. */
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
        const found = nextLineOfDashes(this.#data, from);
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
    if (this.#leaf) this.#leaf.decodedLength += this.#decoder!.push(text).length;
    this.#at = end;
    this.#atLineStart = false;
  }

  /** The delimiter line at `start`. undefined: there is none. null: it needs more bytes. */
  #delimiterAt(start: number, isLast: boolean): Delimiter | undefined | null {
    const data = this.#data;
    const limit = Math.min(data.length, start + MAX_DELIMITER_LINE_BYTES);
    if (!this.#open.some(({ delimiter }) => delimiter && beginsAlike(data, start, limit, delimiter))) return undefined;
    let lineEnd = start;
    while (lineEnd < limit && data[lineEnd] !== LF) lineEnd++;
    const isEnded = lineEnd < limit;
    if (!isEnded && limit - start === MAX_DELIMITER_LINE_BYTES) return undefined;
    if (!isEnded && !isLast) return null;
    let end = lineEnd;
    while (end > start && (isBlank(data[end - 1]) || data[end - 1] === CR)) end--;
    const textEnd = lineEnd > start && data[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    const next = isEnded ? lineEnd + 1 : lineEnd;
    for (let level = this.#open.length - 1; level >= 0; level--) {
      const { delimiter } = this.#open[level]!;
      if (!delimiter || !beginsAlike(data, start, end, delimiter)) continue;
      const rest = end - start - delimiter.length;
      if (rest === 0) return { level, isClosing: false, textEnd, next };
      if (rest === 2 && data[end - 1] === DASH && data[end - 2] === DASH)
        return { level, isClosing: true, textEnd, next };
    }
    return undefined;
  }

  /** `end`: the end of the text before the delimiter, without the line end that belongs to the delimiter. */
  #passDelimiter(delimiter: Delimiter, end: number): void {
    this.#closeFrom(delimiter.level + 1, end);
    this.#lineEnd = this.#position(delimiter.textEnd);
    this.#at = delimiter.next;
    this.#atLineStart = true;
    if (delimiter.isClosing) this.#open[delimiter.level]!.delimiter = undefined;
    else if (this.#partCount < MAX_MIME_PARTS) this.#expectHeader();
  }

  /** Closes the leaf and all open parts from this level on. */
  #closeFrom(level: number, end: number): void {
    if (this.#leaf) {
      setEnd(this.#leaf, end);
      this.#leaf.decodedLength += this.#decoder!.end().length;
    }
    this.#leaf = undefined;
    this.#decoder = undefined;
    for (const { part } of this.#open.splice(level)) {
      setEnd(part, end);
      part.decodedLength = part.encodedLength;
    }
  }
}

/** The structure of a message in memory, possibly truncated. */
export function walk(bytes: Buffer): MimePart {
  const walker = new MimeWalker();
  walker.push(bytes);
  return walker.end();
}

function setEnd(part: MimePart, end: number): void {
  part.end = Math.max(part.start, end);
  part.encodedLength = part.end - part.start;
}

const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9;

function isEmptyLine(data: Buffer, start: number): boolean {
  return start === data.length || data[start] === LF || (data[start] === CR && data[start + 1] === LF);
}

/** A line that starts like `Name:`. */
function isField(data: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && data[at]! > 32 && data[at]! < 127 && data[at] !== COLON) at++;
  if (at === start) return false;
  while (isBlank(data[at])) at++;
  return at < end && data[at] === COLON;
}

/** One is a prefix of the other: the bytes from `start` to `end`, and the delimiter. */
function beginsAlike(data: Buffer, start: number, end: number, delimiter: Buffer): boolean {
  const length = Math.min(end - start, delimiter.length);
  for (let i = 0; i < length; i++) if (data[start + i] !== delimiter[i]) return false;
  return true;
}

/** Position of the next line end followed by two dashes, or -1. Scans near bytes without the overhead of indexOf. */
function nextLineOfDashes(data: Buffer, from: number): number {
  const near = Math.min(from + NEAR_BYTES, data.length - 2);
  let at = from;
  for (; at < near; at++) if (data[at] === LF && data[at + 1] === DASH && data[at + 2] === DASH) return at;
  return data.indexOf(LINE_END_DASHES, at);
}

/** The length without a possible start of CR LF and a delimiter. */
function withoutLineEnd(data: Buffer): number {
  let end = data.length;
  if (data[end - 1] === DASH && data[end - 2] === LF) end--;
  if (data[end - 1] === LF) end--;
  if (data[end - 1] === CR) end--;
  return end;
}
