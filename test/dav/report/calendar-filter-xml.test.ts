// Filters of calendar queries (RFC 4791 section 9.7) and what makes them invalid.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCalendarFilter } from '../../../src/dav/report/filter.ts';
import { MAX_FILTER_ELEMENTS, MAX_MATCH_TEXT_CHARACTERS } from '../../../src/limits/dav.ts';
import { refuses, xmlOf } from './bodies.ts';

const filter = (inner: string) => readCalendarFilter(xmlOf(`<C:filter>${inner}</C:filter>`));
const calendar = (inner: string) => filter(`<C:comp-filter name="VCALENDAR">${inner}</C:comp-filter>`);
const event = (inner: string) => calendar(`<C:comp-filter name="VEVENT">${inner}</C:comp-filter>`);
const RANGE = '<C:time-range start="20260104T000000Z" end="20260105T000000Z"/>';
const SPAN = { start: Date.UTC(2026, 0, 4) / 1000, end: Date.UTC(2026, 0, 5) / 1000 };

describe('the filter of a calendar query', () => {
  it('nests components, properties and parameters', () => {
    const read = event(
      `${RANGE}<C:prop-filter name="ATTENDEE">` +
        '<C:text-match collation="i;octet" negate-condition="yes">a b</C:text-match>' +
        '<C:param-filter name="PARTSTAT"><C:text-match>needs</C:text-match></C:param-filter>' +
        '<C:param-filter name="CN"><C:is-not-defined/></C:param-filter></C:prop-filter>' +
        '<C:prop-filter name="DUE"><C:is-not-defined/></C:prop-filter>',
    );
    assert.deepEqual(read, {
      name: 'VCALENDAR',
      timeRange: undefined,
      props: [],
      comps: [
        {
          name: 'VEVENT',
          timeRange: SPAN,
          props: [
            {
              name: 'ATTENDEE',
              timeRange: undefined,
              textMatch: { text: 'a b', collation: 'i;octet', matchType: 'contains', isNegated: true },
              params: [
                {
                  name: 'PARTSTAT',
                  textMatch: {
                    text: 'needs',
                    collation: 'i;ascii-casemap',
                    matchType: 'contains',
                    isNegated: false,
                  },
                },
                { name: 'CN', isNotDefined: true },
              ],
            },
            { name: 'DUE', isNotDefined: true, params: [] },
          ],
          comps: [],
        },
      ],
    });
  });

  it('leaves a side of a range open', () => {
    assert.deepEqual(event('<C:time-range start="20260104T000000Z"/>').comps[0]!.timeRange, {
      start: SPAN.start,
      end: Number.POSITIVE_INFINITY,
    });
  });

  it('passes over what it does not know', () => {
    assert.equal(event('<x:new xmlns:x="u"/>').comps[0]!.comps.length, 0);
  });

  it('takes the names that RFC 4790 and RFC 5051 give to collations', () => {
    for (const name of ['i;octet', 'i;ascii-casemap', 'i;unicode-casemap', 'default']) {
      event(`<C:prop-filter name="UID"><C:text-match collation="${name}">a</C:text-match></C:prop-filter>`);
    }
    const unknown = '<C:prop-filter name="UID"><C:text-match collation="i;unknown">a</C:text-match></C:prop-filter>';
    refuses(() => event(unknown), 'supported-collation');
  });

  it('is valid-filter when it begins with anything but one VCALENDAR', () => {
    refuses(() => filter(''), 'valid-filter');
    refuses(() => filter('<C:comp-filter name="VEVENT"/>'), 'valid-filter');
    refuses(() => filter('<C:comp-filter/>'), 'valid-filter');
    refuses(() => filter('<C:comp-filter name="VCALENDAR"/><C:prop-filter name="UID"/>'), 'valid-filter');
    for (const part of ['<C:text-match>a</C:text-match>', '<C:param-filter name="TZID"/>', '<C:filter/>']) {
      refuses(() => event(part), 'valid-filter', part);
    }
    refuses(() => event('<C:prop-filter name="UID"><C:comp-filter name="VALARM"/></C:prop-filter>'), 'valid-filter');
    const parameter = '<C:param-filter name="TZID"><C:time-range start="20260104T000000Z"/></C:param-filter>';
    refuses(() => event(`<C:prop-filter name="DTSTART">${parameter}</C:prop-filter>`), 'valid-filter');
    assert.deepEqual(event('<C:new-test/><D:text-match/>').comps[0]!.props, [], 'what nobody knows is passed over');
    refuses(() => filter('<C:comp-filter name="VCALENDAR"/><C:comp-filter name="VCALENDAR"/>'), 'valid-filter');
  });

  it('is valid-filter when a component stands where it cannot be', () => {
    refuses(() => event('<C:comp-filter name="VTODO"/>'), 'valid-filter');
    refuses(() => event('<C:comp-filter name="VCALENDAR"/>'), 'valid-filter');
    refuses(() => calendar('<C:comp-filter name="VALARM"/>'), 'valid-filter');
    refuses(() => calendar('<C:comp-filter/>'), 'valid-filter');
    event('<C:comp-filter name="VALARM"/><C:comp-filter name="X-OWN"/>');
  });

  it('is valid-filter when a range is where there is no time, or none', () => {
    refuses(() => calendar(RANGE), 'valid-filter');
    refuses(() => calendar(`<C:comp-filter name="VTIMEZONE">${RANGE}</C:comp-filter>`), 'valid-filter');
    refuses(() => event(`<C:prop-filter name="SUMMARY">${RANGE}</C:prop-filter>`), 'valid-filter');
    event(`<C:prop-filter name="dtstamp">${RANGE}</C:prop-filter>`);
    for (const wrong of [
      '<C:time-range/>',
      '<C:time-range start="20260104T000000"/>',
      '<C:time-range start="20260104"/>',
      '<C:time-range start="20261304T000000Z"/>',
      '<C:time-range start="20260104T000000Z" end="20260104T000000Z"/>',
      '<C:time-range start="20260105T000000Z" end="20260104T000000Z"/>',
      RANGE + RANGE,
    ]) {
      refuses(() => event(wrong), 'valid-filter', wrong);
    }
  });

  it('is valid-filter when something stands beside is-not-defined, or a negation is neither yes nor no', () => {
    refuses(() => event(`<C:is-not-defined/>${RANGE}`), 'valid-filter');
    const wrong = '<C:is-not-defined/><C:text-match>a</C:text-match>';
    refuses(() => event(`<C:prop-filter name="UID">${wrong}</C:prop-filter>`), 'valid-filter');
    const negated = '<C:text-match negate-condition="maybe">a</C:text-match>';
    refuses(() => event(`<C:prop-filter name="UID">${negated}</C:prop-filter>`), 'valid-filter');
  });

  it('has a bounded number of elements, and short texts', () => {
    const many = (count: number) => event('<C:prop-filter name="UID"/>'.repeat(count - 2));
    many(MAX_FILTER_ELEMENTS);
    refuses(() => many(MAX_FILTER_ELEMENTS + 1), 'supported-filter');
    const long = (length: number) =>
      event(`<C:prop-filter name="UID"><C:text-match>${'a'.repeat(length)}</C:text-match></C:prop-filter>`);
    long(MAX_MATCH_TEXT_CHARACTERS);
    refuses(() => long(MAX_MATCH_TEXT_CHARACTERS + 1), 'supported-filter');
  });
});
