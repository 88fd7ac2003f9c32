// What reports give back: expansion and limits, with the examples of RFC 4791 section 7.8.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_EXPANDED_CHARACTERS, MAX_OCCURRENCES, MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { writeComponent, writeInSteps } from '../../../src/mime/objects/components.ts';
import type { Component } from '../../../src/mime/objects/content-lines.ts';
import { expandCalendar, limitFreeBusySet, limitRecurrenceSet } from '../../../src/mime/objects/expand.ts';
import type { TimeRange } from '../../../src/mime/objects/instances.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { UTC, type Zone } from '../../../src/mime/objects/offsets.ts';
import { toEnd } from '../../support/to-end.ts';
import { calendar, EXAMPLES, range } from './caldav-examples.ts';

const written = (component: Component): string[] => writeComponent(component).split('\r\n').slice(0, -1);
const event = (...lines: string[]): string => `BEGIN:VEVENT\nUID:1\n${lines.join('\n')}\nEND:VEVENT\n`;
const expanded = (components: string, within: TimeRange, zone: Zone = UTC) =>
  toEnd(expandCalendar(calendar(components), within, zone, { steps: MAX_RECURRENCE_STEPS }));
/** the lines of each component between its UID or DTSTAMP and its end */
const bodies = (components: string, within: TimeRange, zone?: Zone) =>
  expanded(components, within, zone).calendar.components.map(({ lines }) =>
    lines.map(({ text }) => text).filter((line) => !line.startsWith('UID')),
  );

