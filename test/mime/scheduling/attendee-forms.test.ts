// An attendee's program writes the organizer's event in its own words: the answer is taken, and the organizer's lines
// stay. Another time in like words is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleAsAttendee } from '../../../src/mime/scheduling/attendee.ts';
import { BEN, NOW, scheduling, textOfCalendar } from './objects.ts';

const PEOPLE = ['ORGANIZER:mailto:anna@vm', 'ATTENDEE;CN=Ben;RSVP=TRUE:mailto:ben@vm'];
const ANSWERED = ['ORGANIZER:mailto:anna@vm', 'ATTENDEE;CN=Ben;PARTSTAT=ACCEPTED:mailto:ben@vm'];
const zoneOf = (name: string) => [
  'BEGIN:VTIMEZONE',
  `TZID:${name}`,
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'DTSTART:19810329T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'DTSTART:19961027T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
];
const BERLIN = zoneOf('Europe/Berlin');

/** `kind`: VEVENT unless there is a `BEGIN` among the lines before it. */
function calendar(lines: readonly string[], people: readonly string[], zones: readonly string[], kind: string): string {
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...zones];
  const event = [`BEGIN:${kind}`, 'UID:meeting-1', 'DTSTAMP:20260101T000000Z', ...lines, ...people, `END:${kind}`];
  return [...head, ...event, 'END:VCALENDAR', ''].join('\r\n');
}

interface Form {
  before: readonly string[];
  after: readonly string[];
  zones?: readonly string[];
  kind?: string;
}

function answered({ before, after, zones = BERLIN, kind = 'VEVENT' }: Form) {
  const [old, now] = [
    calendar(before, PEOPLE, BERLIN, kind),
    calendar(after, ANSWERED, after.some((line) => line.includes('TZID')) ? zones : [], kind),
  ];
  return scheduleAsAttendee(scheduling(old), scheduling(now), BEN, NOW);
}

const START = 'DTSTART;TZID=Europe/Berlin:20260105T110000';
const END = 'DTEND;TZID=Europe/Berlin:20260105T120000';
const ONCE = [START, END, 'SUMMARY:Plan'];
const weekly = (rule = 'FREQ=WEEKLY;COUNT=4') => [...ONCE, `RRULE:${rule}`];
const DAY = ['DTSTART;VALUE=DATE:20260105', 'SUMMARY:Plan'];
const TASK = [START, 'DUE;TZID=Europe/Berlin:20260105T120000', 'SUMMARY:Plan'];
const UTC = ['DTSTART:20260105T100000Z', 'DTEND:20260105T110000Z', 'SUMMARY:Plan'];

