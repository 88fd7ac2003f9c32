// What an attendee may change of his copy, and what of it the organizer hears (RFC 6638 section 3.2.2).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ANSWER_CHARACTERS } from '../../../src/limits/mime.ts';
import { scheduleAsAttendee } from '../../../src/mime/scheduling/attendee.ts';
import {
  answersOf,
  BEN,
  calendarOf,
  instances,
  LONG_LINE,
  LONG_LINES,
  NOW,
  ONCE,
  PEOPLE,
  scheduling,
  textOfCalendar,
  valuesOf,
  WEEKLY,
} from './objects.ts';

const FIRST = calendarOf([...ONCE, ...PEOPLE]);
const SERIES = calendarOf([...WEEKLY, ...PEOPLE]);
const ben = (partstat: string, lines: readonly string[] = PEOPLE) =>
  lines.map((line) => (line.includes('ben@vm') ? `ATTENDEE;PARTSTAT=${partstat}:mailto:ben@vm` : line));

function outcome(before: string | undefined, after: string | undefined, isReplyWanted = true) {
  const [old, now] = [before, after].map((text) => (text === undefined ? undefined : scheduling(text)));
  return scheduleAsAttendee(old, now, BEN, NOW, isReplyWanted);
}

/** `20260112T100000Z: ben ACCEPTED` */
function replies(before: string | undefined, after: string | undefined, isReplyWanted = true): string[] {
  const result = outcome(before, after, isReplyWanted);
  assert.equal(result.fault, undefined);
  assert.ok(result.messages.length <= 1);
  return result.messages.flatMap(({ method, recipients, calendar }) => {
    assert.deepEqual([method, recipients], ['REPLY', ['mailto:anna@vm']]);
    return answersOf(calendar);
  });
}

test('Another answer is a reply that holds only the one who answers', () => {
  const { messages } = { messages: [], ...outcome(FIRST, calendarOf([...ONCE, ...ben('ACCEPTED')])) };
  assert.deepEqual(answersOf(messages[0]!.calendar), ['series: ben ACCEPTED']);
  assert.match(
    textOfCalendar(messages[0]!.calendar),
    /METHOD:REPLY[\s\S]*ORGANIZER:mailto:anna@vm[\s\S]*REQUEST-STATUS:2\.0;Success/,
  );
  assert.deepEqual(replies(FIRST, FIRST), []);
});

test('What every attendee may change is his (RFC 6638 section 3.2.2.1), and sends nothing', () => {
  const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'END:VALARM'];
  const own = [
    'TRANSP:TRANSPARENT',
    'PERCENT-COMPLETE:5',
    'COMPLETED:20260101T000000Z',
    'CREATED:20260101T000000Z',
    'X-A:1',
  ];
  const after = calendarOf([...ONCE, ...own, ...PEOPLE, ...alarm]).replace(
    'PRODID:-//Test',
    'CALSCALE:GREGORIAN\r\nPRODID:-//Other',
  );
  assert.deepEqual(replies(FIRST, after), []);
  const zoned = after.replace('DTSTART:20260105T100000Z', 'DTSTART;TZID=Europe/Berlin:20260105T110000');
  assert.deepEqual(replies(FIRST, zoned), []);
});

test('What the organizer decides is not an attendee’s to change', () => {
  const fault = (after: string, before = FIRST) => outcome(before, after).fault;
  const forbidden = 'allowed-attendee-scheduling-object-change';
  assert.equal(fault(FIRST.replace('SUMMARY:Plan', 'SUMMARY:Party')), forbidden);
  assert.equal(fault(FIRST.replace('DTSTART:20260105T10', 'DTSTART:20260105T09')), forbidden);
  assert.equal(fault(FIRST.replace('SUMMARY:Plan', 'SUMMARY:Plan\r\nLOCATION:Home')), forbidden);
  assert.equal(fault(FIRST.replace('mailto:cora@vm', 'mailto:dora@vm')), forbidden);
  assert.equal(fault(FIRST.replace(/ATTENDEE:mailto:cora@vm\r\n/, '')), forbidden);
  assert.equal(fault(FIRST.replace('ORGANIZER:mailto:anna', 'ORGANIZER:mailto:cora')), forbidden);
  assert.equal(fault(FIRST.replace('UID:meeting-1', 'UID:other')), forbidden);
  assert.equal(fault(calendarOf([...ONCE, ...PEOPLE.filter((line) => !line.includes('ben@vm'))])), forbidden);
  assert.equal(fault(SERIES.replace('COUNT=4', 'COUNT=5'), SERIES), forbidden);
  // an exception that the organizer has made
  assert.equal(fault(SERIES, calendarOf([...WEEKLY, 'EXDATE:20260112T100000Z', ...PEOPLE])), forbidden);
});

const ID = 'RECURRENCE-ID:20260112T100000Z';
const INSTANCE = [ID, 'DTSTAMP:20260101T000000Z', 'DTSTART:20260112T100000Z', 'DTEND:20260112T110000Z', 'SUMMARY:Plan'];

test('One instance may be answered by itself, where it is as the series has it', () => {
  assert.deepEqual(replies(SERIES, calendarOf([...WEEKLY, ...PEOPLE], [...INSTANCE, ...ben('DECLINED')])), [
    '20260112T100000Z: ben DECLINED',
  ]);
  const moved = INSTANCE.map((line) => line.replace('DTSTART:20260112T10', 'DTSTART:20260112T09'));
  assert.notEqual(outcome(SERIES, calendarOf([...WEEKLY, ...PEOPLE], [...moved, ...ben('DECLINED')])).fault, undefined);
});

