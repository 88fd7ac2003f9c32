// The Range header (RFC 9110 section 14.2): one range of bytes.

import { AppError } from '../errors.ts';
import { allowsRange, type Validators } from './conditional.ts';
import type { Exchange } from './exchange.ts';

/** start inclusive, end exclusive, as for Buffer.subarray */
export interface ByteRange {
  start: number;
  end: number;
}

const SINGLE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * `bytes=0-99`, `bytes=100-`, `bytes=-5` of a representation of `size` bytes. What is malformed, in another unit or
 * more than one range is to be ignored (answer 200), as RFC 9110 section 14.2 allows.
 */
export function parseRange(header: string, size: number): ByteRange | 'ignore' | 'unsatisfiable' {
  const match = SINGLE.exec(header);
  if (!match) return 'ignore';
  const [, first, last] = match as unknown as [string, string, string];
  if (first === '') {
    if (last === '') return 'ignore';
    const length = Number(last);
    if (length === 0) return 'unsatisfiable';
    // satisfiable by its definition, but no Content-Range can express a part of nothing
    return size === 0 ? 'ignore' : { start: Math.max(0, size - length), end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Number(last) + 1;
  if (last !== '' && end <= start) return 'ignore';
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size) };
}

/** What of a GET's answer is wanted; undefined: all of it. Throws range_not_satisfiable. */
export function wantedRange(exchange: Exchange, validators: Validators, size: number): ByteRange | undefined {
  const header = exchange.method === 'GET' ? exchange.header('range') : undefined;
  if (header === undefined || !allowsRange(exchange, validators)) return undefined;
  const range = parseRange(header, size);
  if (range === 'ignore') return undefined;
  if (range === 'unsatisfiable') {
    exchange.addHeader('Content-Range', `bytes */${size}`);
    throw new AppError('range_not_satisfiable', `The range lies beyond the ${size} bytes there are`);
  }
  return range;
}
