import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { parseSearch, searchFrom } from '../../../static/formats/search-words.js';

describe('what is typed into the search', () => {
  it('may say who has written, beside the words', () => {
    assert.deepEqual(parseSearch('red from:ann apples'), { words: 'red apples', from: 'ann' });
    assert.deepEqual(parseSearch('from:"Ann Lee"'), { words: '', from: 'Ann Lee' });
    assert.deepEqual(parseSearch('FROM:ann'), { words: '', from: 'ann' });
  });

  it('means words where it only looks like that', () => {
    assert.deepEqual(parseSearch('greetings from: Ann'), { words: 'greetings from: Ann', from: '' });
    assert.deepEqual(parseSearch('therefrom:ann'), { words: 'therefrom:ann', from: '' });
  });

  it('finds everybody by name, however it is written', () => {
    for (const name of ['ann', 'Ann Lee', 'ann@x.example']) {
      assert.deepEqual(parseSearch(searchFrom(name)), { words: '', from: name });
    }
    assert.deepEqual(parseSearch(searchFrom('Ann "A" Lee')).from, 'Ann A Lee');
  });
});
