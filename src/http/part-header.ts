// The header fields of one part of a form and the Content-Type of the whole (RFC 7578 section 4, RFC 2045 section 5.1).
// Pure.

import { AppError } from '../errors.ts';
import { MAX_BOUNDARY_BYTES, MAX_PART_HEADER_COUNT } from '../limits/http.ts';

export interface PartHeader {
  name: string;
  /** as the client wrote it: may hold a path, line breaks, anything; undefined: a form field, no file */
  filename: string | undefined;
  /** `text/plain` where the part says nothing */
  contentType: string;
  /** by lower-case name */
  headers: Map<string, string>;
}

const FORM_DATA = /^[ \t]*multipart\/form-data[ \t]*(?:;|$)/i;
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):(.*)$/s;
/** bchars of RFC 2046 section 5.1.1; a blank at the end is not allowed */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]*[0-9A-Za-z'()+_,\-./:=?]$/;
/** RFC 8187: charset, language, percent-encoded value */
const EXTENDED = /^(utf-8|iso-8859-1)'[^']*'((?:[!#$&+\-.^_`|~0-9A-Za-z]|%[0-9A-Fa-f]{2})*)$/i;
/** the three that browsers encode in names (WHATWG HTML, multipart/form-data encoding algorithm) */
const BROWSER_ESCAPE = /%(?:22|0D|0A)/gi;

/** Throws unsupported_media_type for what is not multipart/form-data, bad_request without a usable boundary. */
export function formBoundary(contentType: string): string {
  if (!FORM_DATA.test(contentType)) throw new AppError('unsupported_media_type', 'This is not multipart/form-data');
  const boundary = parseParameters(contentType).get('boundary');
  if (boundary === undefined || boundary.length > MAX_BOUNDARY_BYTES || !BOUNDARY.test(boundary)) {
    throw new AppError('bad_request', 'The form has no usable boundary');
  }
  return boundary;
}

/** `header` is the field lines, each with its CRLF, read as UTF-8. Throws bad_request, too_large. */
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
 * `form-data; name="a"; filename=b.txt` → name, filename. The first of a name wins. A backslash is itself (browsers do
 * not escape with it), except before a quote that does not end its value: `"a\"b"` → `a"b`, `"C:\"` → `C:\`.
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

/** Throws bad_request for a value without closing quote. */
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
