// Query and form parameters (URL section 5.1). Unlike URLSearchParams, rejects malformed encoding.

import { AppError } from '../errors.ts';
import { MAX_QUERY_PARAMETERS } from '../limits/http.ts';

const PLUS = /\+/g;

/** `'a=1&b=x+y'` → `['a', '1', 'b', 'x y']`. Throws bad_request, also above MAX_QUERY_PARAMETERS. */
function parsePairs(text: string, decode: (text: string) => string = decodePercent): string[] {
  const pairs: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    if (end > start) {
      if (pairs.length === MAX_QUERY_PARAMETERS * 2) throw new AppError('bad_request', 'Too many parameters');
      const piece = text.slice(start, end).replace(PLUS, ' ');
      const equals = piece.indexOf('=');
      const name = equals < 0 ? piece : piece.slice(0, equals);
      pairs.push(decode(name), equals < 0 ? '' : decode(piece.slice(equals + 1)));
    }
    start = end + 1;
  }
  return pairs;
}

/** application/x-www-form-urlencoded; the first of several values counts. Throws bad_request. */
export function parseForm(text: string): Map<string, string> {
  const pairs = parsePairs(text, decodePercentText);
  const form = new Map<string, string>();
  for (let i = 0; i < pairs.length; i += 2) if (!form.has(pairs[i]!)) form.set(pairs[i]!, pairs[i + 1]!);
  return form;
}

export class Query {
  readonly #pairs: string[];

  /** `text`: what follows `?`. Throws bad_request. */
  constructor(text: string) {
    this.#pairs = text === '' ? [] : parsePairs(text);
  }

  /** the first value; `''` for a name without value */
  get(name: string): string | undefined {
    for (let i = 0; i < this.#pairs.length; i += 2) if (this.#pairs[i] === name) return this.#pairs[i + 1];
    return undefined;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter((_, i) => i % 2 === 1 && this.#pairs[i - 1] === name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }
}

const NEEDS_DECODING = /[%\x80-\xff]/;
const RAW_HIGH_BYTE = /[\x80-\xff]/;
const BREAKS_LINE = /[\r\n\0]/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a segment or parameter as UTF-8. Throws bad_request for malformed encoding, NUL, CR and LF. */
export function decodePercent(text: string): string {
  if (!NEEDS_DECODING.test(text)) return text;
  const decoded = decodeUtf8(text);
  if (BREAKS_LINE.test(decoded)) throw new AppError('bad_request', 'The URL contains a control character.');
  return decoded;
}

/** Like decodePercent, but allows line breaks, which text areas send. */
export function decodePercentText(text: string): string {
  const decoded = NEEDS_DECODING.test(text) ? decodeUtf8(text) : text;
  if (decoded.includes('\0')) throw new AppError('bad_request', 'A parameter contains NUL.');
  return decoded;
}

function decodeUtf8(text: string): string {
  try {
    // raw bytes above 0x7f, which node passes as Latin-1, are taken as UTF-8: 'Zo\xc3\xab' → 'Zoë'
    const plain = RAW_HIGH_BYTE.test(text) ? utf8.decode(Buffer.from(text, 'latin1')) : text;
    return decodeURIComponent(plain);
  } catch (cause) {
    throw new AppError('bad_request', 'The percent-encoding is malformed.', { cause });
  }
}
