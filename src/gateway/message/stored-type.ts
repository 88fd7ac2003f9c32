// How a body that is PUT is stored: its MIME headers and its transfer encoding. The way back is mime/stored-content.ts.
// The line protocol ends text at a line `000`, knows only LF, and cannot pass NUL (protocol section 4).

import { AppError } from '../../errors.ts';
import { chooseEncoding, type EncodingFacts } from '../../mime/encoding-facts.ts';
import { isMediaType, parseParameters } from '../../mime/headers.ts';
import { DEFAULT_TEXT, isMultipart, LINES_HEADER, TYPE_HEADER } from '../../mime/stored-content.ts';

export interface StoredForm {
  contentType: string;
  encoding: 'identity' | 'quoted-printable' | 'base64';
  extraHeaders: [string, string][];
}

const DEFAULT_BINARY = 'application/octet-stream';

/** The media type of a PUT body. Throws bad_request for a Content-Type that cannot be stored. */
export function typeOfBody(contentType: string | undefined, traits: EncodingFacts): string {
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
export function storedForm(contentType: string, traits: EncodingFacts): StoredForm {
  if (!isMultipart(contentType))
    return { contentType, encoding: chooseEncoding(contentType, traits), extraHeaders: [] };
  const hasOneKindOfLineEnd = !(traits.hasCrlf && traits.hasBareLf);
  if (!traits.hasNul && !traits.hasBareCr && !traits.hasTerminatorLine && hasOneKindOfLineEnd) {
    const lines = `${traits.hasCrlf ? 'crlf' : 'lf'} ${traits.size}`;
    return { contentType, encoding: 'identity', extraHeaders: [[LINES_HEADER, lines]] };
  }
  return { contentType: DEFAULT_BINARY, encoding: 'base64', extraHeaders: [[TYPE_HEADER, contentType]] };
}
