// multipart/form-data (RFC 7578 on RFC 2046 section 5.1), streaming and pulled: the source is read only while the
// consumer asks for the next piece or part. Header fields of a part are taken apart in part-header.ts.

import { AppError } from '../errors.ts';
import { MAX_DELIMITER_PADDING_BYTES, MAX_PART_HEADER_BYTES, MAX_PARTS } from '../limits/http.ts';
import { appended } from '../system/bytes.ts';
import { formBoundary, type PartHeader, parsePartHeader } from './part-header.ts';

export interface FormPart extends PartHeader {
  /** once; what is not pulled of it is skipped when the next part is asked for */
  body: AsyncIterable<Buffer>;
}

const CR = 13;
const LF = 10;
const DASH = 45;
const SPACE = 32;
const TAB = 9;
const CRLF = Buffer.from('\r\n');
const HEADER_END = Buffer.from('\r\n\r\n');
const EMPTY = Buffer.alloc(0);

/** what stands behind the bytes of a delimiter */
type Follow = 'part' | 'close' | 'content' | 'more';

/**
 * Throws unsupported_media_type for another content type, bad_request for a missing boundary, a broken header and input
 * that ends before the closing delimiter, too_large for more than the bounds, and what the source throws.
 */
export async function* parseMultipart(source: AsyncIterable<Buffer>, contentType: string): AsyncGenerator<FormPart> {
  const scanner = new Scanner(source, formBoundary(contentType));
  try {
    await skip(scanner);
    for (let count = 1; await scanner.beginPart(); count++) {
      if (count > MAX_PARTS) throw new AppError('too_large', `More than ${MAX_PARTS} parts`);
      const header = parsePartHeader(await scanner.header());
      const body = pieces(scanner, scanner.part);
      yield { ...header, body };
      await skip(scanner);
    }
    await scanner.epilogue();
  } finally {
    await scanner.stop();
  }
}

async function skip(scanner: Scanner): Promise<void> {
  while (await scanner.piece());
}

async function* pieces(scanner: Scanner, part: number): AsyncGenerator<Buffer, void, void> {
  while (scanner.part === part) {
    const piece = await scanner.piece();
    if (!piece) return;
    yield piece;
  }
}

class Scanner {
  /** the number of the part whose content is being scanned; 0 is the preamble */
  part = 0;
  readonly #source: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  // the first delimiter needs no line break before it: this is the one that it lacks
  #bytes: Buffer = CRLF;
  /** so many of the waiting bytes are the line break before the content, and no content */
  #lead = 2;
  #isInContent = true;
  #isClosed = false;
  #hasEnded = false;

  constructor(source: AsyncIterable<Buffer>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** More content of the current part (or of the preamble); undefined at the delimiter that ends it. */
  async piece(): Promise<Buffer | undefined> {
    let searched = 0;
    while (this.#isInContent) {
      const at = this.#bytes.indexOf(this.#delimiter, searched);
      if (at < 0) {
        // all but what may be the beginning of a delimiter
        const safe = this.#bytes.length - this.#delimiter.length + 1;
        if (safe > this.#lead) return this.#content(safe);
        await this.#fill();
        continue;
      }
      const follow = this.#follow(at + this.#delimiter.length);
      if (follow === 'more') {
        await this.#fill();
      } else if (follow === 'content') {
        searched = at + 1;
      } else if (at > this.#lead) {
        return this.#content(at);
      } else {
        this.#take(at + this.#delimiter.length);
        this.#isInContent = false;
        this.#isClosed = follow === 'close';
      }
    }
    return undefined;
  }

  /** Steps over the delimiter line into the header of the next part; false behind the closing one. */
  async beginPart(): Promise<boolean> {
    if (this.#isClosed) return false;
    this.#take(this.#bytes.indexOf(LF) + 1);
    return true;
  }

  /** The header fields with the CRLF of each; content follows. */
  async header(): Promise<Buffer> {
    // a part without any field begins with the empty line
    let searched = 0;
    for (;;) {
      if (this.#bytes.length >= 2 && this.#bytes[0] === CR && this.#bytes[1] === LF) {
        this.#begin(0);
        return EMPTY;
      }
      const at = this.#bytes.indexOf(HEADER_END, searched);
      if (at > MAX_PART_HEADER_BYTES || (at < 0 && this.#bytes.length > MAX_PART_HEADER_BYTES + HEADER_END.length)) {
        throw new AppError('too_large', `The header of a part is longer than ${MAX_PART_HEADER_BYTES} bytes`);
      }
      if (at >= 0) {
        const header = this.#bytes.subarray(0, at + 2);
        this.#begin(at + 2);
        return header;
      }
      searched = Math.max(0, this.#bytes.length - HEADER_END.length + 1);
      await this.#fill();
    }
  }

  async epilogue(): Promise<void> {
    this.#bytes = EMPTY;
    while (!this.#hasEnded) this.#hasEnded = (await this.#source.next()).done === true;
  }

  async stop(): Promise<void> {
    if (!this.#hasEnded) await this.#source.return?.();
  }

  // The line break of the empty line stays: a delimiter that follows at once begins with it.
  #begin(at: number): void {
    this.#bytes = this.#bytes.subarray(at);
    this.#lead = 2;
    this.#isInContent = true;
    this.part++;
  }

  #follow(at: number): Follow {
    const bytes = this.#bytes;
    if (at >= bytes.length) return 'more';
    if (bytes[at] === DASH) {
      if (at + 1 >= bytes.length) return 'more';
      return bytes[at + 1] === DASH ? 'close' : 'content';
    }
    let end = at;
    while (bytes[end] === SPACE || bytes[end] === TAB) end++;
    if (end - at > MAX_DELIMITER_PADDING_BYTES) throw new AppError('too_large', 'A delimiter line is too long');
    if (end >= bytes.length) return 'more';
    if (bytes[end] === LF) throw new AppError('bad_request', 'A delimiter line ends without CR');
    if (bytes[end] !== CR) return 'content';
    if (end + 1 >= bytes.length) return 'more';
    return bytes[end + 1] === LF ? 'part' : 'content';
  }

  /** The content among the next `count` bytes. */
  #content(count: number): Buffer {
    const content = this.#take(count).subarray(this.#lead);
    this.#lead = 0;
    return content;
  }

  #take(count: number): Buffer {
    const taken = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return taken;
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done) {
      this.#hasEnded = true;
      throw new AppError('bad_request', 'The form ends before its closing delimiter');
    }
    this.#bytes = this.#bytes.length === 0 ? value : appended(this.#bytes, value);
  }
}
