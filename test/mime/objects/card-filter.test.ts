// Filters of contacts (RFC 6352 section 10.5).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { type CardPropFilter, isNamed, matchesCard, type Test } from '../../../src/mime/objects/text-match.ts';
import { text } from './caldav-examples.ts';

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

describe('a name in a query', () => {
  it('is compared in any case of letters, and with its group where it has one', () => {
    const line = CARD.lines.find(({ group }) => group !== '')!;
    const names = ['email', 'ITEM1.Email', 'item2.EMAIL', '.EMAIL', 'item1.', 'item1'];
    assert.deepEqual(
      names.map((name) => isNamed(line, name)),
      [true, true, false, false, false, false],
    );
  });
});
