// Whatever an object holds, every question about it is answered, and ends.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type CompFilter, matchesCalendar } from '../../../src/mime/objects/calendar-filter.ts';
import { utcText } from '../../../src/mime/objects/calendar-values.ts';
import { checkCalendar } from '../../../src/mime/objects/check-calendar.ts';
import { checkCard } from '../../../src/mime/objects/check-card.ts';
import { parseObject, writeComponent } from '../../../src/mime/objects/components.ts';
import { parseComponents } from '../../../src/mime/objects/content-lines.ts';
import { expandCalendar, limitFreeBusySet, limitRecurrenceSet } from '../../../src/mime/objects/expand.ts';
import { calendarExtent } from '../../../src/mime/objects/extent.ts';
import { busyPeriods, freeBusyCalendar } from '../../../src/mime/objects/free-busy.ts';
import type { TimeRange } from '../../../src/mime/objects/instances.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { newSeed, type Random, randomFrom } from '../../support/random.ts';
import { comp, prop, range, within } from './caldav-examples.ts';

const DATES = [
  '20260101T090000Z',
  '20260101T090000',
  '20260329T023000',
  '20260101',
  '00000101',
  '00010101T000000Z',
  '99991231T235959Z',
  '99991231',
  '20260231',
  '20260101T090000Z/PT1H',
  '20260101T090000Z/-P999999W',
  '20260101T090000Z/x',
  '',
  'x',
];
const DURATIONS = ['PT1H', 'P1D', '-PT5M', 'P999999W', '-P999999W', 'PT0S', 'P', 'PT999999999S'];
const RULES = [
  'FREQ=DAILY',
  'FREQ=YEARLY;INTERVAL=999999999',
  'FREQ=SECONDLY',
  'FREQ=SECONDLY;INTERVAL=999999999999',
  'FREQ=HOURLY;BYHOUR=3;BYSETPOS=-1',
  'FREQ=WEEKLY;COUNT=999999999999999',
  'FREQ=MONTHLY;BYDAY=5MO;UNTIL=99991231T235959Z',
  'FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=-366',
  'FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30;COUNT=3',
  'FREQ=DAILY;UNTIL=00000101',
];
const DATED = ['DTEND', 'DUE', 'RDATE', 'EXDATE', 'FREEBUSY', 'COMPLETED', 'CREATED', 'DTSTART'];
const ZONES = ['Europe/Berlin', 'X', '', 'Etc/GMT+12', 'Pacific/Apia', '../../etc', 'constructor', '__proto__'];

const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)]!;

