import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guardListing, wrapFixed, wrapVariable } from '../../../src/backend/content/message-text.ts';

type Filter = (source: Iterable<Buffer>) => Iterable<Buffer>;

function apply(filter: Filter, chunks: Buffer[]): string {
  return Buffer.concat([...filter(chunks)]).toString('latin1');
}

/** Whole, byte by byte, and at random splits: always the same. */
function everyWay(filter: Filter, text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const whole = apply(filter, [bytes]);
  assert.equal(
    apply(
      filter,
      Array.from(bytes, (byte) => Buffer.from([byte])),
    ),
    whole,
    'byte by byte',
  );
  let seed = Math.floor(Math.random() * 2 ** 31);
  const printed = seed;
  for (let round = 0; round < 20; round++) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      const length = 1 + (seed % 7);
      chunks.push(bytes.subarray(at, at + length));
      at += length;
    }
    assert.equal(apply(filter, chunks), whole, `random splits, seed ${printed}`);
  }
  return whole;
}

describe('text inside a listing', () => {
  it('never holds a line 000, however often it comes', () => {
    assert.equal(everyWay(guardListing, '000\n000\na\n000\n000\n'), ' 000\n 000\na\n 000\n 000\n');
    assert.equal(everyWay(guardListing, 'a\n000'), 'a\n 000\n');
    assert.equal(everyWay(guardListing, '000\r\nb\n'), ' 000\r\nb\n');
    assert.equal(everyWay(guardListing, '000\r'), ' 000\r\n');
  });

  it('keeps lines that merely resemble the end', () => {
    const text = '0000\n00\n 000\n000 \n000x\n000\rx\nx000\n0\n\n';
    assert.equal(everyWay(guardListing, text), text);
  });

  it('ends the last line, and adds nothing to nothing', () => {
    assert.equal(everyWay(guardListing, 'a'), 'a\n');
    assert.equal(everyWay(guardListing, '00'), '00\n');
    assert.equal(everyWay(guardListing, ''), '');
  });
});

describe('folding of format 0', () => {
  it('breaks at the first blank behind 73 bytes and drops it', () => {
    const words = 'word '.repeat(20);
    assert.equal(everyWay(wrapVariable, `${words}\n`), `${'word '.repeat(15).trim()}\n${'word '.repeat(5)}\n`);
  });

  it('breaks a line without a blank behind 1001 bytes and loses nothing', () => {
    const long = 'x'.repeat(2500);
    const out = everyWay(wrapVariable, `${long}\nend\n`);
    assert.deepEqual(
      out.split('\n').map((line) => line.length),
      [1001, 1001, 498, 3, 0],
    );
    assert.equal(everyWay(wrapVariable, `${'x'.repeat(1001)}\n`), `${'x'.repeat(1001)}\n`);
  });

  it('does not tear a UTF-8 sequence', () => {
    const text = Buffer.from(`${'x'.repeat(1000)}ü${'y'.repeat(10)}\n`).toString('latin1');
    assert.equal(everyWay(wrapVariable, text).indexOf('\n'), 1000);
  });

  it('removes CR and ends the last line', () => {
    assert.equal(everyWay(wrapVariable, 'bare\rcr\tü'), 'barecr\tü\n');
  });
});

describe('folding of format 1', () => {
  it('keeps short lines with their blanks, and breaks at CR', () => {
    assert.equal(everyWay(wrapFixed, '  a   b\n\nbare\rcr\n'), '  a   b\n\nbare\ncr\n');
  });

  it('breaks lines over 250 bytes and loses nothing of an unbroken run', () => {
    assert.equal(everyWay(wrapFixed, `${'y'.repeat(250)}\n`), `${'y'.repeat(250)}\n`);
    assert.equal(everyWay(wrapFixed, `${'y'.repeat(251)}\n`), `${'y'.repeat(250)}\ny\n`);
    assert.equal(
      everyWay(wrapFixed, `${'y'.repeat(200)} ${'z'.repeat(100)}\n`),
      `${'y'.repeat(200)}\n${'z'.repeat(100)}\n`,
    );
  });
});
