// The calendar of the DAV benchmark: what it says of itself is true, as the code of the server sees it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { benchEvents, MONTH } from '../../scripts/bench/dav-events.ts';
import { MAX_RECURRENCE_STEPS } from '../../src/limits/mime.ts';
import { matchesCalendar } from '../../src/mime/objects/calendar-filter.ts';
import { parseObject } from '../../src/mime/objects/components.ts';
import { UTC } from '../../src/mime/objects/offsets.ts';
import { atOnce } from '../../src/system/steps.ts';
import { range, within } from '../mime/objects/caldav-examples.ts';

it('has as many events in the month as it says, each of its own UID and of 0.6 KB', () => {
  const { events, inMonth } = benchEvents(2000);
  assert.equal(inMonth, 181);
  assert.equal(new Set(events.map(({ uid }) => uid)).size, 2000);
  const filter = within('VEVENT', { timeRange: range(MONTH.start, MONTH.end) });
  const found = events.filter(({ data }) =>
    atOnce(matchesCalendar(parseObject(data).object!, filter, UTC, { steps: MAX_RECURRENCE_STEPS })),
  );
  assert.equal(found.length, inMonth);
  assert.equal(events.filter(({ data }) => data.includes('RRULE')).length, 400);
  for (const { data } of events) {
    assert.ok(data.length > 580 && data.length < 640, `${data.length} bytes`);
    assert.ok(
      data.split('\r\n').every((line) => line.length <= 75),
      data,
    );
  }
});
