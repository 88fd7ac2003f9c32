// The line `000`, which ends every text and every listing of the protocol (protocol section 4), found in bytes that
// come in pieces: by who takes a text (backend/text-reader.ts), and by who must not let one slip into a listing
// (backend/listing-text.ts).

const LF = 10;
const CR = 13;
const ZERO = 48;
/** with the CR that a peer may send before the LF */
const MARK = Buffer.from('000\r');

export interface EndMark {
  start: number;
  /** where the line behind it begins */
  next: number;
}

/** The first line `000` from `from` on that has ended, with or without CR. `beginsLine`: a line begins at `from`. */
export function findEndMark(bytes: Buffer, from: number, beginsLine: boolean): EndMark | undefined {
  for (let at = beginsLine ? from - 1 : from; at < bytes.length; at++) {
    if (at >= from && bytes[at] !== LF) continue;
    if (bytes[at + 1] !== ZERO || bytes[at + 2] !== ZERO || bytes[at + 3] !== ZERO) continue;
    const lf = bytes[at + 4] === CR ? at + 5 : at + 4;
    if (bytes[lf] === LF) return { start: at + 1, next: lf + 1 };
  }
  return undefined;
}

/**
 * How many bytes at the end are a line that may become `000` when more comes: 0 where the next byte begins a line,
 * undefined where it goes on with one that is something else. `beginsLine`: the bytes begin a line.
 */
export function openEndMark(bytes: Buffer, beginsLine: boolean): number | undefined {
  const lastLine = bytes.lastIndexOf(LF) + 1;
  if (lastLine === 0 && !beginsLine) return undefined;
  const line = bytes.subarray(lastLine);
  return line.length <= MARK.length && MARK.subarray(0, line.length).equals(line) ? line.length : undefined;
}
