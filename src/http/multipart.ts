// Parses multipart/form-data (RFC 7578, RFC 2046 section 5.1) as a stream: reads the source only when the consumer asks
// for the next piece or part.

import { AppError } from '../errors.ts';
import {
  MAX_BOUNDARY_BYTES,
  MAX_DELIMITER_PADDING_BYTES,
  MAX_PART_HEADER_BYTES,
  MAX_PART_HEADER_COUNT,
  MAX_PARTS,
} from '../limits/http.ts';
import { appended } from '../system/bytes.ts';

export interface FormPart extends PartHeader {
  /** readable once; the next part skips the rest */
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

/** what follows the bytes of a delimiter */
type Follow = 'part' | 'close' | 'content' | 'more';

/**
 * Throws unsupported_media_type for another content type, bad_request for a missing boundary, a malformed header or a
 * missing closing delimiter, too_large above the bounds, and whatever the source throws.
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
  /** number of the current part; 0: the preamble */
  part = 0;
  readonly #source: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  // the first delimiter needs no preceding line break, so we supply it
  #bytes: Buffer = CRLF;
  /** number of leading bytes that are the line break before the content */
  #lead = 2;
  #isInContent = true;
  #isClosed = false;
  #hasEnded = false;

  constructor(source: AsyncIterable<Buffer>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** More content of the current part or preamble; undefined at its end. */
  async piece(): Promise<Buffer | undefined> {
    let searched = 0;
    while (this.#isInContent) {
      const at = this.#bytes.indexOf(this.#delimiter, searched);
      if (at < 0) {
        // everything except a possible start of a delimiter
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

  /** Skips the delimiter line. False: it was the closing delimiter. */
  async beginPart(): Promise<boolean> {
    if (this.#isClosed) return false;
    this.#take(this.#bytes.indexOf(LF) + 1);
    return true;
  }

  /** The header fields, each with CRLF. */
  async header(): Promise<Buffer> {
    // a part without fields starts with an empty line
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

  // keeps the line break of the empty line, with which an immediate delimiter starts
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

  /** The content in the next `count` bytes. */
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

interface PartHeader {
  name: string;
  /** as sent: may contain a path, line breaks, anything; undefined: a form field rather than a file */
  filename: string | undefined;
  /** `text/plain` if missing */
  contentType: string;
  /** by lower-case name */
  headers: Map<string, string>;
}

const FORM_DATA = /^[ \t]*multipart\/form-data[ \t]*(?:;|$)/i;
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):(.*)$/s;
/** bchars of RFC 2046 section 5.1.1, no trailing blank */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]*[0-9A-Za-z'()+_,\-./:=?]$/;
/** RFC 8187: charset, language, percent-encoded value */
const EXTENDED = /^(utf-8|iso-8859-1)'[^']*'((?:[!#$&+\-.^_`|~0-9A-Za-z]|%[0-9A-Fa-f]{2})*)$/i;
/** the characters that browsers encode in names (WHATWG HTML, multipart/form-data encoding algorithm) */
const BROWSER_ESCAPE = /%(?:22|0D|0A)/gi;

/** Throws unsupported_media_type for other types, bad_request without a valid boundary. */
export function formBoundary(contentType: string): string {
  if (!FORM_DATA.test(contentType)) throw new AppError('unsupported_media_type', 'This is not multipart/form-data');
  const boundary = parseParameters(contentType).get('boundary');
  if (boundary === undefined || boundary.length > MAX_BOUNDARY_BYTES || !BOUNDARY.test(boundary)) {
    throw new AppError('bad_request', 'The form has no usable boundary');
  }
  return boundary;
}

/** `header`: field lines with CRLF, in UTF-8. Throws bad_request, too_large. */
export function parsePartHeader(header: Buffer): PartHeader {
  const headers = new Map<string, string>();
  const lines = header.toString('utf8').split('\r\n', MAX_PART_HEADER_COUNT + 2);
  if (lines.length > MAX_PART_HEADER_COUNT + 1) throw new AppError('too_large', 'A part has too many header fields');
  for (const line of lines) {
    if (line === '') continue;
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined || /[\r\n\0]/.test(value)) {
      throw new AppError('bad_request', 'A part has a malformed header field');
    }
    if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value.trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const parameters = parseParameters(disposition);
  const name = parameters.get('name');
  if (!/^form-data[ \t]*(?:;|$)/i.test(disposition) || name === undefined) {
    throw new AppError('bad_request', 'A part has no Content-Disposition with a name');
  }
  const plain = parameters.get('filename');
  return {
    name: unescapeBrowser(name),
    filename: decodeExtended(parameters.get('filename*')) ?? (plain === undefined ? undefined : unescapeBrowser(plain)),
    contentType: headers.get('content-type') || 'text/plain',
    headers,
  };
}

/**
 * `form-data; name="a"; filename=b.txt` → name, filename. The first of several counts. A backslash is literal, as in
 * browsers, except before a quote that does not end its value: `"a\"b"` → `a"b`, `"C:\"` → `C:\`.
 */
function parseParameters(field: string): Map<string, string> {
  const parameters = new Map<string, string>();
  let at = field.indexOf(';');
  while (at >= 0 && at < field.length) {
    const equals = field.indexOf('=', at);
    if (equals < 0) break;
    const name = field
      .slice(at + 1, equals)
      .trim()
      .toLowerCase();
    let start = equals + 1;
    while (field[start] === ' ' || field[start] === '\t') start++;
    let value: string;
    if (field[start] === '"') {
      const end = closingQuote(field, start + 1);
      value = field.slice(start + 1, end).replaceAll('\\"', '"');
      at = field.indexOf(';', end + 1);
    } else {
      const end = field.indexOf(';', start);
      value = field.slice(start, end < 0 ? undefined : end).trim();
      at = end;
    }
    if (!parameters.has(name)) parameters.set(name, value);
  }
  return parameters;
}

/** Throws bad_request for an unterminated value. */
function closingQuote(field: string, from: number): number {
  for (let at = field.indexOf('"', from); at >= 0; at = field.indexOf('"', at + 1)) {
    if (field[at - 1] !== '\\' || at === from || endsValue(field, at + 1)) return at;
  }
  throw new AppError('bad_request', 'A quoted value does not end');
}

function endsValue(field: string, at: number): boolean {
  while (field[at] === ' ' || field[at] === '\t') at++;
  return at >= field.length || field[at] === ';';
}

function unescapeBrowser(text: string): string {
  return text.replace(BROWSER_ESCAPE, fromHex);
}

/** `'%22'` → `'"'` */
function fromHex(escaped: string): string {
  return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
}

function decodeExtended(value: string | undefined): string | undefined {
  const match = value === undefined ? null : EXTENDED.exec(value);
  if (!match) return undefined;
  const [, charset, encoded] = match as unknown as [string, string, string];
  try {
    return charset.toLowerCase() === 'utf-8' ? decodeURIComponent(encoded) : encoded.replace(/%../g, fromHex);
  } catch {
    return undefined;
  }
}
