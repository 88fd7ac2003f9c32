// What is asked of calendar objects and contacts costs steps in proportion to their length, whatever they hold: checks,
// filters, expansion, busy times, selections.

import { atOnce } from '../../src/system/steps.ts';
import './growth.ts';
import { describe } from 'node:test';
import { matchesCalendar } from '../../src/mime/objects/calendar-filter.ts';
import { checkCalendar, checkCard } from '../../src/mime/objects/check-calendar.ts';
import { parseObject, writeComponent } from '../../src/mime/objects/components.ts';
import {
  expandCalendar,
  limitFreeBusySet,
  limitRecurrenceSet,
  selectCard,
  selectComponent,
} from '../../src/mime/objects/expand.ts';
import { busyPeriods, freeBusyCalendar } from '../../src/mime/objects/free-busy.ts';
import { UTC } from '../../src/mime/objects/offsets.ts';
import { parseRule } from '../../src/mime/objects/recurrence-rule.ts';
import { COLLATIONS, matchesCard, matchesText } from '../../src/mime/objects/text-match.ts';
import { calendarExtent } from '../../src/mime/objects/time-range.ts';
import { comp, prop, range, text, within } from '../mime/objects/caldav-examples.ts';
import { toEnd } from '../support/to-end.ts';
import { CALENDAR, CARD } from '../support/worst-cases.ts';
import { behind, between, numbered } from '../support/worst-pieces.ts';
import { grows, mixtures } from './growth.ts';

const START = 'BEGIN:VCALENDAR\nVERSION:2.0\n';
const EVENT = `${START}BEGIN:VEVENT\nUID:1\nDTSTART;TZID=Europe/Berlin:20260101T090000\n`;
const END = 'END:VEVENT\nEND:VCALENDAR\n';
const DAY = range('20260105T000000Z', '20260107T000000Z');
const two = (i: number): string => String((i % 28) + 1).padStart(2, '0');

const OBJECTS = [
  ...CALENDAR,
  ...[
    'RDATE:20260105T090000Z\n',
    'RDATE;VALUE=PERIOD:20260105T090000Z/PT1H\n',
    'EXDATE:20260105T080000Z\n',
    'EXDATE;VALUE=DATE:20260105\n',
    'RRULE:FREQ=DAILY;COUNT=3\n',
    'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\n',
    'BEGIN:VALARM\nTRIGGER:-PT5M\nREPEAT:9\nDURATION:P1D\nEND:VALARM\n',
    'ATTENDEE;CN="a";PARTSTAT=ACCEPTED;MEMBER="a","b":mailto:x\n',
    'ATTENDEE;A=1;',
    'DESCRIPTION:a\\, b\n ',
    'X;',
    'X:é',
  ].map((piece) => between(EVENT, piece, END)),
  ...[',20260105T090000Z', ',', '/', ',20260105T090000Z/PT1H', ',x/'].map((piece) =>
    between(`${EVENT}RRULE:FREQ=DAILY;COUNT=3\nRDATE;VALUE=PERIOD:20260105T090000Z`, piece, `\n${END}`),
  ),
  ...[',20260105T090000Z/PT1H', ','].map((piece) =>
    between(
      `${START}BEGIN:VFREEBUSY\nUID:1\nFREEBUSY;X=${'y'.repeat(200)}:x`,
      piece,
      '\nEND:VFREEBUSY\nEND:VCALENDAR\n',
    ),
  ),
  numbered(
    'overrides',
    (i) => `BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:202601${two(i)}T080000Z\nDTSTART:20260105T0900${two(i)}Z\nEND:VEVENT\n`,
    `${EVENT}RRULE:FREQ=DAILY\nEND:VEVENT\n`,
    'END:VCALENDAR\n',
  ),
  numbered(
    'overrides of all that follow',
    (i) =>
      `BEGIN:VEVENT\nUID:1\nRECURRENCE-ID;RANGE=THISANDFUTURE:202601${two(i)}T0800${two(i)}Z\n` +
      'DTSTART:20260105T090000Z\nEND:VEVENT\n',
    `${EVENT}RRULE:FREQ=DAILY;COUNT=9\nEND:VEVENT\n`,
    'END:VCALENDAR\n',
  ),
  numbered('UIDs', (i) => `BEGIN:VEVENT\nUID:${i}\nDTSTART:20260105T090000Z\nEND:VEVENT\n`, START, 'END:VCALENDAR\n'),
  numbered(
    'zones',
    (i) =>
      `BEGIN:VTIMEZONE\nTZID:${i}\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=${i}:20260105T090000\nEND:VEVENT\n`,
    START,
    'END:VCALENDAR\n',
  ),
  between(`${START}BEGIN:VEVENT\nUID:1\nDTSTART;TZID=`, 'x/', `:20260105T090000\n${END}`),
];
const ZONES = [
  'RDATE:20260101T000000\n',
  'RRULE:FREQ=DAILY;COUNT=2\n',
  'RRULE:FREQ=YEARLY\n',
  'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\n',
  'X:1\n',
].map((piece) =>
  between(
    `${START}BEGIN:VTIMEZONE\nTZID:x\nBEGIN:STANDARD\nDTSTART:20250101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\n`,
    piece,
    `END:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=x:20260105T090000\n${END}`,
  ),
);
const FILTERS = [
  within('VEVENT', { timeRange: DAY }),
  within('VEVENT', { comps: [comp('VALARM', { timeRange: DAY })] }),
  within('VTODO', { timeRange: DAY }),
  within('VFREEBUSY', { timeRange: DAY }),
  within('VEVENT', {
    props: [prop('ATTENDEE', { textMatch: text('none'), params: [{ name: 'CN', textMatch: text('b') }] })],
  }),
];
const SECONDS = 'UID:1\nDTSTART:20260105T000000Z\nRRULE:FREQ=SECONDLY\n';
const ALARM = 'BEGIN:VALARM\nTRIGGER:-PT5M\nREPEAT:9\nDURATION:P1D\nEND:VALARM\n';
const SERIES = [
  ...['DTEND:20260105T000000Z\n', 'DURATION:PT0S\n', 'DURATION:PT1S\n', ALARM].flatMap((first) =>
    ['X:1\n', 'EXDATE:20260105T080000Z\n', ALARM].map((piece) =>
      between(`${START}BEGIN:VEVENT\n${SECONDS}${first}`, piece, END),
    ),
  ),
  between(`${START}BEGIN:VTODO\n${SECONDS}`, 'X:1\n', 'END:VTODO\nEND:VCALENDAR\n'),
  between(`${START}BEGIN:VEVENT\n${SECONDS}BEGIN:VALARM\nTRIGGER:-PT5M\n`, 'X:1\n', `END:VALARM\n${END}`),
  numbered(
    'overrides of a long series',
    (i) =>
      `X:1\nX:1\nEND:VEVENT\nBEGIN:VEVENT\nUID:1\nRECURRENCE-ID:202601${two(i)}T080000Z\n` +
      'DTSTART:20260105T090000Z\n',
    `${START}BEGIN:VEVENT\n${SECONDS}`,
    END,
  ),
];
const NEVER_SOUNDS = comp('VALARM', { timeRange: range('20260106T120000Z', '20260106T120001Z') });
const SOUNDS_UNSEEN = comp('VALARM', { timeRange: DAY, props: [prop('X', { textMatch: text('none') })] });
const FILTERS_OF_SERIES = [
  within('VEVENT', { timeRange: range('20260104T000000Z', '20260105T000000Z') }),
  within('VEVENT', { comps: [NEVER_SOUNDS] }),
  within('VEVENT', { comps: [SOUNDS_UNSEEN] }),
  within('VTODO', { timeRange: range('20260104T000000Z', '20260105T000000Z') }),
];
const steps = () => ({ steps: 50 });

