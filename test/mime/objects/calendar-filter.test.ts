// Calendar queries: the examples of RFC 4791 section 7.8, the tables of RFC 4791 section 9.9 row by row, and filters of
// properties.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { type CompFilter, matchesCalendar } from '../../../src/mime/objects/calendar-filter.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { UTC, type Zone } from '../../../src/mime/objects/offsets.ts';
import { calendar, comp, EXAMPLES, prop, range, text, within } from './caldav-examples.ts';

const matches = (components: string, filter: CompFilter, zone: Zone = UTC, steps = MAX_RECURRENCE_STEPS): boolean =>
  matchesCalendar(calendar(components), filter, zone, { steps });
const found = (filter: CompFilter): string =>
  Object.keys(EXAMPLES)
    .filter((name) => matches(EXAMPLES[name]!, filter))
    .map((name) => name.at(-1))
    .join('');

describe('the examples of RFC 4791', () => {
  it('7.8.1: events in a time range', () => {
    assert.equal(found(within('VEVENT', { timeRange: range('20060104T000000Z', '20060105T000000Z') })), '23');
  });

  it('7.8.2 and 7.8.3: events of two days', () => {
    assert.equal(found(within('VEVENT', { timeRange: range('20060103T000000Z', '20060105T000000Z') })), '23');
  });

  it('7.8.4: busy times', () => {
    assert.equal(found(within('VFREEBUSY', { timeRange: range('20060102T000000Z', '20060103T000000Z') })), '8');
  });

  it('7.8.5: tasks with an alarm in a time range, though they have no start', () => {
    const alarm = comp('VALARM', { timeRange: range('20060106T100000Z', '20060107T100000Z') });
    assert.equal(found(within('VTODO', { comps: [alarm] })), '5');
  });

  it('7.8.6: an event by its UID', () => {
    const uid = text('DC6C50A017428C5216A2F1CD@example.com', { collation: 'i;octet' });
    assert.equal(found(within('VEVENT', { props: [prop('UID', { textMatch: uid })] })), '3');
  });

  it('7.8.7: an event that an attendee has not answered', () => {
    const attendee = prop('ATTENDEE', {
      textMatch: text('mailto:lisa@example.com'),
      params: [{ name: 'PARTSTAT', textMatch: text('NEEDS-ACTION') }],
    });
    assert.equal(found(within('VEVENT', { props: [attendee] })), '3');
    const other = { ...attendee, textMatch: text('mailto:cyrus@example.com') };
    assert.equal(found(within('VEVENT', { props: [other] })), '', 'both of the same property');
  });

  it('7.8.8: all events', () => assert.equal(found(within('VEVENT')), '123'));

  it('7.8.9: tasks that are to do', () => {
    const props = [
      prop('COMPLETED', { isNotDefined: true }),
      prop('STATUS', { textMatch: text('CANCELLED', { isNegated: true }) }),
    ];
    assert.equal(found(within('VTODO', { props })), '45');
  });
});

const component = (kind: string, ...lines: string[]): string => `BEGIN:${kind}\n${lines.join('\n')}\nEND:${kind}\n`;
/** 'a' to 'z' are minutes of an hour, `-` an open side */
const minute = (letter: string): string => `20260101T00${String(letter.charCodeAt(0) - 96).padStart(2, '0')}00Z`;
const between = (sides: string) => {
  const [start, end] = [...sides].map((letter) => (letter === '-' ? '' : minute(letter)));
  return range(start!, end!);
};

/** the ranges that a component overlaps, and those that it does not */
const ROWS: readonly [kind: string, lines: string[], overlapped: string, others: string][] = [
  ['VEVENT', [`DTSTART:${minute('f')}`, `DTEND:${minute('h')}`], 'ag gz fh -z a- g-', 'af hz ce kz -f h-'],
  ['VEVENT', [`DTSTART:${minute('f')}`, 'DURATION:PT2M'], 'ag gz fh -z g-', 'af hz ce -f h-'],
  ['VEVENT', [`DTSTART:${minute('f')}`, 'DURATION:PT0S'], 'ag fz fg -z f-', 'af gz -f g-'],
  ['VEVENT', [`DTSTART:${minute('f')}`], 'ag fz fg -z f-', 'af gz -f g-'],
  ['VEVENT', ['SUMMARY:never'], '', '-z a- az'],
  ['VTODO', [`DTSTART:${minute('f')}`, 'DURATION:PT2M'], 'ag gz fh hz -z h-', 'af iz -f i-'],
  ['VTODO', [`DTSTART:${minute('f')}`, 'DURATION:PT0S'], 'ag fz af', 'ae gz'],
  ['VTODO', [`DTSTART:${minute('f')}`, `DUE:${minute('h')}`], 'ag gz fh -z g-', 'af hz -f h-'],
  ['VTODO', [`DTSTART:${minute('f')}`, `DUE:${minute('f')}`], 'ag fz af', 'ae gz'],
  ['VTODO', [`DTSTART:${minute('f')}`], 'ag fz', 'af gz'],
  ['VTODO', [`DUE:${minute('f')}`], 'af ez -z e-', 'ae fz f-'],
  ['VTODO', [`COMPLETED:${minute('h')}`, `CREATED:${minute('f')}`], 'af hz fh gh -z', 'ae iz'],
  ['VTODO', [`COMPLETED:${minute('f')}`], 'af fz', 'ae gz'],
  ['VTODO', [`CREATED:${minute('f')}`], 'ag gz g-', 'af -f'],
  ['VTODO', ['SUMMARY:some day'], 'az -a z-', ''],
  ['VJOURNAL', [`DTSTART:${minute('f')}`], 'ag fz', 'af gz'],
  ['VJOURNAL', ['SUMMARY:never'], '', 'az -z'],
  ['VFREEBUSY', [`DTSTART:${minute('f')}`, `DTEND:${minute('h')}`], 'ag gz hz', 'af iz'],
  ['VFREEBUSY', [`FREEBUSY:${minute('a')}/PT1M,${minute('f')}/${minute('h')}`], 'eg gz ab', 'bf hz'],
  ['VFREEBUSY', ['UID:1'], '', 'az -z'],
];

