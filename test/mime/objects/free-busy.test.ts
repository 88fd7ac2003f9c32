// The busy times of a set of calendar objects, with the example of RFC 4791 section 7.10.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_DATES, MAX_OCCURRENCES, MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { utcText } from '../../../src/mime/objects/calendar-time.ts';
import { writeComponent } from '../../../src/mime/objects/components.ts';
import type { Component } from '../../../src/mime/objects/content-lines.ts';
import { busyPeriods, freeBusyCalendar, mergedPeriods } from '../../../src/mime/objects/free-busy.ts';
import type { TimeRange } from '../../../src/mime/objects/instances.ts';
import { UTC } from '../../../src/mime/objects/offsets.ts';
import { atOnce } from '../../../src/system/steps.ts';
import { calendar, EXAMPLES, range } from './caldav-examples.ts';

const written = (component: Component): string[] => writeComponent(component).split('\r\n').slice(0, -1);
const event = (...lines: string[]): string => `BEGIN:VEVENT\nUID:1\n${lines.join('\n')}\nEND:VEVENT\n`;

describe('busy times', () => {
  const NOW = range('20050125T090000Z', '').start;
  const busy = (within: TimeRange, ...calendars: string[]): string[] => {
    const budget = { steps: MAX_RECURRENCE_STEPS };
    const periods = calendars.flatMap((one) => atOnce(busyPeriods(calendar(one), within, UTC, budget)));
    return written(freeBusyCalendar(periods, within, NOW));
  };
  const times = (within: TimeRange, ...calendars: string[]) =>
    busy(within, ...calendars).filter((line) => line.startsWith('FREEBUSY'));
  const day = range('20260101T000000Z', '20260102T000000Z');

  it('are those of RFC 4791 section 7.10, on its first day', () => {
    assert.deepEqual(busy(range('20060104T140000Z', '20060104T220000Z'), ...Object.values(EXAMPLES)), [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Vestibule//Calendar//EN',
      'BEGIN:VFREEBUSY',
      'DTSTAMP:20050125T090000Z',
      'DTSTART:20060104T140000Z',
      'DTEND:20060104T220000Z',
      'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20060104T150000Z/PT1H',
      'FREEBUSY:20060104T190000Z/PT1H',
      'END:VFREEBUSY',
      'END:VCALENDAR',
    ]);
    // the RFC forgets what its appendix B has on the second day
    assert.deepEqual(times(range('20060104T140000Z', '20060105T220000Z'), ...Object.values(EXAMPLES)).slice(2), [
      'FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20060105T100000Z/PT2H',
      'FREEBUSY:20060105T170000Z/PT1H',
    ]);
  });

  it('leave out what is cancelled, transparent, free or takes no time', () => {
    const one = (...lines: string[]) => times(day, event('DTSTART:20260101T090000Z', 'DURATION:PT1H', ...lines)).length;
    assert.deepEqual(
      [one(), one('TRANSP:OPAQUE', 'STATUS:CONFIRMED'), one('TRANSP:transparent'), one('STATUS:CANCELLED')],
      [1, 1, 0, 0],
    );
    assert.deepEqual(times(day, event('DTSTART:20260101T090000Z')), []);
    assert.deepEqual(times(day, 'BEGIN:VFREEBUSY\nFREEBUSY;FBTYPE=FREE:20260101T090000Z/PT1H\nEND:VFREEBUSY\n'), []);
  });

  it('are cut to the range and put together where they meet', () => {
    const at = (start: string, duration: string, ...lines: string[]) =>
      event(`DTSTART:20260101T${start}00Z`, `DURATION:${duration}`, ...lines);
    assert.deepEqual(
      times(
        day,
        at('1000', 'PT1H'),
        at('0900', 'PT1H'),
        at('0930', 'PT10M'),
        at('1030', 'PT2H', 'STATUS:TENTATIVE'),
        at('2330', 'PT3H'),
        event('DTSTART:20251231T230000Z', 'DURATION:PT2H'),
      ),
      [
        'FREEBUSY:20260101T000000Z/PT1H',
        'FREEBUSY:20260101T090000Z/PT2H',
        'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260101T103000Z/PT2H',
        'FREEBUSY:20260101T233000Z/PT30M',
      ],
    );
    assert.deepEqual(times(day, event('DTSTART;VALUE=DATE:20260101')), ['FREEBUSY:20260101T000000Z/P1D']);
  });

  it('are at most as many on one line as the bound', () => {
    const count = (many: number) => {
      const periods = Array.from({ length: many }, (_, i) => `${utcText(range('20260101', '').start + 60 * i)}/PT1S`);
      const one = calendar(`BEGIN:VFREEBUSY\nFREEBUSY:${periods.join(',')}\nEND:VFREEBUSY\n`);
      return atOnce(busyPeriods(one, range('20260101', '20270101'), UTC, { steps: MAX_RECURRENCE_STEPS })).length;
    };
    assert.deepEqual([count(MAX_DATES), count(MAX_DATES + 1)], [MAX_DATES, MAX_DATES]);
  });

  it('are at most as many as the bound', () => {
    const count = (many: number) => {
      const series = event('DTSTART:20260101T000000Z', 'DURATION:PT1S', `RRULE:FREQ=MINUTELY;COUNT=${many}`);
      return atOnce(busyPeriods(calendar(series), range('20260101', '20270101'), UTC, { steps: MAX_RECURRENCE_STEPS }))
        .length;
    };
    assert.deepEqual([count(MAX_OCCURRENCES), count(MAX_OCCURRENCES + 1)], [MAX_OCCURRENCES, MAX_OCCURRENCES]);
  });
});