describe('an expanded calendar', () => {
  it('has the instances of the range in UTC (RFC 4791 section 7.8.3)', () => {
    const { calendar: result, isComplete } = expanded(EXAMPLES.abcd2!, range('20060103T000000Z', '20060105T000000Z'));
    assert.ok(isComplete);
    const instance = (start: string, id: string, summary: string) => [
      'BEGIN:VEVENT',
      'DTSTAMP:20060206T001121Z',
      `DTSTART:${start}`,
      `RECURRENCE-ID:${id}`,
      'DURATION:PT1H',
      `SUMMARY:${summary}`,
      'UID:00959BC664CA650E933C892C@example.com',
      'END:VEVENT',
    ];
    assert.deepEqual(written(result), [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Example Corp.//CalDAV Client//EN',
      ...instance('20060103T170000Z', '20060103T170000Z', 'Event #2'),
      ...instance('20060104T190000Z', '20060104T170000Z', 'Event #2 bis'),
      'END:VCALENDAR',
    ]);
  });

  it('is made in small steps: of each instance, one where it is found and one where it is written', () => {
    const daily = event('DTSTART:20260101T100000Z', 'RRULE:FREQ=DAILY;COUNT=1000');
    const within = range('20260101T000000Z', '20300101T000000Z');
    const work = expandCalendar(calendar(daily), within, UTC, { steps: MAX_RECURRENCE_STEPS });
    assert.equal([...work].length, 2000);
    const { calendar: result } = expanded(daily, within);
    const writing = writeInSteps(result);
    assert.equal([...writing].length, 1000);
    assert.equal(toEnd(writeInSteps(result)), writeComponent(result));
  });

  for (const [name, lines, floating, wanted] of [
    [
      'in the hour that clocks repeat',
      ['DTSTART;TZID=Europe/Berlin:20261024T024500', 'DTEND;TZID=Europe/Berlin:20261024T031500'],
      UTC,
      ['20261025T004500Z', '20261025T011500Z'],
    ],
    [
      'in another zone than it starts',
      ['DTSTART;TZID=Europe/Berlin:20261024T024500', 'DTEND;TZID=America/New_York:20261023T211500'],
      UTC,
      ['20261025T004500Z', '20261025T011500Z'],
    ],
    [
      'by the clock where it has no zone, though clocks are put back',
      ['DTSTART:20261024T024500', 'DTEND:20261024T031500'],
      namedZone('Europe/Berlin')!,
      ['20261025T024500', '20261025T031500'],
    ],
    [
      'by the clock where it has no zone, though clocks skip it',
      ['DTSTART:20260328T023000', 'DTEND:20260328T024500'],
      namedZone('Europe/Berlin')!,
      ['20260329T023000', '20260329T024500'],
    ],
    [
      'after days of the zone',
      ['DTSTART;TZID=Europe/Berlin:20261023T120000', 'DURATION:P1DT1H'],
      UTC,
      ['20261024T100000Z', 'P1DT2H'],
    ],
    [
      'after hours of any zone',
      ['DTSTART;TZID=Europe/Berlin:20261023T120000', 'DURATION:PT25H'],
      UTC,
      ['20261024T100000Z', 'P1DT1H'],
    ],
  ] as const) {
    it(`has instances that end ${name}`, () => {
      const within = range('20260101T000000Z', '20270101T000000Z');
      const [, second] = bodies(event(...lines, 'RRULE:FREQ=DAILY;COUNT=2'), within, floating);
      const values = second!
        .filter((line) => /^(?:DTSTART|DTEND|DURATION)/.test(line))
        .map((line) => line.split(':')[1]);
      assert.deepEqual(values, wanted);
    });
  }

  it('keeps days as days and floating times as they are', () => {
    const days = event('DTSTART;VALUE=DATE:20260301', 'DTEND;VALUE=DATE:20260303', 'RRULE:FREQ=WEEKLY');
    const week = range('20260308T000000Z', '20260314T000000Z');
    assert.deepEqual(bodies(days, week, namedZone('Europe/Berlin')), [
      ['DTSTART;VALUE=DATE:20260308', 'RECURRENCE-ID;VALUE=DATE:20260308', 'DTEND;VALUE=DATE:20260310'],
    ]);
    const floating = event(
      'DTSTART:20260301T090000',
      'DTEND:20260301T100000',
      'RRULE:FREQ=WEEKLY',
      'EXDATE:20260315T090000',
    );
    assert.deepEqual(bodies(floating, week, namedZone('Europe/Berlin')), [
      ['DTSTART:20260308T090000', 'RECURRENCE-ID:20260308T090000', 'DTEND:20260308T100000'],
    ]);
  });

  it('has days of their real length', () => {
    const lines = ['DTSTART;TZID=Europe/Berlin:20260328T120000', 'RRULE:FREQ=DAILY;COUNT=2'];
    const days = range('20260328T000000Z', '20260401T000000Z');
    assert.deepEqual(bodies(event(...lines, 'DURATION:P1D'), days), [
      ['DTSTART:20260328T110000Z', 'RECURRENCE-ID:20260328T110000Z', 'DURATION:PT23H'],
      ['DTSTART:20260329T100000Z', 'RECURRENCE-ID:20260329T100000Z', 'DURATION:P1D'],
    ]);
    assert.deepEqual(bodies(event(...lines, 'DTEND;TZID=America/New_York:20260328T080000'), days), [
      ['DTSTART:20260328T110000Z', 'RECURRENCE-ID:20260328T110000Z', 'DTEND:20260328T120000Z'],
      ['DTSTART:20260329T100000Z', 'RECURRENCE-ID:20260329T100000Z', 'DTEND:20260329T110000Z'],
    ]);
  });

  it('keeps what recurs not, and its alarms', () => {
    const alarm = 'BEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM';
    const one = event('DTSTART;TZID=Europe/Berlin:20260701T120000', alarm);
    const { calendar: result } = expanded(one, range('20200101', '20200102'));
    assert.match(
      written(result).join(' '),
      /DTSTART:20260701T100000Z BEGIN:VALARM TRIGGER:-PT5M END:VALARM END:VEVENT/,
    );
    const due = 'BEGIN:VTODO\nDUE;TZID=Europe/Berlin:20260701T120000\nEND:VTODO\n';
    assert.deepEqual(bodies(due, range('20260101', '20270101')), [['DUE:20260701T100000Z']]);
  });

  it('has the changes from one on', () => {
    const daily = event('DTSTART:20260301T090000Z', 'RRULE:FREQ=DAILY', 'SUMMARY:a');
    const future = event('RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T090000Z', 'DTSTART:20260303T100000Z', 'SUMMARY:b');
    assert.deepEqual(bodies(daily + future, range('20260302T000000Z', '20260305T000000Z')), [
      ['DTSTART:20260302T090000Z', 'RECURRENCE-ID:20260302T090000Z', 'SUMMARY:a'],
      ['DTSTART:20260303T100000Z', 'RECURRENCE-ID:20260303T090000Z', 'SUMMARY:b'],
      ['DTSTART:20260304T100000Z', 'RECURRENCE-ID:20260304T090000Z', 'SUMMARY:b'],
    ]);
  });

  it('has no more instances than the bound, and says so', () => {
    const minutes = (count: number) => {
      const series = event('DTSTART:20260101T000000Z', `RRULE:FREQ=MINUTELY;COUNT=${count}`);
      const { calendar: result, isComplete } = expanded(series, range('20260101T000000Z', ''));
      return [result.components.length, isComplete];
    };
    assert.deepEqual(minutes(MAX_OCCURRENCES), [MAX_OCCURRENCES, true]);
    assert.deepEqual(minutes(MAX_OCCURRENCES + 1), [MAX_OCCURRENCES, false]);
    const spent = toEnd(
      expandCalendar(calendar(event('DTSTART:20260101T000000Z', 'RRULE:FREQ=DAILY')), range('20260101', ''), UTC, {
        steps: 100,
      }),
    );
    assert.equal(spent.isComplete, false);
  });

  it('is no longer than the bound, and says so', () => {
    const lines = ['UID:1', 'DTSTART:20260101T000000Z', 'SUMMARY:', 'TRIGGER:PT1M'];
    const [, start, summary, trigger] = lines;
    const isComplete = (length: number) => {
      const one = [start!, `${summary}${'x'.repeat(length)}`, 'BEGIN:VALARM', trigger!, 'END:VALARM'];
      return expanded(event(...one, 'RRULE:FREQ=DAILY;COUNT=8'), range('20260101T000000Z', '')).isComplete;
    };
    const longest = MAX_EXPANDED_CHARACTERS / 8 - lines.map((line) => `${line}\r\n`).join('').length;
    assert.deepEqual([isComplete(longest), isComplete(longest + 1)], [true, false]);
  });
});

