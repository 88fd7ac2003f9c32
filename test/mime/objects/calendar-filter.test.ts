// Calendar queries: the examples of RFC 4791 section 7.8, time ranges of series, and filters of properties.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { type CompFilter, matchesCalendar } from '../../../src/mime/objects/calendar-filter.ts';
import { UTC, type Zone } from '../../../src/mime/objects/offsets.ts';
import { atOnce } from '../../../src/system/steps.ts';
import { calendar, comp, EXAMPLES, prop, range, text, within } from './caldav-examples.ts';

const matches = (components: string, filter: CompFilter, zone: Zone = UTC, steps = MAX_RECURRENCE_STEPS): boolean =>
  atOnce(matchesCalendar(calendar(components), filter, zone, { steps }));
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

describe('a filter of a time range', () => {
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
    assert.equal(atOnce(matchesCalendar(calendar(never), filter, UTC, budget)), false);
    assert.ok(budget.steps <= 0 && budget.steps > -100);
  });

  it('may be left for a while where it has looked at much', () => {
    const never = component('VEVENT', 'DTSTART:20200101T000000Z', 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30');
    const filter = within('VEVENT', { timeRange: range('20260101T000000Z', '') });
    const pauses = Array.from(matchesCalendar(calendar(never), filter, UTC, { steps: 50_000 })).length;
    assert.ok(pauses >= 25, `${pauses} pauses`);
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
});
