// Line ends of mail and of the line protocol, from one to the other.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addCrBeforeLf, dropCrBeforeLf, LfLines, withoutCr } from '../../../src/mime/coding/transfer.ts';
import { newSeed, waysToCut } from '../../support/random.ts';

const CASES: readonly [from: string, to: string][] = [
  ['', ''],
  ['a\r\nb\r\n', 'a\nb\n'],
  ['a\nb', 'a\nb'],
  ['a\rb\r', 'a\rb\r'],
  ['\r\r\n\r', '\r\n\r'],
  ['\r\n\r\n', '\n\n'],
];

describe('CR LF to LF', () => {
  it('takes out a CR before an LF and no other', () => {
    for (const [from, to] of CASES)
      assert.equal(dropCrBeforeLf(Buffer.from(from)).toString(), to, JSON.stringify(from));
  });

  it('gives the same bytes where there is nothing to take out', () => {
    const bytes = Buffer.from('a\nb');
    assert.equal(dropCrBeforeLf(bytes), bytes);
  });

  it('does not depend on where pieces end', async () => {
    const seed = newSeed();
    for (const [from, to] of CASES) {
      for (const pieces of waysToCut(Buffer.from(from), seed)) {
        const lines = new LfLines();
        const pushed = [...pieces.map((piece) => lines.push(piece)), lines.end()];
        assert.equal(Buffer.concat(pushed).toString(), to, `${JSON.stringify(from)}, seed ${seed}`);
        const streamed: Buffer[] = [];
        for await (const piece of withoutCr(piecewise(pieces))) {
          assert.ok(piece.length > 0, 'no empty piece');
          streamed.push(piece);
        }
        assert.equal(Buffer.concat(streamed).toString(), to, `${JSON.stringify(from)}, seed ${seed}`);
      }
    }
  });
});

async function* piecewise(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

describe('LF to CR LF', () => {
  it('puts a CR before each LF, even where there is one', () => {
    assert.equal(addCrBeforeLf(Buffer.from('a\n\nb\r\n')).toString(), 'a\r\n\r\nb\r\r\n');
  });

  it('gives the same bytes where there is no LF', () => {
    const bytes = Buffer.from('a\rb');
    assert.equal(addCrBeforeLf(bytes), bytes);
  });
});
