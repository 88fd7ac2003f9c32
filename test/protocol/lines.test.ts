// Bytes that come in pieces, taken as lines, pieces of lines and raw bytes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteQueue } from '../../src/protocol/lines.ts';
import { newSeed, waysToCut } from '../support/random.ts';

function queueOf(...chunks: string[]): ByteQueue {
  const queue = new ByteQueue();
  for (const chunk of chunks) queue.push(Buffer.from(chunk));
  return queue;
}

const SEED = newSeed();

describe('a queue of bytes', () => {
  it(`gives the same lines however they are cut (seed ${SEED})`, () => {
    const text = 'one\n\ntwo\r\nthree is longer\n0\n';
    for (const pieces of waysToCut(Buffer.from(text), SEED)) {
      const queue = new ByteQueue();
      const lines: string[] = [];
      for (const piece of pieces) {
        queue.push(piece);
        for (let line = queue.line(); line; line = queue.line()) lines.push(String(line));
      }
      assert.deepEqual(lines, ['one', '', 'two\r', 'three is longer', '0']);
      assert.equal(queue.length, 0);
    }
  });

  it('keeps a line that has not ended', () => {
    const queue = queueOf('a\nb');
    assert.equal(String(queue.line()), 'a');
    assert.equal(queue.line(), undefined);
    assert.equal(queue.length, 1);
    queue.push(Buffer.from('c\n'));
    assert.equal(String(queue.line()), 'bc');
  });

  it('gives what has come of a line as a piece, and says whether that is its end', () => {
    const queue = queueOf('ab');
    assert.deepEqual(queue.piece(), { bytes: Buffer.from('ab'), ended: false });
    assert.equal(queue.piece(), undefined);
    queue.push(Buffer.from('c\n\n'));
    assert.deepEqual(queue.piece(), { bytes: Buffer.from('c'), ended: true });
    assert.deepEqual(queue.piece(), { bytes: Buffer.from(''), ended: true });
    assert.equal(queue.piece(), undefined);
  });

  it('gives so many bytes or what there is, and shows the rest without taking it', () => {
    const queue = queueOf('a\nbcd', 'ef');
    assert.equal(String(queue.line()), 'a');
    assert.equal(String(queue.view()), 'bcdef');
    assert.equal(String(queue.take(2)), 'bc');
    assert.equal(queue.length, 3);
    assert.equal(String(queue.take(9)), 'def');
    assert.equal(queue.length, 0);
    assert.equal(queue.take(1).length, 0);
  });

  it('finds a line end among bytes that were looked at and then taken in part', () => {
    const queue = queueOf('abc');
    assert.equal(queue.line(), undefined);
    assert.equal(String(queue.take(1)), 'a');
    queue.push(Buffer.from('d\ne'));
    assert.equal(String(queue.line()), 'bcd');
    assert.equal(String(queue.view()), 'e');
  });
});
