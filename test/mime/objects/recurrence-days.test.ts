// Days by number, and which of them a rule means (RFC 5545 section 3.3.10).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DayTest,
  dateOfDay,
  dayNumber,
  monthLength,
  parseRule,
  weekdayOf,
} from '../../../src/mime/objects/recurrence-rule.ts';

describe('days by number', () => {
  it('are counted from 1970, back and forth', () => {
    assert.deepEqual([dayNumber(1970, 1, 1), dayNumber(1969, 12, 31), dayNumber(2000, 3, 1)], [0, -1, 11_017]);
    assert.equal(dayNumber(99, 1, 1), -683_368, 'a year below 100 is that year');
    for (const day of [-683_368, -1, 0, 59, 11_016, 20_000]) {
      const { year, month, date } = dateOfDay(day);
      assert.equal(dayNumber(year, month, date), day);
    }
  });

  it('have weekdays, also before 1970', () => {
    const weekdays = [0, 3, -1, -4, -5].map(weekdayOf);
    assert.deepEqual(weekdays, [4, 0, 3, 0, 6]);
  });

  it('are as many in February as the leap year says', () => {
    assert.deepEqual(
      [2024, 2025, 1900, 2000].map((year) => monthLength(year, 2)),
      [29, 28, 28, 29],
    );
    assert.deepEqual(
      [1, 4, 6, 9, 11, 12].map((month) => monthLength(2026, month)),
      [31, 30, 30, 30, 30, 31],
    );
  });
});

/** the days of 2026 that the rule means, as `month-date` */
function daysOf(rule: string, start = dateOfDay(dayNumber(2020, 5, 6))): string[] {
  const test = new DayTest(parseRule(rule)!, start);
  const days = Array.from({ length: 365 }, (_, i) => dateOfDay(dayNumber(2026, 1, 1) + i));
  return days.filter((day) => test.holds(day)).map(({ month, date }) => `${month}-${date}`);
}

describe('days of a rule', () => {
  it('are as on the day of the start where the rule says nothing', () => {
    assert.deepEqual(daysOf('FREQ=YEARLY'), ['5-6']);
    assert.equal(daysOf('FREQ=MONTHLY').length, 12);
    assert.equal(daysOf('FREQ=WEEKLY')[0], '1-7', 'a Wednesday');
    assert.equal(daysOf('FREQ=DAILY').length, 365);
  });

  it('are counted from the end where the number is negative', () => {
    assert.deepEqual(daysOf('FREQ=MONTHLY;BYMONTHDAY=-1').slice(0, 3), ['1-31', '2-28', '3-31']);
    assert.deepEqual(daysOf('FREQ=YEARLY;BYYEARDAY=-1,1'), ['1-1', '12-31']);
    assert.deepEqual(daysOf('FREQ=YEARLY;BYDAY=-1FR'), ['12-25']);
    assert.deepEqual(daysOf('FREQ=YEARLY;BYMONTH=6;BYDAY=-1FR'), ['6-26']);
    assert.deepEqual(daysOf('FREQ=MONTHLY;BYDAY=5MO').slice(0, 2), ['3-30', '6-29']);
  });

  it('are in weeks that begin where the rule says', () => {
    assert.deepEqual(daysOf('FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU'), ['1-4']);
    assert.deepEqual(daysOf('FREQ=YEARLY;BYWEEKNO=2;WKST=SU;BYDAY=SU'), ['1-11']);
    assert.deepEqual(daysOf('FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH'), ['12-31']);
    // a number before a weekday says nothing in a week
    assert.deepEqual(daysOf('FREQ=YEARLY;BYWEEKNO=1;BYDAY=3SU'), ['1-4']);
    assert.equal(daysOf('FREQ=MONTHLY;BYWEEKNO=1').length, 12, 'for years only');
  });

  it('may be fewer in one period than in another where something limits them', () => {
    const isLimited = (rule: string) => new DayTest(parseRule(rule)!, dateOfDay(0)).isLimited;
    assert.deepEqual(
      ['FREQ=DAILY', 'FREQ=DAILY;BYDAY=MO', 'FREQ=WEEKLY;BYDAY=MO', 'FREQ=DAILY;BYMONTH=1'].map(isLimited),
      [false, true, false, true],
    );
    assert.deepEqual(new DayTest(parseRule('FREQ=YEARLY')!, dateOfDay(40)).months, [2]);
  });
});
