// Time zones, and the instances of recurring components.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MAX_CALENDAR_ZONES,
  MAX_DATES,
  MAX_RECURRENCE_STEPS,
  MAX_RULES,
  MAX_ZONE_CHANGES,
  MAX_ZONE_NAME_CHARACTERS,
} from '../../../src/limits/mime.ts';
import { parseDateTime, parseDuration } from '../../../src/mime/objects/calendar-time.ts';
import { CalendarTimes } from '../../../src/mime/objects/calendar-times.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { componentSets, instancesIn, type TimeRange } from '../../../src/mime/objects/instances.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { instantOf, offsetAt, UTC } from '../../../src/mime/objects/offsets.ts';

const EVER: TimeRange = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
const at = (text: string): number => parseDateTime(text)!.seconds;
const shown = (instant: number | undefined): string =>
  instant === undefined ? '' : new Date(instant * 1000).toISOString().slice(0, 16).replace(/[-:]/g, '');
const calendarOf = (...lines: string[]) =>
  parseObject(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\n')).object!;
const event = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'];

const EASTERN = [
  'BEGIN:VTIMEZONE',
  'TZID:Here',
  'BEGIN:DAYLIGHT',
  'DTSTART:20000404T020000',
  'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4',
  'TZOFFSETFROM:-0500',
  'TZOFFSETTO:-0400',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'DTSTART:20001026T020000',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500',
  'END:STANDARD',
  'END:VTIMEZONE',
];
/** as some programs write them: the two changes around an event */
const BERLIN_2026 = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Berlin',
  'BEGIN:DAYLIGHT',
  'DTSTART:20260329T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'DTSTART:20261025T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** `start-end` of each instance, with what its SUMMARY says */
function instances(lines: string[], { range = EVER, floating = UTC, kind = 'VEVENT', steps = 20_000 } = {}): string[] {
  const calendar = calendarOf(...lines);
  const times = new CalendarTimes(calendar, floating);
  const budget = { steps };
  return componentSets(calendar, kind).flatMap((set) =>
    [...instancesIn(set, times, range, budget)].map(({ start, end, component }) => {
      const name = component.lines.find((line) => line.name === 'SUMMARY')?.value ?? '';
      return `${shown(start?.instant)}-${shown(end).slice(9)}${name}`;
    }),
  );
}

const instant = (value: string, zone: string, ...lines: string[]): string => {
  const calendar = calendarOf(...lines, ...event(`DTSTART;TZID=${zone}:${value}`));
  const line = calendar.components.at(-1)!.lines.find(({ name }) => name === 'DTSTART');
  return shown(new CalendarTimes(calendar).momentOf(line)?.instant);
};

describe('a local time in a zone', () => {
  it('has the offset of its season, by the rules that the calendar brings', () => {
    assert.equal(instant('20060101T120000', 'Here', ...EASTERN), '20060101T1700');
    assert.equal(instant('20060701T120000', 'Here', ...EASTERN), '20060701T1600');
    assert.equal(instant('20260320T120000', 'Here', ...EASTERN), '20260320T1700', 'its own rule, not the one of 2007');
    assert.equal(instant('19700701T120000', 'Here', ...EASTERN), '19700701T1700', 'before all of its changes');
    assert.equal(instant('90000701T120000', 'Here', ...EASTERN), '90000701T1600');
  });

  it('has the offset of its season, by the name of the zone', () => {
    assert.equal(instant('20260320T120000', 'America/New_York'), '20260320T1600');
    assert.equal(instant('20260101T120000', 'US/Eastern'), '20260101T1700');
    assert.equal(instant('20260701T120000', '/example.org/Olson/Europe/Berlin'), '20260701T1000');
    assert.equal(instant('20260701T120000', 'europe/berlin'), '20260701T1000');
    assert.equal(instant('90000701T120000', 'Europe/Berlin'), '90000701T1000');
    assert.equal(instant('20260701T120000', 'Nowhere'), '20260701T1200', 'as a floating time');
    assert.equal(instant('20260701T120000Z', 'Europe/Berlin'), '20260701T1200');
  });

  it('counts with the offset before a change where it does not exist or exists twice', () => {
    for (const lines of [[], BERLIN_2026]) {
      assert.equal(instant('20260329T013000', 'Europe/Berlin', ...lines), '20260329T0030');
      assert.equal(instant('20260329T023000', 'Europe/Berlin', ...lines), '20260329T0130');
      assert.equal(instant('20260329T030000', 'Europe/Berlin', ...lines), '20260329T0100');
      assert.equal(instant('20261025T023000', 'Europe/Berlin', ...lines), '20261025T0030');
      assert.equal(instant('20261025T030000', 'Europe/Berlin', ...lines), '20261025T0200');
    }
  });

  it('has the offset of the named zone before and after what the calendar lists of it', () => {
    assert.equal(instant('20250701T120000', 'Europe/Berlin', ...BERLIN_2026), '20250701T1000');
    assert.equal(instant('20270701T120000', 'Europe/Berlin', ...BERLIN_2026), '20270701T1000');
  });

  it('has the rule of its zone for ever', () => {
    const zone = namedZone('Europe/Berlin')!;
    const format = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hourCycle: 'h23', hour: '2-digit' });
    for (let year = 2095; year < 2140; year++) {
      for (let date = 24; date <= 31; date++) {
        const noon = Date.UTC(year, 2, date, 12) / 1000;
        assert.equal(12 + offsetAt(zone, noon) / 3600, Number(format.format(noon * 1000)), `${year}-03-${date}`);
      }
    }
  });

  it('is the same instant and back for every hour of a year', () => {
    for (const name of [
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Kolkata',
    ]) {
      const zone = namedZone(name)!;
      for (let time = at('20260101'); time < at('20270101'); time += 3600) {
        const back = instantOf(zone, time + offsetAt(zone, time));
        assert.ok(back === time || back === time - 3600 || back === time - 1800, `${name} ${time}`);
      }
    }
  });

  it('ends a zone that is made to cost, and an object of too many zones', () => {
    const costly = EASTERN.map((line) => line.replace(/^RRULE.*/, 'RRULE:FREQ=SECONDLY'));
    assert.match(instant('20260101T120000', 'Here', ...costly), /^20260101T/);
    const zones = Array.from({ length: MAX_CALENDAR_ZONES + 1 }, (_, i) =>
      EASTERN.map((line) => (line.startsWith('TZID') ? `TZID:Z${i}` : line)),
    );
    const calendar = calendarOf(...zones.flat());
    const times = new CalendarTimes(calendar);
    const offsets = zones.map((_, i) => offsetAt(times.zoneNamed(`Z${i}`), at('20260101')));
    assert.deepEqual([offsets.at(-2), offsets.at(-1)], [-5 * 3600, 0]);
  });
});

