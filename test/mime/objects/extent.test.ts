// From when to when an object may overlap a range.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { matchesCalendar } from '../../../src/mime/objects/calendar-filter.ts';
import { utcText } from '../../../src/mime/objects/calendar-time.ts';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { calendarExtent } from '../../../src/mime/objects/time-range.ts';
import { atOnce } from '../../../src/system/steps.ts';
import { newSeed, randomFrom } from '../../support/random.ts';
import { range } from './caldav-examples.ts';
import { component, FILTERS, pick } from './calendar-random.ts';

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
    const extent = atOnce(calendarExtent(object, { steps: 2000 }));
    for (let j = 0; j < 20; j++) {
      const start = range('20251230T000000Z', '').start + random(5 * 24) * 3600;
      const within = { start, end: start + random(48) * 3600 };
      const isIn = FILTERS.slice(0, 3).some((filter) =>
        atOnce(matchesCalendar(object, filter(within), pick(random, zones), { steps: 500 })),
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
    const { start, end } = atOnce(calendarExtent(parseObject(source.join('\n')).object!, { steps: 10_000 }));
    return [start, end].map((time) => (Number.isFinite(time) ? utcText(time) : String(time)));
  };
  assert.deepEqual(shown(), ['20260101T090000Z', '20260101T090000Z']);
  assert.deepEqual(shown('DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'), ['20260101T090000Z', '20260103T100000Z']);
  assert.deepEqual(shown('DURATION:PT1H', 'RRULE:FREQ=DAILY'), ['20260101T090000Z', 'Infinity']);
  assert.deepEqual(shown('RRULE:FREQ=SECONDLY;COUNT=100000'), ['-Infinity', 'Infinity'], 'the budget is spent');
  assert.deepEqual(shown('RDATE:20250101T090000Z', 'RRULE:FREQ=DAILY'), ['20250101T090000Z', 'Infinity']);
});

it('an extent has room for the zones of floating times and days, but not for times that are fixed', () => {
  const extentOf = (...lines: string[]) => {
    const { object } = parseObject(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\n'));
    const { start, end } = atOnce(calendarExtent(object!, { steps: 10_000 }));
    return [start, end].map((time) => (Number.isFinite(time) ? utcText(time) : String(time)));
  };
  const event = (...lines: string[]) => extentOf('BEGIN:VEVENT', ...lines, 'END:VEVENT');
  assert.deepEqual(event('DTSTART:20260102T120000', 'DURATION:PT1H'), ['20260101T120000Z', '20260103T130000Z']);
  assert.deepEqual(event('DTSTART;VALUE=DATE:20260102'), ['20260101T000000Z', '20260104T000000Z']);
  assert.deepEqual(event('SUMMARY:never'), ['Infinity', '-Infinity'], 'never');
  assert.deepEqual(extentOf('BEGIN:VTODO', 'SUMMARY:some day', 'END:VTODO'), ['-Infinity', 'Infinity'], 'always');
  const busy = ['BEGIN:VFREEBUSY', 'FREEBUSY:20260102T100000Z/PT1H,20260103T100000Z/PT2H', 'END:VFREEBUSY'];
  assert.deepEqual(extentOf(...busy), ['20260102T100000Z', '20260103T120000Z']);
});
