// A calendar object as scheduling sees it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseObject, writeComponent } from '../../../src/mime/objects/components.ts';
import { ContentLine } from '../../../src/mime/objects/content-lines.ts';
import {
  exceptionLine,
  hasOneOrganizer,
  mapLines,
  messageCalendar,
  roleIn,
  schedulingObject,
  withParts,
} from '../../../src/mime/scheduling/object.ts';
import { ANNA, BEN, calendarOf, ONCE, PEOPLE, read, scheduling, WEEKLY } from './objects.ts';

const ID = 'RECURRENCE-ID:20260112T100000Z';
const SERIES = calendarOf([...WEEKLY, ...PEOPLE], [ID, ...ONCE, ...PEOPLE]);

test('An object is a series and its overrides, by the instants they replace', () => {
  const { uid, organizer, parts } = scheduling(SERIES);
  assert.deepEqual([uid, organizer], ['meeting-1', 'mailto:anna@vm']);
  assert.deepEqual([...parts.keys()], [undefined, Date.UTC(2026, 0, 12, 10) / 1000]);
});

test('What has an instance twice, an instance that is none, or no event is not scheduled', () => {
  assert.equal(schedulingObject(read(calendarOf(ONCE, ONCE))), undefined);
  assert.equal(schedulingObject(read(calendarOf([...ONCE, 'RECURRENCE-ID:tomorrow']))), undefined);
  assert.equal(schedulingObject(read(calendarOf())), undefined);
  assert.equal(schedulingObject(parseObject(SERIES.replaceAll('VEVENT', 'VJOURNAL')).object!), undefined);
  assert.ok(schedulingObject(parseObject(SERIES.replaceAll('VEVENT', 'VTODO')).object!));
});

test('All components name one organizer, or none', () => {
  const other = (organizer: string) =>
    scheduling(calendarOf([...WEEKLY, 'ORGANIZER:mailto:anna@vm'], [ID, ...ONCE, ...(organizer ? [organizer] : [])]));
  assert.ok(hasOneOrganizer(other('')));
  assert.ok(hasOneOrganizer(other('ORGANIZER:MAILTO:Anna@vm')));
  assert.ok(!hasOneOrganizer(other('ORGANIZER:mailto:cora@vm')));
});

test('Whose copy it is: the organizer’s, a guest’s of any instance, or nobody’s', () => {
  const dora = new Set(['mailto:dora@vm']);
  const object = scheduling(calendarOf([...WEEKLY, ...PEOPLE], [ID, ...ONCE, ...PEOPLE, 'ATTENDEE:mailto:dora@vm']));
  const emil = new Set(['mailto:emil@vm']);
  assert.deepEqual(
    [ANNA, BEN, dora, emil].map((own) => roleIn(object, own)),
    ['organizer', 'attendee', 'attendee', undefined],
  );
  const unorganized = scheduling(calendarOf([...ONCE, 'ATTENDEE:mailto:ben@vm']));
  assert.equal(roleIn(unorganized, BEN), undefined, 'nobody organises it');
});

test('A message has the time zones of the calendar, METHOD, and nothing else of it', () => {
  const zone = 'BEGIN:VTIMEZONE\r\nTZID:X\r\nEND:VTIMEZONE\r\n';
  const source = SERIES.replace('PRODID', 'CALSCALE:GREGORIAN\r\nX-WR-CALNAME:Mine\r\nPRODID').replace(
    'BEGIN:VEVENT',
    `${zone}BEGIN:VEVENT`,
  );
  const object = scheduling(source);
  const [, override] = object.parts.values();
  const text = writeComponent(messageCalendar(object.calendar, 'CANCEL', [override!]));
  assert.match(
    text,
    /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:[^\r]*\r\nMETHOD:CANCEL\r\nCALSCALE:GREGORIAN\r\nBEGIN:VTIMEZONE/,
  );
  assert.doesNotMatch(text, /CALNAME|RRULE/);
  // the calendar of the user keeps all but the events
  const kept = writeComponent(withParts(object.calendar, []));
  assert.match(kept, /X-WR-CALNAME:Mine[\s\S]*TZID:X/);
  assert.doesNotMatch(kept, /VEVENT/);
});

test('An exception is in the zone and form of the instance that it takes out', () => {
  const of = (text: string) => exceptionLine(ContentLine.read(text)!).text;
  assert.equal(of('RECURRENCE-ID:20260112T100000Z'), 'EXDATE:20260112T100000Z');
  assert.equal(
    of('RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin: 20260112T110000'),
    'EXDATE;TZID=Europe/Berlin:20260112T110000',
  );
  assert.equal(of('RECURRENCE-ID;VALUE=DATE:20260112'), 'EXDATE;VALUE=DATE:20260112');
});

test('A change of lines reaches every component of the event', () => {
  const changed = mapLines(scheduling(SERIES), (line) => (line.name === 'SUMMARY' ? line.withValue('Talk') : line));
  assert.equal(writeComponent(changed), SERIES.replaceAll('SUMMARY:Plan', 'SUMMARY:Talk'));
});
