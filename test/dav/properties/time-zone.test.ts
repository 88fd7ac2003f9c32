// The time zone of a calendar: by its name and written out, whichever was set.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onlyZone, zoneCalendarOf } from '../../../src/dav/properties/groupware.ts';
import { element } from '../../../src/dav/xml-write.ts';
import { resource, told } from './told.ts';

const CALDAV = 'urn:ietf:params:xml:ns:caldav';
const calendarWith = (name: 'calendar-timezone' | 'calendar-timezone-id', text: string) => {
  const dead = new Map([[`{${CALDAV}}${name}`, element(`C:${name}`, text)]]);
  return { kind: 'room', collection: 'calendar', dead } as const;
};
const zone = (id: string) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:x',
    'BEGIN:VTIMEZONE',
    `TZID:${id}`,
    'BEGIN:STANDARD',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0100',
    'DTSTART:19700101T000000',
    'END:STANDARD',
    'END:VTIMEZONE',
    'END:VCALENDAR',
  ].join('\r\n');

it('Of a name the calendar is made, right from the last year on', () => {
  const text = told('C:calendar-timezone', calendarWith('calendar-timezone-id', ' Europe/Berlin '))!;
  assert.match(text, /^<C:calendar-timezone>BEGIN:VCALENDAR&#13;\n[\s\S]*TZID:Europe\/Berlin&#13;\n[\s\S]*BYDAY=-1SU/);
  const made = zoneCalendarOf(resource(calendarWith('calendar-timezone-id', 'Europe/Rome')), new Date('2030-05-05'))!;
  assert.match(made.text, /DTSTART:20280326T020000/);
  assert.match(told('C:calendar-timezone', calendarWith('calendar-timezone-id', 'UTC'))!, /TZID:UTC/);
  assert.equal(told('C:calendar-timezone', calendarWith('calendar-timezone-id', 'Europe/Nowhere')), undefined);
});

it('Of a calendar the name is told, where it is one that everybody knows', () => {
  const id = (text: string) => told('C:calendar-timezone-id', calendarWith('calendar-timezone', text));
  const named = (name: string) => `<C:calendar-timezone-id>${name}</C:calendar-timezone-id>`;
  assert.equal(id(zone('Europe/Berlin')), named('Europe/Berlin'));
  assert.equal(id(zone('Etc/GMT+1')), named('Etc/GMT+1'));
  assert.equal(id(zone('/freeassociation.sourceforge.net/Europe/Berlin')), named('Europe/Berlin'));
  assert.equal(id(zone('My own time')), undefined);
  assert.equal(id('BEGIN:VCALENDAR\r\nEND:VCALENDAR'), undefined);
  assert.equal(
    onlyZone(zone('a').replace('BEGIN:VTIMEZONE', 'BEGIN:VTIMEZONE\r\nTZID:b\r\nEND:VTIMEZONE\r\nBEGIN:VTIMEZONE')),
    undefined,
  );
});