/** the organizer's lines, and the same in other words */
const SAME: Readonly<Record<string, Form>> = {
  'DURATION for DTEND': { before: ONCE, after: [START, 'DURATION:PT1H', 'SUMMARY:Plan'] },
  'DTEND for DURATION': { before: [START, 'DURATION:PT1H', 'SUMMARY:Plan'], after: ONCE },
  'minutes for an hour': { before: [START, 'DURATION:PT1H'], after: [START, 'DURATION:PT60M'] },
  'seconds for an hour': { before: [START, 'DURATION:PT1H'], after: [START, 'DURATION:PT3600S'] },
  'hours for a day': { before: [START, 'DURATION:P1D'], after: [START, 'DURATION:PT24H'] },
  'a week in days': { before: [START, 'DURATION:P1W'], after: [START, 'DURATION:P7D'] },
  'zeros in a duration': { before: [START, 'DURATION:PT1H'], after: [START, 'DURATION:P0DT1H0M0S'] },
  'UTC for a zone': { before: ONCE, after: UTC },
  'a zone for UTC': { before: UTC, after: ONCE },
  'another zone': {
    before: ONCE,
    after: ['DTSTART;TZID=America/New_York:20260105T050000', 'DTEND;TZID=Europe/London:20260105T110000'],
    zones: [],
  },
  'another name of the zone': {
    before: weekly('FREQ=WEEKLY'),
    after: weekly('FREQ=WEEKLY').map((line) => line.replace('Europe/Berlin', 'Mitteleuropa')),
    zones: zoneOf('Mitteleuropa'),
  },
  'a zone of the same rules': {
    before: weekly('FREQ=WEEKLY'),
    after: weekly('FREQ=WEEKLY').map((line) => line.replace('Europe/Berlin', 'Europe/Paris')),
    zones: [],
  },
  'no VTIMEZONE': { before: weekly(), after: weekly(), zones: [] },
  'TZID in quotes': { before: ONCE, after: ONCE.map((line) => line.replace('Europe/Berlin', '"Europe/Berlin"')) },
  'INTERVAL=1': { before: weekly(), after: weekly('FREQ=WEEKLY;INTERVAL=1;COUNT=4') },
  'without INTERVAL=1': { before: weekly('FREQ=WEEKLY;INTERVAL=1'), after: weekly('FREQ=WEEKLY') },
  'the default WKST': { before: weekly(), after: weekly('FREQ=WEEKLY;COUNT=4;WKST=MO') },
  'a WKST that changes nothing': { before: weekly(), after: weekly('FREQ=WEEKLY;COUNT=4;WKST=SU') },
  'the implied BYDAY': { before: weekly(), after: weekly('FREQ=WEEKLY;COUNT=4;BYDAY=MO') },
  'the implied BYDAY without end': { before: weekly('FREQ=WEEKLY'), after: weekly('FREQ=WEEKLY;BYDAY=MO') },
  'the implied BYMONTHDAY': { before: weekly('FREQ=MONTHLY'), after: weekly('FREQ=MONTHLY;BYMONTHDAY=5') },
  'the implied date': { before: weekly('FREQ=YEARLY'), after: weekly('FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=5') },
  'the implied time': { before: weekly('FREQ=DAILY'), after: weekly('FREQ=DAILY;BYHOUR=11;BYMINUTE=0;BYSECOND=0') },
  'parts in another order and case': { before: weekly(), after: weekly('count=4;freq=weekly') },
  'days in another order': {
    before: weekly('FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=9'),
    after: weekly('FREQ=WEEKLY;COUNT=9;BYDAY=FR,MO,WE'),
  },
  'a signed ordinal': { before: weekly('FREQ=MONTHLY;BYDAY=1MO'), after: weekly('FREQ=MONTHLY;BYDAY=+1MO') },
  'UNTIL for COUNT': { before: weekly(), after: weekly('FREQ=WEEKLY;UNTIL=20260126T100000Z') },
  'COUNT for UNTIL': { before: weekly('FREQ=WEEKLY;UNTIL=20260127T000000Z'), after: weekly() },
  'UNTIL as a date': {
    before: weekly('FREQ=WEEKLY;UNTIL=20260126T100000Z'),
    after: weekly('FREQ=WEEKLY;UNTIL=20260126'),
  },
  'RDATE for RRULE': {
    before: weekly('FREQ=WEEKLY;COUNT=3'),
    after: [...ONCE, 'RDATE;TZID=Europe/Berlin:20260112T110000,20260119T110000'],
  },
  'RDATE in UTC, in two lines, out of order': {
    before: [...ONCE, 'RDATE;TZID=Europe/Berlin:20260112T110000,20260119T110000'],
    after: [...ONCE, 'RDATE:20260119T100000Z', 'RDATE:20260112T100000Z'],
  },
  'a rule of one instance': { before: ONCE, after: weekly('FREQ=DAILY;COUNT=1') },
  'EXDATE in UTC': {
    before: [...weekly(), 'EXDATE;TZID=Europe/Berlin:20260112T110000'],
    after: [...weekly(), 'EXDATE:20260112T100000Z'],
  },
  'EXDATE in two lines': {
    before: [...weekly(), 'EXDATE:20260112T100000Z,20260119T100000Z'],
    after: [...weekly(), 'EXDATE:20260119T100000Z', 'EXDATE:20260112T100000Z'],
  },
  'without the EXDATE': { before: [...weekly(), 'EXDATE:20260112T100000Z'], after: weekly() },
  'a whole day with its end': { before: DAY, after: [...DAY, 'DTEND;VALUE=DATE:20260106'] },
  'a whole day without its end': { before: [...DAY, 'DTEND;VALUE=DATE:20260106'], after: DAY },
  'a whole day with a duration': { before: [...DAY, 'DTEND;VALUE=DATE:20260107'], after: [...DAY, 'DURATION:P2D'] },
  'an event without end': { before: [START, 'SUMMARY:Plan'], after: [START, START.replace('START', 'END')] },
  'a task: DURATION for DUE': { before: TASK, after: [START, 'DURATION:PT1H', 'SUMMARY:Plan'], kind: 'VTODO' },
  'a task: DUE in UTC': {
    before: ['DUE;TZID=Europe/Berlin:20260105T120000'],
    after: ['DUE:20260105T110000Z', 'PERCENT-COMPLETE:10'],
    kind: 'VTODO',
  },
  'PRIORITY:0': { before: ONCE, after: [...ONCE, 'PRIORITY:0'] },
  'an empty LOCATION': { before: ONCE, after: [...ONCE, 'LOCATION:', 'DESCRIPTION:', 'URL:'] },
  'without an empty LOCATION': { before: [...ONCE, 'LOCATION:'], after: ONCE },
  'STATUS:CONFIRMED': { before: ONCE, after: [...ONCE, 'STATUS:CONFIRMED'] },
  'GEO zeros': { before: ONCE, after: [...ONCE, 'GEO:0;0'] },
  'GEO with more digits': { before: [...ONCE, 'GEO:52.5;13.4'], after: [...ONCE, 'GEO:52.500000;13.400000'] },
  'SEQUENCE:0': { before: ONCE, after: [...ONCE, 'SEQUENCE:0'] },
  'without SEQUENCE:0': { before: [...ONCE, 'SEQUENCE:0'], after: ONCE },
  'CLASS:PUBLIC': { before: ONCE, after: [...ONCE, 'CLASS:PUBLIC'] },
  'TRANSP:OPAQUE': { before: ONCE, after: [...ONCE, 'TRANSP:OPAQUE'] },
  'other escapes': {
    before: [...ONCE, 'DESCRIPTION:a\\, b\\nc\\; d'],
    after: [...ONCE, 'DESCRIPTION:a, b\\Nc; d'],
  },
  'a folded line': { before: [...ONCE, 'LOCATION:Room 1'], after: [...ONCE, 'LOCATION:Ro\r\n om 1'] },
  'names in another case': {
    before: ONCE,
    after: ['dtstart;tzid=Europe/Berlin:20260105T110000', 'DtEnd;TZID=Europe/Berlin:20260105T120000'],
  },
  'parameters in another order': {
    before: [...ONCE, 'LOCATION;LANGUAGE=de;ALTREP="cid:a":Raum'],
    after: [...ONCE, 'LOCATION;ALTREP="cid:a";LANGUAGE=de:Raum'],
  },
  'LANGUAGE dropped': { before: [...ONCE, 'LOCATION;LANGUAGE=de:Raum'], after: [...ONCE, 'LOCATION:Raum'] },
  'VALUE=DATE-TIME': { before: UTC, after: ['DTSTART;VALUE=DATE-TIME:20260105T100000Z', UTC[1]!] },
  'CATEGORIES of one’s own': { before: ONCE, after: [...ONCE, 'CATEGORIES:Work', 'X-A:1', 'COMMENT:Late'] },
  'less than the organizer wrote': { before: [...ONCE, 'DESCRIPTION:Agenda', 'URL:http://a'], after: [START, END] },
};