describe('bounds of what recurs', () => {
  it('so many rules of one event are followed', () => {
    const rules = (count: number) =>
      Array.from({ length: count }, (_, i) => `RRULE:FREQ=YEARLY;COUNT=2;BYMONTH=2;BYMONTHDAY=${i + 1}`);
    const count = (many: number) => instances(event('DTSTART:20260101T090000Z', ...rules(many))).length;
    assert.deepEqual([count(MAX_RULES), count(MAX_RULES + 1)], [1 + MAX_RULES, 1 + MAX_RULES]);
  });

  it('so many dates of one event are looked at, on one line or on many', () => {
    const dates = (count: number) =>
      Array.from({ length: count }, (_, i) => shown(at('20260101T090000Z') + 86_400 * i).replace(/$/, '00Z'));
    for (const lines of [
      (count: number) => [`RDATE:${dates(count).join(',')}`],
      (count: number) => dates(count).map((date) => `RDATE:${date}`),
    ]) {
      const count = (many: number) => instances(event('DTSTART:20260101T090000Z', ...lines(many))).length;
      assert.deepEqual([count(MAX_DATES), count(MAX_DATES + 1)], [MAX_DATES, MAX_DATES]);
    }
  });

  it('so many changes of a zone are listed', () => {
    const listed = (count: number): string => {
      const dates = Array.from(
        { length: count - 2 },
        (_, i) => `RDATE:2020${String((i % 12) + 1).padStart(2, '0')}01T000000`,
      );
      const part = (start: string, to: string, ...lines: string[]) => [
        ...['BEGIN:STANDARD', `DTSTART:${start}`, 'TZOFFSETFROM:+0000', `TZOFFSETTO:${to}`],
        ...lines,
        'END:STANDARD',
      ];
      const zone = [...part('20200101T000000', '+0000', ...dates), ...part('20250101T000000', '+0100')];
      return instant('20260101T120000', 'Made', 'BEGIN:VTIMEZONE', 'TZID:Made', ...zone, 'END:VTIMEZONE');
    };
    assert.equal(listed(MAX_ZONE_CHANGES), '20260101T1100');
    assert.equal(listed(MAX_ZONE_CHANGES + 1), '20260101T1200');
  });

  it('a name of a zone is no longer than the bound', () => {
    const name = (length: number) => `${'x'.repeat(length - '/Europe/Berlin'.length)}/Europe/Berlin`;
    assert.equal(namedZone(name(MAX_ZONE_NAME_CHARACTERS))?.name, 'Europe/Berlin');
    assert.equal(namedZone(name(MAX_ZONE_NAME_CHARACTERS + 1)), undefined);
  });
});

describe('a duration', () => {
  it('is of days and seconds', () => {
    assert.deepEqual(parseDuration('P1W'), { days: 7, seconds: 0 });
    assert.deepEqual(parseDuration('-P1DT2H3M4S'), { days: -1, seconds: -7384 });
    for (const text of ['', 'P', 'PT', '1D', 'P1', 'P1DT', 'PT1', 'P1H'])
      assert.equal(parseDuration(text), undefined, text);
  });
});

