// What filters of calendar and address book queries have in common.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FilterXml } from '../../../src/dav/report/filter.ts';
import { NAMESPACES } from '../../../src/dav/xml-read.ts';
import { MAX_FILTER_ELEMENTS, MAX_MATCH_TEXT_CHARACTERS } from '../../../src/limits/dav.ts';
import { refuses, xmlOf } from './bodies.ts';

const calendar = () => new FilterXml('C');
const cards = () => new FilterXml('CR');

describe('the elements of a filter', () => {
  it('are counted together, up to the bound', () => {
    const parent = xmlOf(`<C:filter>${'<C:a/>'.repeat(MAX_FILTER_ELEMENTS)}<C:b/></C:filter>`);
    const filter = calendar();
    assert.equal(filter.all(parent, 'a').length, MAX_FILTER_ELEMENTS);
    refuses(() => filter.all(parent, 'b'), 'supported-filter');
    assert.equal(calendar().all(parent, 'b').length, 1);
  });

  it('are those of its own namespace', () => {
    const parent = xmlOf('<C:filter><C:a/><CR:a/></C:filter>');
    assert.equal(cards().all(parent, 'a')[0]!.namespace, NAMESPACES.CR);
  });

  it('have a name, and are alone where they say that something is not there', () => {
    assert.equal(calendar().nameOf(xmlOf('<C:a name=" x "/>')), 'x');
    for (const text of ['<C:a/>', '<C:a name=" "/>']) refuses(() => calendar().nameOf(xmlOf(text)), 'valid-filter');
    refuses(() => cards().nameOf(xmlOf('<CR:a/>')), 'supported-filter');
    const none = xmlOf('<C:a><C:is-not-defined/></C:a>');
    assert.equal(calendar().isNotDefined(none, ['text-match']), true);
    const both = xmlOf('<C:a><C:is-not-defined/><C:text-match/></C:a>');
    refuses(() => calendar().isNotDefined(both, ['text-match']), 'valid-filter');
    refuses(() => calendar().optional(xmlOf('<C:a><C:b/><C:b/></C:a>'), 'b'), 'valid-filter');
  });
});

describe('a test of text', () => {
  const match = (filter: FilterXml, attributes: string, text = 'a') =>
    filter.textMatch(xmlOf(`<C:text-match ${attributes}>${text}</C:text-match>`));

  it('means what each of the two RFCs means where it says nothing', () => {
    assert.deepEqual(match(calendar(), ''), {
      text: 'a',
      collation: 'i;ascii-casemap',
      matchType: 'contains',
      isNegated: false,
    });
    assert.equal(match(cards(), '').collation, 'i;unicode-casemap');
  });

  it('knows kinds of matches in address books only', () => {
    assert.equal(match(cards(), 'match-type="ends-with" negate-condition="yes"').matchType, 'ends-with');
    assert.equal(match(calendar(), 'match-type="ends-with"').matchType, 'contains');
    refuses(() => match(cards(), 'match-type="like"'), 'supported-filter');
    refuses(() => match(cards(), 'negate-condition="1"'), 'supported-filter');
    refuses(() => match(cards(), 'collation="x"'), 'supported-collation');
  });

  it('is no longer than the bound', () => {
    assert.ok(match(cards(), '', 'a'.repeat(MAX_MATCH_TEXT_CHARACTERS)));
    refuses(() => match(cards(), '', 'a'.repeat(MAX_MATCH_TEXT_CHARACTERS + 1)), 'supported-filter');
  });
});

describe('tests of parameters', () => {
  it('ask whether one is there, or for a text in it', () => {
    const parent = xmlOf(
      '<CR:p><CR:param-filter name="A"/><CR:param-filter name="B"><CR:is-not-defined/></CR:param-filter>' +
        '<CR:param-filter name="C"><CR:text-match>x</CR:text-match></CR:param-filter></CR:p>',
    );
    const [any, none, text] = cards().paramFilters(parent);
    assert.deepEqual(
      [any, none, text?.textMatch?.text],
      [{ name: 'A', textMatch: undefined }, { name: 'B', isNotDefined: true }, 'x'],
    );
  });
});