describe('a limited calendar', () => {
  it('has the overrides of the range (RFC 4791 section 7.8.2)', () => {
    const summaries = (start: string, end: string) =>
      limitRecurrenceSet(calendar(EXAMPLES.abcd2!), range(start, end), UTC)
        .components.filter(({ name }) => name === 'VEVENT')
        .map(({ lines }) => lines.find(({ name }) => name === 'SUMMARY')!.value);
    assert.deepEqual(summaries('20060103T000000Z', '20060105T000000Z'), ['Event #2', 'Event #2 bis']);
    assert.deepEqual(
      summaries('20060106T170000Z', '20060106T180000Z'),
      ['Event #2', 'Event #2 bis bis'],
      'where it was',
    );
    assert.deepEqual(
      summaries('20060106T190000Z', '20060106T200000Z'),
      ['Event #2', 'Event #2 bis bis'],
      'where it is',
    );
    assert.deepEqual(summaries('20060102T170000Z', '20060102T180000Z'), ['Event #2']);
  });

  it('has the changes from one on that began before the range', () => {
    const daily = event('DTSTART:20260301T090000Z', 'RRULE:FREQ=DAILY');
    const future = event('RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T090000Z', 'DTSTART:20260303T100000Z');
    const count = (start: string, end: string) =>
      limitRecurrenceSet(calendar(daily + future), range(start, end), UTC).components.length;
    assert.deepEqual([count('20260401', '20260402'), count('20260301', '20260302')], [2, 1]);
  });

  it('has the busy times of the range (RFC 4791 section 7.8.4)', () => {
    const days = range('20060102T000000Z', '20060103T000000Z');
    const limited = written(limitFreeBusySet(calendar(EXAMPLES.abcd8!), days, UTC));
    assert.deepEqual(
      limited.filter((line) => line.startsWith('FREEBUSY')),
      ['FREEBUSY;FBTYPE=BUSY-TENTATIVE:20060102T100000Z/20060102T120000Z'],
    );
    const several = 'BEGIN:VFREEBUSY\nFREEBUSY:20060101T000000Z/PT1H,20060102T000000Z/PT1H,x\nEND:VFREEBUSY\n';
    assert.ok(written(limitFreeBusySet(calendar(several), days, UTC)).includes('FREEBUSY:20060102T000000Z/PT1H'));
  });
});
