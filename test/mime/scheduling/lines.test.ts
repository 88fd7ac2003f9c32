// The lines that say who invites whom, and how lines are compared.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ANSWER_CHARACTERS } from '../../../src/limits/mime.ts';
import { CalendarTimes } from '../../../src/mime/objects/calendar-times.ts';
import { ContentLine, lineOf } from '../../../src/mime/objects/content-lines.ts';
import {
  addressKey,
  attendeeLine,
  isServerScheduled,
  lineKey,
  organizerKey,
  partstatOf,
  personAddress,
  scheduleStatusOf,
  sequenceOf,
  withLine,
  withoutScheduling,
  withParameter,
} from '../../../src/mime/scheduling/lines.ts';
import { BEN, calendarOf, ONCE, PEOPLE, read } from './objects.ts';

const line = (text: string) => ContentLine.read(text)!;
const eventOf = (...lines: string[]) => read(calendarOf(lines)).components[0]!;
const PARTY = eventOf(...ONCE, ...PEOPLE);

test('Addresses are compared without regard to case and blanks', () => {
  assert.equal(addressKey(' MAILTO:Bob@Example.com'), 'mailto:bob@example.com');
  const shouted = eventOf('ORGANIZER: MAILTO:Anna@VM ', 'ATTENDEE:MAILTO:BEN@VM');
  assert.equal(organizerKey(shouted), 'mailto:anna@vm');
  assert.equal(attendeeLine(shouted, BEN)?.value, 'MAILTO:BEN@VM');
  assert.equal(attendeeLine(PARTY, new Set(['mailto:dora@vm'])), undefined);
  assert.equal(organizerKey(eventOf(...ONCE)), '');
});

test('What a line does not say has its default', () => {
  assert.equal(partstatOf(line('ATTENDEE:mailto:x')), 'NEEDS-ACTION');
  assert.equal(partstatOf(line('ATTENDEE;PARTSTAT=accepted:mailto:x')), 'ACCEPTED');
  assert.deepEqual(
    [
      undefined,
      line('ORGANIZER:x'),
      line('ORGANIZER;SCHEDULE-AGENT=server:x'),
      line('ORGANIZER;SCHEDULE-AGENT=NONE:x'),
    ].map(isServerScheduled),
    [true, true, true, false],
  );
});

test('A sequence is a number of at most nine digits, else 0', () => {
  const of = (value: string) => sequenceOf(eventOf(`SEQUENCE:${value}`));
  assert.deepEqual([' 7 ', '999999999', '1000000000', '-1', 'x', ''].map(of), [7, 999_999_999, 0, 0, 0, 0]);
  assert.equal(sequenceOf(PARTY), 0);
});

test('A parameter is set, replaced or taken out, and the rest of the line stays as it is written', () => {
  const guest = line('Attendee;cn="a;b:c";partstat=X;X-Y=1,2:mailto:b;c:d');
  assert.equal(
    withParameter(guest, 'PARTSTAT', 'ACCEPTED').text,
    'Attendee;cn="a;b:c";X-Y=1,2;PARTSTAT=ACCEPTED:mailto:b;c:d',
  );
  assert.equal(withParameter(guest, 'PARTSTAT', undefined).text, 'Attendee;cn="a;b:c";X-Y=1,2:mailto:b;c:d');
  assert.equal(withParameter(guest, 'RSVP', undefined), guest, 'nothing to take out');
  assert.equal(withParameter(guest, 'SCHEDULE-STATUS', '3.1,2.8').params.get('SCHEDULE-STATUS'), '3.1,2.8');
  const text = withParameter(line('ATTENDEE:mailto:b'), 'X', 'a"b\nc:d').text;
  assert.equal(text, `ATTENDEE;X="a^'b^nc:d":mailto:b`, 'a value cannot leave its parameter');
});

test('What is between a user and his server is taken from the lines of people only', () => {
  const own = 'SCHEDULE-AGENT=SERVER;CN=x;SCHEDULE-STATUS="1.2";SCHEDULE-FORCE-SEND=REPLY';
  assert.equal(withoutScheduling(line(`ORGANIZER;${own}:mailto:a`)).text, 'ORGANIZER;CN=x:mailto:a');
  assert.equal(withoutScheduling(line(`ATTENDEE;${own}:mailto:a`)).text, 'ATTENDEE;CN=x:mailto:a');
  assert.equal(withoutScheduling(line(`X-LINE;${own}:a`)).text, `X-LINE;${own}:a`);
});

