// Dates, times and durations of calendars (RFC 5545 sections 3.3.4 to 3.3.6).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDateTime, parseDuration } from '../../../src/mime/objects/calendar-time.ts';

describe('parseDateTime', () => {
  it('takes the digits as UTC', () => {
    const times: [string, number | undefined][] = [
      ['20261201T090001Z', 1796115601],
      ['20261201T090000', 1796115600],
      ['20261201', 1796083200],
      ['20261201T090060Z', 1796115659],
      ['20261201T0900', 1796115600],
      ['20261201T090061', undefined],
      ['20261201T240000', undefined],
      ['20261201T096000', undefined],
      ['20261201X090000', undefined],
      ['20261201T090000X', undefined],
      ['20261301', undefined],
      ['20260229', undefined],
      ['20280229', 1835395200],
      ['00990101', -59042995200],
      ['tomorrow', undefined],
      ['', undefined],
    ];
    for (const [text, time] of times) assert.equal(parseDateTime(text)?.seconds, time, text);
  });
});

describe('a duration', () => {
  it('is of days and seconds', () => {
    assert.deepEqual(parseDuration('P1W'), { days: 7, seconds: 0 });
    assert.deepEqual(parseDuration('-P1DT2H3M4S'), { days: -1, seconds: -7384 });
    for (const text of ['', 'P', 'PT', '1D', 'P1', 'P1DT', 'PT1', 'P1H'])
      assert.equal(parseDuration(text), undefined, text);
  });
});
