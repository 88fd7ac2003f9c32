// Message bodies in transit, as byte streams.

import { AppError } from '../../errors.ts';
import { type Spooled, spool } from '../../http/spool.ts';
import { MAX_TRANSFER_TEXT_BYTES } from '../../limits/backend.ts';
import { EncodingScanner } from '../../mime/encoding-facts.ts';

const LF = 10;
const CR = 13;
/** reason for skipping a message */
export const HOLDS_END_LINE = 'It contains a line 000.';

/** Skips the first `count` lines. */
export async function* afterLines(source: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const piece of source) {
    let at = 0;
    for (; left > 0 && at < piece.length; left--) {
      const end = piece.indexOf(LF, at);
      if (end < 0) at = piece.length;
      else at = end + 1;
      if (end < 0) break;
    }
    if (at < piece.length) yield piece.subarray(at);
  }
}

/** The first lines while `isWanted`, and the rest. Throws backend_protocol above MAX_TRANSFER_TEXT_BYTES. */
export async function firstLines(
  source: AsyncIterable<Buffer>,
  isWanted: (line: string) => boolean,
  encoding: 'utf8' | 'latin1' = 'utf8',
): Promise<{ lines: string[]; rest: AsyncIterable<Buffer> }> {
  const pieces = source[Symbol.asyncIterator]();
  const lines: string[] = [];
  let held: Buffer = Buffer.alloc(0);
  let read = 0;
  for (;;) {
    for (let end = held.indexOf(LF); end >= 0; end = held.indexOf(LF)) {
      const line = held.toString(encoding, 0, end);
      if (!isWanted(line)) return { lines, rest: chain(held, pieces) };
      lines.push(line);
      held = held.subarray(end + 1);
    }
    if (read > MAX_TRANSFER_TEXT_BYTES) throw new AppError('backend_protocol', 'The head of a message is too long.');
    const next = await pieces.next();
    if (next.done) return { lines, rest: chain(held, pieces) };
    read += next.value.length;
    held = Buffer.concat([held, next.value]);
  }
}

async function* chain(first: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  } finally {
    await pieces.return?.();
  }
}

/** A complete body, and what decides whether it can be sent. */
export interface WholeBody extends Spooled {
  /** contains a line `000`, which would end the text */
  hasEndLine: boolean;
  hasNul: boolean;
  /** in bytes, without line end */
  longestLine: number;
  /** without CRs, which a real server hides (MSG2) */
  shownBytes: number;
}

/** Reads the whole body before it is sent: an interrupted transfer would lose the connection. */
export async function takeBody(body: AsyncIterable<Buffer>, spoolFolder: string): Promise<WholeBody> {
  const scanner = new EncodingScanner();
  let shownBytes = 0;
  const see = (piece: Buffer) => {
    scanner.push(piece);
    shownBytes += bytesWithoutCr(piece);
  };
  const spooled = await spool(body, spoolFolder, { see });
  const { hasTerminatorLine: hasEndLine, hasNul, longestLine } = scanner.end();
  return { ...spooled, hasEndLine, hasNul, longestLine, shownBytes };
}

export function bytesWithoutCr(piece: Buffer): number {
  let count = piece.length;
  for (let at = piece.indexOf(CR); at >= 0; at = piece.indexOf(CR, at + 1)) count--;
  return count;
}

/** A text followed by a body, whose last line is terminated. */
export async function* asText(head: string | Buffer, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield Buffer.from(head as string);
  let last = LF;
  for await (const piece of body) {
    if (piece.length > 0) last = piece.at(-1)!;
    yield piece;
  }
  if (last !== LF) yield Buffer.from('\n');
}
