// What an organizer's changes send (RFC 6638 section 3.2.1).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ANSWER_CHARACTERS, MAX_ATTENDEES, MAX_MESSAGE_LINES } from '../../../src/limits/mime.ts';
import { refreshMessages, scheduleAsOrganizer } from '../../../src/mime/scheduling/organizer.ts';
import {
  answersOf,
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

function outcome(before: string | undefined, after: string | undefined) {
  const result = scheduleAsOrganizer(
    (before && scheduling(before)) || undefined,
    (after && scheduling(after)) || undefined,
    NOW,
  );
  assert.equal(result.fault, undefined);
  return result;
}

/** `REQUEST ben cora` */
function sent(before: string | undefined, after: string | undefined): string[] {
  return outcome(before, after).messages.map(
    ({ method, recipients }) => `${method} ${recipients.map((one) => one.replace(/^mailto:|@.*$/g, '')).join(' ')}`,
  );
}

const without = (lines: readonly string[], name: string) => lines.filter((line) => !line.includes(name));
const FIRST = calendarOf([...ONCE, ...PEOPLE]);
const SERIES = calendarOf([...WEEKLY, ...PEOPLE]);

test('A new event is a request to all but the organizer, and a removed one a cancellation', () => {
  assert.deepEqual(sent(undefined, FIRST), ['REQUEST ben cora']);
  assert.deepEqual(sent(FIRST, undefined), ['CANCEL ben cora']);
  assert.deepEqual(sent(undefined, calendarOf([...ONCE, ...PEOPLE.slice(0, 2)])), []);
});

test('A request has no alarms and none of the parameters between a user and his server', () => {
  const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'END:VALARM'];
  const people = PEOPLE.map((line) =>
    line.replace('ATTENDEE:', 'ATTENDEE;SCHEDULE-STATUS="1.2";SCHEDULE-AGENT=SERVER:'),
  );
  const { messages } = outcome(undefined, calendarOf([...ONCE, ...people, ...alarm]));
  const text = textOfCalendar(messages[0]!.calendar);
  assert.match(text, /METHOD:REQUEST/);
  assert.match(text, /ATTENDEE;CN="Ben; B";PARTSTAT=NEEDS-ACTION:mailto:ben@vm/);
  assert.doesNotMatch(text, /VALARM|SCHEDULE-/);
  assert.match(text, /DTSTAMP:20260101T000000Z/);
});

test('The table of RFC 6638 section 3.2.1.2: what is sent by SCHEDULE-AGENT before and after', () => {
  const agents = [undefined, 'SERVER', 'CLIENT', 'NONE'];
  const withAgent = (agent: string | undefined, summary: string) => {
    const line = agent === undefined ? [] : [`ATTENDEE;SCHEDULE-AGENT=${agent}:mailto:ben@vm`];
    return calendarOf([...without(ONCE, 'SUMMARY'), `SUMMARY:${summary}`, 'ORGANIZER:mailto:anna@vm', ...line]);
  };
  const table = agents.map((old) => agents.map((now) => sent(withAgent(old, 'a'), withAgent(now, 'b')).join(' ')));
  assert.deepEqual(table, [
    ['', 'REQUEST ben', '', ''],
    ['CANCEL ben', 'REQUEST ben', 'CANCEL ben', 'CANCEL ben'],
    ['', 'REQUEST ben', '', ''],
    ['', 'REQUEST ben', '', ''],
  ]);
});

test('What is the organizer’s own sends nothing, unless it is forced', () => {
  const after = calendarOf([
    ...ONCE.map((line) => line.replace('DTSTAMP:2026', 'DTSTAMP:2027')),
    'X-MOZ-LASTACK:1',
    'TRANSP:OPAQUE',
    ...PEOPLE,
  ]);
  assert.deepEqual(sent(FIRST, after), []);
  assert.deepEqual(sent(FIRST, calendarOf([...ONCE, 'LOCATION:Room 4', ...PEOPLE])), ['REQUEST ben cora']);
  const forced = PEOPLE.map((line) => line.replace('ATTENDEE:', 'ATTENDEE;SCHEDULE-FORCE-SEND=REQUEST:'));
  assert.deepEqual(sent(FIRST, calendarOf([...ONCE, ...forced])), ['REQUEST cora']);
});

test('Who is removed gets a cancellation with a higher sequence, the others the new list', () => {
  const after = calendarOf([...ONCE, 'SEQUENCE:4', ...without(PEOPLE, 'cora')]);
  assert.deepEqual(sent(FIRST, after).sort(), ['CANCEL cora', 'REQUEST ben']);
  const cancel = outcome(calendarOf([...ONCE, 'SEQUENCE:4', ...PEOPLE]), after).messages.find(
    ({ method }) => method === 'CANCEL',
  );
  assert.deepEqual(valuesOf(cancel!.calendar, 'SEQUENCE'), ['series: 5']);
  assert.deepEqual(valuesOf(cancel!.calendar, 'STATUS'), ['series: CANCELLED']);
});

