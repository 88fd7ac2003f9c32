// Dates and times of calendars (RFC 5545 sections 3.3.4 and 3.3.5).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDateTime } from '../../../src/mime/objects/calendar-time.ts';

describe('parseDateTime', () => {
  it('takes the digits as UTC', () => {
    const times: [string, number | undefined][] = [
      ['20261201T090001Z', 1796115601],
      ['20261201T090000', 1796115600],
      ['20261201', 1796083200],
      ['tomorrow', undefined],
      ['', undefined],
    ];
    for (const [text, time] of times) assert.equal(parseDateTime(text)?.seconds, time, text);
  });
});
