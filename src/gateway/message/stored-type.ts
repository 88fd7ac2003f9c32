// How a body that is PUT is stored: the MIME headers and the transfer encoding under which it is stored, and back. The
// line protocol ends text at a line `000`, knows only LF, and cannot pass NUL (protocol section 4).

import { AppError } from '../../errors.ts';
import { type HeaderField, headerValue, isMediaType, parseParameters } from '../../mime/headers.ts';
import { type BodyTraits, chooseEncoding } from '../../mime/traits.ts';
import { UNTYPED } from '../../model.ts';

/** `crlf 1234`: line ends and length of a multipart that is stored as it is, with LF */
const LINES_HEADER = 'X-Vestibule-Lines';
/** media type of a multipart that had to be packed whole */
const TYPE_HEADER = 'X-Vestibule-Type';

export interface StoredForm {
  contentType: string;
  encoding: 'identity' | 'quoted-printable' | 'base64';
  extraHeaders: [string, string][];
}

const DEFAULT_TEXT = 'text/plain; charset=utf-8';
const DEFAULT_BINARY = 'application/octet-stream';

/** The media type of a PUT body. Throws bad_request for a Content-Type that cannot be stored. */
export function typeOfBody(contentType: string | undefined, traits: BodyTraits): string {
  const type = contentType?.trim() ?? '';
  // curl sends this for everything whose type is not given
  if (type === '' || type.toLowerCase() === 'application/x-www-form-urlencoded') {
    return traits.isUtf8 && !traits.hasNul ? DEFAULT_TEXT : DEFAULT_BINARY;
  }
  if (!isMediaType(parseParameters(type).value) || /[^\x20-\x7e]/.test(type)) {
    throw new AppError('bad_request', 'The Content-Type cannot be understood.');
  }
  return type;
}

/**
 * How a body of this type is stored. A multipart may not be encoded (RFC 2045 section 6.4): it goes as it is, or packed
 * whole.
 */
export function storedForm(contentType: string, traits: BodyTraits): StoredForm {
  if (!isMultipart(contentType))
    return { contentType, encoding: chooseEncoding(contentType, traits), extraHeaders: [] };
  const hasOneKindOfLineEnd = !(traits.hasCrlf && traits.hasBareLf);
  if (!traits.hasNul && !traits.hasBareCr && !traits.hasTerminatorLine && hasOneKindOfLineEnd) {
    const lines = `${traits.hasCrlf ? 'crlf' : 'lf'} ${traits.size}`;
    return { contentType, encoding: 'identity', extraHeaders: [[LINES_HEADER, lines]] };
  }
  return { contentType: DEFAULT_BINARY, encoding: 'base64', extraHeaders: [[TYPE_HEADER, contentType]] };
}

/** RFC 2046 section 5.1 */
export function isMultipart(contentType: string): boolean {
  return /^multipart\//i.test(contentType.trim());
}

/** What a reader needs to know of a stored message. */
export interface StoredContent {
  /** as it was PUT; empty for messages that are no MIME messages */
  contentType: string;
  /** undefined: the content is part 1, to be fetched decoded; otherwise it is the text of the message */
  lines: { ending: 'crlf' | 'lf'; length: number | undefined } | undefined;
}

/** Reads the headers back. Foreign multiparts keep the CR LF of internet mail, their length is not known beforehand. */
export function storedContent(headers: readonly HeaderField[], format: string): StoredContent {
  if (format === '0' || format === '1') {
    return { contentType: DEFAULT_TEXT, lines: { ending: 'lf', length: undefined } };
  }
  const contentType = headerValue(headers, 'content-type') ?? '';
  if (!isMultipart(contentType)) {
    return { contentType: headerValue(headers, TYPE_HEADER.toLowerCase()) ?? contentType, lines: undefined };
  }
  const marker = /^(crlf|lf) (\d{1,15})$/.exec(headerValue(headers, LINES_HEADER.toLowerCase()) ?? '');
  const lines = marker
    ? { ending: marker[1] as 'crlf' | 'lf', length: Number(marker[2]) }
    : { ending: 'crlf' as const, length: undefined };
  return { contentType, lines };
}

/** Mail from elsewhere may hold anything in its Content-Type, an answer's header only ASCII. */
export function sendableType(stored: string): string {
  if (!/[^\t -~]/.test(stored)) return stored || UNTYPED;
  const { value, params } = parseParameters(stored);
  const charset = params.get('charset') ?? '';
  return withCharset(isMediaType(value) ? value : 'application/octet-stream', charset);
}

/** The parameter only where its value can be sent as it is. */
export function withCharset(type: string, charset: string): string {
  const label = charset.trim();
  return /^[\w.:+-]+$/.test(label) ? `${type}; charset=${label}` : type;
}