describe('a time range', () => {
  for (const [kind, lines, overlapped, others] of ROWS) {
    it(`${kind} ${lines.join(' ').replace(/20260101T00|00Z/g, '')}`, () => {
      const holds = (sides: string) => matches(component(kind, ...lines), within(kind, { timeRange: between(sides) }));
      const words = (text: string) => text.split(' ').filter((word) => word.length === 2);
      for (const sides of words(overlapped)) assert.ok(holds(sides), sides);
      for (const sides of words(others)) assert.ok(!holds(sides), sides);
    });
  }

  it('of days is in the zone of floating times', () => {
    const zone = namedZone('America/New_York')!;
    const holds = (lines: string[], start: string, end: string, kind = 'VEVENT') =>
      matches(component(kind, ...lines), within(kind, { timeRange: range(start, end) }), zone);
    for (const [kind, lines] of [
      ['VEVENT', ['DTSTART;VALUE=DATE:20260110']],
      ['VEVENT', ['DTSTART;VALUE=DATE:20260110', 'DTEND;VALUE=DATE:20260110']],
      ['VEVENT', ['DTSTART;VALUE=DATE:20260110', 'DTEND;VALUE=DATE:20260111']],
      ['VJOURNAL', ['DTSTART;VALUE=DATE:20260110']],
    ] as const) {
      assert.ok(!holds([...lines], '20260110T040000Z', '20260110T050000Z', kind));
      assert.ok(holds([...lines], '20260110T040000Z', '20260110T050001Z', kind));
      assert.ok(holds([...lines], '20260111T045959Z', '20260112T050000Z', kind));
      assert.ok(!holds([...lines], '20260111T050000Z', '20260112T050000Z', kind));
    }
    assert.ok(holds(['DTSTART:20260110T000000'], '20260110T050000Z', '20260110T050001Z'));
  });

  it('finds recurrences, not those that are changed or taken out', () => {
    const series = component(
      'VEVENT',
      'DTSTART:20260101T090000Z',
      'RRULE:FREQ=DAILY',
      'EXDATE:20260103T090000Z',
      'UID:1',
    );
    const moved = component('VEVENT', 'RECURRENCE-ID:20260102T090000Z', 'DTSTART:20260102T150000Z', 'UID:1');
    const on = (day: string, hour: string) =>
      matches(series + moved, within('VEVENT', { timeRange: range(`${day}T${hour}0000Z`, `${day}T${hour}3000Z`) }));
    assert.deepEqual(
      [on('20260101', '09'), on('20260102', '09'), on('20260102', '15'), on('20260103', '09'), on('20560104', '09')],
      [true, false, true, false, true],
    );
  });

  it('and properties are to be of one component', () => {
    const series = component('VEVENT', 'DTSTART:20260101T090000Z', 'RRULE:FREQ=DAILY', 'SUMMARY:a', 'UID:1');
    const other = component(
      'VEVENT',
      'RECURRENCE-ID:20260102T090000Z',
      'DTSTART:20260102T090000Z',
      'SUMMARY:b',
      'UID:1',
    );
    const on = (day: string, summary: string) =>
      matches(
        series + other,
        within('VEVENT', {
          timeRange: range(`${day}T000000Z`, `${day}T235959Z`),
          props: [prop('SUMMARY', { textMatch: text(summary) })],
        }),
      );
    assert.deepEqual(
      [on('20260102', 'a'), on('20260102', 'b'), on('20260103', 'a'), on('20260103', 'b')],
      [false, true, true, false],
    );
  });

  it('gives an object up when the budget is spent', () => {
    const never = component('VEVENT', 'DTSTART:20200101T000000Z', 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30');
    const budget = { steps: 5000 };
    const filter = within('VEVENT', { timeRange: range('20260101T000000Z', '') });
    assert.equal(matchesCalendar(calendar(never), filter, UTC, budget), false);
    assert.ok(budget.steps <= 0 && budget.steps > -100);
  });
});

describe('an alarm', () => {
  const at = (parent: string[], alarm: string[], start: string, end: string) =>
    matches(
      component('VEVENT', ...parent, component('VALARM', ...alarm).trim()),
      within('VEVENT', { comps: [comp('VALARM', { timeRange: range(start, end) })] }),
    );
  const daily = ['DTSTART;TZID=Europe/Berlin:20260101T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY'];

  it('is before the start or the end, in every recurrence', () => {
    assert.ok(at(daily, ['TRIGGER:-PT15M'], '20260701T064500Z', '20260701T064501Z'));
    assert.ok(!at(daily, ['TRIGGER:-PT15M'], '20260701T064501Z', '20260702T064500Z'));
    assert.ok(at(daily, ['TRIGGER;RELATED=END:PT5M'], '20260701T080500Z', '20260701T080501Z'));
    assert.ok(
      at(daily, ['TRIGGER:-P1D'], '20260328T080000Z', '20260328T080001Z'),
      'a day of 23 hours later is the event',
    );
  });

  it('goes off again', () => {
    const again = ['TRIGGER:PT0S', 'REPEAT:3', 'DURATION:PT10M'];
    const once = ['DTSTART:20260101T090000Z'];
    assert.ok(at(once, again, '20260101T093000Z', '20260101T093001Z'));
    assert.ok(!at(once, again, '20260101T093001Z', '20260101T100000Z'));
    assert.ok(!at(once, again, '20260101T092001Z', '20260101T093000Z'));
    assert.ok(at(daily, again, '20260701T073000Z', '20260701T073001Z'));
  });

  it('may have a time of its own', () => {
    const own = ['TRIGGER;VALUE=DATE-TIME:20200101T000000Z'];
    assert.ok(at(daily, own, '20200101T000000Z', '20200101T000001Z'));
    assert.ok(!at(daily, own, '20260701T000000Z', '20260801T000000Z'));
  });
});

describe('a filter of properties', () => {
  const one = component(
    'VEVENT',
    'DTSTART:20260101T090000Z',
    'DURATION:PT1H',
    'SUMMARY;LANGUAGE=en:Über\\, all',
    'CATEGORIES:A,B',
    'ATTENDEE;CN="x, y";MEMBER="a","b":mailto:x',
  );
  const holds = (name: string, more: Parameters<typeof prop>[1] = {}) =>
    matches(one, within('vevent', { props: [prop(name, more)] }));

  it('asks whether it is there', () => {
    assert.deepEqual([holds('summary'), holds('LOCATION')], [true, false]);
    assert.deepEqual(
      [holds('SUMMARY', { isNotDefined: true }), holds('LOCATION', { isNotDefined: true })],
      [false, true],
    );
    assert.ok(matches(one, within('VTODO', { isNotDefined: true })));
    assert.ok(!matches(one, within('VEVENT', { isNotDefined: true })));
    assert.ok(!matches(one, comp('VCARD')));
    assert.ok(matches(one, within('VEVENT', { comps: [comp('VALARM', { isNotDefined: true })] })));
  });

  it('looks for a text', () => {
    const summary = (wanted: string, more = {}) => holds('SUMMARY', { textMatch: text(wanted, more) });
    assert.deepEqual([summary('ber, ALL'), summary('über'), summary('')], [true, false, true]);
    assert.ok(summary('über', { collation: 'i;unicode-casemap' }));
    assert.deepEqual(
      [summary('Über', { collation: 'i;octet' }), summary('über', { collation: 'i;octet' })],
      [true, false],
    );
    assert.deepEqual([summary('all', { isNegated: true }), summary('none', { isNegated: true })], [false, true]);
    assert.ok(!holds('LOCATION', { textMatch: text('x', { isNegated: true }) }), 'what is missing matches nothing');
  });

  it('looks at parameters', () => {
    const param = (name: string, more = {}) => holds('ATTENDEE', { params: [{ name, ...more }] });
    assert.deepEqual([param('cn'), param('ROLE'), param('ROLE', { isNotDefined: true })], [true, false, true]);
    const equals = (wanted: string) => text(wanted, { matchType: 'equals' });
    for (const [name, wanted, expected] of [
      ['CN', 'x, y', true],
      ['MEMBER', 'b', true],
      ['MEMBER', 'c', false],
    ] as const) {
      assert.equal(param(name, { textMatch: equals(wanted) }), expected, wanted);
      assert.equal(param(name, { textMatch: { ...equals(wanted), isNegated: true } }), !expected, wanted);
    }
  });

  it('looks at its time, also at an end that is a duration', () => {
    const time = (name: string, start: string, end: string) => holds(name, { timeRange: range(start, end) });
    assert.ok(time('DTSTART', '20260101T090000Z', '20260101T090001Z'));
    assert.ok(!time('DTSTART', '20260101T080000Z', '20260101T090000Z'));
    assert.ok(time('DTEND', '20260101T100000Z', '20260101T100001Z'));
    assert.ok(!time('SUMMARY', '', ''));
  });
});
