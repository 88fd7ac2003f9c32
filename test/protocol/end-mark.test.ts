// The line that ends a text, wherever the pieces of the text are cut.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findEndMark, openEndMark } from '../../src/protocol/lines.ts';

const find = (text: string, beginsLine = true, from = 0) => findEndMark(Buffer.from(text), from, beginsLine);
const open = (text: string, beginsLine = true) => openEndMark(Buffer.from(text), beginsLine);

describe('the end mark', () => {
  it('is a whole line 000, with or without CR', () => {
    assert.deepEqual(find('000\n'), { start: 0, next: 4 });
    assert.deepEqual(find('000\r\nmore'), { start: 0, next: 5 });
    assert.deepEqual(find('a\n000\nb\n000\n'), { start: 2, next: 6 }, 'the first one');
  });

  it('is no line that only resembles it, or has not ended', () => {
    for (const text of ['', '000', '000\r', '0000\n', ' 000\n', '000 \n', 'a000\n', '00\n', '000\r\r\n', '000a\n']) {
      assert.equal(find(text), undefined, JSON.stringify(text));
    }
  });

  it('is looked for from a position on, where a line begins or goes on', () => {
    assert.deepEqual(find('000\n000\n', true, 4), { start: 4, next: 8 });
    assert.equal(find('000\n', false), undefined);
    assert.deepEqual(find('000\n000\n', false), { start: 4, next: 8 });
  });
});

describe('a line that may become the end mark', () => {
  it('is as long as what has come of it', () => {
    for (const [text, length] of [
      ['', 0],
      ['0', 1],
      ['a\n00', 2],
      ['a\n000', 3],
      ['a\n000\r', 4],
      ['a\n', 0],
    ] as const) {
      assert.equal(open(text), length, JSON.stringify(text));
    }
  });

  it('is none where the line says something else by now, or did so before', () => {
    for (const text of ['a', '0000', 'a\n0 ', '000\r0', '0\r'])
      assert.equal(open(text), undefined, JSON.stringify(text));
    for (const text of ['', '0', '000']) assert.equal(open(text, false), undefined, JSON.stringify(text));
    assert.equal(open('x\n0', false), 1);
  });
});
