// Percent-decoding of what a client sends in a request target or a form (RFC 3986 section 2.1).

import { AppError } from '../errors.ts';

const NEEDS_DECODING = /[%\x80-\xff]/;
const RAW_HIGH_BYTE = /[\x80-\xff]/;
const BREAKS_LINE = /[\r\n\0]/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** One segment or parameter, decoded once as UTF-8. Throws bad_request for malformed encoding, NUL, CR and LF. */
export function decodePercent(text: string): string {
  if (!NEEDS_DECODING.test(text)) return text;
  const decoded = decodeUtf8(text);
  if (BREAKS_LINE.test(decoded)) throw new AppError('bad_request', 'The address holds a control character');
  return decoded;
}

/** As decodePercent, but line breaks are allowed: a form's text area sends them. NUL is still refused. */
export function decodePercentText(text: string): string {
  const decoded = NEEDS_DECODING.test(text) ? decodeUtf8(text) : text;
  if (decoded.includes('\0')) throw new AppError('bad_request', 'A parameter holds NUL');
  return decoded;
}

function decodeUtf8(text: string): string {
  try {
    // node gives raw bytes above 0x7f as Latin-1; a careless client meant UTF-8: 'Zo\xc3\xab' → 'Zoë'
    const plain = RAW_HIGH_BYTE.test(text) ? utf8.decode(Buffer.from(text, 'latin1')) : text;
    return decodeURIComponent(plain);
  } catch (cause) {
    throw new AppError('bad_request', 'Malformed percent-encoding', { cause });
  }
}
