// What the index is asked for the words of a search.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_SEARCH_WORDS } from '../../src/limits/backend.ts';
import { indexedText, searchTerms } from '../../src/protocol/search-words.ts';

it('looks for MAX_SEARCH_WORDS words, the first ones', () => {
  const words = Array.from({ length: MAX_SEARCH_WORDS + 1 }, (_, i) => `word${i}`);
  const first = words.slice(0, MAX_SEARCH_WORDS);
  const quoted = first.map((word) => `"${word}"`);
  assert.deepEqual(searchTerms(first.join(' ')), quoted);
  assert.deepEqual(searchTerms(words.join(' ')), quoted);
});

it('takes 30 marks on a letter, not one more: to put them in order takes quadratic time', () => {
  const marks = (text: string): number => text.replace(/\P{M}/gu, '').length;
  assert.equal(marks(indexedText(`q${'\u0316'.repeat(30)}`)), 30);
  assert.equal(marks(indexedText(`q${'\u0316'.repeat(31)}y`)), 30);
  assert.equal(marks(indexedText(`q${'\u0301\u0316'.repeat(20_000)}`)), 30);
  // a letter that becomes a mark
  assert.ok(indexedText(`q${`${'\u0301'.repeat(29)}\uff9e`.repeat(1000)}`).length < 100);
});
