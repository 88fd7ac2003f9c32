// Decodes quoted-printable (RFC 2045 section 6.7). Shared with the web client.

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const EQUALS = 61;
/** maximum number of blanks between the `=` of a soft break and its line end */
const MAX_SOFT_BREAK_BLANKS = 76;
/** needs more bytes */
const UNDECIDED = 'undecided';

/**
 * Decodes into `out`, which must be at least as long. Lenient: an invalid `=` stays, line ends stay. Unless `isLast`,
 * it does not read bytes whose meaning depends on what follows.
 */
export function decodeQuoted(bytes: Uint8Array, out: Uint8Array, isLast: boolean): { read: number; written: number } {
  let written = 0;
  let read = 0;
  while (read < bytes.length) {
    const byte = bytes[read]!;
    const escaped = byte === EQUALS ? hexByte(bytes, read + 1) : -1;
    if (byte !== EQUALS || escaped >= 0) {
      out[written++] = byte === EQUALS ? escaped : byte;
      read += byte === EQUALS ? 3 : 1;
      continue;
    }
    const next = softBreakEnd(bytes, read + 1, isLast);
    if (next === UNDECIDED) break;
    if (next === undefined) {
      out[written++] = EQUALS;
      read++;
    } else {
      read = next;
    }
  }
  return { read, written };
}

/** The byte of two hex digits, or -1. */
function hexByte(bytes: Uint8Array, at: number): number {
  const high = hexDigit(bytes[at]);
  const low = hexDigit(bytes[at + 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(char = 0): number {
  if (char >= 48 && char <= 57) return char - 48;
  const lower = char | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/**
 * Where the text continues after a soft break; undefined if there is none. The end of the input counts as a line end:
 * the line end before a boundary is not part of the content.
 */
function softBreakEnd(bytes: Uint8Array, at: number, isLast: boolean): number | typeof UNDECIDED | undefined {
  let end = at;
  while (end - at < MAX_SOFT_BREAK_BLANKS && (bytes[end] === SPACE || bytes[end] === TAB)) end++;
  if (bytes[end] === LF) return end + 1;
  if (bytes[end] === CR && bytes[end + 1] === LF) return end + 2;
  const isAllBlank = end === bytes.length || (bytes[end] === CR && end + 1 === bytes.length);
  if (isAllBlank) return isLast ? bytes.length : UNDECIDED;
  // the second digit of an escape may follow
  const isHalfEscape = end === at && end + 1 === bytes.length && hexDigit(bytes[end]) >= 0;
  return isHalfEscape && !isLast ? UNDECIDED : undefined;
}