function line(random: Random): string {
  const date = () => `${random(2) === 0 ? '' : `;TZID=${pick(random, ZONES)}`}:${pick(random, DATES)}`;
  switch (random(10)) {
    case 0:
      return `RRULE:${pick(random, RULES)}`;
    case 1:
      return `DURATION:${pick(random, DURATIONS)}`;
    case 2:
      return `RECURRENCE-ID${random(2) === 0 ? '' : ';RANGE=THISANDFUTURE'}${date()}`;
    case 3:
      return `TRIGGER${random(2) === 0 ? '' : ';RELATED=END'}:${pick(random, [...DATES, ...DURATIONS])}`;
    case 4:
      return `REPEAT:${pick(random, ['1', '999999999', '-1', 'x'])}`;
    case 5:
      return pick(random, ['UID:1', 'STATUS:TENTATIVE', 'TZID:X', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:-2359', 'X']);
    default:
      return `${pick(random, DATED)}${date()}`;
  }
}

const KINDS = ['VEVENT', 'VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE', 'VALARM', 'STANDARD', 'DAYLIGHT'];

function component(random: Random, depth: number): string {
  const kind = pick(random, KINDS);
  const start = `DTSTART${random(2) === 0 ? '' : `;TZID=${pick(random, ZONES)}`}:${pick(random, DATES)}`;
  const lines = Array.from({ length: random(6) }, () => line(random));
  const inner = Array.from({ length: depth > 0 ? random(3) : 0 }, () => component(random, depth - 1));
  return [`BEGIN:${kind}`, start, ...lines, ...inner, `END:${kind}`].join('\n');
}

const RANGES: readonly TimeRange[] = [
  range('', ''),
  range('20260101T000000Z', ''),
  range('', '20260101T000000Z'),
  range('20260701', '20260702'),
];
const FILTERS: readonly ((timeRange: TimeRange) => CompFilter)[] = [
  (timeRange) => within('VEVENT', { timeRange }),
  (timeRange) => within('VTODO', { timeRange, props: [prop('DUE', { timeRange })] }),
  (timeRange) => within('VFREEBUSY', { timeRange }),
  (timeRange) => within('VEVENT', { comps: [comp('VALARM', { timeRange })] }),
];

it('objects of any components, dates, rules and zones', () => {
  const seed = newSeed();
  const random = randomFrom(seed);
  const zone = namedZone('America/New_York')!;
  for (let i = 0; i < 400; i++) {
    const inner = Array.from({ length: 1 + random(4) }, () => component(random, 2));
    const source = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...inner, 'END:VCALENDAR', ''].join('\n');
    try {
      checkCalendar(source, ['VEVENT']);
      checkCard(source);
      // what was stored before it was checked is read as it is
      const object = parseObject(source).object ?? parseComponents(source)[0]!;
      for (const within of RANGES) {
        const budget = { steps: 2000 };
        for (const filter of FILTERS) matchesCalendar(object, filter(within), zone, budget);
        const { calendar } = expandCalendar(object, within, zone, { steps: 500 });
        assert.equal(parseObject(writeComponent(calendar)).fault, undefined);
        writeComponent(limitRecurrenceSet(object, within, zone));
        writeComponent(limitFreeBusySet(object, within, zone));
        writeComponent(freeBusyCalendar(busyPeriods(object, within, zone, budget), within, 0));
      }
    } catch (error) {
      assert.fail(`seed ${seed}: ${(error as Error).stack}\n${source}`);
    }
  }
});

it('no object overlaps a range outside its extent', () => {
  const seed = newSeed();
  const random = randomFrom(seed);
  const zones = ['Pacific/Kiritimati', 'Etc/GMT+12', 'UTC'].map((name) => namedZone(name)!);
  let [inside, outside] = [0, 0];
  for (let i = 0; i < 300; i++) {
    const inner = Array.from({ length: 1 + random(2) }, () => component(random, 1));
    const source = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...inner, 'END:VCALENDAR', ''].join('\n');
    const object = parseObject(source).object;
    if (!object) continue;
    const extent = calendarExtent(object, { steps: 2000 });
    for (let j = 0; j < 20; j++) {
      const start = range('20251230T000000Z', '').start + random(5 * 24) * 3600;
      const within = { start, end: start + random(48) * 3600 };
      const isIn = FILTERS.slice(0, 3).some((filter) =>
        matchesCalendar(object, filter(within), pick(random, zones), { steps: 500 }),
      );
      const mayBeIn = within.end >= extent.start && within.start <= extent.end;
      assert.ok(mayBeIn || !isIn, `seed ${seed}: ${JSON.stringify([within, extent])}\n${source}`);
      if (mayBeIn) inside++;
      else outside++;
    }
  }
  assert.ok(inside > 100 && outside > 100);
});

it('an extent is as long as the object says', () => {
  const shown = (...lines: string[]) => {
    const source = [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'DTSTART:20260101T090000Z',
      ...lines,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ];
    const { start, end } = calendarExtent(parseObject(source.join('\n')).object!, { steps: 10_000 });
    return [start, end].map((time) => (Number.isFinite(time) ? utcText(time) : String(time)));
  };
  assert.deepEqual(shown(), ['20260101T090000Z', '20260101T090000Z']);
  assert.deepEqual(shown('DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'), ['20260101T090000Z', '20260103T100000Z']);
  assert.deepEqual(shown('DURATION:PT1H', 'RRULE:FREQ=DAILY'), ['20260101T090000Z', 'Infinity']);
  assert.deepEqual(shown('RRULE:FREQ=SECONDLY;COUNT=100000'), ['-Infinity', 'Infinity'], 'the budget is spent');
  assert.deepEqual(shown('RDATE:20250101T090000Z', 'RRULE:FREQ=DAILY'), ['20250101T090000Z', 'Infinity']);
});
