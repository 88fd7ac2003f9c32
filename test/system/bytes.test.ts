// Bytes that arrive in pieces: what is put together stays what it is, and costs in proportion to its length.

import '../support/steps.ts';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { appended } from '../../src/system/bytes.ts';
import { newSeed, randomBytes, randomFrom } from '../support/random.ts';
import { countSteps } from '../support/steps.ts';

it('nothing that was put together before changes, whatever is put behind it or taken from it', () => {
  const seed = newSeed();
  const random = randomFrom(seed);
  const kept: { bytes: Buffer; copy: Buffer }[] = [];
  let bytes: Buffer = Buffer.alloc(0);
  for (let i = 0; i < 500; i++) {
    const more = randomBytes(random, random(40));
    const expected = Buffer.concat([bytes, more]);
    bytes = appended(bytes, more);
    assert.deepEqual(bytes, expected, `seed ${seed}`);
    kept.push({ bytes, copy: Buffer.from(bytes) });
    // two that grow from the same bytes must not share what is behind them
    if (random(5) === 0) kept.push({ bytes: appended(bytes, more), copy: Buffer.concat([bytes, more]) });
    if (random(3) === 0) bytes = bytes.subarray(random(bytes.length + 1));
    if (random(9) === 0) bytes = bytes.subarray(0, random(bytes.length + 1));
  }
  for (const { bytes, copy } of kept) assert.deepEqual(bytes, copy, `seed ${seed}`);
});

it('byte by byte costs in proportion to the length', async () => {
  const steps = (length: number) =>
    countSteps(() => {
      let bytes: Buffer = Buffer.alloc(0);
      for (let i = 0; i < length; i++) bytes = appended(bytes, Buffer.from([i]));
    });
  const [some, more] = [await steps(1000), await steps(4000)];
  assert.ok(more < 4.6 * some, `${some}, ${more}`);
});
