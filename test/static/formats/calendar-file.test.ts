// Files of events, as they are brought in and taken out.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: the web client has no types
import { readEvents } from '../../../static/formats/calendar.js';
// @ts-expect-error: the web client has no types
import { joinCalendars, splitCalendar } from '../../../static/formats/calendar-file.js';

interface Part {
  uid: string;
  text: string;
}

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
    parts.map(({ uid }: Part) => uid),
    ['one', 'two', 'made'],
  );
  const [one, two, made] = parts.map(({ text }: Part) => text);
  assert.equal(count(one!, 'BEGIN:VEVENT'), 2);
  assert.equal(count(one!, 'TZID:Home'), 1);
  assert.equal(count(one!, 'X-OWN:kept'), 1);
  assert.equal(count(two!, 'BEGIN:VTIMEZONE'), 0);
  assert.equal(count(made!, 'UID:made'), 1);
  assert.ok(parts.every(({ text }: Part) => !text.includes('METHOD')));
});

it('objects become one file, each zone once, which can be parted again', () => {
  const parts = splitCalendar(FILE, () => 'made').map(({ text }: Part) => text);
  const joined = joinCalendars([...parts, parts[0]!.replaceAll('UID:one', 'UID:three')], 'Home; sweet');
  assert.equal(count(joined, 'BEGIN:VTIMEZONE'), 1);
  assert.equal(count(joined, 'X-WR-CALNAME:Home\\; sweet'), 1);
  assert.equal(splitCalendar(joined).length, 4);
});

it('what is no calendar has no events', () => {
  assert.deepEqual(splitCalendar('hello'), []);
});

describe('a time zone goes along with the events that name it', () => {
  const NAMES = [
    ['(UTC+01:00) Amsterdam\\, Berlin', '"(UTC+01:00) Amsterdam, Berlin"'],
    ['(UTC+01:00) Amsterdam, Berlin', '"(UTC+01:00) Amsterdam, Berlin"'],
    ['Here\\; there', '"Here; there"'],
    ['Here\\, there', 'Here\\, there'],
    ['/path/Here', 'path/Here'],
    ['A \\\\ B', '"A \\ B"'],
    ['Say "x"', "Say ^'x^'"],
    ['"Here"', 'Here'],
    ['HERE', 'here'],
    ['Amsterdam\\, Ber\r\n lin', '"Amsterdam, \r\n Berlin"'],
  ] as const;
  for (const [property, parameter] of NAMES) {
    it(`however it is written: ${JSON.stringify([property, parameter])}`, () => {
      const zone = [`TZID:${property}`, 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0230'];
      const lines = ['BEGIN:VTIMEZONE', ...zone, 'TZOFFSETTO:+0230', 'END:STANDARD', 'END:VTIMEZONE'];
      const event = ['BEGIN:VEVENT', 'UID:a', `DTSTART;TZID=${parameter}:20260608T100000`, 'END:VEVENT'];
      const [{ text }] = splitCalendar(['BEGIN:VCALENDAR', ...lines, ...event, 'END:VCALENDAR', ''].join('\r\n')) as [
        { text: string },
      ];
      assert.match(text, /BEGIN:VTIMEZONE/);
      const [{ start }] = readEvents(text, 0, 4e9, 'UTC') as [{ start: number }];
      assert.equal(new Date(start * 1000).toISOString(), '2026-06-08T07:30:00.000Z');
    });
  }

  it('that has none gets the one of that name, from the time of the event on', () => {
    const event = ['BEGIN:VEVENT', 'UID:a', 'DTSTART;TZID=W. Europe Standard Time:20260108T100000', 'END:VEVENT'];
    const file = ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR', ''].join('\r\n');
    const [{ text }] = splitCalendar(file) as [{ text: string }];
    assert.match(text, /BEGIN:VTIMEZONE\r\nTZID:W\. Europe Standard Time\r\n[\s\S]*DTSTART:20250330T020000\r\n/);
    assert.equal(count(joinCalendars([file, file]), 'BEGIN:VTIMEZONE'), 1);
  });
});
