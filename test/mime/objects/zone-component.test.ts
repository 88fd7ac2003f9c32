// Time zones written out: read again they have the offsets that the named ones have.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { calendarZone } from '../../../src/mime/objects/calendar-zone.ts';
import { makeLine, writeComponent } from '../../../src/mime/objects/components.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { offsetAt } from '../../../src/mime/objects/offsets.ts';
import { zoneComponent } from '../../../src/mime/objects/zone-component.ts';

const YEAR = 2026;
const textOf = (name: string, year = YEAR) => writeComponent(zoneComponent(name, year)!);

it('A zone that follows a rule has it, in its own form', () => {
  const berlin = textOf('Europe/Berlin');
  assert.match(berlin, /BEGIN:DAYLIGHT\r\nTZOFFSETFROM:\+0100\r\nTZOFFSETTO:\+0200\r\nDTSTART:20260329T020000\r\n/);
  assert.match(berlin, /RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n/);
  assert.match(textOf('America/New_York'), /BYMONTH=3;BYDAY=2SU\r\n[\s\S]*BYMONTH=11;BYDAY=1SU\r\n/);
  // on the Friday before the last Sunday
  assert.match(textOf('Asia/Jerusalem'), /BYMONTH=3;BYDAY=FR;BYMONTHDAY=23,24,25,26,27,28,29\r\n/);
  assert.match(textOf('Africa/Casablanca', 2020), /RDATE:\d{8}T\d{6},/, 'Ramadan follows no rule');
  assert.match(
    textOf('Asia/Kolkata'),
    /^BEGIN:VTIMEZONE\r\nTZID:Asia\/Kolkata\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:\+0530\r\n/,
  );
  assert.match(textOf('UTC'), /TZOFFSETTO:\+0000\r\nDTSTART:19700101T000000\r\n/);
  assert.match(textOf('Etc/GMT+1'), /TZID:Etc\/GMT\+1\r\n[\s\S]*TZOFFSETTO:-0100/);
  assert.equal(zoneComponent('Europe/Nowhere', YEAR), undefined);
});

it('Read again, it has the offsets of its name for ten years, and for ever where it follows a rule', () => {
  const odd = ['Africa/Cairo', 'Africa/Casablanca', 'America/Nuuk', 'America/Santiago', 'Asia/Beirut', 'Asia/Gaza'];
  const usual = ['Asia/Jerusalem', 'Australia/Lord_Howe', 'Europe/Dublin', 'Europe/London', 'Pacific/Chatham'];
  for (const [name, years] of [...odd.map((one) => [one, 10] as const), ...usual.map((one) => [one, 60] as const)]) {
    const component = zoneComponent(name, YEAR)!;
    // under a name that nobody knows, so that only what is written counts
    const lines = [makeLine('TZID', `Written ${name}`)];
    const written = calendarZone({ ...component, lines })!;
    const known = namedZone(name)!;
    const start = Date.UTC(YEAR, 3, 20) / 1000;
    const first = Math.max(start, ...component.components.map(({ lines }) => startOf(lines)));
    for (let at = first; at < Date.UTC(YEAR + years, 0, 1) / 1000; at += 5 * 86_400) {
      assert.equal(offsetAt(written, at), offsetAt(known, at), `${name} ${new Date(at * 1000).toISOString()}`);
    }
  }
});

const startOf = (lines: readonly { name: string; value: string }[]): number => {
  const text = lines.find(({ name }) => name === 'DTSTART')!.value;
  const [year, month, day] = [text.slice(0, 4), text.slice(4, 6), text.slice(6, 8)].map(Number);
  return Date.UTC(year!, month! - 1, day! + 1) / 1000;
};
