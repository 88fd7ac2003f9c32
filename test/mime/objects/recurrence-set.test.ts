// When a component takes place: rules, dates and exceptions together (RFC 5545 section 3.8.5).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_DATES, MAX_RULES } from '../../../src/limits/mime.ts';
import { at, event, instances, shown } from './calendars.ts';

describe('the starts of a series', () => {
  it('come from dates, periods and rules, without those that are taken out', () => {
    assert.deepEqual(
      instances(
        event(
          'DTSTART:20260301T090000Z',
          'DURATION:PT1H',
          'RRULE:FREQ=WEEKLY;COUNT=3',
          'RDATE;VALUE=PERIOD:20260310T080000Z/PT2H,20260311T080000Z/20260311T083000Z',
          'RDATE:20260308T090000Z,20260312T090000Z',
          'EXDATE:20260301T090000Z',
          'EXDATE;VALUE=DATE:20260312',
        ),
      ),
      ['20260308T0900-1000', '20260310T0800-1000', '20260311T0800-0830', '20260315T0900-1000'],
    );
  });

  it('end with UNTIL, which is UTC for times in a zone', () => {
    const until = (text: string) =>
      instances(event('DTSTART;TZID=Europe/Berlin:20260301T090000', `RRULE:FREQ=DAILY;UNTIL=${text}`)).length;
    assert.deepEqual(['20260303T080000Z', '20260303T075959Z', '20260303', '20260303T090000'].map(until), [3, 2, 3, 3]);
  });

  it('end with UNTIL as an instant where clocks go back, and where they go forward', () => {
    const until = (start: string, text: string) =>
      instances(event(`DTSTART;TZID=Europe/Berlin:${start}`, `RRULE:FREQ=DAILY;UNTIL=${text}`)).length;
    // 02:45 comes at 00:45Z, and UNTIL is at the second 02:15
    assert.equal(until('20261024T024500', '20261025T011500Z'), 2);
    assert.equal(until('20261024T024500', '20261025T004459Z'), 1);
    // 02:30 is skipped and means 03:30, 01:30Z
    assert.equal(until('20260328T023000', '20260329T012959Z'), 1);
    assert.equal(until('20260328T023000', '20260329T013000Z'), 2);
  });

  for (const [rule, starts] of [
    ['FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30;COUNT=4', ['0100', '0130']],
    ['FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,20,40;BYSETPOS=2,5;COUNT=2', ['0120']],
    ['FREQ=HOURLY;BYMINUTE=0,30;COUNT=6', ['0100', '0130', '0200', '0230']],
    ['FREQ=MINUTELY;INTERVAL=20;COUNT=9', ['0100', '0120', '0140', '0200', '0220', '0240']],
    ['FREQ=HOURLY;COUNT=3', ['0100', '0200']],
  ] as const) {
    it(`come once, and in order, where the clock skips an hour: ${rule}`, () => {
      const series = event('DTSTART;TZID=Europe/Berlin:20260329T020000', `RRULE:${rule}`);
      const found = instances(series).map((each) => each.slice(9, 13));
      // BYSETPOS does not count the start, which is one of the series all the same
      assert.deepEqual([...new Set(['0100', ...starts])], found);
      assert.deepEqual(found, found.toSorted());
    });
  }

  it('so many rules of one event are followed', () => {
    const rules = (count: number) =>
      Array.from({ length: count }, (_, i) => `RRULE:FREQ=YEARLY;COUNT=2;BYMONTH=2;BYMONTHDAY=${i + 1}`);
    const count = (many: number) => instances(event('DTSTART:20260101T090000Z', ...rules(many))).length;
    assert.deepEqual([count(MAX_RULES), count(MAX_RULES + 1)], [1 + MAX_RULES, 1 + MAX_RULES]);
  });

  it('so many dates of one event are looked at, on one line or on many', () => {
    const dates = (count: number) =>
      Array.from({ length: count }, (_, i) => shown(at('20260101T090000Z') + 86_400 * i).replace(/$/, '00Z'));
    for (const lines of [
      (count: number) => [`RDATE:${dates(count).join(',')}`],
      (count: number) => dates(count).map((date) => `RDATE:${date}`),
    ]) {
      const count = (many: number) => instances(event('DTSTART:20260101T090000Z', ...lines(many))).length;
      assert.deepEqual([count(MAX_DATES), count(MAX_DATES + 1)], [MAX_DATES, MAX_DATES]);
    }
  });
});
