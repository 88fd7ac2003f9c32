// What overlaps a time range: the tables of RFC 4791 section 9.9 row by row, alarms, and properties that are times.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { type CompFilter, matchesCalendar } from '../../../src/mime/objects/calendar-filter.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { UTC, type Zone } from '../../../src/mime/objects/offsets.ts';
import { atOnce } from '../../../src/system/steps.ts';
import { calendar, comp, prop, range, within } from './caldav-examples.ts';

const matches = (components: string, filter: CompFilter, zone: Zone = UTC): boolean =>
  atOnce(matchesCalendar(calendar(components), filter, zone, { steps: MAX_RECURRENCE_STEPS }));
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

describe('a property that is a time', () => {
  it('is looked at, also an end that is a duration', () => {
    const one = component('VEVENT', 'DTSTART:20260101T090000Z', 'DURATION:PT1H', 'SUMMARY:Plan');
    const time = (name: string, start: string, end: string) =>
      matches(one, within('VEVENT', { props: [prop(name, { timeRange: range(start, end) })] }));
    assert.ok(time('DTSTART', '20260101T090000Z', '20260101T090001Z'));
    assert.ok(!time('DTSTART', '20260101T080000Z', '20260101T090000Z'));
    assert.ok(time('DTEND', '20260101T100000Z', '20260101T100001Z'));
    assert.ok(!time('SUMMARY', '', ''));
  });
});
