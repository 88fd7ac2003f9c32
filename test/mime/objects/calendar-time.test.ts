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
    for (const text of ['', 'P1', 'PT1', 'x', '15', 'P1Y', '20260101', '+', 'P1D2D', 'PT1H1H'])
      assert.equal(parseDuration(text), undefined, text);
  });

  it('is also what programs write for one', () => {
    const written: [string, number, number][] = [
      ['P', 0, 0],
      ['PT', 0, 0],
      ['P1DT', 1, 0],
      ['-P1DT', -1, 0],
      ['P1W2D', 9, 0],
      ['PT1D', 1, 0],
      ['P1H', 0, 3600],
      ['P15M', 0, 900],
      ['-15M', 0, -900],
      ['1D', 1, 0],
      [' pt1h ', 0, 3600],
      ['PT1.500S', 0, 1],
    ];
    for (const [text, days, seconds] of written) {
      const read = parseDuration(text)!;
      // -0 is 0
      assert.deepEqual([read?.days + 0, read?.seconds + 0], [days, seconds], text);
    }
  });
});
