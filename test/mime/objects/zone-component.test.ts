// Time zones written out: read again they have the offsets that the named ones have.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_WRITTEN_ZONES } from '../../../src/limits/mime.ts';
import { calendarZone } from '../../../src/mime/objects/calendar-zone.ts';
import { makeLine, writeComponent } from '../../../src/mime/objects/components.ts';
import { offsetAt } from '../../../src/mime/objects/offsets.ts';
import { withZones, zoneComponent } from '../../../src/mime/objects/zone-component.ts';
import { zoneCalled } from '../../../src/mime/objects/zone-names.ts';
import { BERLIN_2026, calendarOf } from './calendars.ts';

const YEAR = 2026;
const textOf = (name: string, year = YEAR) => writeComponent(zoneComponent(name, year)!);

it('A zone that follows a rule has it, in its own form', () => {
  const berlin = textOf('Europe/Berlin');
  assert.match(berlin, /BEGIN:DAYLIGHT\r\nTZOFFSETFROM:\+0100\r\nTZOFFSETTO:\+0200\r\nDTSTART:20250330T020000\r\n/);
  assert.match(berlin, /RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n/);
  assert.match(textOf('America/New_York'), /BYMONTH=3;BYDAY=2SU\r\n[\s\S]*BYMONTH=11;BYDAY=1SU\r\n/);
  // on the Friday before the last Sunday
  assert.match(textOf('Asia/Jerusalem'), /BYMONTH=3;BYDAY=FR;BYMONTHDAY=23,24,25,26,27,28,29\r\n/);
  assert.match(textOf('Africa/Casablanca', 2020), /RDATE:\d{8}T\d{6},/, 'Ramadan follows no rule');
  assert.match(
    textOf('Asia/Kolkata'),
    /^BEGIN:VTIMEZONE\r\nTZID:Asia\/Kolkata\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:\+0530\r\n/,
  );
  assert.match(textOf('UTC'), /TZOFFSETTO:\+0000\r\nDTSTART:20250101T000000\r\n/);
  assert.match(textOf('Etc/GMT+1'), /TZID:Etc\/GMT\+1\r\n[\s\S]*TZOFFSETTO:-0100/);
  assert.equal(zoneComponent('Europe/Nowhere', YEAR), undefined);
});

it('Read again, it has the offsets of its name from the start of the year on, for ever where these follow rules', () => {
  const odd = ['Africa/Cairo', 'Africa/Casablanca', 'America/Nuuk', 'America/Santiago', 'Asia/Beirut', 'Asia/Gaza'];
  const usual = ['Asia/Jerusalem', 'Australia/Lord_Howe', 'Europe/Dublin', 'Europe/London', 'Pacific/Chatham', 'UTC'];
  const old = ['Europe/Berlin', 'America/New_York', 'Europe/Moscow', 'Pacific/Apia'];
  for (const [name, year, until] of [
    ...odd.map((one) => [one, YEAR, 2065] as const),
    ...[...usual, 'UTC+05:30', 'W. Europe Standard Time'].map((one) => [one, YEAR, 2120] as const),
    ...[1900, 1942, 1975, 1996].flatMap((year) => old.map((one) => [one, year, 2080] as const)),
    ['Europe/Berlin', 2200, 2290] as const,
  ]) {
    const component = zoneComponent(name, year)!;
    // under a name that nobody knows, so that only what is written counts
    const written = calendarZone({ ...component, lines: [makeLine('TZID', `Written ${name} ${year}`)] })!;
    const known = zoneCalled(name)!;
    for (let at = Date.UTC(year, 0, 1) / 1000; at < Date.UTC(until, 0, 1) / 1000; at += 5 * 86_400) {
      assert.equal(offsetAt(written, at), offsetAt(known, at), `${name} ${new Date(at * 1000).toISOString()}`);
    }
  }
});

const times = (...lines: string[]) => [...['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT']];
const zonesOf = (...lines: string[]) =>
  withZones(calendarOf(...lines))
    .components.filter(({ name }) => name === 'VTIMEZONE')
    .map((zone) => writeComponent(zone).split('\r\n'));

it('A calendar gets the zones that it names, from its first time on', () => {
  const [only, ...others] = zonesOf(
    ...times(
      'DTSTART;TZID=W. Europe Standard Time:20260101T090000',
      'DTEND;TZID=w. europe standard time:20260101T100000',
    ),
    ...times('RECURRENCE-ID;TZID=W. Europe Standard Time:20050601T090000', 'DTSTART:20260601T090000Z'),
  );
  assert.deepEqual(others, []);
  assert.deepEqual(only!.slice(0, 5), [
    'BEGIN:VTIMEZONE',
    'TZID:W. Europe Standard Time',
    'BEGIN:DAYLIGHT',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
  ]);
  assert.equal(only![5], 'DTSTART:20040328T020000');
  assert.deepEqual(zonesOf(...times('DTSTART;TZID=Nowhere:20260101T090000', 'DTEND:20260101T100000Z')), []);
});

it('So many zones are written', () => {
  const count = (many: number) =>
    zonesOf(...times(...Array.from({ length: many }, (_, i) => `RDATE;TZID=Etc/GMT+${i}:20260101T090000`))).length;
  assert.deepEqual([count(MAX_WRITTEN_ZONES), count(MAX_WRITTEN_ZONES + 1)], [MAX_WRITTEN_ZONES, MAX_WRITTEN_ZONES]);
});

it('A zone that a calendar has stays, unless it begins too late and is the known one', () => {
  const begins = (day: string, ...zone: string[]) =>
    zonesOf(...zone, ...times(`DTSTART;TZID=Europe/Berlin:${day}T090000`)).map((lines) =>
      lines.find((line) => line.startsWith('DTSTART')),
    );
  assert.deepEqual(begins('20260601', ...BERLIN_2026), ['DTSTART:20260329T020000']);
  assert.deepEqual(begins('20260101', ...BERLIN_2026), ['DTSTART:20250330T020000']);
  const other = BERLIN_2026.map((line) => line.replace('+0200', '+0230'));
  assert.deepEqual(begins('20260101', ...other), ['DTSTART:20260329T020000']);
});