const isOrganizers = (line: string) => !/^(ATTENDEE|CATEGORIES|X-|COMMENT|TRANSP|CLASS|PERCENT|PRODID)/.test(line);

for (const [name, form] of Object.entries(SAME)) {
  test(`The answer in other words is taken: ${name}`, () => {
    const result = answered(form);
    assert.equal(result.fault, undefined);
    assert.equal(result.messages.length, 1);
    assert.match(textOfCalendar(result.messages[0]!.calendar), /ATTENDEE;CN=Ben;PARTSTAT=ACCEPTED:mailto:ben@vm/);
    const stored = textOfCalendar(result.calendar).split('\r\n').filter(isOrganizers).sort();
    const wanted = calendar(form.before, PEOPLE, BERLIN, form.kind ?? 'VEVENT');
    assert.deepEqual(stored, wanted.split('\r\n').filter(isOrganizers).sort());
  });
}

/** another time in like words */
const OTHER: Readonly<Record<string, Form>> = {
  'an hour later in UTC': { before: ONCE, after: ['DTSTART:20260105T110000Z', 'DTEND:20260105T120000Z'] },
  'the digits of the zone in UTC': { before: ONCE, after: ['DTSTART:20260105T110000Z', 'DTEND:20260105T120000Z'] },
  'floating for a zone': { before: ONCE, after: ['DTSTART:20260105T110000', 'DTEND:20260105T120000'] },
  'floating for UTC': { before: UTC, after: ['DTSTART:20260105T100000', 'DTEND:20260105T110000'] },
  'a longer duration': { before: ONCE, after: [START, 'DURATION:PT90M'] },
  'a whole day': { before: ONCE, after: DAY },
  'two whole days': { before: DAY, after: [...DAY, 'DTEND;VALUE=DATE:20260107'] },
  'one instance more': { before: weekly(), after: weekly('FREQ=WEEKLY;COUNT=5') },
  'one instance less': { before: weekly(), after: weekly('FREQ=WEEKLY;UNTIL=20260119T100000Z') },
  'every two weeks': { before: weekly(), after: weekly('FREQ=WEEKLY;INTERVAL=2;COUNT=4') },
  'another day': { before: weekly(), after: weekly('FREQ=WEEKLY;BYDAY=TU;COUNT=4') },
  'without its end': { before: weekly(), after: weekly('FREQ=WEEKLY') },
  'no series': { before: weekly(), after: ONCE },
  'a series': { before: ONCE, after: weekly() },
  'a zone without summer time': {
    before: weekly('FREQ=WEEKLY'),
    after: ['DTSTART:20260105T100000Z', 'DTEND:20260105T110000Z', 'RRULE:FREQ=WEEKLY'],
  },
  'a rule of another calendar': { before: weekly('FREQ=YEARLY'), after: weekly('FREQ=YEARLY;RSCALE=HEBREW') },
  'no start': { before: ONCE, after: ['SUMMARY:Plan'] },
  'a later DUE': { before: TASK, after: [START, 'DURATION:PT2H'], kind: 'VTODO' },
  'no DUE': { before: TASK, after: [START], kind: 'VTODO' },
};

