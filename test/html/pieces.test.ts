// Long texts changed in pieces.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changePieces, escapeHtml } from '../../src/html/escape.ts';
import { decodeReferences } from '../../src/html/references.ts';

const MANY = 100_000;

function piecesOf(text: string, mark?: string): string[] {
  const pieces: string[] = [];
  const keep = (piece: string) => {
    pieces.push(piece);
    return piece;
  };
  assert.equal(changePieces(text, keep, mark), text);
  return pieces;
}

describe('changePieces', () => {
  it('changes all of a text, a little of it at once', () => {
    const pieces = piecesOf('ab'.repeat(MANY));
    assert.ok(pieces.length > 10);
    for (const piece of pieces) assert.ok(piece.length > 0 && piece.length <= 2 * (MANY / 10));
  });

  it('begins each but the first with the mark', () => {
    for (const unit of ['&amp;', '&', 'x&', `&${'x'.repeat(9000)}`, `x&${'x'.repeat(30_000)}`]) {
      const pieces = piecesOf(unit.repeat(Math.ceil(MANY / unit.length)), '&');
      assert.ok(pieces.length > 1, unit.slice(0, 9));
      for (const piece of pieces.slice(1)) assert.equal(piece[0], '&');
    }
    assert.equal(piecesOf('x'.repeat(MANY), '&').length, 1);
  });

  it('parts no reference, and nothing is escaped otherwise than at once', () => {
    for (let blanks = 8180; blanks < 8200; blanks++) {
      const before = ' '.repeat(blanks);
      assert.equal(decodeReferences(`${before}&amp;&#x1f600;&copyx`, false), `${before}&😀©x`);
      assert.equal(decodeReferences(`${before}&copy=&copy`, true), `${before}&copy=©`);
      assert.equal(escapeHtml(`${before}<b>😀\x01"`), `${before}&lt;b&gt;😀&quot;`);
    }
  });
});
