// Tests of parameters and values, which queries of calendars and of address books have alike (RFC 4791 section 9.7.3).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContentLine } from '../../../src/mime/objects/content-lines.ts';
import { matchesParam, matchesValue, type ParamFilter } from '../../../src/mime/objects/filter-parts.ts';
import { text } from './caldav-examples.ts';

const LINE = ContentLine.read('ATTENDEE;CN="x, y";MEMBER="a","b":mailto:x')!;
const param = (name: string, more: Partial<ParamFilter> = {}) => matchesParam(LINE, { name, ...more });
const equals = (wanted: string) => text(wanted, { matchType: 'equals' });

describe('a test of a parameter', () => {
  it('asks whether it is there', () => {
    assert.deepEqual([param('cn'), param('ROLE'), param('ROLE', { isNotDefined: true })], [true, false, true]);
    assert.equal(param('CN', { isNotDefined: true }), false);
  });

  it('takes one of several values, or all of them together', () => {
    for (const [name, wanted, expected] of [
      ['CN', 'x, y', true],
      ['MEMBER', 'b', true],
      ['MEMBER', 'c', false],
    ] as const) {
      assert.equal(param(name, { textMatch: equals(wanted) }), expected, wanted);
      assert.equal(param(name, { textMatch: { ...equals(wanted), isNegated: true } }), !expected, wanted);
    }
  });

  it('fails for a text that a missing one is not to have, as well', () => {
    assert.equal(param('ROLE', { textMatch: text('x', { isNegated: true }) }), false);
  });
});

describe('a test of a value', () => {
  it('sees it as people do, without its escapes', () => {
    const summary = ContentLine.read('SUMMARY:one\\, two\\nthree')!;
    assert.equal(matchesValue(summary, equals('one, two\nthree')), true);
    assert.equal(matchesValue(summary, text('\\,')), false);
  });
});
