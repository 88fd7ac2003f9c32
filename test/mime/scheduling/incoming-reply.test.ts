// Answers of guests, and the organizer's copy (RFC 5546 section 3.2.3, RFC 6638 section 4.2).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_RECURRENCE_STEPS } from '../../../src/limits/mime.ts';
import { applyMessage } from '../../../src/mime/scheduling/incoming.ts';
import {
  ANNA,
  answersOf,
  BEN,
  CORA,
  calendarOf,
  instances,
  LONG_LINE,
  LONG_LINES,
  ONCE,
  PEOPLE,
  read,
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
    '20260112T110000: anna ACCEPTED, ben DECLINED, cora -',
  ]);
  assert.deepEqual(valuesOf(calendar, 'DTEND')[1], '20260112T110000: 20260112T120000');
  assert.equal(apply(zoned, REPLY('DECLINED', 'RECURRENCE-ID:20260113T100000Z'), ANNA, BEN), undefined);
});

test('So many instances of a series with a long text are answered one by one, and no more', () => {
  const of = (count: number) => {
    const series = calendarOf([...ONCE, 'RRULE:FREQ=WEEKLY', `DESCRIPTION:${LONG_LINE}`, ...PEOPLE]);
    const answers = calendarOf(
      ...instances(count, ['ORGANIZER:mailto:anna@vm', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@vm']),
    );
    return apply(series, answers.replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:REPLY'), ANNA, BEN) !== undefined;
  };
  assert.ok(of(LONG_LINES));
  assert.ok(!of(LONG_LINES + 1));
});
