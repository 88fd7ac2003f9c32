// Calendars with zones and series for tests, and what tests look at in them.

import { parseDateTime } from '../../../src/mime/objects/calendar-time.ts';
import { CalendarTimes } from '../../../src/mime/objects/calendar-times.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { componentSets, instancesIn, type TimeRange } from '../../../src/mime/objects/instances.ts';
import { UTC } from '../../../src/mime/objects/offsets.ts';

const EVER: TimeRange = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
export const at = (text: string): number => parseDateTime(text)!.seconds;
export const shown = (instant: number | undefined): string =>
  instant === undefined ? '' : new Date(instant * 1000).toISOString().slice(0, 16).replace(/[-:]/g, '');
export const calendarOf = (...lines: string[]) =>
  parseObject(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\n')).object!;
export const event = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'];

export const EASTERN = [
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
export const BERLIN_2026 = [
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
export function instances(
  lines: string[],
  { range = EVER, floating = UTC, kind = 'VEVENT', steps = 20_000 } = {},
): string[] {
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

export const instant = (value: string, zone: string, ...lines: string[]): string => {
  const calendar = calendarOf(...lines, ...event(`DTSTART;TZID=${zone}:${value}`));
  const line = calendar.components.at(-1)!.lines.find(({ name }) => name === 'DTSTART');
  return shown(new CalendarTimes(calendar).momentOf(line)?.instant);
};
