// The times that a calendar object names, as instants.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_CALENDAR_ZONES, MAX_DATES } from '../../../src/limits/mime.ts';
import { CalendarTimes } from '../../../src/mime/objects/calendar-times.ts';
import { ContentLine } from '../../../src/mime/objects/content-lines.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { offsetAt } from '../../../src/mime/objects/offsets.ts';
import { at, calendarOf, EASTERN, shown } from './calendars.ts';

describe('times of a calendar', () => {
  it('are in so many zones, and floating in more', () => {
    const zones = Array.from({ length: MAX_CALENDAR_ZONES + 1 }, (_, i) =>
      EASTERN.map((line) => (line.startsWith('TZID') ? `TZID:Z${i}` : line)),
    );
    const calendar = calendarOf(...zones.flat());
    const times = new CalendarTimes(calendar);
    const offsets = zones.map((_, i) => offsetAt(times.zoneNamed(`Z${i}`), at('20260101')));
    assert.deepEqual([offsets.at(-2), offsets.at(-1)], [-5 * 3600, 0]);
  });
});

describe('a line of dates', () => {
  const times = new CalendarTimes(calendarOf(), namedZone('Europe/Berlin'));
  const line = (text: string) => ContentLine.read(text)!;
  const read = (text: string) =>
    [...times.momentsOf(line(text))].map(({ instant, end }) => [shown(instant), shown(end)]);

  it('has times of the zone it names, of UTC, or floating ones', () => {
    assert.deepEqual(read('RDATE;TZID=America/New_York:20260701T120000'), [['20260701T1600', '']]);
    assert.deepEqual(read('RDATE;TZID=America/New_York:20260701T120000Z'), [['20260701T1200', '']]);
    assert.deepEqual(read('RDATE:20260701T120000'), [['20260701T1000', '']]);
    assert.deepEqual(
      read('RDATE;VALUE=DATE;TZID=America/New_York:20260701'),
      [['20260630T2200', '']],
      'a day has none',
    );
  });

  it('has periods with an end or a duration, whose days are those of the zone', () => {
    assert.deepEqual(read('FREEBUSY:20260701T100000Z/20260701T110000Z,20260701T120000Z/PT30M'), [
      ['20260701T1000', '20260701T1100'],
      ['20260701T1200', '20260701T1230'],
    ]);
    assert.deepEqual(read('RDATE:20260328T120000/P1D,20260328T120000/PT24H'), [
      ['20260328T1100', '20260329T1000'],
      ['20260328T1100', '20260329T1100'],
    ]);
  });

  it('leaves out what is no date, and what is beyond the bound', () => {
    assert.deepEqual(read('RDATE:tomorrow,20260701,20260231'), [['20260630T2200', '']]);
    assert.equal(times.momentOf(line('DTSTART:tomorrow')), undefined);
    assert.equal(times.momentOf(undefined), undefined);
    const many = (count: number) => read(`RDATE:${Array.from({ length: count }, () => '20260701').join()}`).length;
    assert.deepEqual([many(MAX_DATES), many(MAX_DATES + 1)], [MAX_DATES, MAX_DATES]);
  });
});
