// Header fields of messages and MIME parts: taking them apart (RFC 5322, 2045, 2183, 2231) and making them (also for
// HTTP, RFC 6266). The only place that builds a header field, so that no value can begin a line of its own.

import { isUtf8 } from 'node:buffer';
import { AppError } from '../errors.ts';
import { MAX_MIME_HEADER_BYTES, MAX_MIME_HEADER_COUNT, MAX_MIME_PARAMETERS } from '../limits/mime.ts';
import { decodeText } from './coding/charset.ts';
import { decodeWords, encodeWords } from './coding/encoded-words.ts';

const FIELD = /^([!-9;-~]+)[ \t]*:(.*)$/s;
const TOKEN = /^[!#$%&'*+\-.^_`{|}~0-9A-Za-z]+$/;
/** RFC 6838 section 4.2 bounds each half */
const MEDIA_TYPE = /^[!#$%&'*+\-.^_`{|}~0-9A-Za-z]{1,127}\/[!#$%&'*+\-.^_`{|}~0-9A-Za-z]{1,127}$/;
const CONTROL = /[\0-\x1f\x7f]/g;

export interface HeaderField {
  name: string;
  /** unfolded and trimmed, encoded words not decoded */
  value: string;
}

export interface ParameterList {
  /** what stands before the first semicolon, as it was written */
  value: string;
  /** by lower case name */
  params: Map<string, string>;
}

/**
 * The fields of a header block, in order. LF or CRLF; lines that are no field are skipped; what is over a bound is cut.
 * `only`: the lower case names of those that are wanted; the others count towards the bound, but nothing is made of
 * them.
 */
export function parseHeaders(block: Buffer, only?: ReadonlySet<string>): HeaderField[] {
  const fields: HeaderField[] = [];
  let count = 0;
  for (const line of unfoldedLines(block.toString('latin1', 0, MAX_MIME_HEADER_BYTES))) {
    const match = FIELD.exec(line);
    if (!match) continue;
    if (count++ === MAX_MIME_HEADER_COUNT) break;
    const name = match[1]!;
    if (only && !only.has(name.toLowerCase())) continue;
    fields.push({ name, value: fromLatin1(match[2]!.replace(/[\0\r]/g, ' ')).trim() });
  }
  return fields;
}

/** Each with the lines that continue it; empty lines do not count. */
function* unfoldedLines(text: string): Generator<string> {
  let unfolded = '';
  for (let start = 0; start < text.length; ) {
    const lf = text.indexOf('\n', start);
    const end = lf < 0 ? text.length : lf;
    const line = text.slice(start, lf > start && text[lf - 1] === '\r' ? lf - 1 : end);
    start = end + 1;
    if (line.startsWith(' ') || line.startsWith('\t')) {
      // with nothing before it, it continues nothing
      if (unfolded !== '') unfolded += line;
    } else if (line !== '') {
      if (unfolded !== '') yield unfolded;
      unfolded = line;
    }
  }
  if (unfolded !== '') yield unfolded;
}

function fromLatin1(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** The value of the first field of that name (any case). */
export function headerValue(fields: readonly HeaderField[], field: string): string | undefined {
  const wanted = field.toLowerCase();
  return fields.find(({ name }) => name.length === wanted.length && name.toLowerCase() === wanted)?.value;
}

/** Text of a header value for people: bytes as UTF-8 or else windows-1252, encoded words decoded. */
export function decodeHeaderText(text: Buffer | string): string {
  return decodeWords(typeof text === 'string' ? text : decodeText(text, ''));
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
      // a mark tells pieces in percent encoding from plain ones: '%' or '='
      pieces[index] ??= (star[2] === undefined || star[3] ? '%' : '=') + text;
      extended.set(star[1]!, pieces);
    } else if (name !== '' && !params.has(name)) {
      // RFC 2047 forbids encoded words here; enough programs write their file names so
      params.set(name, name === 'name' || name === 'filename' ? decodeWords(text) : text);
    }
  }
  for (const [name, pieces] of extended) {
    const text = joinExtended(pieces);
    if (text !== undefined) params.set(name, text);
  }
  return { value: stripComments(first ?? ''), params };
}

/** Semicolons in quoted strings and comments do not count. */
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
    // 'us-ascii (Plain text)' ends in a comment, 'holiday (1).jpg' is a file name that lacks its quotes
    const open = text.endsWith(')') ? text.indexOf('(') : -1;
    return open > 0 ? text.slice(0, open).trim() : text;
  }
  let result = '';
  for (let i = 1; i < text.length; i++) {
    const char = text[i]!;
    if (char === '"') break;
    // a backslash before anything else is meant: "C:\dir\file.txt"
    if (char === '\\' && (text[i + 1] === '"' || text[i + 1] === '\\')) result += text[++i];
    else result += char;
  }
  return result;
}

/** RFC 2231 sections 3 and 4: pieces up to the first gap; the first one, if percent encoded, names the charset. */
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

/** A line `Name: value` with LF, text outside ASCII as encoded words. bad_request for what would break the line. */
export function formatHeader(name: string, value: string): string {
  if (!TOKEN.test(name) || /[\0\r\n]/.test(value)) {
    throw new AppError('bad_request', 'A header field contains a line break, a NUL or an invalid name.');
  }
  return `${name}: ${encodeWords(value)}\n`;
}

/**
 * `name=token`, `name="quoted string"` or, outside printable ASCII, `name*=UTF-8''percent-encoded` (RFC 2231, RFC
 * 8187). Control characters become blanks.
 */
export function formatParameter(name: string, value: string): string {
  const text = value.replace(CONTROL, ' ');
  if (TOKEN.test(text)) return `${name}=${text}`;
  if (/[^ -~]/.test(text)) return formatExtendedParameter(name, text);
  return `${name}="${text.replace(/["\\]/g, '\\$&')}"`;
}

/** `name*=UTF-8''percent-encoded`, for any text. */
export function formatExtendedParameter(name: string, value: string): string {
  const encoded = encodeURIComponent(value.replace(CONTROL, ' ').toWellFormed()).replace(
    /[*'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${name}*=UTF-8''${encoded}`;
}

/** `type; name=value…`; bad_request if the type is not `type/subtype` or a parameter's name no token. */
export function formatContentType(type: string, params: Iterable<readonly [string, string]> = []): string {
  if (!isMediaType(type)) throw new AppError('bad_request', 'That is not a media type.');
  let result = type;
  for (const [name, value] of params) {
    if (!TOKEN.test(name)) throw new AppError('bad_request', 'That is not a parameter of a media type.');
    result += `; ${formatParameter(name, value)}`;
  }
  return result;
}

/** `attachment; filename="…"`, and `filename*` for a name that the first form cannot carry (RFC 6266 section 4.3). */
export function formatContentDisposition(disposition: 'attachment' | 'inline', filename = ''): string {
  const name = filename.replace(CONTROL, ' ').trim();
  if (name === '') return disposition;
  // '%' because some browsers decode it here (RFC 6266 appendix D)
  const fallback = name.replace(/[^ -~]+|["\\%]/g, '_');
  const exact = fallback === name ? '' : `; ${formatExtendedParameter('filename', name)}`;
  return `${disposition}; filename="${fallback}"${exact}`;
}
