// Parses header fields of messages and MIME parts (RFC 5322, 2045, 2183, 2231) and formats them, also for HTTP
// (RFC 6266). Nothing else formats header fields, so no value can inject a line.

import { AppError } from '../errors.ts';
import { MAX_MIME_HEADER_BYTES, MAX_MIME_HEADER_COUNT, MAX_MIME_PARAMETERS } from '../limits/mime.ts';
import { bytesOfText } from '../system/bytes.ts';
import { decodeText } from './coding/charset.ts';
import { decodeRaw, decodeWords, encodeWords } from './coding/encoded-words.ts';

const FIELD = /^([!-9;-~]+)[ \t]*:(.*)$/s;
const TOKEN = /^[!#$%&'*+\-.^_`{|}~0-9A-Za-z]+$/;
/** RFC 6838 section 4.2 limits the length of each half */
const MEDIA_TYPE = /^[!#$%&'*+\-.^_`{|}~0-9A-Za-z]{1,127}\/[!#$%&'*+\-.^_`{|}~0-9A-Za-z]{1,127}$/;
const FILE_NAMES: ReadonlySet<string> = new Set(['name', 'filename']);
const CONTROL = /[\0-\x1f\x7f]/g;
/** bytes from 0x80, or a switch of ISO-2022-JP */
const RAW = /[\x80-\xff]|\x1b\$/;
/** RFC 2047 section 2 allows 76 where encoded words are, RFC 5322 section 2.1.1 recommends 78 */
const FOLDED_LINE = 76;
const PARAMETER = /^[!#$%&'*+\-.^_`{|}~0-9A-Za-z]+\s*=/;

export interface HeaderField {
  name: string;
  /** unfolded and trimmed, encoded words not decoded */
  value: string;
}

export interface ParameterList {
  /** text before the first semicolon */
  value: string;
  /** keyed by lower-case name */
  params: Map<string, string>;
}

/**
 * The fields of a header block, in order, with LF or CRLF line ends. Skips malformed lines and truncates at the bounds.
 * `only` holds the lower-case names to return; the other fields still count towards the bound.
 */
export function parseHeaders(block: Buffer, only?: ReadonlySet<string>): HeaderField[] {
  const fields: HeaderField[] = [];
  let count = 0;
  let isPlain = true;
  for (const line of unfoldedLines(block.toString('latin1', 0, MAX_MIME_HEADER_BYTES))) {
    const match = FIELD.exec(line);
    if (!match) continue;
    if (count++ === MAX_MIME_HEADER_COUNT) break;
    const name = match[1]!;
    if (only && !only.has(name.toLowerCase())) continue;
    const value = match[2]!.replace(/[\0\r]/g, ' ').trim();
    isPlain &&= !RAW.test(value);
    fields.push({ name, value });
  }
  if (isPlain) return fields;
  const charset = charsetIn(fields);
  return fields.map(({ name, value }) => ({ name, value: decodeRaw(Buffer.from(value, 'latin1'), charset) }));
}

/** The same of lines without their ends, as textOfBytes makes them. */
export function parseHeaderLines(lines: readonly string[]): HeaderField[] {
  return parseHeaders(bytesOfText(lines.join('\n')));
}

/** The charset of the content, which mostly is that of raw 8-bit text in the header, too. */
export function charsetIn(fields: readonly HeaderField[]): string {
  const type = headerValue(fields, 'Content-Type');
  return type === undefined ? '' : (parseParameters(type).params.get('charset') ?? '');
}

/** Joins continuation lines, also one that lost its blank: a parameter after a semicolon. Skips empty lines. */
function* unfoldedLines(text: string): Generator<string> {
  let unfolded = '';
  for (let start = 0; start < text.length; ) {
    const lf = text.indexOf('\n', start);
    const end = lf < 0 ? text.length : lf;
    const line = text.slice(start, lf > start && text[lf - 1] === '\r' ? lf - 1 : end);
    start = end + 1;
    if (line.startsWith(' ') || line.startsWith('\t') || isLostFold(unfolded, line)) {
      // a continuation of nothing is dropped
      if (unfolded !== '') unfolded += line;
    } else if (line !== '') {
      if (unfolded !== '') yield unfolded;
      unfolded = line;
    }
  }
  if (unfolded !== '') yield unfolded;
}

function isLostFold(before: string, line: string): boolean {
  return /;\s*$/.test(before) && PARAMETER.test(line) && !FIELD.test(line);
}

/** The value of the first field with this name, case-insensitive. */
export function headerValue(fields: readonly HeaderField[], field: string): string | undefined {
  const wanted = field.toLowerCase();
  return fields.find(({ name }) => name.length === wanted.length && name.toLowerCase() === wanted)?.value;
}

/** Header text for display: encoded words and raw bytes decoded, those by `charset` where they are no UTF-8. */
export function decodeHeaderText(text: Buffer | string, charset = ''): string {
  return decodeWords(typeof text === 'string' ? text : decodeRaw(text, charset), charset);
}

/** what reverses the direction of the text after it, so that `exe.pdf` seems to be `fdp.exe` */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;

/** The name of a file or person for display, without characters that change what it seems to be. */
export function decodeName(text: string): string {
  return decodeWords(text).replace(OVERRIDES, '');
}

/** `'text/plain; charset=utf-8'` → value and parameters (RFC 2045 section 5.1, RFC 2231). Never throws. */
export function parseParameters(value: string): ParameterList {
  const [first, ...rest] = splitAtSemicolons(value);
  const params = new Map<string, string>();
  const extended = new Map<string, string[]>();
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    if (equals < 0) continue;
    const name = stripComments(piece.slice(0, equals)).toLowerCase();
    const text = parameterValue(piece.slice(equals + 1).trim());
    // 'filename*', 'filename*0', 'filename*0*'
    const star = /^([^*]+)\*(\d{1,3})?(\*)?$/.exec(name);
    if (star) {
      const pieces = extended.get(star[1]!) ?? [];
      const index = Number(star[2] ?? 0);
      // '%' marks a percent-encoded piece, '=' a plain one
      pieces[index] ??= (star[2] === undefined || star[3] ? '%' : '=') + text;
      extended.set(star[1]!, pieces);
    } else if (name !== '' && !params.has(name)) {
      // RFC 2047 forbids encoded words here, but many programs write file names this way.
      params.set(name, FILE_NAMES.has(name) ? decodeName(text) : text);
    }
  }
  for (const [name, pieces] of extended) {
    const text = joinExtended(pieces);
    if (text !== undefined) params.set(name, FILE_NAMES.has(name) ? decodeName(text) : text);
  }
  return { value: stripComments(first ?? ''), params };
}

/** Ignores semicolons inside quoted strings and comments. */
function splitAtSemicolons(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length && pieces.length <= MAX_MIME_PARAMETERS; i++) {
    const char = text[i];
    if (char === '\\' && (isQuoted || depth > 0)) i++;
    else if (char === '"' && depth === 0) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '(') depth++;
    else if (char === ')' && depth > 0) depth--;
    else if (char === ';' && depth === 0) {
      pieces.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (pieces.length <= MAX_MIME_PARAMETERS) pieces.push(text.slice(start));
  return pieces;
}

function stripComments(text: string): string {
  if (!text.includes('(')) return text.trim();
  let result = '';
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth++;
    else if (char === ')' && depth > 0) depth--;
    else if (depth === 0) result += char;
  }
  return result.trim();
}

function parameterValue(text: string): string {
  if (!text.startsWith('"')) {
    // 'us-ascii (Plain text)' ends in a comment; 'holiday (1).jpg' is an unquoted file name.
    const open = text.endsWith(')') ? text.indexOf('(') : -1;
    return open > 0 ? text.slice(0, open).trim() : text;
  }
  let result = '';
  for (let i = 1; i < text.length; i++) {
    const char = text[i]!;
    if (char === '"') break;
    // Any other backslash is literal: "C:\dir\file.txt"
    if (char === '\\' && (text[i + 1] === '"' || text[i + 1] === '\\')) result += text[++i];
    else result += char;
  }
  return result;
}

/** RFC 2231 sections 3 and 4: joins pieces up to the first gap. A percent-encoded first piece names the charset. */
function joinExtended(pieces: readonly (string | undefined)[]): string | undefined {
  let charset = '';
  const bytes: Buffer[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined) break;
    let text = piece.slice(1);
    if (piece[0] === '%') {
      const prefix = i === 0 ? /^([^']*)'[^']*'/.exec(text) : null;
      if (prefix) {
        charset = prefix[1]!;
        text = text.slice(prefix[0].length);
      }
      bytes.push(percentDecode(text));
    } else {
      bytes.push(Buffer.from(text));
    }
  }
  return bytes.length === 0 ? undefined : decodeText(Buffer.concat(bytes), charset).replace(CONTROL, ' ');
}

function percentDecode(text: string): Buffer {
  const latin1 = Buffer.from(text)
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin1, 'latin1');
}

/** `type/subtype`, without parameters. */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}

/** A line `Name: value` ending in LF, with encoded words where needed. Throws bad_request for a line break. */
export function formatHeader(name: string, value: string): string {
  if (!TOKEN.test(name) || /[\0\r\n]/.test(value)) {
    throw new AppError('bad_request', 'A header field contains a line break, a NUL or an invalid name.');
  }
  return `${foldHeader(`${name}: ${encodeWords(value)}`, '\n')}\n`;
}

/** A long field as several lines, broken at blanks where there are any. Unfolding gives the same text. */
export function foldHeader(field: string, lineEnd: string): string {
  if (field.length <= FOLDED_LINE) return field;
  const [first, ...words] = field.split(/ (?=[^ ])/);
  let folded = first!;
  let column = folded.length;
  for (const word of words) {
    const isFull = column + 1 + word.length > FOLDED_LINE;
    folded += isFull ? `${lineEnd} ${word}` : ` ${word}`;
    column = (isFull ? 0 : column) + 1 + word.length;
  }
  return folded;
}

/** `name=token`, `name="quoted string"`, or `name*=UTF-8''…` for other text (RFC 2231, RFC 8187). */
export function formatParameter(name: string, value: string): string {
  const text = value.replace(CONTROL, ' ');
  if (TOKEN.test(text)) return `${name}=${text}`;
  if (/[^ -~]/.test(text)) return formatExtendedParameter(name, text);
  return `${name}="${text.replace(/["\\]/g, '\\$&')}"`;
}

/** `name*=UTF-8''percent-encoded` */
export function formatExtendedParameter(name: string, value: string): string {
  const encoded = encodeURIComponent(value.replace(CONTROL, ' ').toWellFormed()).replace(
    /[*'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${name}*=UTF-8''${encoded}`;
}

/** `type; name=value…`. Throws bad_request for an invalid media type or parameter name. */
export function formatContentType(type: string, params: Iterable<readonly [string, string]> = []): string {
  if (!isMediaType(type)) throw new AppError('bad_request', 'The media type is invalid: expected type/subtype.');
  let result = type;
  for (const [name, value] of params) {
    if (!TOKEN.test(name)) throw new AppError('bad_request', 'The media type has a parameter with an invalid name.');
    result += `; ${formatParameter(name, value)}`;
  }
  return result;
}

/** `attachment; filename="…"`, plus `filename*` where the plain form cannot carry the name (RFC 6266 section 4.3). */
export function formatContentDisposition(disposition: 'attachment' | 'inline', filename = ''): string {
  const name = filename.replace(CONTROL, ' ').trim();
  if (name === '') return disposition;
  // some browsers decode '%' here (RFC 6266 appendix D)
  const fallback = name.replace(/[^ -~]+|["\\%]/g, '_');
  const exact = fallback === name ? '' : `; ${formatExtendedParameter('filename', name)}`;
  return `${disposition}; filename="${fallback}"${exact}`;
}