test('Another time takes the answers back and raises the sequence; another text does neither', () => {
  const people = PEOPLE.map((line) => line.replace('NEEDS-ACTION', 'ACCEPTED'));
  const before = calendarOf([...ONCE, 'SEQUENCE:2', ...people]);
  const moved = outcome(
    before,
    calendarOf([...ONCE.map((line) => line.replace('T11', 'T12')), 'SEQUENCE:2', ...people]),
  );
  assert.deepEqual(answersOf(moved.calendar), ['series: anna ACCEPTED, ben NEEDS-ACTION, cora -']);
  assert.deepEqual(valuesOf(moved.calendar, 'SEQUENCE'), ['series: 3']);
  const renamed = outcome(before, calendarOf([...ONCE, 'SEQUENCE:2', 'LOCATION:x', ...people]));
  assert.deepEqual(answersOf(renamed.calendar), ['series: anna ACCEPTED, ben ACCEPTED, cora -']);
  assert.deepEqual(valuesOf(renamed.calendar, 'SEQUENCE'), ['series: 2']);
  // nor does a client that has not seen the number take it back
  const unaware = outcome(before, calendarOf([...ONCE, 'LOCATION:x', ...people]));
  assert.deepEqual(valuesOf(unaware.calendar, 'SEQUENCE'), ['series: 2']);
  // the same instant in a zone
  const zoned = ONCE.map((line) =>
    line.replace('DTSTART:20260105T100000Z', 'DTSTART;TZID=Europe/Berlin:20260105T110000'),
  );
  assert.deepEqual(valuesOf(outcome(before, calendarOf([...zoned, 'SEQUENCE:2', ...people])).calendar, 'SEQUENCE'), [
    'series: 2',
  ]);
});

test('A rule that ends earlier keeps the answers, one with more instances takes them back', () => {
  const people = PEOPLE.map((line) => line.replace('NEEDS-ACTION', 'ACCEPTED'));
  const ben = (rule: string) => {
    const { calendar } = outcome(calendarOf([...WEEKLY, ...people]), calendarOf([...ONCE, rule, ...people]));
    return /ben ([A-Z-]+)/.exec(answersOf(calendar)[0]!)![1];
  };
  assert.equal(ben('RRULE:COUNT=3;FREQ=WEEKLY'), 'ACCEPTED');
  assert.equal(ben('RRULE:FREQ=WEEKLY;COUNT=5'), 'NEEDS-ACTION');
  assert.equal(ben('RRULE:FREQ=DAILY;COUNT=4'), 'NEEDS-ACTION');
});

test('The organizer cannot answer for others: what is stored stays, a new guest has not answered', () => {
  const accepted = PEOPLE.map((line) => line.replace('NEEDS-ACTION', 'ACCEPTED'));
  assert.deepEqual(answersOf(outcome(FIRST, calendarOf([...ONCE, ...accepted])).calendar), [
    'series: anna ACCEPTED, ben NEEDS-ACTION, cora -',
  ]);
  assert.deepEqual(answersOf(outcome(undefined, calendarOf([...ONCE, ...accepted])).calendar), [
    'series: anna ACCEPTED, ben NEEDS-ACTION, cora -',
  ]);
  // a client that has not seen the answer does not undo it
  assert.deepEqual(
    answersOf(outcome(calendarOf([...ONCE, ...accepted]), calendarOf([...ONCE, 'LOCATION:x', ...PEOPLE])).calendar),
    ['series: anna ACCEPTED, ben ACCEPTED, cora -'],
  );
});

const ID = 'RECURRENCE-ID:20260112T100000Z';
const MOVED = [ID, 'DTSTAMP:20260101T000000Z', 'DTSTART:20260112T140000Z', 'DTEND:20260112T150000Z', 'SUMMARY:Plan'];

test('Each guest gets the instances he is invited to and no others (RFC 6638 section 3.2.6)', () => {
  const single = [...MOVED, ...without(PEOPLE, 'cora'), 'ATTENDEE:mailto:dora@vm'];
  const { messages } = outcome(SERIES, calendarOf([...WEEKLY, ...PEOPLE], single));
  const ofAll = Object.fromEntries(messages.map(({ recipients, calendar }) => [recipients[0], calendar]));
  assert.deepEqual(valuesOf(ofAll['mailto:ben@vm'], 'DTSTART'), [
    'series: 20260105T100000Z',
    '20260112T100000Z: 20260112T140000Z',
  ]);
  assert.deepEqual(valuesOf(ofAll['mailto:cora@vm'], 'EXDATE'), ['series: 20260112T100000Z']);
  assert.deepEqual(valuesOf(ofAll['mailto:dora@vm'], 'DTSTART'), ['20260112T100000Z: 20260112T140000Z']);
});

test('A moved instance is asked for anew, and only that one', () => {
  const accepted = PEOPLE.map((line) => line.replace('NEEDS-ACTION', 'ACCEPTED'));
  const { calendar } = outcome(
    calendarOf([...WEEKLY, ...accepted]),
    calendarOf([...WEEKLY, ...accepted], [...MOVED, ...accepted]),
  );
  assert.deepEqual(answersOf(calendar), [
    'series: anna ACCEPTED, ben ACCEPTED, cora -',
    '20260112T100000Z: anna ACCEPTED, ben NEEDS-ACTION, cora -',
  ]);
});