describe('the search for busy times', () => {
  it('may be left for a while at each instance, and where there is none for long', () => {
    for (const rule of ['FREQ=MINUTELY', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=MINUTELY;BYMONTH=1']) {
      const one = event('DTSTART:20200101T000000Z', 'TRANSP:TRANSPARENT', `RRULE:${rule}`);
      const found = busyPeriods(calendar(one), range('20200101', '99990101'), UTC, { steps: MAX_RECURRENCE_STEPS });
      assert.ok(Array.from(found).length >= MAX_RECURRENCE_STEPS / 2000, rule);
    }
  });

  it('ends in a long list of dates where the budget is spent', () => {
    const dates = Array.from({ length: 20_000 }, () => '20260101T000000Z').join(',');
    const one = event('DTSTART:20260101T000000Z', 'RRULE:FREQ=DAILY', `EXDATE:${dates}`);
    const budget = { steps: 500 };
    assert.deepEqual(atOnce(busyPeriods(calendar(one), range('20260101', '20260201'), UTC, budget)), []);
    assert.ok(budget.steps > -2000, `${budget.steps} left`);
  });
});

describe('a type of busy times', () => {
  it('that is none counts as busy', () => {
    const range = { start: 0, end: 86_400 };
    const typeOf = (type: string) => {
      const source = `BEGIN:VFREEBUSY\nFREEBUSY;FBTYPE=${type}:19700101T010000Z/PT1H\nEND:VFREEBUSY\n`;
      return atOnce(busyPeriods(calendar(source), range, UTC, { steps: 100 }))[0]?.type;
    };
    assert.deepEqual(['busy-unavailable', 'X-MINE', 'x'.repeat(64), 'x'.repeat(65), '"a b"', 'free'].map(typeOf), [
      'BUSY-UNAVAILABLE',
      'X-MINE',
      'X'.repeat(64),
      'BUSY',
      'BUSY',
      undefined,
    ]);
  });

  it('keeps its periods apart from those of other types', () => {
    const merged = mergedPeriods([
      { type: 'BUSY', start: 20, end: 30 },
      { type: 'BUSY-TENTATIVE', start: 5, end: 40 },
      { type: 'BUSY', start: 0, end: 20 },
    ]);
    assert.deepEqual(merged, [
      { type: 'BUSY', start: 0, end: 30 },
      { type: 'BUSY-TENTATIVE', start: 5, end: 40 },
    ]);
  });
});
