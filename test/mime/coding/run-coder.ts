// What a coder makes of a stream in chunks, as one buffer.

import type { Coder } from '../../../src/mime/coding/transfer.ts';

export function runCoder(coder: Coder, chunks: readonly Buffer[]): Buffer {
  const coded = chunks.map((chunk) => Buffer.from(coder.push(chunk)));
  return Buffer.concat([...coded, coder.end()]);
}

/** The same for one chunk of Latin-1. */
export const runOnText = (coder: Coder, text: string): string =>
  runCoder(coder, [Buffer.from(text, 'latin1')]).toString('latin1');