for (const [name, form] of Object.entries(OTHER)) {
  test(`The answer to another time is refused: ${name}`, () => {
    assert.equal(answered(form).fault, 'allowed-attendee-scheduling-object-change');
  });
}

const SERIES = weekly('FREQ=WEEKLY');
const ALL_DAY = [...DAY, 'RRULE:FREQ=WEEKLY'];
const withInstance = (text: string, lines: readonly string[]) => {
  const instance = [
    'BEGIN:VEVENT',
    'UID:meeting-1',
    'DTSTAMP:20260101T000000Z',
    ...lines,
    ...ANSWERED,
    'END:VEVENT',
    '',
  ];
  return text.replace('END:VCALENDAR', `${instance.join('\r\n')}END:VCALENDAR`);
};

/** an answer to one instance: how a program names it, and when it says that it is */
const INSTANCES: Readonly<Record<string, readonly [series: readonly string[], instance: readonly string[]]>> = {
  'in the zone of the series': [
    SERIES,
    ['RECURRENCE-ID;TZID=Europe/Berlin:20260112T110000', 'DTSTART;TZID=Europe/Berlin:20260112T110000', 'DURATION:PT1H'],
  ],
  'in UTC': [SERIES, ['RECURRENCE-ID:20260112T100000Z', 'DTSTART:20260112T100000Z', 'DTEND:20260112T110000Z']],
  'in summer time': [SERIES, ['RECURRENCE-ID:20260706T090000Z', 'DTSTART:20260706T090000Z', 'DTEND:20260706T100000Z']],
  'by its date': [SERIES, ['RECURRENCE-ID;VALUE=DATE:20260112', 'DTSTART:20260112T100000Z', 'DTEND:20260112T110000Z']],
  'by a floating time': [
    SERIES,
    ['RECURRENCE-ID:20260112T110000', 'DTSTART:20260112T100000Z', 'DTEND:20260112T110000Z'],
  ],
  'of days': [ALL_DAY, ['RECURRENCE-ID;VALUE=DATE:20260112', 'DTSTART;VALUE=DATE:20260112', 'DURATION:P1D']],
  'of days by a time': [
    ALL_DAY,
    ['RECURRENCE-ID;TZID=Europe/Berlin:20260112T000000', 'DTSTART;VALUE=DATE:20260112', 'DTEND;VALUE=DATE:20260113'],
  ],
};

