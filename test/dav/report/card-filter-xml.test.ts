// Filters of address book queries (RFC 6352 section 10.5).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCardFilter } from '../../../src/dav/report/filter.ts';
import { MAX_FILTER_ELEMENTS } from '../../../src/limits/dav.ts';
import { refuses, xmlOf } from './bodies.ts';

const filter = (inner: string, attributes = '') =>
  readCardFilter(xmlOf(`<CR:filter${attributes}>${inner}</CR:filter>`));
const prop = (inner: string) => filter(`<CR:prop-filter name="EMAIL">${inner}</CR:prop-filter>`);

describe('the filter of an address book query', () => {
  it('tests for any property, unless it says all', () => {
    assert.deepEqual(filter(''), { test: 'anyof', props: [] });
    assert.equal(filter('', ' test="allof"').test, 'allof');
    assert.equal(filter('<CR:prop-filter name="FN" test="allof"/>').props[0]!.test, 'allof');
    refuses(() => filter('', ' test="noneof"'), 'supported-filter');
    refuses(() => filter('<CR:text-match>a</CR:text-match>'), 'supported-filter');
    refuses(() => filter('<CR:prop-filter name="FN"><CR:prop-filter name="N"/></CR:prop-filter>'), 'supported-filter');
  });

  it('matches texts in four ways, with the collation of Unicode where it names none', () => {
    for (const matchType of ['equals', 'contains', 'starts-with', 'ends-with'] as const) {
      const read = prop(`<CR:text-match match-type="${matchType}">a</CR:text-match>`);
      assert.deepEqual(read.props[0]!.textMatches, [
        { text: 'a', collation: 'i;unicode-casemap', matchType, isNegated: false },
      ]);
    }
    assert.equal(prop('<CR:text-match>a</CR:text-match>').props[0]!.textMatches[0]!.matchType, 'contains');
    refuses(() => prop('<CR:text-match match-type="sounds-like">a</CR:text-match>'), 'supported-filter');
    refuses(() => prop('<CR:text-match collation="i;unknown">a</CR:text-match>'), 'supported-collation');
  });

  it('asks for what is not there, and for parameters', () => {
    assert.equal(prop('<CR:is-not-defined/>').props[0]!.isNotDefined, true);
    refuses(() => prop('<CR:is-not-defined/><CR:text-match>a</CR:text-match>'), 'supported-filter');
    const { params } = prop('<CR:param-filter name="TYPE"><CR:is-not-defined/></CR:param-filter>').props[0]!;
    assert.deepEqual(params, [{ name: 'TYPE', isNotDefined: true }]);
  });

  it('has a bounded number of elements, each of which names something', () => {
    const many = (count: number) => filter('<CR:prop-filter name="FN"/>'.repeat(count));
    many(MAX_FILTER_ELEMENTS);
    refuses(() => many(MAX_FILTER_ELEMENTS + 1), 'supported-filter');
    refuses(() => filter('<CR:prop-filter/>'), 'supported-filter');
  });
});
