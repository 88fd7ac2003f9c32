// Recurrence rules (RFC 5545 section 3.3.10) in words.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_RECURRENCE_CHARACTERS } from '../../../src/limits/mime.ts';
import { recurrenceInWords } from '../../../src/mime/objects/calendar-text.ts';

describe('recurrenceInWords', () => {
  it('says no rule that is longer than the bound', () => {
    const rule = (length: number) => 'FREQ=DAILY'.padEnd(length, ';');
    assert.equal(recurrenceInWords(rule(MAX_RECURRENCE_CHARACTERS)), 'every day');
    assert.equal(recurrenceInWords(rule(MAX_RECURRENCE_CHARACTERS + 1)), 'by a custom rule');
  });

  const rules: Record<string, string> = {
    'FREQ=DAILY': 'every day',
    'FREQ=DAILY;INTERVAL=2;COUNT=5': 'every 2 days, 5 times',
    'FREQ=WEEKLY;BYDAY=MO,WE,FR;WKST=MO': 'every week on Monday, Wednesday and Friday',
    'FREQ=MONTHLY;BYDAY=-1FR': 'every month on the last Friday',
    'FREQ=MONTHLY;BYMONTHDAY=15': 'every month on day 15',
    'FREQ=MONTHLY;BYMONTHDAY=-1': 'every month on the last day of the month',
    'FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=3;UNTIL=20300101': 'every year on 3 June, until Tuesday, 1 January 2030',
    'FREQ=YEARLY;BYDAY=1SU;BYMONTH=4': 'every year on the first Sunday in April',
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1': 'every month, by further rules',
    'FREQ=MONTHLY;BYDAY=9MO': 'every month, by further rules',
    'FREQ=SOMETIMES': 'by a custom rule',
    '': 'by a custom rule',
  };
  for (const [rule, words] of Object.entries(rules)) {
    it(`${rule || '(nothing)'}: ${words}`, () => assert.equal(recurrenceInWords(rule), words));
  }
});
