// Scheduling messages that come in, and the copies they change (RFC 5546 section 3.2, RFC 6638 section 4).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { writeComponent } from '../../../src/mime/objects/components.ts';
import { scheduleAsAttendee } from '../../../src/mime/scheduling/attendee.ts';
import { applyMessage } from '../../../src/mime/scheduling/incoming.ts';
import { scheduleAsOrganizer } from '../../../src/mime/scheduling/organizer.ts';
import {
  ANNA,
  answersOf,
  BEN,
  CORA,
  calendarOf,
  NOW,
  ONCE,
  PEOPLE,
  read,
  scheduling,
  textOfCalendar,
  valuesOf,
  WEEKLY,
} from './objects.ts';

const SERIES = calendarOf([...WEEKLY, ...PEOPLE]);
const FIRST = calendarOf([...ONCE, ...PEOPLE]);

function apply(stored: string | undefined, message: string, own = BEN, sender = ANNA) {
  const copy = stored === undefined ? undefined : read(stored);
  return applyMessage(copy, read(message), own, sender, { steps: MAX_RECURRENCE_STEPS });
}

/** What reaches the guest when the organizer changes one into the other. */
function messagesTo(guest: string, before: string | undefined, after: string | undefined, later = 0): string[] {
  const [old, now] = [before, after].map((text) => (text === undefined ? undefined : scheduling(text)));
  const result = scheduleAsOrganizer(old, now, NOW + later);
  assert.equal(result.fault, undefined);
  const own = result.messages.filter(({ recipients }) => recipients.includes(`mailto:${guest}@vm`));
  return own.map(({ calendar }) => writeComponent(calendar));
}

const [INVITATION] = messagesTo('ben', undefined, FIRST);
const COPY = textOfCalendar(apply(undefined, INVITATION!)?.calendar);

test('An invitation becomes an event without METHOD', () => {
  assert.deepEqual(answersOf(read(COPY)), ['series: anna ACCEPTED, ben NEEDS-ACTION, cora -']);
  assert.doesNotMatch(COPY, /METHOD/);
});

test('Only the organizer invites, only who is meant is invited, and nobody to his own event', () => {
  assert.equal(apply(undefined, INVITATION!, BEN, CORA), undefined);
  assert.equal(apply(undefined, INVITATION!, new Set(['mailto:dora@vm'])), undefined);
  assert.equal(apply(FIRST, INVITATION!, ANNA, ANNA), undefined);
  const foreign = INVITATION!.replace('ORGANIZER:mailto:anna', 'ORGANIZER:mailto:cora');
  assert.equal(apply(COPY, foreign, BEN, CORA), undefined);
});

test('An update keeps what is the guest’s own: alarms, busy or free, unknown lines, and his answer', () => {
  const alarm = 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT';
  const own = COPY.replace('END:VEVENT', `TRANSP:TRANSPARENT\r\nX-MINE;A="b;c":kept\r\n${alarm}`).replace(
    'PARTSTAT=NEEDS-ACTION:mailto:ben',
    'PARTSTAT=ACCEPTED:mailto:ben',
  );
  const [update] = messagesTo('ben', FIRST, FIRST.replace('SUMMARY:Plan', 'SUMMARY:Plan B'), 60);
  const { calendar, isConsequential } = apply(own, update!)!;
  const text = textOfCalendar(calendar);
  assert.match(text, /X-MINE;A="b;c":kept/);
  assert.match(text, /TRANSP:TRANSPARENT[\s\S]*TRIGGER:-PT5M/);
  assert.deepEqual(valuesOf(calendar, 'SUMMARY'), ['series: Plan B']);
  assert.deepEqual(answersOf(calendar), ['series: anna ACCEPTED, ben ACCEPTED, cora -']);
  assert.equal(isConsequential, true);
  // at another time the answer is void
  const [moved] = messagesTo('ben', FIRST, FIRST.replace('T100000Z', 'T103000Z'), 60);
  assert.deepEqual(answersOf(apply(own, moved!)?.calendar), ['series: anna ACCEPTED, ben NEEDS-ACTION, cora -']);
});

test('What is older than the copy changes nothing: by SEQUENCE, then by DTSTAMP', () => {
  const late = COPY.replace('DTSTAMP:20260101T000000Z', 'DTSTAMP:20260101T000001Z');
  assert.equal(apply(late, INVITATION!), undefined);
  assert.notEqual(apply(COPY, INVITATION!), undefined);
  const changed = COPY.replace('SUMMARY:Plan', 'SUMMARY:Plan\r\nSEQUENCE:2');
  const stamped = (sequence: number) =>
    INVITATION!.replace('SUMMARY:Plan', `SUMMARY:Plan\r\nSEQUENCE:${sequence}`).replace('DTSTAMP:2026', 'DTSTAMP:2027');
  assert.equal(apply(changed, stamped(1)), undefined);
  assert.notEqual(apply(changed, stamped(2)), undefined);
});

test('An answer of another guest is no change of one’s own', () => {
  const answered = INVITATION!.replace('ATTENDEE:mailto:cora', 'ATTENDEE;PARTSTAT=DECLINED:mailto:cora');
  const { calendar, isConsequential } = apply(COPY, answered)!;
  assert.deepEqual(answersOf(calendar), ['series: anna ACCEPTED, ben NEEDS-ACTION, cora DECLINED']);
  assert.equal(isConsequential, false);
});