describe('instances', () => {
  const year = { start: at('20260301'), end: at('20260401') };

  it('keep their local time over a change of offset', () => {
    const daily = ['DTSTART;TZID=Europe/Berlin:20260328T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'];
    assert.deepEqual(instances(event(...daily)), ['20260328T0800-0900', '20260329T0700-0800', '20260330T0700-0800']);
  });

  it('are exact with an end, nominal with a duration', () => {
    const start = 'DTSTART;TZID=Europe/Berlin:20260328T120000';
    const one = (...lines: string[]) => instances(event(start, 'RRULE:FREQ=DAILY;COUNT=1', ...lines));
    assert.deepEqual(one('DURATION:P1D'), ['20260328T1100-1000']);
    assert.deepEqual(one('DURATION:PT24H'), ['20260328T1100-1100']);
    assert.deepEqual(one('DTEND;TZID=Europe/Berlin:20260329T120000'), ['20260328T1100-1000']);
  });

  it('end with UNTIL, which is UTC for times in a zone', () => {
    const until = (text: string) =>
      instances(event('DTSTART;TZID=Europe/Berlin:20260301T090000', `RRULE:FREQ=DAILY;UNTIL=${text}`)).length;
    assert.deepEqual(['20260303T080000Z', '20260303T075959Z', '20260303', '20260303T090000'].map(until), [3, 2, 3, 3]);
  });

  it('come from dates, periods and rules, without those that are taken out', () => {
    assert.deepEqual(
      instances(
        event(
          'DTSTART:20260301T090000Z',
          'DURATION:PT1H',
          'RRULE:FREQ=WEEKLY;COUNT=3',
          'RDATE;VALUE=PERIOD:20260310T080000Z/PT2H,20260311T080000Z/20260311T083000Z',
          'RDATE:20260308T090000Z,20260312T090000Z',
          'EXDATE:20260301T090000Z',
          'EXDATE;VALUE=DATE:20260312',
        ),
      ),
      ['20260308T0900-1000', '20260310T0800-1000', '20260311T0800-0830', '20260315T0900-1000'],
    );
  });

  it('are whole days in whatever zone', () => {
    const lines = event('DTSTART;VALUE=DATE:20260328', 'DTEND;VALUE=DATE:20260330', 'RRULE:FREQ=WEEKLY;COUNT=2');
    assert.deepEqual(instances(lines, { floating: namedZone('Europe/Berlin')! }), [
      '20260327T2300-2200',
      '20260403T2200-2200',
    ]);
  });

  it('are changed by overrides, singly and from one on', () => {
    const daily = event('DTSTART:20260301T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=5');
    const one = event('RECURRENCE-ID:20260302T090000Z', 'DTSTART:20260302T110000Z', 'SUMMARY: moved');
    assert.deepEqual(instances([...daily, ...one]), [
      '20260302T1100- moved',
      '20260301T0900-1000',
      '20260303T0900-1000',
      '20260304T0900-1000',
      '20260305T0900-1000',
    ]);
    const future = event(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T090000Z',
      'DTSTART:20260304T100000Z',
      'DURATION:PT30M',
      'SUMMARY: later',
    );
    assert.deepEqual(instances([...daily, ...one, ...future]), [
      '20260302T1100- moved',
      '20260304T1000-1030 later',
      '20260301T0900-1000',
      '20260305T1000-1030 later',
      '20260306T1000-1030 later',
    ]);
    assert.deepEqual(
      instances([...daily, ...future], { range: { start: at('20260306'), end: at('20260307') } }).at(-1),
      '20260306T1000-1030 later',
    );
    const earlier = future.map((line) => line.replace('DTSTART:20260304', 'DTSTART:20260301'));
    assert.ok(
      instances([...daily, ...earlier], { range: { start: at('20260302'), end: at('20260302T120000') } }).includes(
        '20260302T1000-1030 later',
      ),
      'the one of the fourth',
    );
    assert.deepEqual(instances(one), ['20260302T1100- moved'], 'an override by itself');
  });

  it('that began before the range are among those in it', () => {
    const long = event('DTSTART:20200101T000000Z', 'DURATION:P40D', 'RRULE:FREQ=MONTHLY');
    assert.ok(instances(long, { range: year }).includes('20260201T0000-0000'));
  });

  it('are found soon in a far range, and end where the budget does', () => {
    const rule = event('DTSTART:19700101T000000Z', 'RRULE:FREQ=MINUTELY');
    const range = { start: at('20260301'), end: at('20260301T000100') };
    assert.ok(instances(rule, { range, steps: 10_000 }).includes('20260301T0000-'));
    assert.ok(instances(rule, { steps: 1000 }).length < 1000);
    const never = event('DTSTART:20260101T000000Z', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30');
    assert.deepEqual(instances(never, { steps: MAX_RECURRENCE_STEPS }), ['20260101T0000-']);
  });

  it('of tasks are due as long after each start as after the first', () => {
    const task = [
      'BEGIN:VTODO',
      'DTSTART:20260301T090000Z',
      'DUE:20260301T100000Z',
      'RRULE:FREQ=DAILY;COUNT=2',
      'END:VTODO',
    ];
    assert.deepEqual(instances(task, { kind: 'VTODO' }), ['20260301T0900-1000', '20260302T0900-1000']);
    assert.deepEqual(instances(['BEGIN:VTODO', 'DUE:20260301T100000Z', 'END:VTODO'], { kind: 'VTODO' }), ['-1000']);
  });
});
