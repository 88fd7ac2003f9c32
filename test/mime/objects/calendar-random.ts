// Random calendar components, with dates, rules and zones of all kinds, and what can be asked of them.

import type { CompFilter } from '../../../src/mime/objects/calendar-filter.ts';
import type { TimeRange } from '../../../src/mime/objects/instances.ts';
import type { Random } from '../../support/random.ts';
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

/** one of them */
export const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)]!;

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

/** A component of any kind with any lines, and others in it. */
export function component(random: Random, depth: number): string {
  const kind = pick(random, KINDS);
  const start = `DTSTART${random(2) === 0 ? '' : `;TZID=${pick(random, ZONES)}`}:${pick(random, DATES)}`;
  const lines = Array.from({ length: random(6) }, () => line(random));
  const inner = Array.from({ length: depth > 0 ? random(3) : 0 }, () => component(random, depth - 1));
  return [`BEGIN:${kind}`, start, ...lines, ...inner, `END:${kind}`].join('\n');
}

export const RANGES: readonly TimeRange[] = [
  range('', ''),
  range('20260101T000000Z', ''),
  range('', '20260101T000000Z'),
  range('20260701', '20260702'),
];
export const FILTERS: readonly ((timeRange: TimeRange) => CompFilter)[] = [
  (timeRange) => within('VEVENT', { timeRange }),
  (timeRange) => within('VTODO', { timeRange, props: [prop('DUE', { timeRange })] }),
  (timeRange) => within('VFREEBUSY', { timeRange }),
  (timeRange) => within('VEVENT', { comps: [comp('VALARM', { timeRange })] }),
];