for (const [name, [series, instance]] of Object.entries(INSTANCES)) {
  test(`One instance is answered, named ${name}`, () => {
    const before = calendar(series, PEOPLE, BERLIN, 'VEVENT');
    const result = scheduleAsAttendee(scheduling(before), scheduling(withInstance(before, instance)), BEN, NOW);
    assert.equal(result.fault, undefined);
    const reply = textOfCalendar(result.messages[0]!.calendar);
    assert.match(
      reply,
      /RECURRENCE-ID(;TZID=Europe\/Berlin:2026\d{4}T110000|;VALUE=DATE:20260112)\r[\s\S]*PARTSTAT=ACCEPTED/,
    );
    const made = textOfCalendar(result.calendar).split('BEGIN:VEVENT')[2]!;
    assert.match(made, /SUMMARY:Plan/);
    assert.match(made, /DTSTART(;TZID=Europe\/Berlin:2026\d{4}T110000|;VALUE=DATE:20260112)\r/);
    const moved = instance.map((line) => line.replace(/^(DTSTART.*)(?=\d\d(T|$))../, (_, head) => `${head}13`));
    const other = scheduleAsAttendee(scheduling(before), scheduling(withInstance(before, moved)), BEN, NOW);
    assert.equal(other.fault, 'allowed-attendee-scheduling-object-change');
  });
}

for (const [name, series, exception] of [
  ['in the zone of the series', SERIES, 'EXDATE;TZID=Europe/Berlin:20260112T110000'],
  ['in UTC', SERIES, 'EXDATE:20260112T100000Z'],
  ['by its date', SERIES, 'EXDATE;VALUE=DATE:20260112'],
  ['by a floating time', SERIES, 'EXDATE:20260112T110000'],
  ['of days', ALL_DAY, 'EXDATE;VALUE=DATE:20260112'],
  ['of days by a time', ALL_DAY, 'EXDATE;TZID=Europe/Berlin:20260112T000000'],
] as const) {
  test(`One instance is removed, named ${name}`, () => {
    const before = calendar(series, PEOPLE, BERLIN, 'VEVENT');
    const after = before.replace('RRULE:FREQ=WEEKLY', `${exception}\r\nRRULE:FREQ=WEEKLY`);
    const result = scheduleAsAttendee(scheduling(before), scheduling(after), BEN, NOW);
    assert.equal(result.fault, undefined);
    const wanted = /(;TZID=Europe\/Berlin:20260112T110000|;VALUE=DATE:20260112)\r/.source;
    assert.match(textOfCalendar(result.messages[0]!.calendar), new RegExp(`RECURRENCE-ID${wanted}[\\s\\S]*DECLINED`));
    assert.match(textOfCalendar(result.calendar), new RegExp(`EXDATE${wanted}`));
  });
}
