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
  instances,
  LONG_LINE,
  LONG_LINES,
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

test('What a guest has added to a series goes into so many of its instances, and into no more', () => {
  const of = (count: number, added: string) => {
    const copy = calendarOf([...WEEKLY, ...PEOPLE]).replace('END:VEVENT', () => `${added}\r\nEND:VEVENT`);
    const people = ['SEQUENCE:1', ...PEOPLE];
    const message = calendarOf([...WEEKLY, ...people], ...instances(count, people));
    return apply(copy, message.replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:REQUEST')) !== undefined;
  };
  for (const added of [`X-A:${LONG_LINE}`, `BEGIN:VALARM\r\nDESCRIPTION:${LONG_LINE}\r\nEND:VALARM`]) {
    assert.ok(of(LONG_LINES - 1, added));
    assert.ok(!of(LONG_LINES, added));
  }
});

test('A cancellation marks so many instances with a long line, and no more', () => {
  const of = (count: number) => {
    const message = calendarOf([`DTSTAMP;X-A=${LONG_LINE}:20260102T000000Z`, ...PEOPLE]);
    const copy = calendarOf([...WEEKLY, ...PEOPLE], ...instances(count, PEOPLE));
    return apply(copy, message.replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:CANCEL')) !== undefined;
  };
  assert.ok(of(LONG_LINES - 1));
  assert.ok(!of(LONG_LINES));
});