test('An instance taken out is declined, its override may go with it', () => {
  const out = calendarOf([...WEEKLY, 'EXDATE:20260112T100000Z,20260119T100000Z', ...PEOPLE]);
  const declined = ['20260112T100000Z: ben DECLINED', '20260119T100000Z: ben DECLINED'];
  assert.deepEqual(replies(SERIES, out), declined);
  assert.deepEqual(replies(calendarOf([...WEEKLY, ...PEOPLE], [...INSTANCE, ...PEOPLE]), out), declined);
  const gone = outcome(calendarOf([...WEEKLY, ...PEOPLE], [...INSTANCE, ...PEOPLE]), SERIES);
  assert.equal(gone.fault, 'allowed-attendee-scheduling-object-change');
});

test('Who removes an event declines it, unless he has, asks for silence, or it is cancelled', () => {
  assert.deepEqual(replies(FIRST, undefined), ['series: ben DECLINED']);
  assert.deepEqual(replies(FIRST, undefined, false), []);
  assert.deepEqual(replies(calendarOf([...ONCE, ...ben('DECLINED')]), undefined), []);
  assert.deepEqual(replies(calendarOf([...ONCE, 'STATUS:CANCELLED', ...PEOPLE]), undefined), []);
});

test('An invitation that a client stores itself is answered, where the server is to', () => {
  const accepted = calendarOf([...ONCE, ...ben('ACCEPTED')]);
  assert.deepEqual(replies(undefined, accepted), ['series: ben ACCEPTED']);
  assert.deepEqual(replies(undefined, FIRST), []);
  for (const agent of ['CLIENT', 'NONE']) {
    const own = (text: string) => text.replace('ORGANIZER:', `ORGANIZER;SCHEDULE-AGENT=${agent}:`);
    assert.deepEqual(replies(undefined, own(accepted)), []);
    assert.deepEqual(replies(own(FIRST), own(accepted).replace('SUMMARY:Plan', 'SUMMARY:Party')), []);
    assert.deepEqual(replies(own(FIRST), undefined), []);
  }
  const forced = FIRST.replace('ORGANIZER:', 'ORGANIZER;SCHEDULE-FORCE-SEND=REPLY:');
  assert.deepEqual(replies(FIRST, forced), ['series: ben NEEDS-ACTION']);
});

test('What others have answered meanwhile stays (RFC 6638 section 3.2.10.1)', () => {
  const answered = FIRST.replace('ATTENDEE:mailto:cora', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:cora');
  const { calendar } = { calendar: undefined, ...outcome(answered, calendarOf([...ONCE, ...ben('TENTATIVE')])) };
  assert.deepEqual(answersOf(calendar), ['series: anna ACCEPTED, ben TENTATIVE, cora ACCEPTED']);
  assert.deepEqual(valuesOf(calendar, 'SEQUENCE'), ['series: -']);
});

const FORBIDDEN = 'allowed-attendee-scheduling-object-change';

test('A long line of the series is kept in so many instances that an attendee makes, and in no more', () => {
  for (const [long, short] of [
    [`ATTENDEE;CN=${LONG_LINE}:mailto:dora@vm`, 'ATTENDEE:mailto:dora@vm'],
    [`SEQUENCE;X-A=${LONG_LINE}:0`, 'SEQUENCE:0'],
  ]) {
    const people = [...PEOPLE, short!];
    const of = (count: number) =>
      outcome(
        calendarOf([...WEEKLY, ...PEOPLE, long!]),
        calendarOf([...WEEKLY, ...people], ...instances(count, people)),
      ).fault;
    assert.equal(of(LONG_LINES - 1), undefined);
    assert.equal(of(LONG_LINES), FORBIDDEN);
  }
});

test('A long text goes with so many instances that are declined by an exception, and with no more', () => {
  const of = (count: number) => {
    const series = [...WEEKLY, `COMMENT:${LONG_LINE}`, ...PEOPLE];
    const days = instances(count, []).map(([id]) => id!.replace('RECURRENCE-ID:', ''));
    return outcome(calendarOf(series), calendarOf([...series, `EXDATE:${days.join()}`])).fault;
  };
  assert.equal(of(LONG_LINES), undefined);
  assert.equal(of(LONG_LINES + 1), FORBIDDEN);
});

test('An instance that is declined by an exception is named in the form of the exception', () => {
  const zoned = SERIES.replace('DTEND', 'EXDATE;TZID=Europe/Berlin;X-A=1:20260112T110000\r\nDTEND');
  const result = outcome(SERIES, zoned);
  assert.equal(result.fault, undefined);
  assert.match(textOfCalendar(result.messages[0]!.calendar), /RECURRENCE-ID;TZID=Europe\/Berlin:20260112T110000\r/);
});

test('The status of the organizer stays at the instances that are new, a long one nowhere', () => {
  const of = (length: number) => {
    const status = `ORGANIZER;SCHEDULE-STATUS=${'1'.repeat(length)}:mailto:anna@vm`;
    const before = calendarOf([...WEEKLY, status, ...PEOPLE.slice(1)]);
    const result = outcome(before, calendarOf([...WEEKLY, ...PEOPLE], ...instances(2, PEOPLE)));
    assert.equal(result.fault, undefined);
    return textOfCalendar(result.calendar).match(/SCHEDULE-STATUS/g)?.length ?? 0;
  };
  assert.equal(of(MAX_ANSWER_CHARACTERS), 3);
  assert.equal(of(MAX_ANSWER_CHARACTERS + 1), 0);
});
