import assert from 'node:assert/strict';
import { it } from 'node:test';
import { excerptOf } from '../../../src/backend/verbs/search.ts';
import { MAX_EXCERPT_CHARACTERS } from '../../../src/limits/backend.ts';

const marked = (text: string, words: string, isLastBegun = false) => {
  const { text: shown, marks } = excerptOf(text, words, isLastBegun);
  return marks.map(([start, end]) => shown.slice(start, end));
};

it('marks whole words without regard to case and marks above letters', () => {
  assert.deepEqual(marked('Café, cafe and cafeteria. CAFÉ', 'cafe'), ['Café', 'cafe', 'CAFÉ']);
  assert.deepEqual(marked('Café and cafeteria', 'cafe', true), ['Café', 'cafeteria']);
  assert.deepEqual(marked('red green', 'green red'), ['red', 'green']);
  assert.deepEqual(marked('reddish greenish', 'red green', true), ['greenish'], 'only the last word may be begun');
  assert.deepEqual(marked('東京都に行く', '東京'), ['東京']);
  assert.deepEqual(marked('nothing here', 'else'), []);
});

it('begins near the first hit, at a word, and is as long as the bound', () => {
  const long = `${'word '.repeat(100)}needle ${'tail '.repeat(100)}`;
  const { text, marks } = excerptOf(long, 'needle', false);
  assert.match(text, /^…word .*needle .*…$/);
  assert.equal(text.slice(...marks[0]!), 'needle');
  assert.ok(text.length <= MAX_EXCERPT_CHARACTERS + 2);
  assert.deepEqual(excerptOf('short\n\n text', 'x', false), { text: 'short text', marks: [] });
});

it('cuts no character in two', () => {
  for (const lead of [0, 1]) {
    const { text } = excerptOf(`${'a'.repeat(lead)}${'😀'.repeat(300)} needle ${'😀'.repeat(300)}`, 'needle', false);
    assert.ok(text.isWellFormed());
    assert.ok(text.includes('needle'));
  }
});
