// What reports give back: expansion, limits, selections, busy times; with the examples of
// RFC 4791 sections 7.8 and 7.10.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_DATES, MAX_OCCURRENCES, MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { durationText, utcText } from '../../../src/mime/objects/calendar-values.ts';
import { parseObject, writeComponent } from '../../../src/mime/objects/components.ts';
import type { Component } from '../../../src/mime/objects/content-lines.ts';
import { expandCalendar, limitFreeBusySet, limitRecurrenceSet } from '../../../src/mime/objects/expand.ts';
import { busyPeriods, freeBusyCalendar } from '../../../src/mime/objects/free-busy.ts';
import type { TimeRange } from '../../../src/mime/objects/instances.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { UTC, type Zone } from '../../../src/mime/objects/offsets.ts';
import { selectCard, selectComponent } from '../../../src/mime/objects/select.ts';
import { calendar, EXAMPLES, range } from './caldav-examples.ts';

const written = (component: Component): string[] => writeComponent(component).split('\r\n').slice(0, -1);
const event = (...lines: string[]): string => `BEGIN:VEVENT\nUID:1\n${lines.join('\n')}\nEND:VEVENT\n`;
const expanded = (components: string, within: TimeRange, zone: Zone = UTC) =>
  expandCalendar(calendar(components), within, zone, { steps: MAX_RECURRENCE_STEPS });
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
    const spent = expandCalendar(
      calendar(event('DTSTART:20260101T000000Z', 'RRULE:FREQ=DAILY')),
      range('20260101', ''),
      UTC,
      {
        steps: 100,
      },
    );
    assert.equal(spent.isComplete, false);
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