describe('steps of what is asked of calendar objects', () => {
  grows(
    'checks, and writing again',
    OBJECTS,
    (source) => {
      checkCalendar(source, ['VEVENT']);
      const { object } = parseObject(source);
      if (object) writeComponent(object);
    },
    { perUnit: 300 },
  );
  const asked = (source: string): void => {
    const { object } = parseObject(source);
    if (!object) return;
    for (const filter of FILTERS) atOnce(matchesCalendar(object, filter, UTC, steps()));
    toEnd(expandCalendar(object, DAY, UTC, steps()));
    atOnce(calendarExtent(object, steps()));
    limitRecurrenceSet(object, DAY, UTC);
    limitFreeBusySet(object, DAY, UTC);
    freeBusyCalendar(atOnce(busyPeriods(object, DAY, UTC, steps())), DAY, 0);
    selectComponent(object, {
      name: 'VCALENDAR',
      props: undefined,
      comps: [{ name: 'VEVENT', props: [], comps: undefined }],
    });
  };
  grows('filters, expansion and busy times', OBJECTS, asked, { perUnit: 600, size: 1000 });
  // as many instances as lines: what is done for each instance does not look at each line
  grows(
    'filters and busy times of many instances',
    SERIES,
    (source) => {
      const { object } = parseObject(source);
      if (!object) return;
      const many = () => ({ steps: source.length / 4 });
      for (const filter of FILTERS_OF_SERIES) atOnce(matchesCalendar(object, filter, UTC, many()));
      atOnce(busyPeriods(object, DAY, UTC, many()));
      limitRecurrenceSet(object, DAY, UTC);
    },
    { perUnit: 100, size: 2000 },
  );
  grows('time zones', ZONES, asked, { perUnit: 600, size: 2000 });
  grows(
    'rules',
    mixtures([';', '=', ',', '-', 'FREQ=DAILY', 'BYDAY=', 'MO', '1'], ['FREQ=WEEKLY;BYDAY=', '']),
    parseRule,
    {
      perUnit: 60,
    },
  );
});

describe('steps of what is asked of contacts', () => {
  const card = {
    name: 'EMAIL',
    test: 'allof' as const,
    textMatches: [text('none')],
    params: [{ name: 'TYPE', textMatch: text('b') }],
  };
  grows(
    'checks, filters and selections',
    [...CARD, ...behind('BEGIN:VCARD\nVERSION:3.0\n', 'EMAIL;TYPE=a,b:x\n', 'a.EMAIL:x\n', 'END:VCARD\n')],
    (source) => {
      checkCard(source);
      const { object } = parseObject(source.endsWith('END:VCARD\n') ? source : `${source}\nEND:VCARD\n`);
      if (!object) return;
      matchesCard(object, { test: 'anyof', props: [card] });
      selectCard(object, [{ name: 'EMAIL', isWithoutValue: true }]);
    },
    { perUnit: 300 },
  );
  grows(
    'texts that nearly match',
    mixtures(['a', 'ab', 'b', 'é', 'ß', 'ǆ', 'A']),
    (value) => {
      for (const collation of COLLATIONS) {
        for (const wanted of [`${value.slice(0, value.length / 2)}b`, 'aaab', value]) {
          matchesText(text(wanted, { collation }), value);
        }
      }
    },
    { perUnit: 200 },
  );
});
