// What an attendee may change of his copy, and what of it the organizer hears (RFC 6638 section 3.2.2).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleAsAttendee } from '../../../src/mime/scheduling/attendee.ts';
import { scheduleChange } from '../../../src/mime/scheduling/scheduling.ts';
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
  read,
  scheduling,
  textOfCalendar,
  valuesOf,
  WEEKLY,
} from './objects.ts';

const FIRST = calendarOf([...ONCE, ...PEOPLE]);
const SERIES = calendarOf([...WEEKLY, ...PEOPLE]);
const ben = (partstat: string, lines: readonly string[] = PEOPLE) =>
  lines.map((line) => (line.includes('ben@vm') ? `ATTENDEE;PARTSTAT=${partstat}:mailto:ben@vm` : line));

function stored(before: string, after: string) {
  const result = outcome(before, after);
  assert.equal(result.fault, undefined);
  return result.calendar;
}

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

const FORBIDDEN = 'allowed-attendee-scheduling-object-change';

test('Who moves an event, leaves it or gives it to another organizer is refused', () => {
  const fault = (after: string, before = FIRST) => outcome(before, after).fault;
  assert.equal(fault(FIRST.replace('DTSTART:20260105T10', 'DTSTART:20260105T09')), FORBIDDEN);
  assert.equal(fault(FIRST.replace('DTEND:20260105T11', 'DTEND:20260105T12')), FORBIDDEN);
  assert.equal(fault(FIRST.replace('UID:meeting-1', 'UID:other')), FORBIDDEN);
  assert.equal(fault(calendarOf([...ONCE, ...PEOPLE.filter((line) => !line.includes('ben@vm'))])), FORBIDDEN);
  assert.equal(fault(SERIES.replace('COUNT=4', 'COUNT=5'), SERIES), FORBIDDEN);
  assert.equal(fault(SERIES.replace('COUNT=4', 'COUNT=3'), SERIES), FORBIDDEN);
  assert.equal(fault(SERIES.replaceAll('VEVENT', 'VTODO').replaceAll('DTEND', 'DUE'), SERIES), FORBIDDEN);
  const change = { before: read(FIRST), own: BEN, now: NOW };
  const theft = FIRST.replace('ORGANIZER:mailto:anna', 'ORGANIZER:mailto:cora');
  assert.equal(scheduleChange({ ...change, after: read(theft) })?.fault, FORBIDDEN);
});