test('A cancelled event stays as cancelled, a cancelled instance is taken out of its series', () => {
  const [cancel] = messagesTo('ben', FIRST, undefined);
  const { calendar } = apply(COPY, cancel!)!;
  assert.deepEqual(valuesOf(calendar, 'STATUS'), ['series: CANCELLED']);
  assert.deepEqual(valuesOf(calendar, 'SEQUENCE'), ['series: 1']);
  assert.equal(apply(undefined, cancel!), undefined);
  assert.equal(apply(COPY, cancel!, BEN, CORA), undefined);
  const one = calendarOf(['RECURRENCE-ID:20260112T100000Z', 'DTSTAMP:20260102T000000Z', 'SEQUENCE:1', ...PEOPLE]);
  const taken = apply(SERIES, one.replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:CANCEL'))!.calendar;
  assert.deepEqual(valuesOf(taken, 'EXDATE'), ['series: 20260112T100000Z']);
});

const REPLY = (partstat: string, ...lines: string[]) =>
  calendarOf([
    'DTSTAMP:20260102T000000Z',
    ...lines,
    'ORGANIZER:mailto:anna@vm',
    `ATTENDEE;PARTSTAT=${partstat}:mailto:ben@vm`,
  ]).replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:REPLY');

test('A reply sets the answer and the status of the one who replies, and nothing else', () => {
  const { calendar, isConsequential } = apply(FIRST, REPLY('ACCEPTED'), ANNA, BEN)!;
  assert.equal(isConsequential, false);
  assert.match(textOfCalendar(calendar), /ATTENDEE;CN="Ben; B";PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2\.0:mailto:ben@vm/);
  assert.deepEqual(answersOf(calendar), ['series: anna ACCEPTED, ben ACCEPTED, cora -']);
  const codes = REPLY('DECLINED', 'REQUEST-STATUS:3.1;Invalid', 'REQUEST-STATUS:2.8;Ok');
  assert.match(textOfCalendar(apply(FIRST, codes, ANNA, BEN)?.calendar), /SCHEDULE-STATUS="3\.1,2\.8"/);
});

test('A reply counts only from who is invited, for himself, to the organizer, for the version that is there', () => {
  assert.equal(apply(FIRST, REPLY('ACCEPTED'), ANNA, CORA), undefined);
  assert.equal(apply(FIRST, REPLY('ACCEPTED'), CORA, BEN), undefined);
  assert.equal(apply(undefined, REPLY('ACCEPTED'), ANNA, BEN), undefined);
  const crasher = REPLY('ACCEPTED').replace('mailto:ben', 'mailto:dora');
  assert.equal(apply(FIRST, crasher, ANNA, new Set(['mailto:dora@vm'])), undefined);
  assert.equal(
    apply(FIRST.replace('SUMMARY', 'SEQUENCE:3\r\nSUMMARY'), REPLY('ACCEPTED', 'SEQUENCE:2'), ANNA, BEN),
    undefined,
  );
});

test('A reply to one instance becomes an override of it, where the series has that instance', () => {
  const zoned = SERIES.replace('DTSTART:20260105T100000Z', 'DTSTART;TZID=Europe/Berlin:20260105T110000').replace(
    'DTEND:20260105T110000Z',
    'DTEND;TZID=Europe/Berlin:20260105T120000',
  );
  const reply = REPLY('DECLINED', 'RECURRENCE-ID:20260112T100000Z');
  const { calendar } = apply(zoned, reply, ANNA, BEN)!;
  assert.deepEqual(answersOf(calendar), [
    'series: anna ACCEPTED, ben NEEDS-ACTION, cora -',
    '20260112T100000Z: anna ACCEPTED, ben DECLINED, cora -',
  ]);
  assert.deepEqual(valuesOf(calendar, 'DTEND')[1], '20260112T100000Z: 20260112T120000');
  assert.equal(apply(zoned, REPLY('DECLINED', 'RECURRENCE-ID:20260113T100000Z'), ANNA, BEN), undefined);
});

test('An instance that a guest has declined and taken out stays out of his copy', () => {
  const out = SERIES.replace('RRULE', 'EXDATE:20260112T100000Z\r\nRRULE');
  const outcome = scheduleAsAttendee(scheduling(SERIES), scheduling(out), BEN, NOW);
  assert.ok(!outcome.fault);
  const stored = apply(SERIES, writeComponent(outcome.messages[0]!.calendar), ANNA, BEN)!.calendar;
  const [update] = messagesTo('ben', textOfCalendar(stored), textOfCalendar(stored).replaceAll('Plan', 'Talk'), 60);
  const copy = apply(out, update!)!.calendar;
  assert.deepEqual(valuesOf(copy, 'SUMMARY'), ['series: Talk']);
  assert.deepEqual(valuesOf(copy, 'EXDATE'), ['series: 20260112T100000Z']);
});

test('ADD adds a date to the series', () => {
  const more = [
    'DTSTAMP:20260102T000000Z',
    'SEQUENCE:1',
    'DTSTART:20260301T100000Z',
    'DTEND:20260301T110000Z',
    ...PEOPLE,
  ];
  const { calendar } = apply(SERIES, calendarOf(more).replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:ADD'))!;
  assert.deepEqual(valuesOf(calendar, 'RDATE'), ['series: 20260301T100000Z', '20260301T100000Z: -']);
});
