// How much of a message is looked at.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { firstBytes } from '../../src/api/rendered-message.ts';
import { REQUEST_TURN_MS } from '../../src/limits/http.ts';
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

  it('leaves others their turn while there is always more at once', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => ++now);
    let turns = 0;
    const others = (async () => {
      for (; turns < 1000; turns++) await setImmediate();
    })();
    await firstBytes(pieces(100 * 1024, 1024));
    assert.ok(turns >= 100 / REQUEST_TURN_MS / 2, `${turns} turns of others`);
    turns = 1000;
    await others;
  });
});