test('One line takes the place of all of its name', () => {
  const event = eventOf('SEQUENCE:1', 'SUMMARY:x', 'SEQUENCE:2');
  const names = (value: string | undefined) =>
    withLine(event, 'SEQUENCE', value === undefined ? undefined : line(value)).lines.map(({ text }) => text);
  assert.deepEqual(names('SEQUENCE:3'), ['UID:meeting-1', 'SEQUENCE:3', 'SUMMARY:x']);
  assert.deepEqual(names(undefined), ['UID:meeting-1', 'SUMMARY:x']);
  assert.equal(lineOf(withLine(event, 'STATUS', line('STATUS:CANCELLED')), 'STATUS')?.value, 'CANCELLED');
});

test('Lines that mean the same have the same key', () => {
  const times = new CalendarTimes(read(calendarOf()));
  const key = (text: string) => lineKey(line(text), times);
  const same: readonly [string, string][] = [
    ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:a', 'ATTENDEE;CN=A:MAILTO:A'],
    ['DTSTART:20260105T100000Z', 'DTSTART;TZID=Europe/Berlin:20260105T110000'],
    ['EXDATE:20260105T100000Z,20260106T100000Z', 'EXDATE:20260106T100000Z,20260105T100000Z'],
    ['RRULE:FREQ=WEEKLY;COUNT=4', 'RRULE:count=4;freq=weekly'],
    ['SUMMARY;LANGUAGE=en:a\\, b ', 'SUMMARY:a, b'],
  ];
  for (const [one, other] of same) assert.equal(key(one), key(other), one);
  const different: readonly [string, string][] = [
    ['DTSTART:20260105T000000Z', 'DTSTART;VALUE=DATE:20260105'],
    ['RDATE;VALUE=PERIOD:20260105T100000Z/PT1H', 'RDATE;VALUE=PERIOD:20260105T100000Z/PT2H'],
    ['SUMMARY:a', 'LOCATION:a'],
    ['SUMMARY:a', 'SUMMARY:A'],
  ];
  for (const [one, other] of different) assert.notEqual(key(one), key(other), one);
});

test('An answer or a status of more than MAX_ANSWER_CHARACTERS is none', () => {
  const of = (length: number) => {
    const text = 'X'.repeat(length);
    const written = line(`ATTENDEE;PARTSTAT=${text};SCHEDULE-STATUS=${text}:mailto:x`);
    return [partstatOf(written), scheduleStatusOf(written)];
  };
  const most = 'X'.repeat(MAX_ANSWER_CHARACTERS);
  assert.deepEqual(of(MAX_ANSWER_CHARACTERS), [most, most]);
  assert.deepEqual(of(MAX_ANSWER_CHARACTERS + 1), ['NEEDS-ACTION', undefined]);
  assert.equal(scheduleStatusOf(undefined), undefined);
});

test('The address of a person is read where programs leave mailto: out, or write it elsewhere', () => {
  const address = (text: string) => personAddress(ContentLine.read(text)!);
  assert.equal(address('ATTENDEE: MAILTO:Ben@vm '), 'MAILTO:Ben@vm');
  assert.equal(address('ATTENDEE:ben@vm'), 'mailto:ben@vm');
  assert.equal(address('ATTENDEE;EMAIL=ben@vm:urn:uuid:1'), 'mailto:ben@vm');
  assert.equal(address('ORGANIZER;EMAIL="ben@vm":invalid:nomail'), 'mailto:ben@vm');
  assert.equal(address('ATTENDEE;EMAIL=cora@vm:mailto:ben@vm'), 'mailto:ben@vm');
  assert.equal(address('ATTENDEE;EMAIL=none:/svc/u/ben/'), '/svc/u/ben/');
  assert.equal(address('ATTENDEE:sip:ben@vm'), 'sip:ben@vm');
  assert.equal(address('ATTENDEE:'), '');
});
