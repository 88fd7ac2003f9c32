// Whatever an object holds, every question about it is answered, and ends.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { matchesCalendar } from '../../../src/mime/objects/calendar-filter.ts';
import { checkCalendar, checkCard } from '../../../src/mime/objects/check-calendar.ts';
import { parseObject, writeComponent } from '../../../src/mime/objects/components.ts';
import { parseComponents } from '../../../src/mime/objects/content-lines.ts';
import { expandCalendar, limitFreeBusySet, limitRecurrenceSet } from '../../../src/mime/objects/expand.ts';
import { busyPeriods, freeBusyCalendar } from '../../../src/mime/objects/free-busy.ts';
import { namedZone } from '../../../src/mime/objects/named-zones.ts';
import { atOnce } from '../../../src/system/steps.ts';
import { newSeed, randomFrom } from '../../support/random.ts';
import { toEnd } from '../../support/to-end.ts';
import { component, FILTERS, RANGES } from './calendar-random.ts';

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
        for (const filter of FILTERS) atOnce(matchesCalendar(object, filter(within), zone, budget));
        const { calendar } = toEnd(expandCalendar(object, within, zone, { steps: 500 }));
        assert.equal(parseObject(writeComponent(calendar)).fault, undefined);
        writeComponent(limitRecurrenceSet(object, within, zone));
        writeComponent(limitFreeBusySet(object, within, zone));
        writeComponent(freeBusyCalendar(atOnce(busyPeriods(object, within, zone, budget)), within, 0));
      }
    } catch (error) {
      assert.fail(`seed ${seed}: ${(error as Error).stack}\n${source}`);
    }
  }
});
