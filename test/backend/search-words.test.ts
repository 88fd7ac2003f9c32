// What the index is asked for the words of a search.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { searchTerms } from '../../src/backend/search-words.ts';
import { MAX_SEARCH_WORDS } from '../../src/limits/backend.ts';

it('looks for MAX_SEARCH_WORDS words, the first ones', () => {
  const words = Array.from({ length: MAX_SEARCH_WORDS + 1 }, (_, i) => `word${i}`);
  const first = words.slice(0, MAX_SEARCH_WORDS);
  const quoted = first.map((word) => `"${word}"`);
  assert.deepEqual(searchTerms(first.join(' ')), quoted);
  assert.deepEqual(searchTerms(words.join(' ')), quoted);
});
