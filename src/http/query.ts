// The parameters of a request target and of application/x-www-form-urlencoded bodies (URL section 5.1), parsed by hand
// so that malformed encoding is an error and not U+FFFD.

import { AppError } from '../errors.ts';
import { MAX_QUERY_PARAMETERS } from '../limits/http.ts';
import { decodePercent, decodePercentText } from './percent.ts';

const PLUS = /\+/g;

/**
 * `'a=1&b=x+y'` → `['a', '1', 'b', 'x y']`: names at even, values at odd places.
 * Throws bad_request for more than MAX_QUERY_PARAMETERS and for what `decode` refuses.
 */
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

/** application/x-www-form-urlencoded, as Latin-1; the first of a name wins. Throws bad_request. */
export function parseForm(text: string): Map<string, string> {
  const pairs = parsePairs(text, decodePercentText);
  const form = new Map<string, string>();
  for (let i = 0; i < pairs.length; i += 2) if (!form.has(pairs[i]!)) form.set(pairs[i]!, pairs[i + 1]!);
  return form;
}

export class Query {
  readonly #pairs: string[];

  /** `text` is what stands behind the `?`. Throws bad_request. */
  constructor(text: string) {
    this.#pairs = text === '' ? [] : parsePairs(text);
  }

  /** the first value of this name; `''` for a name without value */
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
