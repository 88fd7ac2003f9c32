// Collations, and how much of a text is to match.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collationNamed, type MatchType, matchesText } from '../../../src/mime/objects/text-match.ts';
import { newSeed, randomFrom } from '../../support/random.ts';
import { text } from './caldav-examples.ts';

describe('a text match', () => {
  const CASES: readonly [collation: string, value: string, wanted: string, expected: boolean][] = [
    ['i;octet', 'aBc', 'aB', true],
    ['i;octet', 'aBc', 'ab', false],
    ['i;ascii-casemap', 'aBc', 'AbC', true],
    ['i;ascii-casemap', 'É', 'é', false],
    ['i;ascii-casemap', 'éA', 'éa', true],
    ['i;unicode-casemap', 'ÉCOLE', 'é', true],
    ['i;unicode-casemap', 'e\u0301cole', 'École', true],
    ['i;unicode-casemap', 'ΣΟΦΟΣ', 'σοφοσ', true],
    ['i;unicode-casemap', 'Straße', 'straße', true],
    ['i;unicode-casemap', 'STRASSE', 'straße', false],
    ['i;unicode-casemap', '東京都', '京', true],
    ['default', 'Ä', 'ä', true],
  ];
  for (const [collation, value, wanted, expected] of CASES) {
    it(`${collation}: ${wanted} in ${value}`, () => {
      assert.equal(matchesText(text(wanted, { collation: collationNamed(collation)! }), value), expected);
    });
  }

  it('knows three collations', () => {
    assert.equal(collationNamed('i;basic'), undefined);
    assert.equal(collationNamed(''), undefined);
    assert.equal(collationNamed('i;octet'), 'i;octet');
  });

  it('is of a whole text, its start, its end, or any of it', () => {
    const kinds: MatchType[] = ['equals', 'starts-with', 'ends-with', 'contains'];
    const of = (wanted: string) => kinds.map((matchType) => matchesText(text(wanted, { matchType }), 'abcabd'));
    assert.deepEqual(of('ABCABD'), [true, true, true, true]);
    assert.deepEqual(of('abc'), [false, true, false, true]);
    assert.deepEqual(of('abd'), [false, false, true, true]);
    assert.deepEqual(of('ca'), [false, false, false, true]);
    assert.deepEqual(of('x'), [false, false, false, false]);
    assert.deepEqual(of(''), [false, true, true, true]);
  });

  it('finds what the standard library finds', () => {
    const seed = newSeed();
    const random = randomFrom(seed);
    const word = (length: number) => Array.from({ length }, () => 'AB'[random(2)]).join('');
    for (let i = 0; i < 500; i++) {
      const [value, wanted] = [word(random(30)), word(random(6))];
      const isFound = matchesText(text(wanted, { collation: 'i;octet' }), value);
      assert.equal(isFound, value.includes(wanted), `${wanted} in ${value}, seed ${seed}`);
    }
  });
});
