// Decodes a stored or received object, and mends what programs write that neither a parser nor a report could handle:
// folds inside characters, other charsets, control characters, METHOD outside scheduling messages.

import { isUtf8 } from 'node:buffer';
import { decodeText } from './coding/charset.ts';

const [LF, CR, SPACE, TAB] = [0x0a, 0x0d, 0x20, 0x09];
/** those whose bytes are the same in UTF-8 */
const PLAIN_CHARSET = /^(?:|utf-?8|us-ascii)$/i;
/** characters that XML cannot carry (XML 1.0 section 2.2), so that no report could return them */
const IMPOSSIBLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
/** a line with its folds */
const METHOD = /^METHOD[;:][^\r\n]*(?:\r?\n[ \t][^\r\n]*)*(?:\r?\n|\r|$)/im;
/** of a calendar: METHOD stands before its components */
export const CALENDAR_HEAD_BYTES = 4096;

/** The bytes decide before the charset that a program names. */
export function objectSource(bytes: Buffer, charset = ''): string {
  const isPlain = PLAIN_CHARSET.test(charset) && isUtf8(bytes);
  const text = isPlain ? bytes.toString('utf8') : decodeText(withoutInnerFolds(bytes), charset);
  return text.replace(IMPOSSIBLE, '');
}

/** RFC 5545 section 3.1: a fold may be between any two octets. */
function withoutInnerFolds(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1];
    const end = bytes[at - 1] === CR ? at - 1 : at;
    const isInside = bytes[end - 1]! >= 0x80 && (bytes[at + 2]! & 0xc0) === 0x80;
    if (!isInside || (next !== SPACE && next !== TAB)) continue;
    pieces.push(bytes.subarray(start, end));
    start = at + 2;
  }
  if (pieces.length === 0) return bytes;
  const joined = Buffer.concat([...pieces, bytes.subarray(start)]);
  // in another charset these are two characters
  return isUtf8(joined) ? joined : bytes;
}

/** A calendar, or its beginning, as an object: METHOD belongs to messages (RFC 4791 section 4.1). */
export function withoutMethod(calendar: string): string {
  const head = calendar.slice(0, CALENDAR_HEAD_BYTES);
  const kept = head.replace(METHOD, '');
  return kept === head ? calendar : kept + calendar.slice(head.length);
}

/** The same for its bytes. */
export function bytesWithoutMethod(calendar: Buffer): Buffer {
  const head = calendar.toString('latin1', 0, CALENDAR_HEAD_BYTES);
  const kept = withoutMethod(head);
  if (kept === head) return calendar;
  return Buffer.concat([Buffer.from(kept, 'latin1'), calendar.subarray(head.length)]);
}