test('Of what else the organizer decides his lines stay, and the answer is taken', () => {
  const answered = calendarOf([...ONCE, ...ben('ACCEPTED')]);
  const kept = (after: string, before = FIRST) => {
    assert.deepEqual(replies(before, after), ['series: ben ACCEPTED']);
    return textOfCalendar(stored(before, after)).split('\r\n').sort();
  };
  const expected = kept(answered);
  for (const [from, to] of [
    ['SUMMARY:Plan', 'SUMMARY:Party'],
    ['SUMMARY:Plan', 'SUMMARY:Plan\r\nLOCATION:Home'],
    ['SUMMARY:Plan\r\n', ''],
    ['SUMMARY:Plan', 'SUMMARY:Plan\r\nSUMMARY:Party'],
    ['mailto:cora@vm', 'mailto:dora@vm'],
    ['ATTENDEE:mailto:cora@vm\r\n', ''],
    ['ATTENDEE:mailto:cora', 'ATTENDEE;PARTSTAT=DECLINED:mailto:cora'],
    ['SUMMARY:Plan', 'SUMMARY:Plan\r\nSTATUS:CANCELLED'],
    ['SUMMARY:Plan', 'SUMMARY:Plan\r\nSEQUENCE:7'],
    ['DTSTAMP:20260101', 'DTSTAMP:20270101'],
    ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben', 'ATTENDEE;CN=Benny;ROLE=CHAIR;PARTSTAT=accepted:mailto:ben'],
  ] as const) {
    const after = answered.replace(from, to);
    assert.notEqual(after, answered, from);
    assert.deepEqual(kept(after), expected, to);
  }
  assert.match(expected.join('\n'), /^ATTENDEE;CN="Ben; B";PARTSTAT=ACCEPTED:mailto:ben@vm$/m);
  // an exception that the organizer has made, and an override
  const excepted = calendarOf([...WEEKLY, 'EXDATE:20260112T100000Z', ...PEOPLE]);
  assert.deepEqual(valuesOf(stored(excepted, SERIES), 'EXDATE'), ['series: 20260112T100000Z']);
  const changed = INSTANCE.map((line) => line.replace('SUMMARY:Plan', 'SUMMARY:Talk'));
  const both = calendarOf([...WEEKLY, ...PEOPLE], [...changed, ...PEOPLE]);
  assert.deepEqual(valuesOf(stored(both, SERIES), 'SUMMARY'), ['series: Plan', '20260112T100000Z: Talk']);
  assert.deepEqual(replies(both, SERIES), []);
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
  const cancelled = calendarOf([...WEEKLY, ...PEOPLE], [...INSTANCE, 'STATUS:CANCELLED', ...PEOPLE]);
  assert.deepEqual(replies(SERIES, cancelled), ['20260112T100000Z: ben DECLINED']);
  assert.deepEqual(valuesOf(stored(SERIES, cancelled), 'EXDATE'), ['series: 20260112T100000Z']);
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

test('An instance that is declined by an exception is named as its series names it', () => {
  const zoned = SERIES.replace('DTEND', 'EXDATE;TZID=Europe/Berlin;X-A=1:20260112T110000\r\nDTEND');
  assert.deepEqual(replies(SERIES, zoned), ['20260112T100000Z: ben DECLINED']);
});

test('The status of the organizer stays at the instances that are new', () => {
  const before = calendarOf([...WEEKLY, 'ORGANIZER;SCHEDULE-STATUS=1.2:mailto:anna@vm', ...PEOPLE.slice(1)]);
  const text = textOfCalendar(stored(before, calendarOf([...WEEKLY, ...PEOPLE], ...instances(2, PEOPLE))));
  assert.equal(text.match(/SCHEDULE-STATUS/g)?.length, 3);
});

test('Who is invited to single instances only may drop one of them', () => {
  const [one, other] = instances(2, PEOPLE);
  const both = calendarOf(one!, other!);
  assert.deepEqual(replies(both, calendarOf(other!)), ['20260105T100000Z: ben DECLINED']);
  assert.deepEqual(valuesOf(stored(both, calendarOf(other!)), 'SUMMARY'), ['20260112T100000Z: Plan']);
  // as some programs write the only one that they know
  const alone = calendarOf(other!.slice(1).map((line) => line.replace('NEEDS-ACTION', 'ACCEPTED')));
  assert.deepEqual(replies(calendarOf(other!), alone), ['20260112T100000Z: ben ACCEPTED']);
  assert.deepEqual(valuesOf(stored(calendarOf(other!), alone), 'SUMMARY'), ['20260112T100000Z: Plan']);
  assert.equal(outcome(calendarOf(other!), calendarOf(one!.slice(1))).fault, FORBIDDEN);
  assert.equal(outcome(both, calendarOf(other!, instances(3, PEOPLE)[2]!)).fault, FORBIDDEN);
});

test('A guest with several addresses answers by the one that is invited', () => {
  const own = new Set(['mailto:ben@vm', 'mailto:benny@vm', '/svc/u/ben/']);
  const after = FIRST.replace(/ATTENDEE;CN="Ben; B".*/, 'ATTENDEE;PARTSTAT=ACCEPTED:/svc/u/ben/');
  const result = scheduleAsAttendee(scheduling(FIRST), scheduling(after), own, NOW);
  assert.equal(result.fault, undefined);
  assert.deepEqual(answersOf(result.messages[0]!.calendar), ['series: ben ACCEPTED']);
  assert.match(textOfCalendar(result.calendar), /CN="Ben; B";PARTSTAT=ACCEPTED:mailto:ben@vm/);
});

test('Delegates, rooms and groups stay as the organizer has them', () => {
  const more = [
    'ATTENDEE;CUTYPE=ROOM;CN=Room 1;PARTSTAT=ACCEPTED:mailto:room@vm',
    'ATTENDEE;CUTYPE=GROUP;MEMBER="mailto:all@vm":mailto:team@vm',
    'ATTENDEE;DELEGATED-FROM="mailto:cora@vm";PARTSTAT=TENTATIVE:mailto:dora@vm',
  ];
  const before = calendarOf([...ONCE, ...PEOPLE, ...more]);
  const plain = calendarOf([...ONCE, ...ben('ACCEPTED'), 'ATTENDEE:mailto:room@vm', 'ATTENDEE:mailto:team@vm']);
  const text = textOfCalendar(stored(before, plain)).replaceAll('\r\n ', '');
  for (const line of more) assert.ok(text.includes(line), line);
});