describe('a selection', () => {
  const named = (...names: string[]) => names.map((name) => ({ name, isWithoutValue: false }));
  const lines = (props: string[]) => ({ props: named(...props), comps: [] });

  it('has the components and properties that are named (RFC 4791 section 7.8.1)', () => {
    const selection = {
      name: 'VCALENDAR',
      props: named('VERSION'),
      comps: [
        { name: 'VEVENT', ...lines(['SUMMARY', 'uid', 'DTSTART', 'DURATION']) },
        { name: 'VTIMEZONE', props: [], comps: [] },
      ],
    };
    assert.deepEqual(written(selectComponent(calendar(EXAMPLES.abcd3!), selection)), [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...EXAMPLES.abcd3!.split('BEGIN:VEVENT')[0]!.trim().split('\n'),
      'BEGIN:VEVENT',
      'DTSTART;TZID=US/Eastern:20060104T100000',
      'DURATION:PT1H',
      'SUMMARY:Event #3',
      'UID:DC6C50A017428C5216A2F1CD@example.com',
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
  });

  it('may want all of one kind, or no value', () => {
    const whole = calendar(EXAMPLES.abcd4!);
    assert.deepEqual(selectComponent(whole, { name: 'VCALENDAR', props: undefined, comps: undefined }), whole);
    const bare = selectComponent(whole, { name: 'VCALENDAR', ...lines(['VERSION']) });
    assert.deepEqual(written(bare), ['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR']);
    const task = { name: 'VTODO', props: [{ name: 'SUMMARY', isWithoutValue: true }], comps: undefined };
    assert.deepEqual(written(selectComponent(whole, { name: 'VCALENDAR', props: [], comps: [task] })).slice(1, 4), [
      'BEGIN:VTODO',
      'SUMMARY:',
      'BEGIN:VALARM',
    ]);
  });

  it('is of contacts, too', () => {
    const card = parseObject(
      'BEGIN:VCARD\nVERSION:3.0\nFN:x\nitem1.EMAIL;TYPE=HOME:a@b\nEMAIL:c@d\nitem1.X-ABLabel:y\nEND:VCARD\n',
    ).object!;
    const of = (...props: { name: string; isWithoutValue: boolean }[]) => written(selectCard(card, props)).slice(1, -1);
    assert.deepEqual(of(...named('VERSION', 'email')), ['VERSION:3.0', 'item1.EMAIL;TYPE=HOME:a@b', 'EMAIL:c@d']);
    assert.deepEqual(of(...named('item1.EMAIL')), ['item1.EMAIL;TYPE=HOME:a@b']);
    assert.deepEqual(of({ name: 'EMAIL', isWithoutValue: true }), ['item1.EMAIL:', 'EMAIL:']);
    assert.equal(of().length, 5);
  });
});

describe('busy times', () => {
  const NOW = range('20050125T090000Z', '').start;
  const busy = (within: TimeRange, ...calendars: string[]): string[] => {
    const budget = { steps: MAX_RECURRENCE_STEPS };
    const periods = calendars.flatMap((one) => [...busyPeriods(calendar(one), within, UTC, budget)]);
    return written(freeBusyCalendar(periods, within, NOW));
  };
  const times = (within: TimeRange, ...calendars: string[]) =>
    busy(within, ...calendars).filter((line) => line.startsWith('FREEBUSY'));
  const day = range('20260101T000000Z', '20260102T000000Z');

  it('are those of RFC 4791 section 7.10, on its first day', () => {
    assert.deepEqual(busy(range('20060104T140000Z', '20060104T220000Z'), ...Object.values(EXAMPLES)), [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Vestibule//Calendar//EN',
      'BEGIN:VFREEBUSY',
      'DTSTAMP:20050125T090000Z',
      'DTSTART:20060104T140000Z',
      'DTEND:20060104T220000Z',
      'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20060104T150000Z/PT1H',
      'FREEBUSY:20060104T190000Z/PT1H',
      'END:VFREEBUSY',
      'END:VCALENDAR',
    ]);
    // the RFC forgets what its appendix B has on the second day
    assert.deepEqual(times(range('20060104T140000Z', '20060105T220000Z'), ...Object.values(EXAMPLES)).slice(2), [
      'FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20060105T100000Z/PT2H',
      'FREEBUSY:20060105T170000Z/PT1H',
    ]);
  });

  it('leave out what is cancelled, transparent, free or takes no time', () => {
    const one = (...lines: string[]) => times(day, event('DTSTART:20260101T090000Z', 'DURATION:PT1H', ...lines)).length;
    assert.deepEqual(
      [one(), one('TRANSP:OPAQUE', 'STATUS:CONFIRMED'), one('TRANSP:transparent'), one('STATUS:CANCELLED')],
      [1, 1, 0, 0],
    );
    assert.deepEqual(times(day, event('DTSTART:20260101T090000Z')), []);
    assert.deepEqual(times(day, 'BEGIN:VFREEBUSY\nFREEBUSY;FBTYPE=FREE:20260101T090000Z/PT1H\nEND:VFREEBUSY\n'), []);
  });

  it('are cut to the range and put together where they meet', () => {
    const at = (start: string, duration: string, ...lines: string[]) =>
      event(`DTSTART:20260101T${start}00Z`, `DURATION:${duration}`, ...lines);
    assert.deepEqual(
      times(
        day,
        at('1000', 'PT1H'),
        at('0900', 'PT1H'),
        at('0930', 'PT10M'),
        at('1030', 'PT2H', 'STATUS:TENTATIVE'),
        at('2330', 'PT3H'),
        event('DTSTART:20251231T230000Z', 'DURATION:PT2H'),
      ),
      [
        'FREEBUSY:20260101T000000Z/PT1H',
        'FREEBUSY:20260101T090000Z/PT2H',
        'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260101T103000Z/PT2H',
        'FREEBUSY:20260101T233000Z/PT30M',
      ],
    );
    assert.deepEqual(times(day, event('DTSTART;VALUE=DATE:20260101')), ['FREEBUSY:20260101T000000Z/P1D']);
  });

  it('are at most as many on one line as the bound', () => {
    const count = (many: number) => {
      const periods = Array.from({ length: many }, (_, i) => `${utcText(range('20260101', '').start + 60 * i)}/PT1S`);
      const one = calendar(`BEGIN:VFREEBUSY\nFREEBUSY:${periods.join(',')}\nEND:VFREEBUSY\n`);
      return [...busyPeriods(one, range('20260101', '20270101'), UTC, { steps: MAX_RECURRENCE_STEPS })].length;
    };
    assert.deepEqual([count(MAX_DATES), count(MAX_DATES + 1)], [MAX_DATES, MAX_DATES]);
  });

  it('are at most as many as the bound', () => {
    const count = (many: number) => {
      const series = event('DTSTART:20260101T000000Z', 'DURATION:PT1S', `RRULE:FREQ=MINUTELY;COUNT=${many}`);
      return [...busyPeriods(calendar(series), range('20260101', '20270101'), UTC, { steps: MAX_RECURRENCE_STEPS })]
        .length;
    };
    assert.deepEqual([count(MAX_OCCURRENCES), count(MAX_OCCURRENCES + 1)], [MAX_OCCURRENCES, MAX_OCCURRENCES]);
  });
});

describe('values that are written', () => {
  it('are as RFC 5545 has them', () => {
    assert.deepEqual([0, 59, 3600, 86_400, 90_061, -900].map(durationText), [
      'PT0S',
      'PT59S',
      'PT1H',
      'P1D',
      'P1DT1H1M1S',
      '-PT15M',
    ]);
    assert.equal(utcText(0), '19700101T000000Z');
    assert.equal(utcText(Number.POSITIVE_INFINITY), '99991231T235959Z');
    assert.equal(utcText(Number.NEGATIVE_INFINITY), '00000101T000000Z');
  });
});
