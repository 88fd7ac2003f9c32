// The text of a message as MSG2 streams it, turned back into the body that was PUT: header skipped, line ends restored,
// cut to its length. For what DLAT cannot deliver: multiparts and Citadel's own formats.

import { AppError } from '../errors.ts';
import { MAX_MIME_HEADER_BYTES } from '../limits/mime.ts';
import { LfLines, MIME_VERSION, withoutCr } from './coding/transfer.ts';
import { type HeaderField, headerValue } from './headers.ts';
import { DEFAULT_TEXT, withoutAuthor } from './stored-content.ts';

const LF = 10;
const CR = 13;

export interface BodyLines {
  ending: 'crlf' | 'lf';
  /** bytes of the body; undefined: as it comes */
  length: number | undefined;
}

/** `source` has CR LF line ends. Throws backend_protocol when it ends before `length` is reached. */
export async function* bodyOfRfc822(source: AsyncIterable<Buffer>, lines: BodyLines): AsyncGenerator<Buffer> {
  let left = lines.length ?? Number.POSITIVE_INFINITY;
  const body = new BodyText(lines.ending);
  const fitting = (piece: Buffer): Buffer => {
    const bytes = piece.length > left ? piece.subarray(0, left) : piece;
    left -= bytes.length;
    return bytes;
  };
  // the listing is read to its end, so that the connection stays usable
  for await (const chunk of source) {
    const bytes = fitting(body.push(chunk));
    if (bytes.length > 0) yield bytes;
  }
  const rest = fitting(body.end());
  if (rest.length > 0) yield rest;
  if (lines.length !== undefined && left > 0) {
    throw new AppError('backend_protocol', 'The room server sent less of the message than it stored.');
  }
}

const NOTHING = Buffer.alloc(0);

/** What stands behind the first empty line of a message, piece by piece, with the line ends that it was PUT with. */
export class BodyText {
  /** the beginning of the header; undefined once it has ended */
  #header: Buffer | undefined = NOTHING;
  readonly #lines: LfLines | undefined;

  constructor(ending: BodyLines['ending']) {
    this.#lines = ending === 'lf' ? new LfLines() : undefined;
  }

  /** Bytes of the body, or none. Throws backend_protocol for a header that is too long. */
  push(chunk: Buffer): Buffer {
    const body = this.#behindHeader(chunk);
    return this.#lines ? this.#lines.push(body) : body;
  }

  end(): Buffer {
    return this.#lines?.end() ?? NOTHING;
  }

  #behindHeader(chunk: Buffer): Buffer {
    if (!this.#header) return chunk;
    const header: Buffer = this.#header.length === 0 ? chunk : Buffer.concat([this.#header, chunk]);
    const start = endOfHeader(header);
    if (start >= 0) {
      this.#header = undefined;
      return header.subarray(start);
    }
    if (header.length > MAX_MIME_HEADER_BYTES) {
      throw new AppError('backend_protocol', 'The header of the message is too long.');
    }
    this.#header = header;
    return NOTHING;
  }
}

/** A message as a file of its own: with what its `header` lacks of the fields that every message has (RFC 2045). */
export async function* withMimeFields(
  source: AsyncIterable<Buffer>,
  header: readonly HeaderField[],
  format: string,
): AsyncGenerator<Buffer> {
  if (headerValue(header, 'MIME-Version') === undefined) yield Buffer.from(`${MIME_VERSION}\r\n`);
  if (format === '0' || format === '1') {
    yield Buffer.from(`Content-Type: ${DEFAULT_TEXT}\r\nContent-Transfer-Encoding: 8bit\r\n`);
  }
  yield* source;
}

/** An anonymous message without the header fields that may name its author. */
export async function* withoutSender(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isHeader = true;
  for await (const piece of headerFirst(source)) {
    yield isHeader ? withoutAuthor(piece) : piece;
    isHeader = false;
  }
}

/** The header with the empty line behind it as the first piece; without such a line it is all that came. */
async function* headerFirst(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let header: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    if (!header) {
      yield chunk;
      continue;
    }
    header = header.length === 0 ? chunk : Buffer.concat([header, chunk]);
    const start = endOfHeader(header);
    if (start >= 0) {
      yield header.subarray(0, start);
      if (start < header.length) yield header.subarray(start);
      header = undefined;
    } else if (header.length > MAX_MIME_HEADER_BYTES) {
      throw new AppError('backend_protocol', 'The header of the message is too long.');
    }
  }
  if (header) yield header;
}

/** Position behind the first empty line; -1 while there is none. Lines end in CR LF, cut ones in LF (quirk Q24). */
function endOfHeader(bytes: Buffer): number {
  for (let at = 0; ; ) {
    const end = bytes.indexOf(LF, at);
    if (end < 0) return -1;
    if (end === at || (end === at + 1 && bytes[at] === CR)) return end + 1;
    at = end + 1;
  }
}

/** LF for CR LF, and an LF at the end: how a body with CR LF line ends is sent as lines. */
export async function* asLines(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let last = LF;
  for await (const piece of withoutCr(source)) {
    last = piece[piece.length - 1]!;
    yield piece;
  }
  if (last !== LF) yield Buffer.of(LF);
}
