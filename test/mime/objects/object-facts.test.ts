// What is kept of an object, so that a query need not read it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseObject } from '../../../src/mime/objects/components.ts';
import { objectFacts } from '../../../src/mime/objects/properties.ts';
import { atOnce } from '../../../src/system/steps.ts';

const factsOf = (...lines: string[]) => atOnce(objectFacts(parseObject(`${lines.join('\r\n')}\r\n`).object!));
const calendar = (...lines: string[]) => factsOf('BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR');
const component = (name: string, ...lines: string[]) => [`BEGIN:${name}`, 'UID:a', ...lines, `END:${name}`];

describe('facts of an object', () => {
  it('are its component and its extent', () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:x', 'END:VTIMEZONE'];
    const event = component('VEVENT', 'DTSTART:20260105T100000Z', 'DURATION:PT1H');
    const start = Date.UTC(2026, 0, 5, 10) / 1000;
    assert.deepEqual(calendar(...zone, ...event), { component: 'VEVENT', extent: { start, end: start + 3600 } });
    assert.equal(calendar(...component('VTODO')).component, 'VTODO');
    const card = ['BEGIN:VCARD', 'VERSION:4.0', 'FN:a', 'END:VCARD'];
    assert.deepEqual(factsOf(...card), { component: 'VCARD', extent: undefined });
  });

  it('name no component where there are several, or none', () => {
    assert.equal(calendar(...component('VEVENT'), ...component('VTODO')).component, undefined);
    assert.equal(calendar().component, undefined);
    assert.equal(calendar(...component('X-OWN')).component, undefined);
  });
});
