// Words are found in a text without an index as they are with one.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { indexedText, searchTerms, WordMatcher } from '../../src/protocol/search-words.ts';
import { newSeed, randomFrom } from '../support/random.ts';

const holds = (text: string, words: string): boolean => new WordMatcher(words).isIn([text]);

it('all words have to be there, whole, in any case, with accents or without, in any order', () => {
  const text = 'Grüße an Zoë: ΟΔΟΣ, Straße 12, e-mail ann@x.org; naïve İstanbul';
  for (const words of ['grusse', 'GRÜSSE', 'gru', 'rüße', 'Grüße nowhere', 'anna@x', 'stra']) {
    assert.equal(holds(text, words), false, words);
  }
  for (const words of [
    'Grüße',
    'GRÜßE',
    'gruße',
    'zoe',
    'Zoe\u0308',
    'οδος',
    'ΟΔΟΣ',
    '12 straße',
    'x.org',
    'naive "AN"',
  ]) {
    assert.equal(holds(text, words), true, words);
  }
});

it('what is written without blanks is found anywhere, letter by letter', () => {
  for (const words of ['東', '東京', '京都', '東京都', '都', 'สวัส', '한국']) {
    assert.equal(holds('東京都に行く สวัสดี 한국어', words), true, words);
  }
  for (const words of ['都東', '東都', '京']) assert.equal(holds('東 都 都', words), false, words);
});

it('words may be spread over several texts, the letters of one may not; no words are nowhere', () => {
  assert.equal(new WordMatcher('pear plum').isIn(['a plum', 'a pear']), true);
  assert.equal(new WordMatcher('東京都').isIn(['東京', '京都']), false);
  assert.equal(new WordMatcher('pear').isEmpty, false);
  for (const words of ['', '!', ' "*" ', '\u0301']) {
    assert.equal(new WordMatcher(words).isEmpty, true);
    assert.equal(holds('a pear', words), false);
  }
});

it('finds what the index finds, and nothing else', () => {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE VIRTUAL TABLE t USING fts5 (body, tokenize = 'unicode61')`);
  const clear = db.prepare('DELETE FROM t');
  const insert = db.prepare('INSERT INTO t (body) VALUES (?)');
  const find = db.prepare('SELECT count(*) AS n FROM t WHERE t MATCH ?');
  // é, è, e, combining marks that are accents and one that parts, letters without blanks, signs, an accent on no Latin
  // letter
  const letters = [...'aAeéÈßσΣά東京ก한12 -."*й', '\u0301', '\u0316', '\ud83d\ude00', 'e\u0301', 'ấ', 'ﬁ', ' ', ' '];
  const seed = newSeed();
  const random = randomFrom(seed);
  const pick = (count: number) => Array.from({ length: count }, () => letters[random(letters.length)]).join('');
  let found = 0;
  for (let i = 0; i < 4000; i++) {
    const text = pick(8);
    const words = i % 2 ? pick(3) : text.slice(i % 5, 2 + (i % 7)).toUpperCase();
    const terms = searchTerms(words);
    clear.run();
    insert.run(indexedText(text));
    const isFound = terms.length > 0 && find.get(terms.join(' AND '))!.n === 1;
    assert.equal(holds(text, words), isFound, JSON.stringify({ seed, text, words }));
    if (isFound) found++;
  }
  assert.ok(found > 400, String(found));
});
