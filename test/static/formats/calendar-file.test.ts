// Files of events, as they are brought in and taken out.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { joinCalendars, splitCalendar } from '../../../static/formats/calendar-file.js';

const FILE = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//X//Y//EN
METHOD:PUBLISH
BEGIN:VTIMEZONE
TZID:Home
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0100
TZOFFSETTO:+0100
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:one
DTSTART;TZID=Home:20261122T100000
RRULE:FREQ=DAILY
X-OWN:kept
END:VEVENT
BEGIN:VEVENT
UID:two
DTSTART:20261123T100000Z
END:VEVENT
BEGIN:VEVENT
UID:one
RECURRENCE-ID;TZID=Home:20261123T100000
DTSTART;TZID=Home:20261123T110000
END:VEVENT
BEGIN:VEVENT
DTSTART:20261124T100000Z
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n');

const count = (text: string, line: string) => text.split('\r\n').filter((each) => each === line).length;

it('a file is parted by UID, each with the zones that it names', () => {
  const parts = splitCalendar(FILE, () => 'made');
  assert.deepEqual(
    parts.map(({ uid }) => uid),
    ['one', 'two', 'made'],
  );
  const [one, two, made] = parts.map(({ text }) => text);
  assert.equal(count(one!, 'BEGIN:VEVENT'), 2);
  assert.equal(count(one!, 'TZID:Home'), 1);
  assert.equal(count(one!, 'X-OWN:kept'), 1);
  assert.equal(count(two!, 'BEGIN:VTIMEZONE'), 0);
  assert.equal(count(made!, 'UID:made'), 1);
  assert.ok(parts.every(({ text }) => !text.includes('METHOD')));
});

it('objects become one file, each zone once, which can be parted again', () => {
  const parts = splitCalendar(FILE, () => 'made').map(({ text }) => text);
  const joined = joinCalendars([...parts, parts[0]!.replaceAll('UID:one', 'UID:three')], 'Home; sweet');
  assert.equal(count(joined, 'BEGIN:VTIMEZONE'), 1);
  assert.equal(count(joined, 'X-WR-CALNAME:Home\\; sweet'), 1);
  assert.equal(splitCalendar(joined).length, 4);
});

it('what is no calendar has no events', () => {
  assert.deepEqual(splitCalendar('hello'), []);
});
