// Time zones that a calendar brings along (RFC 5545 section 3.6.5).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_ZONE_CHANGES, MAX_ZONE_YEAR_CHANGES } from '../../../src/limits/mime.ts';
import { CalendarTimes } from '../../../src/mime/objects/calendar-times.ts';
import { expandCalendar } from '../../../src/mime/objects/expand.ts';
import { UTC } from '../../../src/mime/objects/offsets.ts';
import { atOnce } from '../../../src/system/steps.ts';
import { at, BERLIN_2026, calendarOf, EASTERN, event, instant } from './calendars.ts';

describe('a time in a zone of its calendar', () => {
  it('has the offset of its season, by the rules that the calendar brings', () => {
    assert.equal(instant('20060101T120000', 'Here', ...EASTERN), '20060101T1700');
    assert.equal(instant('20060701T120000', 'Here', ...EASTERN), '20060701T1600');
    assert.equal(instant('20260320T120000', 'Here', ...EASTERN), '20260320T1700', 'its own rule, not the one of 2007');
    assert.equal(instant('19700701T120000', 'Here', ...EASTERN), '19700701T1700', 'before all of its changes');
    assert.equal(instant('90000701T120000', 'Here', ...EASTERN), '90000701T1600');
  });

  it('has the offset of the named zone before and after what the calendar lists of it', () => {
    assert.equal(instant('20250701T120000', 'Europe/Berlin', ...BERLIN_2026), '20250701T1000');
    assert.equal(instant('20270701T120000', 'Europe/Berlin', ...BERLIN_2026), '20270701T1000');
  });

  it('ends where it is made to cost', () => {
    const costly = EASTERN.map((line) => line.replace(/^RRULE.*/, 'RRULE:FREQ=SECONDLY'));
    assert.match(instant('20260101T120000', 'Here', ...costly), /^20260101T/);
  });

  it('takes what its years cost from the budget of the question, and what they make is bounded', () => {
    const costly = EASTERN.map((line) => line.replace(/^RRULE.*/, 'RRULE:FREQ=SECONDLY'));
    for (const [zone, name, own] of [
      [costly, 'Here', MAX_ZONE_YEAR_CHANGES],
      [[], 'America/Chicago', 4],
    ] as const) {
      const dates = Array.from({ length: 200 }, (_, i) => `RDATE;TZID=${name}:${1900 + i}0601T090000`);
      const budget = { steps: 10_000 };
      const object = calendarOf(...zone, ...event(`DTSTART;TZID=${name}:20260601T090000`, ...dates));
      const range = { start: at('20250101T000000'), end: at('20270101T000000') };
      atOnce(expandCalendar(object, range, UTC, budget));
      assert.ok(budget.steps < 10_000 - 3 * dates.length);
      const { near } = new CalendarTimes(object).zoneNamed(name);
      assert.ok(near(at('20260601T000000')).changes.length <= own + 2);
    }
  });

  it('so many changes of a zone are listed', () => {
    const listed = (count: number): string => {
      const dates = Array.from(
        { length: count - 2 },
        (_, i) => `RDATE:2020${String((i % 12) + 1).padStart(2, '0')}01T000000`,
      );
      const part = (start: string, to: string, ...lines: string[]) => [
        ...['BEGIN:STANDARD', `DTSTART:${start}`, 'TZOFFSETFROM:+0000', `TZOFFSETTO:${to}`],
        ...lines,
        'END:STANDARD',
      ];
      const zone = [...part('20200101T000000', '+0000', ...dates), ...part('20250101T000000', '+0100')];
      return instant('20260101T120000', 'Made', 'BEGIN:VTIMEZONE', 'TZID:Made', ...zone, 'END:VTIMEZONE');
    };
    assert.equal(listed(MAX_ZONE_CHANGES), '20260101T1100');
    assert.equal(listed(MAX_ZONE_CHANGES + 1), '20260101T1200');
  });
});