test('A single instance that is taken back is cancelled for who had no other', () => {
  const dora = [...MOVED, ...PEOPLE, 'ATTENDEE:mailto:dora@vm'];
  assert.deepEqual(sent(calendarOf([...WEEKLY, ...PEOPLE], dora), SERIES).sort(), ['CANCEL dora', 'REQUEST ben cora']);
});

test('An event that is marked as cancelled is a cancellation', () => {
  assert.deepEqual(sent(FIRST, calendarOf([...ONCE, 'STATUS:CANCELLED', ...PEOPLE])), ['CANCEL ben cora']);
});

test('Guests who are each left out of other instances are bounded by what they have to be told', () => {
  const of = (count: number) => {
    const guests = Array.from({ length: count }, (_, i) => `ATTENDEE:mailto:guest${i}@vm`);
    const own = instances(300, ['ORGANIZER:mailto:anna@vm']).map((lines, i) => [...lines, guests[i] ?? guests[0]!]);
    const series = [...ONCE, 'RRULE:FREQ=WEEKLY', 'ORGANIZER:mailto:anna@vm', ...guests];
    return scheduleAsOrganizer(undefined, scheduling(calendarOf(series, ...own)), NOW).fault;
  };
  assert.equal(of(100), undefined);
  // each is told of the 299 instances that are not his
  assert.equal(of(Math.ceil(MAX_MESSAGE_LINES / 299)), 'max-attendees-per-instance');
});

test('MAX_ATTENDEES may be invited, and not one more', () => {
  const guests = Array.from({ length: MAX_ATTENDEES + 1 }, (_, i) => `ATTENDEE:mailto:guest${i}@vm`);
  const event = (count: number) =>
    scheduling(calendarOf([...ONCE, 'ORGANIZER:mailto:anna@vm', ...guests.slice(0, count)]));
  assert.equal(scheduleAsOrganizer(undefined, event(MAX_ATTENDEES), NOW).fault, undefined);
  assert.equal(scheduleAsOrganizer(undefined, event(MAX_ATTENDEES + 1), NOW).fault, 'max-attendees-per-instance');
});

test('A long text goes to so many guests of whom each gets another message, and to any number who get the same', () => {
  const of = (count: number, isEachOther: boolean) => {
    const guests = Array.from({ length: count }, (_, i) => `ATTENDEE:mailto:guest${i}@vm`);
    const series = [...WEEKLY, `DESCRIPTION:${LONG_LINE}`, 'ORGANIZER:mailto:anna@vm', ...guests];
    const own = instances(count, ['ORGANIZER:mailto:anna@vm']).map((lines, i) => [...lines, guests[i]!]);
    const object = scheduling(calendarOf(series, ...(isEachOther ? own : [])));
    return { fault: scheduleAsOrganizer(undefined, object, NOW).fault, again: refreshMessages(object, NOW).length };
  };
  assert.deepEqual(of(LONG_LINES - 1, true), { fault: undefined, again: LONG_LINES - 1 });
  assert.deepEqual(of(LONG_LINES + 1, true), { fault: 'max-attendees-per-instance', again: 0 });
  assert.deepEqual(of(LONG_LINES + 1, false), { fault: undefined, again: 1 });
});

test('Time zones count as often as they are sent', () => {
  const half = 'X-A:1\r\n'.repeat(MAX_MESSAGE_LINES / 10);
  const of = (count: number) => {
    const own = instances(count, ['ORGANIZER:mailto:anna@vm']).map((lines, i) => [
      ...lines,
      `ATTENDEE:mailto:g${i}@vm`,
    ]);
    const zone = `BEGIN:VTIMEZONE\r\nTZID:A\r\nBEGIN:STANDARD\r\n${half}END:STANDARD\r\nEND:VTIMEZONE\r\n`;
    const calendar = calendarOf(...own).replace('BEGIN:VEVENT', () => `${zone}BEGIN:VEVENT`);
    return scheduleAsOrganizer(undefined, scheduling(calendar), NOW).fault;
  };
  assert.equal(of(9), undefined);
  assert.equal(of(10), 'max-attendees-per-instance');
});

test('A status of a guest stays at the instances that are new, a long one nowhere', () => {
  const of = (length: number) => {
    const status = `ATTENDEE;PARTSTAT=ACCEPTED;SCHEDULE-STATUS=${'1'.repeat(length)}:mailto:ben@vm`;
    const people = ['ORGANIZER:mailto:anna@vm', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@vm'];
    const before = calendarOf([...WEEKLY, people[0]!, status]);
    const { calendar } = outcome(before, calendarOf([...WEEKLY, ...people], ...instances(2, people)));
    return textOfCalendar(calendar).match(/SCHEDULE-STATUS/g)?.length ?? 0;
  };
  assert.equal(of(MAX_ANSWER_CHARACTERS), 3);
  assert.equal(of(MAX_ANSWER_CHARACTERS + 1), 0);
});
