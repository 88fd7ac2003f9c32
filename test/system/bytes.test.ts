// Bytes that arrive in pieces: what is put together stays what it is, and costs in proportion to its length.

import '../support/steps.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { appended, bytesOfText, hasRawBytes, slice, textOfBytes } from '../../src/system/bytes.ts';
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

describe('bytes that are no UTF-8, in a string', () => {
  it('come back as they were', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    for (const bytes of [all, Buffer.from('Grüße 😀'), Buffer.concat([all, Buffer.from('ü😀')]), Buffer.alloc(0)]) {
      assert.ok(bytesOfText(textOfBytes(bytes)).equals(bytes));
    }
    assert.ok(bytesOfText(`ü😀${textOfBytes(Buffer.of(0xe9))}`).equals(Buffer.from('c3bcf09f9880e9', 'hex')));
  });
  it('are told from ordinary text', () => {
    assert.equal(textOfBytes(Buffer.from('Grüße 😀')), 'Grüße 😀');
    assert.deepEqual(['Grüße 😀', '', textOfBytes(Buffer.of(0xe9))].map(hasRawBytes), [false, false, true]);
  });
});

it('a slice of a stream begins and ends anywhere', async () => {
  async function* stream() {
    for (const text of ['ab', '', 'cde']) yield Buffer.from(text);
  }
  const text = async (start: number, end?: number) =>
    Buffer.concat(await Array.fromAsync(slice(stream(), start, end))).toString();
  assert.deepEqual(await Promise.all([text(0), text(1, 3), text(2, 2), text(4, 9), text(9)]), [
    'abcde',
    'bc',
    '',
    'e',
    '',
  ]);
});
