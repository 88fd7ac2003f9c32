// What may be stored as a calendar object, and which precondition says that it may not.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_OBJECT_CHARACTERS } from '../../../src/limits/mime.ts';
import { checkCalendar } from '../../../src/mime/objects/check-calendar.ts';
import { EXAMPLES } from './caldav-examples.ts';

const KINDS = ['VEVENT', 'VTODO', 'VFREEBUSY'];
const START = 'DTSTART:20260101T090000Z';
const component = (kind: string, ...lines: string[]): string =>
  ['', ...lines, ''].join('\n').replace(/^/, `BEGIN:${kind}`).concat(`END:${kind}\n`);
const event = (...lines: string[]): string => component('VEVENT', 'UID:1', START, ...lines);
const calendar = (components: string, ...lines: string[]): string =>
  `BEGIN:VCALENDAR\nVERSION:2.0\n${lines.map((line) => `${line}\n`).join('')}${components}END:VCALENDAR\n`;
const faultOf = (text: string): string | undefined => checkCalendar(text, KINDS).fault?.precondition;

describe('a calendar object', () => {
  it('is one component with its overrides and time zones', () => {
    for (const [name, one] of Object.entries(EXAMPLES)) {
      const checked = checkCalendar(calendar(one), KINDS);
      assert.ok(checked.object, name);
      assert.match(one, new RegExp(`^UID:${checked.uid}$`, 'm'));
    }
    const override = event('RECURRENCE-ID:20260102T090000Z');
    const { uid, kind } = checkCalendar(calendar(event('RRULE:FREQ=DAILY') + override), KINDS) as {
      uid: string;
      kind: string;
    };
    assert.deepEqual([uid, kind], ['1', 'VEVENT']);
    assert.equal(faultOf(calendar(override)), undefined, 'an override by itself');
    assert.equal(faultOf(calendar(event() + component('X-MORE', 'UID:2'))), undefined);
  });

  const FAULTS: Readonly<Record<string, [precondition: string, text: string][]>> = {
    'is iCalendar': [
      ['valid-calendar-data', ''],
      ['valid-calendar-data', 'hello'],
      ['valid-calendar-data', 'BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n'],
      ['valid-calendar-data', calendar(event()).replace('END:VEVENT\n', '')],
      ['supported-calendar-data', calendar(event()).replace('VERSION:2.0', 'VERSION:1.0')],
      ['max-resource-size', calendar(event(`SUMMARY:${'x'.repeat(MAX_OBJECT_CHARACTERS)}`))],
    ],
    'has the properties it needs, once, with values that can be': [
      ['valid-calendar-data', calendar(component('VEVENT', 'UID:1'))],
      ['valid-calendar-data', calendar(event('DTSTART:20260101T100000Z'))],
      ['valid-calendar-data', calendar(event('UID:2'))],
      ['valid-calendar-data', calendar(event('DTEND:20260231T080000Z'))],
      ['valid-calendar-data', calendar(event('DURATION:1 hour'))],
      ['valid-calendar-data', calendar(event('RRULE:FREQ=NEVER'))],
      ['valid-calendar-data', calendar(event('RECURRENCE-ID:x'))],
    ],
    'is of one type and one UID': [
      ['valid-calendar-object-resource', calendar('')],
      ['valid-calendar-object-resource', calendar(EXAMPLES.abcd1!.split('BEGIN:VEVENT')[0]!)],
      ['valid-calendar-object-resource', calendar(event() + component('VTODO', 'UID:1'))],
      ['valid-calendar-object-resource', calendar(event() + event('RECURRENCE-ID:20260102').replace('UID:1', 'UID:2'))],
      ['valid-calendar-object-resource', calendar(event().replace('UID:1\n', ''))],
      ['valid-calendar-object-resource', calendar(event().replace('UID:1', 'UID: '))],
      ['valid-calendar-object-resource', calendar(event() + event())],
      [
        'valid-calendar-object-resource',
        calendar(event('RECURRENCE-ID:20260102T090000Z') + event('RECURRENCE-ID;TZID=Europe/Berlin:20260102T100000')),
      ],
    ],
    'is of a type that the collection takes': [
      ['supported-calendar-component', calendar(component('VJOURNAL', 'UID:1'))],
    ],
  };
  for (const [name, cases] of Object.entries(FAULTS)) {
    it(name, () => {
      for (const [precondition, text] of cases) assert.equal(faultOf(text), precondition, text.slice(0, 300));
    });
  }

  it('is told by line and property what is wrong', () => {
    const reasonOf = (text: string) => checkCalendar(text, KINDS).fault?.reason;
    assert.match(reasonOf(calendar(event('DTEND:20260231T080000Z')))!, /^line 6, DTEND:20260231T080000Z: /);
    assert.match(reasonOf(calendar(event('SUMMARY:a\n b', 'RRULE:FREQ=NEVER')))!, /^line 8, RRULE:FREQ=NEVER: /);
    assert.match(reasonOf(calendar(event()).replace('UID:1\n', ''))!, /^line 3, BEGIN:VEVENT: UID is missing/);
    assert.match(reasonOf(calendar(event('DTSTART:20260101')))!, /^line 6, DTSTART:20260101: line 5 has another/);
    const two = calendar(event() + event('RECURRENCE-ID:20260102T090000Z').replace('UID:1', 'UID:2'));
    assert.match(reasonOf(two)!, /^line 8, UID:2: another UID is 1/);
    assert.match(reasonOf(calendar(component('VJOURNAL', 'UID:1')))!, /^line 3, BEGIN:VJOURNAL: .*VEVENT and VTODO/);
    assert.match(reasonOf(`${calendar(event())}BEGIN:VCALENDAR\n`)!, /^line 8, BEGIN:VCALENDAR: more than one/);
  });
});
