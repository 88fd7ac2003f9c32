// Time zones by what programs call them, with and without a VTIMEZONE.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_ZONE_NAME_CHARACTERS } from '../../../src/limits/mime.ts';
import { offsetAt } from '../../../src/mime/objects/offsets.ts';
import { zoneCalled } from '../../../src/mime/objects/zone-names.ts';
import { BERLIN_2026, calendarOf, event, instances } from './calendars.ts';

const offsets = (name: string): string => {
  const zone = zoneCalled(name);
  const at = (month: number) => offsetAt(zone!, Date.UTC(2026, month, 15) / 1000) / 3600;
  return zone ? `${at(0)} ${at(6)}` : '';
};

describe('a zone without a VTIMEZONE is known by', () => {
  for (const [kind, names] of Object.entries({
    'its IANA name': {
      'Europe/Berlin': '1 2',
      'US/Eastern': '-5 -4',
      'Asia/Calcutta': '5.5 5.5',
      'Etc/GMT+5': '-5 -5',
    },
    'a path before that': {
      '/freeassociation.sourceforge.net/Tzfile/Europe/Berlin': '1 2',
      '/mozilla.org/20050126_1/America/Argentina/Buenos_Aires': '-3 -3',
      'tzone://Microsoft/Utc': '0 0',
    },
    'its name in Windows': {
      'W. Europe Standard Time': '1 2',
      'w. europe standard time': '1 2',
      'GMT Standard Time': '0 1',
      'Eastern Standard Time': '-5 -4',
      'Pacific Standard Time (Mexico)': '-8 -7',
      'AUS Eastern Standard Time': '11 10',
      'Easter Island Standard Time': '-5 -6',
      'India Standard Time': '5.5 5.5',
      'Russia Time Zone 3': '4 4',
      'W. Europe Standard Time 1': '1 2',
      'W. Europe Daylight Time': '1 2',
      'UTC-11': '-11 -11',
      'UTC+12': '12 12',
    },
    'its offset, positive to the east': {
      'GMT+05:00': '5 5',
      'UTC+02:00': '2 2',
      'GMT-0330': '-3.5 -3.5',
      'UTC+5:45': '5.75 5.75',
      '+01:00': '1 1',
      'GMT +1': '1 1',
      '(UTC)': '0 0',
    },
    'the words of Outlook': {
      '(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna': '1 2',
      '(GMT+01.00) Sarajevo/Warsaw/Zagreb': '1 2',
      '(GMT+01:00) Amsterdam / Berlin / Bern': '1 2',
      '(UTC-05:00) Eastern Time (US & Canada)': '-5 -4',
      '(UTC-04:00) Atlantic Time (Canada)': '-4 -3',
      '(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi': '5.5 5.5',
      '(UTC-03:00) Brasilia': '-3 -3',
      '(UTC) Coordinated Universal Time': '0 0',
      'Pacific Time (US & Canada)': '-8 -7',
      'America/New York': '-5 -4',
      // the offset counts where the place has another
      '(UTC+05:00) Berlin': '5 5',
    },
    nothing: {
      '': '',
      'Customized Time Zone': '',
      'Europe/Nowhere': '',
      'UTC+99:00': '',
      '+': '',
      'tzone://Microsoft/Custom': '',
    },
  })) {
    it(kind, () => {
      const found = Object.fromEntries(Object.keys(names).map((name) => [name, offsets(name)]));
      assert.deepEqual(found, names);
    });
  }

  it('the bound on its length', () => {
    const name = (length: number) => 'Eastern Time'.padStart(length);
    assert.equal(zoneCalled(name(MAX_ZONE_NAME_CHARACTERS))?.name, 'America/New_York');
    assert.equal(zoneCalled(name(MAX_ZONE_NAME_CHARACTERS + 1)), undefined);
  });
});

/** one hour before UTC in the summer, so that no other zone has its times */
const ODD = ['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0330', 'TZOFFSETTO:+0330', 'END:STANDARD'];
const zone = (...lines: string[]) => ['BEGIN:VTIMEZONE', ...lines, 'END:VTIMEZONE'];
const at = (start: string, ...zones: string[]) =>
  instances([...zones, ...event(start)])
    .join()
    .slice(0, 13);

describe('a time is in the zone of its object', () => {
  for (const [name, start, ...zones] of [
    ['with a comma escaped there', 'DTSTART;TZID="A, B":20260608T100000', ...zone('TZID:A\\, B', ...ODD)],
    ['with a comma escaped in the time', 'DTSTART;TZID=A\\, B:20260608T100000', ...zone('TZID:A, B', ...ODD)],
    ['with a semicolon escaped there', 'DTSTART;TZID="A; B":20260608T100000', ...zone('TZID:A\\; B', ...ODD)],
    ['with a semicolon escaped in the time', 'DTSTART;TZID=A\\; B:20260608T100000', ...zone('TZID:A; B', ...ODD)],
    ['in quotes there', 'DTSTART;TZID="A B":20260608T100000', ...zone('TZID:"A B"', ...ODD)],
    ['in other case', 'dtstart;tzid=EUROPE/BERLIN:20260608T100000', ...zone('TZID:Europe/Berlin', ...ODD)],
    [
      'with a colon that is not in quotes',
      'DTSTART;TZID=(UTC+01:00) A, B:20260608T100000',
      ...zone('TZID:(UTC+01:00) A\\, B', ...ODD),
    ],
    [
      'though its name says something else',
      'DTSTART;TZID=UTC+02:00:20260608T100000',
      ...zone('TZID:UTC+02:00', ...ODD),
    ],
  ] as const) {
    it(name, () => assert.equal(at(start, ...zones), '20260608T0630'));
  }

  it('and else in the one that this is called after', () => {
    const empty = zone('TZID:Home', 'X-LIC-LOCATION:Europe/Berlin');
    assert.equal(at('DTSTART;TZID=Home:20260608T100000', ...empty), '20260608T0800');
    assert.equal(at('DTSTART;TZID=Berlin Time:20260608T100000', ...zone('TZID:Berlin Time')), '20260608T0800');
    const short = BERLIN_2026.map((line) => (line.startsWith('TZID') ? 'TZID:W. Europe Standard Time' : line));
    assert.equal(at('DTSTART;TZID=W. Europe Standard Time:20300608T100000', ...short), '20300608T0800');
    const before = short.flatMap((line) =>
      line.startsWith('TZID') ? ['TZID:x', 'X-LIC-LOCATION:Europe/Berlin'] : line,
    );
    assert.equal(at('DTSTART;TZID=x:20250608T100000', ...before), '20250608T0800');
  });

  it('before and after what it tells, too, if it is unlike the one of that name', () => {
    const other = BERLIN_2026.map((line) => line.replace('+0200', '+0600').replace('+0100', '+0500'));
    assert.equal(at('DTSTART;TZID=Europe/Berlin:20250608T100000', ...other), '20250608T0500');
    assert.equal(at('DTSTART;TZID=Europe/Berlin:20300608T100000', ...other), '20300608T0500');
  });

  it('as text where a program adds Z to it', () => {
    assert.equal(at('DTSTART;TZID=Europe/Berlin:20260608T100000Z'), '20260608T1000');
    assert.equal(
      calendarOf(...event('DTSTART;TZID=GMT+05:00:20260608T100000')).components[0]!.lines[1]!.value,
      '20260608T100000',
    );
  });
});
