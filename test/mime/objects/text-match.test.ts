// Collations, and filters of contacts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CardPropFilter, matchesCard, type Test } from '../../../src/mime/objects/card-filter.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
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

const CARD = parseObject(
  [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'UID:1',
    'FN:Daffy Duck',
    'N:Duck;Daffy;;;',
    'EMAIL;TYPE=INTERNET,WORK:daffy@example.com',
    'item1.EMAIL;TYPE=HOME:duck@home.example',
    'item1.X-ABLabel:other',
    'END:VCARD',
    '',
  ].join('\r\n'),
).object!;

const prop = (name: string, more: Partial<CardPropFilter> = {}): CardPropFilter => ({
  name,
  test: 'anyof',
  textMatches: [],
  params: [],
  ...more,
});
const matches = (test: Test, ...props: CardPropFilter[]) => matchesCard(CARD, { test, props });

describe('a filter of contacts', () => {
  it('takes any or all of its tests', () => {
    const [yes, no] = [prop('FN'), prop('TEL')];
    assert.deepEqual([matches('anyof', yes, no), matches('allof', yes, no)], [true, false]);
    assert.deepEqual([matches('anyof', no), matches('allof', yes, prop('tel', { isNotDefined: true }))], [false, true]);
    assert.deepEqual([matches('anyof'), matches('allof')], [true, true]);
    assert.equal(matches('anyof', prop('FN', { isNotDefined: true })), false);
  });

  it('wants the tests of a property met by one of its lines', () => {
    const work = { name: 'type', textMatch: text('work', { matchType: 'equals' }) };
    const home = text('home.example', { matchType: 'ends-with' });
    const both = (test: Test) => matches('anyof', prop('EMAIL', { test, textMatches: [home], params: [work] }));
    assert.deepEqual([both('anyof'), both('allof')], [true, false]);
    const of = (test: Test, ...words: string[]) =>
      matches('anyof', prop('EMAIL', { test, textMatches: words.map((one) => text(one)) }));
    assert.deepEqual([of('allof', 'daffy', 'example.com'), of('allof', 'daffy', 'home')], [true, false]);
    assert.deepEqual([of('anyof', 'nobody', 'home'), of('anyof', 'nobody')], [true, false]);
  });

  it('may ask for a group', () => {
    const home = (name: string) => matches('anyof', prop(name, { textMatches: [text('home')] }));
    const work = (name: string) => matches('anyof', prop(name, { textMatches: [text('daffy')] }));
    assert.deepEqual(['EMAIL', 'ITEM1.EMAIL', 'item2.EMAIL'].map(home), [true, true, false]);
    assert.deepEqual(['EMAIL', 'item1.email'].map(work), [true, false]);
  });
});
