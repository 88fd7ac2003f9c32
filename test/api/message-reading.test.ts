// How much of a message is looked at.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstBytes } from '../../src/api/message-reading.ts';
import { MAX_RENDERED_SOURCE_BYTES } from '../../src/limits/mime.ts';

async function* pieces(size: number, pieceSize: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; left -= pieceSize) yield Buffer.alloc(Math.min(left, pieceSize), 'x');
}

describe('firstBytes', () => {
  it('takes as much as the bound and says whether that was all', async () => {
    for (const pieceSize of [65_536, 1_000_003]) {
      for (const [size, taken, isWhole] of [
        [MAX_RENDERED_SOURCE_BYTES, MAX_RENDERED_SOURCE_BYTES, true],
        [MAX_RENDERED_SOURCE_BYTES + 1, MAX_RENDERED_SOURCE_BYTES, false],
        [0, 0, true],
      ] as const) {
        const source = await firstBytes(pieces(size, pieceSize));
        assert.deepEqual([source.bytes.length, source.isWhole], [taken, isWhole], `${size} by ${pieceSize}`);
      }
    }
  });
});
