// Tests of parameters and values, which queries of calendars and of address books have alike (RFC 4791 section 9.7.3).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContentLine } from '../../../src/mime/objects/content-lines.ts';
import { COLLATIONS, LineTests, type ParamFilter } from '../../../src/mime/objects/text-match.ts';
import { text } from './caldav-examples.ts';

const LINE = ContentLine.read('ATTENDEE;CN="x, y";MEMBER="a","b":mailto:x')!;
const param = (name: string, more: Partial<ParamFilter> = {}) => new LineTests().matchesParam(LINE, { name, ...more });
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
    assert.equal(new LineTests().matchesValue(summary, equals('one, two\nthree')), true);
    assert.equal(new LineTests().matchesValue(summary, text('\\,')), false);
  });

  it('reads a long one once, however many filters ask for it', (t) => {
    const line = ContentLine.read(`NOTE:${'\\\\'.repeat(1000)}`)!;
    const read = t.mock.getter(ContentLine.prototype, 'value');
    const tests = new LineTests();
    for (let i = 0; i < 9; i++) assert.equal(tests.matchesValue(line, text(`none of ${i}`)), false);
    assert.equal(read.mock.callCount(), 1);
  });

  it('and of a parameter is that of its own line, name and collation, whatever was asked before', () => {
    const [one, other] = ['TEL;TYPE=a;X=b:Ä', 'TEL;TYPE=b;X=a:ä'].map((line) => ContentLine.read(line)!);
    const tests = new LineTests();
    for (const collation of COLLATIONS) {
      const wanted = text('ä', { collation });
      assert.equal(tests.matchesValue(one!, wanted), collation === 'i;unicode-casemap', collation);
      assert.equal(tests.matchesValue(other!, wanted), true, collation);
      const has = (line: ContentLine, name: string) =>
        tests.matchesParam(line, { name, textMatch: text('a', { collation }) });
      assert.deepEqual(
        [has(one!, 'type'), has(one!, 'X'), has(other!, 'TYPE'), has(other!, 'x')],
        [true, false, false, true],
      );
    }
  });
});
